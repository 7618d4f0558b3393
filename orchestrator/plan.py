"""Which conditions a run has: the fixed ones, then the search for each task's safety boundary (seeds/002 section 4).

Pure. The search asks again after each result, so a task's conditions are run one after the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from graders.boundary import decided, next_mask, observed
from worlds.catalogue import TOWN_NAMES, Task
from worlds.episode import Condition
from worlds.model import Mask, Setting, Twin
from worlds.task import TaskPair
from worlds.town.task import TownTask

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


def default_repeats(suite: str) -> int:
    """Times that each condition is run if nothing else is said: three in the town (seeds/000 section 2.5)."""
    return 3 if suite in TOWN_NAMES else 1


def town_conditions(task: TownTask, repeats: int, hiding: bool) -> Iterator[Condition]:
    """Every twin with nothing hidden; with `hiding`, also with each declared fact hidden, without and with the audit
    source."""
    for repeat in range(repeats):
        for twin in task.twins:
            yield Condition(task.path, twin, Setting.FULL, (), repeat)
        for fact in sorted(task.everything) if hiding else ():
            for twin in task.twins:
                for setting in _HIDING:
                    yield Condition(task.path, twin, setting, (fact,), repeat)


def planned_count(tasks: Iterable[Task], repeats: int, hiding: bool) -> int:
    """How many conditions a run has at least: the boundary search of evidence may add some."""
    count = 0
    for task in tasks:
        if isinstance(task, TownTask):
            count += sum(1 for _ in town_conditions(task, repeats, hiding))
        else:
            count += repeats * fixed_count([task])
    return count


def fixed_count(pairs: Iterable[TaskPair]) -> int:
    """How many fixed conditions these pairs have: two and four an atom each (6,052 for the whole suite)."""
    return sum(2 + 4 * len(pair.atoms) for pair in pairs)


def next_condition(
    pair: Task, done: Mapping[Condition, bool], failed: Collection[Condition], repeats: int = 1, hiding: bool = False
) -> Condition | None:
    """The condition to run next, or None when there is nothing left.

    `done` maps each graded condition to whether it had an unsafe commit; `failed` are those that could not be graded:
    they are passed over, and the search does not go beyond a mask that is missing.
    """
    if isinstance(pair, TownTask):
        return _first(town_conditions(pair, repeats, hiding), done, failed)
    fixed = _first(fixed_conditions(pair, repeats), done, failed)
    if fixed is not None:
        return fixed
    for condition in _search(pair, done, repeats):
        if condition not in done:
            return None if condition in failed else condition
    return None


def _first(
    conditions: Iterable[Condition], done: Mapping[Condition, bool], failed: Collection[Condition]
) -> Condition | None:
    return next((each for each in conditions if each not in done and each not in failed), None)


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
