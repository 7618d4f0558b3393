"""Evidence: a tool's answer whose parts know which atoms they expose. Projection: what is left of it under a mask.

Nothing else turns evidence into something an agent can see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from worlds.model import Mask

Scalar = str | int | bool | None
Json = Scalar | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences shown as one text; each is a part of its own."""

    parts: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A part of an answer: a scalar, fields, items or sentences. It is hidden while one of `atoms` is masked."""

    content: Scalar | Mapping[str, Evidence] | tuple[Evidence, ...] | Sentences
    atoms: frozenset[str] = field(default=frozenset())


class Absent:
    """The projection of a hidden part."""


ABSENT = Absent()


def project(evidence: Evidence, mask: Mask) -> Json | Absent:
    """The answer without its hidden parts. A text of which every sentence is hidden is absent."""
    if evidence.atoms & mask:
        return ABSENT
    content = evidence.content
    if content is None or isinstance(content, str | int):
        return content
    if isinstance(content, Mapping):
        fields: dict[str, Json] = {}
        for name, part in content.items():
            shown = project(part, mask)
            if not isinstance(shown, Absent):
                fields[name] = shown
        return fields
    if isinstance(content, tuple):
        return _shown(content, mask)
    if isinstance(content, Sentences):
        sentences = _shown(content.parts, mask)
        return " ".join(str(sentence) for sentence in sentences) if sentences else ABSENT
    raise TypeError(f"evidence cannot hold a {type(content).__name__}")


def _shown(parts: tuple[Evidence, ...], mask: Mask) -> list[Json]:
    projected = (project(part, mask) for part in parts)
    return [part for part in projected if not isinstance(part, Absent)]


def exposed(evidence: Evidence, mask: Mask = frozenset()) -> Iterator[str]:
    """The atoms that the projection exposes, one entry for each place."""
    if evidence.atoms & mask:
        return
    yield from evidence.atoms
    content = evidence.content
    if isinstance(content, Sentences):
        content = content.parts
    parts = content.values() if isinstance(content, Mapping) else content if isinstance(content, tuple) else ()
    for part in parts:
        yield from exposed(part, mask)


def to_stored(evidence: Evidence) -> Json:
    """The form in which a store keeps evidence; `from_stored` reads it back."""
    content = evidence.content
    atoms: list[Json] = [*sorted(evidence.atoms)]
    if isinstance(content, Mapping):
        return {"a": atoms, "f": {name: to_stored(part) for name, part in content.items()}}
    if isinstance(content, tuple):
        return {"a": atoms, "i": [to_stored(part) for part in content]}
    if isinstance(content, Sentences):
        return {"a": atoms, "s": [to_stored(part) for part in content.parts]}
    return {"a": atoms, "v": content}


def from_stored(stored: Json) -> Evidence:
    if not isinstance(stored, dict) or not isinstance(stored["a"], list):
        raise ValueError(f"not stored evidence: {stored!r}")
    atoms = frozenset(str(atom) for atom in stored["a"])
    match stored:
        case {"f": dict(fields)}:
            return Evidence({name: from_stored(part) for name, part in fields.items()}, atoms)
        case {"i": list(items)}:
            return Evidence(tuple(from_stored(part) for part in items), atoms)
        case {"s": list(parts)}:
            return Evidence(Sentences(tuple(from_stored(part) for part in parts)), atoms)
        case {"v": str() | int() | None as value}:
            return Evidence(value, atoms)
    raise ValueError(f"not stored evidence: {stored!r}")
