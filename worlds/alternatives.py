"""Worlds that never were: one twin with other values of its atoms, from which proofs see what an atom decides and what
its value shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args, get_origin

from pydantic import AwareDatetime, ValidationError

from worlds.assembly import BadPath, Written, annotation_at, plain, take
from worlds.contents import as_text
from worlds.facts import Path, parse_path, path_text
from worlds.model import Listing, Prose, Twin, Value, is_listing
from worlds.task import TaskPair, World
from worlds.values import Money

Change = Mapping[str, Written]
"""Values written at paths, over what the twin itself changes."""

_STEPS = (
    *(timedelta(days=days) for days in (-1500, -400, -40, -1, 1, 40, 400, 1500)),
    timedelta(minutes=-1),
    timedelta(minutes=1),
)


@dataclass(frozen=True, eq=False)
class Alternative:
    """One twin with another value of one atom."""

    pair: TaskPair
    twin: Twin
    changes: Change

    @cached_property
    def world(self) -> World | None:
        """Made once, for all proofs that ask. None if there can be no such world."""
        return changed_world(self.pair, self.twin, self.changes)

    @property
    def takes_away(self) -> bool:
        """Whether the atom is null in it, or gone from its listing."""
        return None in self.changes.values()


def changed_world(pair: TaskPair, twin: Twin, changes: Change, alone: bool = False) -> World | None:
    """The twin with these changes (or with these alone), if such a world can be."""
    try:
        world = pair.only(twin, changes) if alone else pair.varied(twin, changes)
        world.judgement  # noqa: B018  a rule may refuse values that can be written, such as mixed currencies
    except (ValidationError, BadPath, ValueError, TypeError, ArithmeticError):
        return None
    return world


@lru_cache(maxsize=32)
def alternatives(pair: TaskPair, twin: Twin, name: str) -> tuple[Alternative, ...]:
    """Other values that an atom could have, each once; not the one that is written for this twin."""
    path = parse_path(name)
    world = pair.world(twin)
    value = world.value_at(path)
    written = {other: take(pair.family.state, pair.tree(other), path) for other in Twin}
    changes: list[Change] = [{name: candidate} for candidate in written.values() if candidate is not None]
    is_item = path[-1].startswith("[")
    annotation = annotation_at(pair.family.state, path)
    if value is not None and (is_item or plain(annotation) is not annotation):
        changes.append({name: None})
    if isinstance(value, Value):
        for field in type(value).model_fields:
            if field != type(value).key:
                changes += _changes_of_a_fact(pair, world, (*path, field))
    else:
        changes += _changes_of_a_fact(pair, world, path)
    own = {name: written[twin]}
    new = [change for at, change in enumerate(changes) if change != own and change not in changes[:at]]
    return tuple(Alternative(pair, twin, change) for change in new)


def _changes_of_a_fact(pair: TaskPair, world: World, path: Path) -> list[Change]:
    if path[-1].startswith("["):
        return []
    annotation = annotation_at(pair.family.state, path)
    value = world.value_at(path)
    if is_listing(plain(annotation)):
        return [{path_text(path): []}]
    return [{path_text(path): other} for other in _others(plain(annotation), value, world)]


def _others(annotation: Any, value: object, world: World) -> list[Written]:
    if annotation is bool:
        return ["true", "false"]
    if get_origin(annotation) is Literal:
        return [str(choice) for choice in get_args(annotation)]
    if isinstance(value, Money):
        amounts = (0, value.amount - 1, value.amount + 1, value.amount * 2, value.amount / 2, value.amount * 100)
        return [f"{Decimal(amount):f} {value.currency}" for amount in amounts]
    if isinstance(value, int | Decimal):
        number = Decimal(value)
        numbers = [Decimal(0), number - 1, number + 1, number * 2, number / 2, number * 100]
        return [str(int(other)) if annotation is int else f"{other:f}" for other in numbers]
    if isinstance(value, datetime):
        return [(value + step).isoformat() for step in _STEPS]
    if isinstance(value, date):
        return [(value + step).isoformat() for step in _STEPS if step % timedelta(days=1) == timedelta(0)]
    if isinstance(value, tuple | frozenset):
        items = [as_text(item) for item in value]
        without: list[Written] = [[*items[:index], *items[index + 1 :]] for index in range(len(items))]
        added: list[Written] = [[*items, text] for text in ("another", *sorted(_texts(world.state) - set(items)))]
        return [[], *without, *added]
    if isinstance(value, str):
        return [*sorted(_texts(world.state)), f"{value} (other)"]
    return _instead_of_nothing(annotation, world)


def _instead_of_nothing(annotation: Any, world: World) -> list[Written]:
    """Values for a fact that is null: those of its type that stand elsewhere in the state, and their neighbours."""
    wanted = datetime if annotation is AwareDatetime else annotation
    found = [value for value in _scalars(world.state) if type(value) is wanted]
    neighbours: list[Written] = []
    for value in dict.fromkeys(found):
        neighbours += [as_text(value), *_others(annotation, value, world)]
    return list(dict.fromkeys(map(str, neighbours))) or ["1", "another", "2026-06-01", "100 USD", "100 EUR"]


def _scalars(value: object) -> Iterator[object]:
    """All single facts that stand somewhere in a state."""
    if isinstance(value, Value):
        for name in type(value).model_fields:
            yield from _scalars(getattr(value, name))
    elif isinstance(value, Listing):
        for item in value:
            yield from _scalars(item)
    elif not isinstance(value, tuple | frozenset) and value is not None:
        yield value


def _texts(value: object) -> set[str]:
    """All single texts that stand somewhere in a state."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Value):
        return set().union(*(_texts(getattr(value, name)) for name in type(value).model_fields))
    if isinstance(value, tuple | frozenset) and not isinstance(value, Prose):
        return set().union(*(_texts(item) for item in value))
    return set()
