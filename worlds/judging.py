"""The rule applied to a state: permitted, forbidden, or not to be decided from what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from worlds.model import Family, Listing, Undetermined, WorldState

T = TypeVar("T")
Condition = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rule says of a state: the requirements that failed, and those that could not be decided, with the
    fact each lacked."""

    failed: tuple[str, ...]
    undetermined: Mapping[str, str]

    @property
    def permitted(self) -> bool | None:
        """True, False, or None when a fact is missing and nothing known forbids the action."""
        if self.failed:
            return False
        return None if self.undetermined else True


def judge(family: Family, state: WorldState) -> Judgement:
    """Apply every requirement of the family to a state, complete or partial."""
    failed: list[str] = []
    undetermined: dict[str, str] = {}
    for requirement in family.requirements:
        try:
            if not requirement.holds(state):
                failed.append(requirement.name)
        except Undetermined as missing:
            undetermined[requirement.name] = missing.path
    return Judgement(tuple(failed), undetermined)


def any_of(*conditions: Condition) -> bool:
    """Whether one condition holds. One that holds decides, even if another lacks a fact.

    Raises Undetermined if none holds and one lacks a fact.
    """
    return _first(True, conditions)


def all_of(*conditions: Condition) -> bool:
    """Whether every condition holds. One that fails decides, even if another lacks a fact.

    Raises Undetermined if none fails and one lacks a fact.
    """
    return _first(False, conditions)


def some(items: Iterable[T], test: Callable[[T], bool]) -> bool:
    """Whether the test holds for an item; as any_of, over a listing that may be incomplete."""
    return _over(True, items, test)


def every(items: Iterable[T], test: Callable[[T], bool]) -> bool:
    """Whether the test holds for all items; as all_of, over a listing that may be incomplete."""
    return _over(False, items, test)


def _over(deciding: bool, items: Iterable[T], test: Callable[[T], bool]) -> bool:
    known = items.visible if isinstance(items, Listing) else tuple(items)

    def no_more() -> bool:
        if isinstance(items, Listing):
            items.require_complete()
        return not deciding

    return _first(deciding, [*(partial(test, item) for item in known), no_more])


def _first(deciding: bool, conditions: Iterable[Condition]) -> bool:
    missing: Undetermined | None = None
    for condition in conditions:
        try:
            if condition() is deciding:
                return deciding
        except Undetermined as lacking:
            missing = missing or lacking
    if missing is not None:
        raise missing
    return not deciding
