"""JSON files of a person's own: members are added and taken out by text, so that all else stays as it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def read(text: str) -> dict[str, object]:
    """What the text holds; nothing for an empty text. Raises ValueError, also for a name that stands twice."""
    if not text.strip():
        return {}
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not plain JSON, perhaps for a comment or a comma at an end: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"it holds a {type(found).__name__}; expected an object")
    return found


def added(text: str, path: Sequence[str], entries: Mapping[str, object]) -> str:
    """The text with these entries in the object at `path`, which is made where it is missing."""
    if not text.strip():
        text = "{}\n"
    place, new, deepest = _opened(text, 0), entries, list(path)
    while deepest and (member := place.member(deepest[0])) is not None:
        place = _opened(text, member.value)
        deepest.pop(0)
    for name in reversed(deepest):
        new = {name: new}
    return _inserted(text, place, new)


def removed(text: str, path: Sequence[str], names: Iterable[str]) -> str:
    """The text without these members of the object at `path`."""
    for name in names:
        place = _opened(text, 0)
        for step in path:
            inner = place.member(step)
            if inner is None:
                return text
            place = _opened(text, inner.value)
        text = _cut(text, place, name)
    return text


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: where its name starts, its value starts, and its value ends."""

    name: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Object:
    """An object in a text: where its braces stand, and its members in order."""

    start: int
    end: int
    members: tuple[_Member, ...]

    def member(self, name: str) -> _Member | None:
        return next((member for member in self.members if member.name == name), None)


def _opened(text: str, at: int) -> _Object:
    """The object that starts at or after `at` in a text that is known to be JSON."""
    start = _after_blank(text, at)
    if text[start] != "{":
        raise ValueError("a member on the way to the servers is not an object")
    members = []
    at = _after_blank(text, start + 1)
    while text[at] != "}":
        name, end_of_name = _DECODER.raw_decode(text, at)
        value = _after_blank(text, _after_blank(text, end_of_name) + 1)
        _, end = _DECODER.raw_decode(text, value)
        members.append(_Member(name, at, value, end))
        at = _after_blank(text, end)
        at = _after_blank(text, at + 1) if text[at] == "," else at
    return _Object(start, at, tuple(members))


def _after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _inserted(text: str, place: _Object, entries: Mapping[str, object]) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if place.members:
        inner = _own_line(text, place.members[0].start)
        end = place.members[-1].end
        if inner is None:
            return text[:end] + ", " + json.dumps(entries, ensure_ascii=False)[1:-1] + text[end:]
        return text[:end] + "," + line_end + _lines(entries, inner, unit, line_end) + text[end:]
    outer = _indentation(text, place.start)
    body = line_end + _lines(entries, outer + unit, unit, line_end) + line_end + outer
    return text[: place.start + 1] + body + text[place.end :]


def _lines(entries: Mapping[str, object], inner: str, unit: str, line_end: str) -> str:
    """The members, each on lines of its own, without a comma or line end after the last."""
    written = json.dumps(entries, indent=unit, ensure_ascii=False).split("\n")[1:-1]
    return line_end.join(inner + line.removeprefix(unit) for line in written)


def _unit(text: str) -> str:
    """What the text indents by: as its first indented line, or two blanks."""
    found = re.search(r"^([ \t]+)\S", text, flags=re.MULTILINE)
    return found[1] if found else "  "


def _own_line(text: str, at: int) -> str | None:
    """The blanks before `at`, if nothing else stands before it on its line."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return before if not before.strip(" \t") and "\n" in text[:at] else None


def _indentation(text: str, at: int) -> str:
    found = re.match(r"[ \t]*", text[text.rfind("\n", 0, at) + 1 : at])
    return found[0] if found else ""


def _cut(text: str, place: _Object, name: str) -> str:
    at = next((number for number, member in enumerate(place.members) if member.name == name), None)
    if at is None:
        return text
    if at > 0:
        return text[: place.members[at - 1].end] + text[place.members[at].end :]
    if len(place.members) > 1:
        return text[: place.members[0].start] + text[place.members[1].start :]
    return text[: place.start + 1] + text[place.end :]


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} stands twice in one object")
        found[name] = value
    return found
