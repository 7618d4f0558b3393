"""TOML files of a person's own: entries are added and taken out, with comments and layout kept as they are."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, MutableMapping, Sequence

import tomlkit


def read(text: str) -> dict[str, object]:
    """What the text holds. Raises ValueError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"it is not TOML: {error}") from None


def added(text: str, path: Sequence[str], entries: Mapping[str, object]) -> str:
    """The text with these entries, a table each, in the table at `path`, which is made where it is missing."""
    document = tomlkit.parse(text)
    place: MutableMapping[str, object] = document
    for step in path:
        if step not in place:
            place[step] = tomlkit.table(is_super_table=True)
        place = _table(place[step])
    for name, entry in entries.items():
        place[name] = tomlkit.item(entry)
    return tomlkit.dumps(document)


def removed(text: str, path: Sequence[str], names: Iterable[str]) -> str:
    """The text without these entries of the table at `path`."""
    document = tomlkit.parse(text)
    place: MutableMapping[str, object] = document
    for step in path:
        if step not in place:
            return text
        place = _table(place[step])
    for name in names:
        place.pop(name, None)
    return tomlkit.dumps(document)


def _table(found: object) -> MutableMapping[str, object]:
    if not isinstance(found, MutableMapping):
        raise ValueError("what stands on the way to the servers is not a table")
    return found
