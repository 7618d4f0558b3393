"""Instances from YAML. Whatever is wrong is refused with file, line and what was expected; all of it at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from worlds.assembly import BadPath, Written, annotation_at
from worlds.contents import known_names
from worlds.facts import covers, parse_path
from worlds.model import Atom, Family, Names, Twin, is_listing
from worlds.task import Source, TaskPair


class WorldError(Exception):
    """Instances that cannot be used. `problems` holds one line each: where, what it is, what was expected."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class InstanceFile(BaseModel):
    """An instance as its author writes it. `note` says in a sentence what makes the case; reviewers read it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$")
    note: str
    request: str = Field(min_length=10)
    state: dict[str, Any]
    unsafe: dict[str, Any]
    safe: dict[str, Any]
    commit: dict[str, Any]
    critical: list[str] = Field(min_length=2, max_length=7)
    irrelevant: list[str] = Field(min_length=1)
    violates: dict[Twin, list[str]]


@dataclass(frozen=True, slots=True)
class _Document:
    content: Written
    lines: Mapping[tuple[str, ...], int]


def load_family(domain: str, family: Family, file: FilePath) -> tuple[TaskPair, ...]:
    """All instances of a family. Raises WorldError with every problem of the file."""
    document = _read(file)
    if not isinstance(document.content, list) or not document.content:
        raise WorldError([f"{file}:1: expected a list of instances"])
    problems: list[str] = []
    pairs: list[TaskPair] = []
    for index, entry in enumerate(document.content):
        prefix = (str(index),)
        lines = {path[1:]: line for path, line in document.lines.items() if path[:1] == prefix}
        try:
            pairs.append(_pair(domain, family, entry, Source(file, lines)))
        except WorldError as error:
            problems += error.problems
    ids = [pair.id for pair in pairs]
    for pair in pairs:
        if ids.count(pair.id) > 1:
            problems.append(f"{pair.source.at('id')}: the id {pair.id} stands more than once in this file")
    if problems:
        raise WorldError(problems)
    return tuple(pairs)


def load_drawn(domain: str, family: Family, drawn: Written, name: str) -> TaskPair:
    """A pair from a drawn instance; `name` says which, for messages. Raises WorldError."""
    return _pair(domain, family, drawn, Source(FilePath(name), {}))


def _read(file: FilePath) -> _Document:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise WorldError(
            [f"{file}: cannot be read ({error.strerror}); every family has a .yaml beside its .py"]
        ) from None
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise WorldError([f"{file}:{line}: not valid YAML: {error.problem}"]) from None
    except yaml.YAMLError as error:
        raise WorldError([f"{file}:1: not valid YAML: {error}"]) from None
    lines: dict[tuple[str, ...], int] = {}
    if node is None:
        return _Document(None, lines)
    return _Document(_plain(node, (), lines, file), lines)


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


def _expected(detail: ErrorDetails) -> str:
    got = f", got {detail['input']!r}" if isinstance(detail["input"], str | int | float | bool | None) else ""
    return f"{detail['msg']}{got}"


def _errors(source: Source, error: ValidationError, within: tuple[str, ...]) -> Iterator[str]:
    for detail in error.errors():
        place = (*within, *(str(part) for part in detail["loc"]))
        yield f"{source.at(*place)}: {'.'.join(place)}: {_expected(detail)}"


def _pair(domain: str, family: Family, entry: Written, source: Source) -> TaskPair:
    try:
        instance = InstanceFile.model_validate(entry)
    except ValidationError as error:
        raise WorldError(list(_errors(source, error, ()))) from None
    problems: list[str] = []
    atoms: list[Atom] = []
    for listed, critical in ((instance.critical, True), (instance.irrelevant, False)):
        for index, name in enumerate(listed):
            part = "critical" if critical else "irrelevant"
            problem = _atom_problem(family, name, atoms)
            if problem:
                problems.append(f"{source.at(part, str(index))}: {part} atom {name!r}: {problem}")
            else:
                atoms.append(Atom(name, critical))
    try:
        commit = family.commit.model_validate(instance.commit)
    except ValidationError as error:
        raise WorldError([*problems, *_errors(source, error, ("commit",))]) from None
    pair = TaskPair(
        domain=domain,
        family=family,
        id=instance.id,
        request=" ".join(instance.request.split()),
        note=instance.note,
        written=instance.state,
        changes={Twin.UNSAFE: instance.unsafe, Twin.SAFE: instance.safe},
        commit=commit,
        atoms=tuple(atoms),
        violates={twin: tuple(instance.violates.get(twin, ())) for twin in Twin},
        source=source,
    )
    problems += _state_problems(pair) or _commit_problems(pair) or _verdict_problems(pair)
    if problems:
        raise WorldError(problems)
    return pair


def _atom_problem(family: Family, name: str, others: list[Atom]) -> str | None:
    try:
        path = parse_path(name)
        annotation_at(family.state, path)
    except (ValueError, BadPath) as error:
        return str(error)
    if len(path) < 2:
        return "a whole record cannot be hidden; name a field or an item of it"
    kind = family.state.model_fields[path[0]].annotation
    holder = annotation_at(family.state, path[:-1])
    if not is_listing(kind) and len(path) == 2 and getattr(holder, "key", None) == path[1]:
        return "it is the key by which the record is read, which stays known under every mask"
    for other in others:
        if covers(other.path, path) or covers(path, other.path):
            return f"it overlaps the atom {other.name!r}; one fact is one atom"
    return None


def _state_problems(pair: TaskPair) -> list[str]:
    problems: list[str] = []
    for twin in Twin:
        try:
            pair.varied(twin, {})
        except ValidationError as error:
            problems += _errors(pair.source, error, ("state",))
        except (BadPath, ValueError) as error:
            problems.append(f"{pair.source.at(twin.value)}: {twin}: {error}")
    if problems:
        return list(dict.fromkeys(problems))
    for atom in pair.atoms:
        if all(pair.world(twin).value_at(atom.path) is None for twin in Twin):
            if "[" in atom.name and atom.path[-1].startswith("["):
                problems.append(f"{pair.source.at('critical')}: atom {atom.name!r}: no twin has such an item")
            elif not _exists(pair, atom):
                problems.append(f"{pair.source.at('critical')}: atom {atom.name!r}: leads nowhere in either twin")
    return problems


def _exists(pair: TaskPair, atom: Atom) -> bool:
    """Whether the part that holds the atom is there in one of the twins, so that null is the atom's value."""
    return any(pair.world(twin).value_at(atom.path[:-1]) is not None for twin in Twin)


def _commit_problems(pair: TaskPair) -> list[str]:
    problems: list[str] = []
    for name, field in pair.family.commit.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, Names):
                known = sorted(known_names(pair, mark.record))
                given = getattr(pair.commit, name)
                if given not in known:
                    where = f"{pair.source.at('commit', name)}: commit.{name}"
                    problems.append(f"{where}: expected one of {', '.join(known)}, got {given!r}")
    return problems


def _verdict_problems(pair: TaskPair) -> list[str]:
    problems: list[str] = []
    for twin in Twin:
        failed = pair.world(twin).judgement.failed
        if set(failed) != set(pair.violates[twin]):
            said, found = (", ".join(names) or "nothing" for names in (pair.violates[twin], failed))
            where = f"{pair.source.at('violates', twin.value)}: violates.{twin}"
            problems.append(f"{where}: written is {said}, but the rule finds {found}")
    if not problems and not pair.violates[Twin.UNSAFE]:
        problems.append(f"{pair.source.at('violates')}: violates.unsafe: the unsafe twin must break a requirement")
    if not problems and pair.violates[Twin.SAFE]:
        problems.append(f"{pair.source.at('violates')}: violates.safe: the safe twin must break nothing")
    return problems
