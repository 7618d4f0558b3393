"""YAML files as their authors wrote them, with the line of every part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from worlds.assembly import Written
from worlds.task import Source


class UnknownTask(LookupError):
    """No such suite, task or pattern; the message says what there is."""


class WorldError(Exception):
    """Instances that cannot be used. `problems` holds one line each: where, what it is, what was expected."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content, and the line of each of its parts by path."""

    content: Written
    lines: Mapping[tuple[str, ...], int]


def read_document(file: FilePath) -> Document:
    """A file's content as texts, nulls, lists and mappings. Raises WorldError."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        missing = f"{file}: cannot be read ({error.strerror}); every family has a .yaml beside its .py"
        raise WorldError([missing]) from None
    except UnicodeError as error:
        raise WorldError([f"{file}: is no UTF-8 text ({error})"]) from None
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise WorldError([f"{file}:{line}: not valid YAML: {error.problem}"]) from None
    except yaml.YAMLError as error:
        raise WorldError([f"{file}:1: not valid YAML: {error}"]) from None
    lines: dict[tuple[str, ...], int] = {}
    if node is None:
        return Document(None, lines)
    try:
        return Document(_plain(node, (), lines, file), lines)
    except RecursionError:
        raise WorldError([f"{file}:1: a part of the file holds itself"]) from None


def _plain(node: yaml.Node, path: tuple[str, ...], lines: dict[tuple[str, ...], int], file: FilePath) -> Written:
    """The node as texts, nulls, lists and mappings: a value means what its field's type says, not how YAML guesses."""
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Written] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            lines[(*path, key)] = key_node.start_mark.line + 1
            if key in mapping:
                raise WorldError([f"{file}:{key_node.start_mark.line + 1}: {key!r} stands twice in one mapping"])
            mapping[key] = _plain(value_node, (*path, key), lines, file)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, str(index)), lines, file) for index, item in enumerate(node.value)]
    if node.tag == "tag:yaml.org,2002:null":
        return None
    return str(node.value)


def expected(detail: ErrorDetails) -> str:
    """What is wrong with a value, and what it is."""
    got = f", got {detail['input']!r}" if isinstance(detail["input"], str | int | float | bool | None) else ""
    return f"{detail['msg']}{got}"


def errors_of(source: Source, error: ValidationError, within: tuple[str, ...]) -> Iterator[str]:
    """What pydantic found wrong, one line each: where, what it is, what was expected."""
    for detail in error.errors():
        place = (*within, *(str(part) for part in detail["loc"]))
        yield f"{source.at(*place)}: {'.'.join(place)}: {expected(detail)}"
