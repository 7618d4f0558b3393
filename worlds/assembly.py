"""From an instance as written (texts, nulls, lists, mappings) to the state of one twin.

Written values may be references: `"{policy.limit}"` stands for the same fact shown in a second place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from worlds.facts import Path, parse_path, path_text
from worlds.model import Listing, Prose, Value, WorldState, is_listing, key_of

Written = str | None | list["Written"] | dict[str, "Written"]
S = TypeVar("S", bound=WorldState)

_SLOT = re.compile(r"\{([^{}]+)\}")


class BadPath(LookupError):
    """A path or reference that leads to nothing; the message says where it fails and what would be there.

    `at` is the place where it is written, for one that stands inside a state.
    """

    at: Path = ()


@dataclass(frozen=True, slots=True)
class Assembled:
    """A state, and which of its fields only repeat a fact that stands elsewhere (repeating path -> fact)."""

    state: WorldState
    aliases: Mapping[Path, Path]


def assemble(state_type: type[WorldState], written: Mapping[str, Written], changes: Mapping[str, Written]) -> Assembled:
    """The state as written, with the changes of one twin made.

    Raises BadPath for a change or reference that leads nowhere, and pydantic's ValidationError for a wrong value.
    """
    tree = changed(state_type, written, changes)
    aliases: dict[Path, Path] = {}
    resolved = _resolve(state_type, tree, (), tree, state_type, aliases)
    return Assembled(state_type.model_validate(resolved), aliases)


def changed(
    state_type: type[WorldState], written: Mapping[str, Written], changes: Mapping[str, Written]
) -> dict[str, Written]:
    """A copy of what is written, with changes made at paths. Raises BadPath."""
    tree = {name: _copied(part) for name, part in written.items()}
    for path, value in changes.items():
        put(state_type, tree, parse_path(path), _copied(value))
    return tree


def _copied(written: Written) -> Written:
    if isinstance(written, dict):
        return {name: _copied(part) for name, part in written.items()}
    return [_copied(item) for item in written] if isinstance(written, list) else written


@lru_cache(maxsize=8192)
def plain(annotation: Any) -> Any:
    """The annotation without `| None`."""
    if get_origin(annotation) in (Union, UnionType):
        (inner,) = [arm for arm in get_args(annotation) if arm is not NoneType]
        return inner
    return annotation


def step(annotation: Any, segment: str, walked: Path = ()) -> Any:
    """The annotation one segment further. Raises BadPath."""
    annotation = plain(annotation)
    where = path_text(walked) if walked else "the state"
    if segment.startswith("["):
        if is_listing(annotation):
            return get_args(annotation)[0]
        raise BadPath(f"{where} is no listing, so it has no item {segment}]")
    if isinstance(annotation, type) and issubclass(annotation, Value):
        if segment in annotation.model_fields:
            return annotation.model_fields[segment].annotation
        raise BadPath(f"{where} has no field {segment!r}; it has {', '.join(annotation.model_fields)}")
    raise BadPath(f"{where} has no parts, so no {segment!r}")


def annotation_at(state_type: type[WorldState], path: Path) -> Any:
    """The annotation of the fact at a path. Raises BadPath."""
    annotation: Any = state_type
    for depth, segment in enumerate(path):
        annotation = step(annotation, segment, path[:depth])
    return annotation


def _key(item: Written, item_type: Any) -> Written:
    key = getattr(item_type, "key", None)
    return item.get(key) if isinstance(item, dict) and key else item


def position(annotation: Any, items: list[Written], segment: str) -> int | None:
    """Where the item that a segment names stands in a written listing."""
    item_type = plain(get_args(plain(annotation))[0])
    for index, item in enumerate(items):
        if _key(item, item_type) == segment[1:]:
            return index
    return None


def put(state_type: type[WorldState], tree: dict[str, Written], path: Path, value: Written) -> None:
    """Write a value at a path. Null at an item of a listing takes the item out; a new item goes to the end."""
    annotation: Any = state_type
    holder: Written = tree
    for depth, segment in enumerate(path):
        following = step(annotation, segment, path[:depth])
        last = depth == len(path) - 1
        if isinstance(holder, dict):
            if last:
                holder[segment] = value
                return
            if segment not in holder and is_listing(following):
                holder[segment] = []
            holder = holder.get(segment)
        elif isinstance(holder, list):
            index = position(annotation, holder, segment)
            if last:
                if index is None:
                    if value is None:
                        raise BadPath(f"{path_text(path)}: there is no such item to take out")
                    holder.append(value)
                elif value is None:
                    del holder[index]
                else:
                    holder[index] = value
                return
            if index is None:
                raise BadPath(f"{path_text(path[: depth + 1])}: there is no such item")
            holder = holder[index]
        else:
            raise BadPath(f"{path_text(path[:depth])} is {holder!r}, so nothing can be set inside it")
        annotation = following


def take(state_type: type[WorldState], tree: Written, path: Path) -> Written:
    """The written value at a path; None where the path leads through an absent or null part."""
    annotation: Any = state_type
    found = tree
    for depth, segment in enumerate(path):
        following = step(annotation, segment, path[:depth])
        if isinstance(found, dict):
            found = found.get(segment)
        elif isinstance(found, list):
            index = position(annotation, found, segment)
            found = None if index is None else found[index]
        else:
            return None
        annotation = following
    return found


def _resolve(
    annotation: Any,
    written: Written,
    path: Path,
    tree: Written,
    state_type: type[WorldState],
    aliases: dict[Path, Path],
) -> Written:
    annotation = plain(annotation)
    try:
        if isinstance(written, dict) and isinstance(annotation, type) and issubclass(annotation, Value):
            resolved: dict[str, Written] = {}
            fields = annotation.model_fields
            for name, part in written.items():
                field = fields.get(name)
                resolved[name] = (
                    part
                    if field is None  # left for validation to refuse
                    else _resolve(field.annotation, part, (*path, name), tree, state_type, aliases)
                )
            return resolved
        if isinstance(written, list) and is_listing(annotation):
            item_type = plain(get_args(annotation)[0])
            items: list[Written] = []
            for item in written:
                within = (*path, f"[{_key(item, item_type)}")
                items.append(_resolve(item_type, item, within, tree, state_type, aliases))
            return items
        return _resolved_text(annotation, written, path, tree, state_type, aliases)
    except (BadPath, ValueError) as error:
        if isinstance(error, BadPath) and error.at:
            raise
        wrong = BadPath(str(error))
        wrong.at = path
        raise wrong from None


def _resolved_text(
    annotation: Any,
    written: Written,
    path: Path,
    tree: Written,
    state_type: type[WorldState],
    aliases: dict[Path, Path],
) -> Written:
    """A reference replaced by the fact it repeats; anything else as it is, once its slots are known to be sound."""
    if isinstance(written, str) and "{" not in written:
        return written
    for slot in slots_of(written):
        require_single_fact(state_type, slot)
    if annotation is Prose:
        return written
    if isinstance(written, str) and (match := _SLOT.fullmatch(written)):
        target = parse_path(match[1])
        value = take(state_type, tree, target)
        if not isinstance(value, str | None) or (isinstance(value, str) and _SLOT.search(value)):
            raise BadPath(f"{path_text(path)} refers to {match[1]}, which is no single fact")
        aliases[path] = target
        return value
    if any(True for _ in slots_of(written)):
        raise BadPath(f"{path_text(path)} holds a slot among other words; only a Prose field can, or a slot alone")
    return written


def require_single_fact(state_type: type[WorldState], path: Path) -> None:
    """Raises BadPath unless a path leads to one fact: no record, group, listing or prose."""
    annotation = plain(annotation_at(state_type, path))
    group = isinstance(annotation, type) and issubclass(annotation, Value | Prose)
    if group or is_listing(annotation):
        raise BadPath(f"the slot {{{path_text(path)}}} leads to several facts; name one of them")


def slots_of(written: Written | tuple[str, ...]) -> Iterator[Path]:
    """The paths in the slots of a text or of sentences."""
    texts = written if isinstance(written, list | tuple) else [written]
    for text in texts:
        if isinstance(text, str) and "{" in text:
            yield from (parse_path(match[1]) for match in _SLOT.finditer(text))


def fill_slots(sentence: str, text_at: Mapping[Path, str]) -> str:
    """The sentence with each slot replaced by the text of its fact."""
    return _SLOT.sub(lambda match: text_at[parse_path(match[1])], sentence)


def value_at(state: WorldState, path: Path) -> object:
    """The value of a fact in a state; None where the path leads through an absent or null part."""
    found: object = state
    for segment in path:
        if found is None:
            return None
        found = found.get(segment[1:]) if isinstance(found, Listing) else getattr(found, segment)
    return found


def listings_in(value: object, path: Path = ()) -> Iterator[tuple[Path, Listing[Any]]]:
    """Every listing of a complete state, with its path."""
    if isinstance(value, Listing):
        yield path, value
        for item in value:
            yield from listings_in(item, (*path, f"[{key_of(item)}"))
    elif isinstance(value, Value):
        for name in type(value).model_fields:
            yield from listings_in(getattr(value, name), (*path, name))
