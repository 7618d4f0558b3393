"""What an agent can know of a state: the ordinary reads that show it, and the state that their answers amount to.

The reverse of `contents`: from shown answers, and from what the audit source told, to a state in which whatever was
not shown is undetermined.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast, get_args

from pydantic import TypeAdapter

from worlds.assembly import plain, step
from worlds.contents import RecordTable, contents
from worlds.facts import Path, parse_path
from worlds.model import Listing, Mask, Prose, Record, Twin, Value, WorldState, is_listing, key_of
from worlds.projection import Absent, Evidence, Json, project
from worlds.task import TaskPair, World


@dataclass(frozen=True, slots=True)
class Read:
    """One ordinary call that returns a record, or all records, of a kind."""

    system: str
    tool: str
    arguments: Mapping[str, str]
    kind: type[Record]


def reads(pair: TaskPair) -> tuple[Read, ...]:
    """The calls that together show everything that ordinary tools show of the state."""
    calls: list[Read] = []
    for kind, fields in pair.family.fields_of.items():
        access = kind.access
        for field in fields:
            annotation = pair.family.state.model_fields[field].annotation
            if is_listing(annotation) and access.list:
                calls.append(Read(access.system, access.list, {}, kind))
            elif access.read and kind.key:
                key = key_of(getattr(pair.world(Twin.SAFE).state, field))
                calls.append(Read(access.system, access.read, {kind.key: key}, kind))
            elif access.read:
                calls.append(Read(access.system, access.read, {}, kind))
    return tuple(calls)


Answers = tuple[tuple[Read, Evidence], ...]


def answers(world: World) -> Answers:
    """The complete evidence that each of the reads returns."""
    held = contents(world)
    return tuple((read, _answer(held[read.system].records[read.kind.__name__], read)) for read in reads(world.pair))


def _answer(table: RecordTable, read: Read) -> Evidence:
    if read.tool == read.kind.access.list:
        return table.answer
    wanted = next(iter(read.arguments.values()), "")
    return next(record for key, record in table.records if key == wanted)


def observed(
    pair: TaskPair, answers: Iterable[tuple[Read, Json]], audited: Mapping[str, Json] | None = None
) -> WorldState:
    """The state as far as these answers show it.

    `audited` maps a fact's path to the value that the audit source gave; a null at an item of a listing says that
    there is no such item.
    """
    tree: dict[str, Json] = {}
    for read, answer in answers:
        if isinstance(answer, dict):
            _place(pair, read, answer, tree)
    for name, value in (audited or {}).items():
        _restore(pair.family.state, tree, parse_path(name), value)
    if audited:
        _repeat_restored(pair, tree)
    state = _partial(pair.family.state, tree, "")
    if not isinstance(state, WorldState):
        raise TypeError(f"{pair.family.state.__name__} is no state")
    return state


def visible(pair: TaskPair, evidence: Answers, mask: Mask, audited: Mapping[str, Json] | None = None) -> WorldState:
    """The state as far as these answers show it under a mask, with what the audit source told."""
    shown = ((read, project(answer, mask)) for read, answer in evidence)
    return observed(pair, ((read, answer) for read, answer in shown if not isinstance(answer, Absent)), audited)


def _place(pair: TaskPair, read: Read, answer: dict[str, Json], tree: dict[str, Json]) -> None:
    fields = pair.family.fields_of[read.kind]
    listed = [field for field in fields if is_listing(pair.family.state.model_fields[field].annotation)]
    single = {
        key_of(getattr(pair.world(Twin.SAFE).state, field)) if read.kind.key else "": field
        for field in fields
        if field not in listed
    }
    if read.tool == read.kind.access.list:
        items = answer.get("items")
        others = [item for item in items if _key(item, read.kind) not in single] if isinstance(items, list) else []
        rest: dict[str, Json] = {"items": others}
        if isinstance(total := answer.get("total"), int):
            rest["total"] = total - len(single)
        tree[listed[0]] = rest
    else:
        tree[single[next(iter(read.arguments.values()), "")]] = answer


def _key(item: Json, kind: type[Value]) -> Json:
    return item.get(kind.key) if isinstance(item, dict) and kind.key else item


def _repeat_restored(pair: TaskPair, tree: dict[str, Json]) -> None:
    """Put facts that the audit source told also where a record repeats them."""
    for repeating, fact in pair.world(Twin.SAFE).assembled.aliases.items():
        told = _shown_at(pair, tree, fact)
        if told is not _MISSING and _shown_at(pair, tree, repeating) is _MISSING:
            _restore(pair.family.state, tree, repeating, cast(Json, told))


_MISSING = object()


def _shown_at(pair: TaskPair, tree: dict[str, Json], path: Path) -> object:
    """What is known at a path; _MISSING if nothing is."""
    annotation: Any = pair.family.state
    found: Json = tree
    for depth, segment in enumerate(path):
        following = step(annotation, segment, path[:depth])
        if segment.startswith("["):
            items = found.get("items") if isinstance(found, dict) else None
            kind = plain(following)
            known = [item for item in items if _key(item, kind) == segment[1:]] if isinstance(items, list) else []
            if not known:
                return _MISSING
            found = known[0]
        elif isinstance(found, dict) and segment in found:
            found = found[segment]
        else:
            return _MISSING
        annotation = following
    return found


def _restore(state_type: type[WorldState], tree: dict[str, Json], path: Path, value: Json) -> None:
    annotation: Any = state_type
    holder: Json = tree
    for depth, segment in enumerate(path):
        last = depth == len(path) - 1
        listing = isinstance(holder, dict) and is_listing(plain(annotation)) and "items" in holder
        if listing and segment == "total":
            holder["total"] = value  # type: ignore[index, call-overload]
            return
        following = step(annotation, segment, path[:depth])
        if listing:
            items: list[Json] = holder["items"]  # type: ignore[index, call-overload, assignment]
            kind = plain(following)
            found = next((item for item in items if _key(item, kind) == segment[1:]), None)
            if last:
                if value is not None and found is None:
                    items.append(copy.deepcopy(value))
                return
            if found is None:
                return
            holder = found
        elif isinstance(holder, dict):
            if last:
                holder[segment] = copy.deepcopy(value)
                return
            holder = holder.get(segment)
        else:
            return
        annotation = following


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation)


def _partial(annotation: Any, shown: Json, where: str) -> object:
    if shown is None:
        return None
    annotation = plain(annotation)
    if is_listing(annotation):
        (item_type,) = get_args(annotation)
        items = shown.get("items") if isinstance(shown, dict) else None
        known = items if isinstance(items, list) else []
        total = shown.get("total") if isinstance(shown, dict) else None
        return Listing(
            (_partial(item_type, item, f"{where}[{_key(item, plain(item_type))}]") for item in known),
            complete=total == len(known),
            where=where,
        )
    if isinstance(annotation, type) and issubclass(annotation, Value):
        return _partial_value(annotation, shown, where)
    return _adapter(annotation).validate_python(shown)


def _partial_value(kind: type[Value], shown: Json, where: str) -> Value:
    fields: dict[str, object] = {}
    for name, field in kind.model_fields.items():
        annotation = field.annotation
        within = f"{where}.{name}" if where else name
        if isinstance(shown, dict) and name in shown and annotation is not Prose:
            fields[name] = _partial(annotation, shown[name], within)
        elif is_listing(annotation):
            fields[name] = Listing((), complete=False, where=within)
    return kind.known_in_part(fields, where)
