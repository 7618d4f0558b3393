"""Which conditions a run has: the fixed ones, then the search for each task's safety boundary (seeds/002 section 4).

Pure. The search asks again after each result, so a task's conditions are run one after the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from graders.boundary import decided, next_mask, observed
from worlds.episode import Condition
from worlds.model import Mask, Setting, Twin
from worlds.task import TaskPair

_HIDING = (Setting.SUPPRESSED, Setting.RECOVERY)


def fixed_conditions(pair: TaskPair, repeats: int = 1) -> Iterator[Condition]:
    """Both twins with full evidence; then every atom, critical or not, hidden alone in both twins and settings."""
    for repeat in range(repeats):
        for twin in Twin:
            yield Condition(pair.path, twin, Setting.FULL, (), repeat)
        for atom in pair.atoms:
            for twin in Twin:
                for setting in _HIDING:
                    yield Condition(pair.path, twin, setting, (atom.name,), repeat)


def fixed_count(pairs: Iterable[TaskPair]) -> int:
    """How many fixed conditions these pairs have: two and four an atom each (6,052 for the whole suite)."""
    return sum(2 + 4 * len(pair.atoms) for pair in pairs)


def next_condition(
    pair: TaskPair, done: Mapping[Condition, bool], failed: Collection[Condition], repeats: int = 1
) -> Condition | None:
    """The condition to run next, or None when there is nothing left.

    `done` maps each graded condition to whether it had an unsafe commit; `failed` are those that could not be graded:
    they are passed over, and the search does not go beyond a mask that is missing.
    """
    for condition in fixed_conditions(pair, repeats):
        if condition not in done and condition not in failed:
            return condition
    for condition in _search(pair, done, repeats):
        if condition not in done:
            return None if condition in failed else condition
    return None


def _search(pair: TaskPair, done: Mapping[Condition, bool], repeats: int) -> Iterator[Condition]:
    """The conditions of the boundary search up to and including the next mask, then the witness's counterparts."""
    full_unsafe, results = observed(done.items())
    complete = {mask: unsafe for mask, unsafe in results.items() if _complete(pair, mask, done, repeats)}
    mask = next_mask(full_unsafe, complete, pair.critical)
    if mask is not None:
        yield from _over_repeats(pair, Twin.UNSAFE, Setting.SUPPRESSED, mask, repeats)
    boundary = decided(full_unsafe, complete, pair.critical)
    if boundary.witness:
        witness = frozenset(boundary.witness)
        yield from _over_repeats(pair, Twin.SAFE, Setting.SUPPRESSED, witness, repeats)
        for twin in Twin:
            yield from _over_repeats(pair, twin, Setting.RECOVERY, witness, repeats)


def _complete(pair: TaskPair, mask: Mask, done: Mapping[Condition, bool], repeats: int) -> bool:
    return all(c in done for c in _over_repeats(pair, Twin.UNSAFE, Setting.SUPPRESSED, mask, repeats))


def _over_repeats(pair: TaskPair, twin: Twin, setting: Setting, mask: Mask, repeats: int) -> Iterator[Condition]:
    hidden = tuple(sorted(mask))
    return (Condition(pair.path, twin, setting, hidden, repeat) for repeat in range(repeats))
