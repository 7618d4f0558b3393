"""What the systems of a world hold: for each record the evidence that a tool would answer with, and what the audit
source knows of each atom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Any

from worlds.assembly import fill_slots, slots_of
from worlds.facts import Path, path_text
from worlds.model import Listing, Mask, Prose, Record, Twin, Value, key_of
from worlds.projection import Absent, Evidence, Json, Scalar, Sentences, project
from worlds.task import TaskPair, World
from worlds.values import Money


@dataclass(frozen=True, slots=True)
class RecordTable:
    """The records of one kind in one world: key and evidence of each, and how many there are."""

    records: tuple[tuple[str, Evidence], ...]
    total: Evidence

    @property
    def answer(self) -> Evidence:
        """The answer that lists them."""
        return Evidence({"total": self.total, "items": Evidence(tuple(record for _, record in self.records))})


@dataclass(frozen=True, slots=True)
class SystemContents:
    """All that one system of record holds in one world.

    `records` by name of the kind; `answers` by preparation: what it says.
    """

    records: Mapping[str, RecordTable]
    answers: Mapping[str, Evidence]


@dataclass(frozen=True, slots=True)
class AuditFact:
    """An authoritative value: the fact's path, the tool that would show it, its value (None: there is none)."""

    fact: str
    source: str
    value: Json


def as_json(value: object) -> Scalar:
    """A fact's value as a tool shows it."""
    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Money | Decimal):
        return str(value)
    if isinstance(value, Enum):
        return str(value.value)
    raise TypeError(f"a fact cannot be a {type(value).__name__}")


def as_text(value: object) -> str:
    """A fact's value inside a sentence."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | frozenset):
        return ", ".join(as_text(item) for item in (sorted(value) if isinstance(value, frozenset) else value))
    return str(as_json(value))


def evidence_at(world: World, value: object, path: Path) -> Evidence:
    """The evidence for a part of the state that stands at this path."""
    pair = world.pair
    atoms = pair.atoms_at(path)
    if isinstance(value, Prose):
        return Evidence(_sentences(world, value), atoms)
    if isinstance(value, Listing):
        items = tuple(evidence_at(world, item, (*path, f"[{key_of(item)}")) for item in value)
        total = Evidence(len(items), pair.telling_totals.get(path, frozenset()))
        return Evidence({"total": total, "items": Evidence(items)}, atoms)
    if isinstance(value, Value):
        names = type(value).model_fields
        return Evidence({name: evidence_at(world, getattr(value, name), (*path, name)) for name in names}, atoms)
    if isinstance(value, tuple | frozenset):
        ordered = sorted(value) if isinstance(value, frozenset) else value
        return Evidence(tuple(Evidence(as_json(item)) for item in ordered), atoms)
    if path in world.assembled.aliases:
        atoms = pair.atoms_over(world.assembled.aliases[path])
    return Evidence(as_json(value), atoms)


def _sentences(world: World, prose: tuple[str, ...]) -> Sentences:
    parts: list[Evidence] = []
    for sentence in prose:
        slots = list(slots_of(sentence))
        values = {slot: world.value_at(slot) for slot in slots}
        if None not in values.values():
            texts = {slot: as_text(value) for slot, value in values.items()}
            atoms = frozenset[str]().union(*(world.pair.atoms_over(slot) for slot in slots))
            parts.append(Evidence(fill_slots(sentence, texts), atoms))
    return Sentences(tuple(parts))


@lru_cache(maxsize=64)
def contents(world: World) -> Mapping[str, SystemContents]:
    """What each system of the world holds, by system."""
    family = world.pair.family
    records: dict[str, dict[str, RecordTable]] = {system: {} for system in family.systems}
    for kind in family.records:
        records[kind.access.system][kind.__name__] = _table(world, kind)
    answers: dict[str, dict[str, Evidence]] = {system: {} for system in family.systems}
    for preparation in family.preparations:
        answers[preparation.system][preparation.tool] = Evidence(_sentences(world, preparation.says))
    return {system: SystemContents(records[system], answers[system]) for system in family.systems}


def shown_everywhere(world: World, mask: Mask) -> dict[str, Json]:
    """All that the ordinary tools of a world can show under a mask, by system, kind and key."""
    shown: dict[str, Json] = {}
    for system, held in contents(world).items():
        parts: dict[str, Evidence] = dict(held.answers)
        for kind, table in held.records.items():
            parts |= {f"{kind}[{key}]": record for key, record in table.records} | {kind: table.answer}
        for name, evidence in parts.items():
            projected = project(evidence, mask)
            if not isinstance(projected, Absent):
                shown[f"{system}.{name}"] = projected
    return shown


def _table(world: World, kind: type[Record]) -> RecordTable:
    found: list[tuple[str, Evidence]] = []
    telling: frozenset[str] = frozenset()
    fields = world.pair.family.fields_of[kind]
    for field in fields:
        value = getattr(world.state, field)
        telling |= world.pair.telling_totals.get((field,), frozenset())
        if isinstance(value, Listing):
            found += [(key_of(item), evidence_at(world, item, (field, f"[{key_of(item)}"))) for item in value]
        else:
            found.append((key_of(value) if kind.key else "", evidence_at(world, value, (field,))))
    if len(fields) > 1:  # records of one kind from several fields: in an order that tells nothing
        found.sort(key=lambda record: record[0])
    return RecordTable(tuple(found), Evidence(len(found), telling))


@lru_cache(maxsize=8192)
def known_names(pair: TaskPair, kind: type[Record]) -> frozenset[str]:
    """The keys of this kind in either twin: what an action may name, whatever is hidden."""
    return frozenset(key for twin in Twin for key, _ in _table(pair.world(twin), kind).records)


def audit_subjects(pair: TaskPair) -> tuple[str, ...]:
    """What the audit source can be asked about: whatever the task's commit names."""
    return tuple(dict.fromkeys(as_text(value) for value in pair.commit.model_dump().values()))


def audit_facts(world: World, atom: str) -> tuple[AuditFact, ...]:
    """What the audit source tells of one atom: its value, and any total that is hidden with it."""
    pair = world.pair
    path = next(found.path for found in pair.atoms if found.name == atom)
    facts = [AuditFact(atom, _source(pair, path), _full(world, path))]
    for listing, atoms in pair.telling_totals.items():
        if atom in atoms:
            facts.append(AuditFact(f"{path_text(listing)}.total", _source(pair, listing), _total(world, listing)))
    return tuple(facts)


def _full(world: World, path: Path) -> Json:
    shown = project(evidence_at(world, world.value_at(path), path), frozenset())
    return None if isinstance(shown, Absent) else shown


def _total(world: World, listing: Path) -> int:
    found: Any = world.value_at(listing)
    return len(found)


def _source(pair: TaskPair, path: Path) -> str:
    for kind, fields in pair.family.fields_of.items():
        if path[0] in fields:
            return kind.access.read or kind.access.list or kind.__name__
    raise LookupError(path_text(path))
