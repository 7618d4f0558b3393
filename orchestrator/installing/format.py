"""The formats of configuration files: entries are merged into a text and taken out again, or it is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from orchestrator.installing import json_text, toml_text, yaml_text

Entries = Mapping[str, Mapping[str, object]]
"""What a host's file says of each server, by its name."""


@dataclass(frozen=True, slots=True)
class Format:
    """How a kind of file is read and edited. An edit that would change anything else is refused with a ValueError."""

    name: str
    read: Callable[[str], dict[str, object]]
    _added: Callable[[str, Sequence[str], Mapping[str, object]], str]
    _removed: Callable[[str, Sequence[str], Iterable[str]], str]

    def added(self, text: str, path: Sequence[str], entries: Entries) -> str:
        """The text with these entries at `path`. Raises ValueError, also for a name that is taken."""
        before = self.read(text)
        taken = sorted(set(entries) & set(_at(before, path)))
        if taken:
            raise ValueError(f"{'.'.join(path)} has {', '.join(taken)} already")
        after = self._added(text, path, entries)
        if self.read(after) != _with(before, path, entries):
            raise ValueError("the entries cannot be added without changing what is there")
        return after

    def removed(self, text: str, path: Sequence[str], names: Sequence[str], made: int) -> str:
        """The text without these entries, and without the last `made` steps of the path if they are left empty."""
        expected = _without(self.read(text), path, names)
        after = self._removed(text, path, names)
        for depth in range(len(path), len(path) - made, -1):
            if not _at(self.read(after), path[:depth]):
                after = self._removed(after, path[: depth - 1], path[depth - 1 : depth])
        if _pruned(self.read(after), path) != _pruned(expected, path):
            raise ValueError("the entries cannot be taken out without changing what is there")
        return after


JSON = Format("JSON", json_text.read, json_text.added, json_text.removed)
TOML = Format("TOML", toml_text.read, toml_text.added, toml_text.removed)
YAML = Format("YAML", yaml_text.read, yaml_text.added, yaml_text.removed)


def missing_steps(found: Mapping[str, object], path: Sequence[str]) -> int:
    """How many steps at the end of the path are not there. Raises ValueError for one that holds no entries."""
    for depth in range(len(path)):
        if path[depth] not in _at(found, path[:depth]):
            return len(path) - depth
    _at(found, path)
    return 0


def _at(found: Mapping[str, object], path: Sequence[str]) -> Mapping[str, object]:
    for step in path:
        inner = found.get(step)
        if inner is not None and not isinstance(inner, Mapping):
            raise ValueError(f"{step} is there, but holds no entries")
        found = cast(Mapping[str, object], inner or {})
    return found


def _with(found: Mapping[str, object], path: Sequence[str], entries: Mapping[str, object]) -> dict[str, object]:
    if not path:
        return {**found, **entries}
    return {**found, path[0]: _with(_at(found, path[:1]), path[1:], entries)}


def _without(found: Mapping[str, object], path: Sequence[str], names: Sequence[str]) -> dict[str, object]:
    if not path:
        return {name: value for name, value in found.items() if name not in set(names)}
    return {**found, path[0]: _without(_at(found, path[:1]), path[1:], names)}


def _pruned(found: Mapping[str, object], path: Sequence[str]) -> dict[str, object]:
    """Without steps of the path that hold nothing: an empty table or section may be written or not."""
    if not path:
        return dict(found)
    inner = _pruned(_at(found, path[:1]), path[1:])
    rest = {name: value for name, value in found.items() if name != path[0]}
    return {**rest, path[0]: inner} if inner else rest
