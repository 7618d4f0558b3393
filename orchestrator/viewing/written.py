"""What stands in a journal, as lines for a page: nothing in it can hide itself, and what differs is marked.

Journals hold what outsiders and agents wrote. Pages escape markup; here characters that are not seen, or that turn the
order of others around, become visible escapes.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

from pydantic import JsonValue

JOINER = "\u200d"
"""Holds the parts of one emoji together; the only unseen character that is left as it is."""
WIDTH = 80
"""Letters of a line of JSON, if it can be broken at all."""
MOST_LINES = 2_000
"""Lines of a text that are compared with another: beyond it, all count as different."""
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Unicode's categories of control and format characters, surrogates, private and unassigned ones, odd line ends."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text, and whether the other text has no such line there."""

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a text that stand together. `folded`: they are the same in the other text, and many."""

    lines: tuple[Line, ...]
    folded: bool = False


def visible(text: str) -> str:
    """The text with every unseen character but line ends and tabs as its escape, such as `\\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_seen, text))


def _seen(letter: str) -> str:
    if letter in ("\n", "\t", JOINER) or unicodedata.category(letter) not in _UNSEEN:
        return letter
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def lines_of(shown: JsonValue) -> tuple[str, ...]:
    """A value as lines: text as it is, anything else as indented JSON, broken also where its texts are."""
    if shown is None:
        return ()
    if isinstance(shown, str):
        return tuple(visible(shown).splitlines())
    return tuple(visible(line) for written in _json(shown, "", "") for line in _broken(written))


def in_one_line(arguments: JsonValue) -> str:
    """A value as JSON on one line."""
    return visible(json.dumps(arguments, ensure_ascii=False))


def compared(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Two texts as lines, each marked where the other differs."""
    if max(len(first), len(second)) > MOST_LINES and first != second:
        return tuple(Line(line, True) for line in first), tuple(Line(line, True) for line in second)
    left, right = [True] * len(first), [True] * len(second)
    for a, b, size in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks():
        left[a : a + size] = [False] * size
        right[b : b + size] = [False] * size
    return tuple(map(Line, first, left)), tuple(map(Line, second, right))


def passages(lines: Sequence[Line], most: int = 12, around: int = 2) -> tuple[Passage, ...]:
    """A text in passages: more than `most` lines on end that do not differ are folded, but for those `around` what
    does."""
    found: list[Passage] = []
    runs = [list(run) for _, run in groupby(lines, key=lambda line: line.differs)]
    for number, run in enumerate(runs):
        if run[0].differs or len(run) <= most:
            found.append(Passage(tuple(run)))
            continue
        start = around if number > 0 else 0
        end = len(run) - (around if number < len(runs) - 1 else 0)
        found += [Passage(tuple(run[:start])), Passage(tuple(run[start:end]), folded=True), Passage(tuple(run[end:]))]
    return tuple(passage for passage in found if passage.lines)


def _json(value: JsonValue, before: str, after: str, depth: int = 0) -> Iterator[str]:
    """A value as lines of JSON between what stands before and after it: on one line if there is room."""
    indent = "  " * depth
    short = f"{indent}{before}{json.dumps(value, ensure_ascii=False)}{after}"
    if len(short) <= WIDTH or not value or not isinstance(value, dict | list):
        yield short
        return
    if isinstance(value, dict):
        opening, closing = "{}"
        inside = [(f"{json.dumps(name, ensure_ascii=False)}: ", part) for name, part in value.items()]
    else:
        opening, closing = "[]"
        inside = [("", part) for part in value]
    yield indent + before + opening
    for number, (name, part) in enumerate(inside, start=1):
        yield from _json(part, name, "," if number < len(inside) else "", depth + 1)
    yield indent + closing + after


def _broken(line: str) -> Iterator[str]:
    """A line of JSON, broken after every line end that is written in it."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    first, *rest = line.split("\\n")
    yield first + "\\n" if rest else first
    for number, part in enumerate(rest, start=1):
        yield indent + part + ("\\n" if number < len(rest) else "")
