"""What there is: suites, their domains, families and task pairs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property, lru_cache
from pathlib import Path as FilePath

from worlds.documents import UnknownTask, WorldError
from worlds.drawing import Draw
from worlds.draws import RECIPES
from worlds.evidence.cloud import CLOUD
from worlds.evidence.commerce import COMMERCE
from worlds.evidence.communication import COMMUNICATION
from worlds.evidence.documents import DOCUMENTS
from worlds.evidence.finance import FINANCE
from worlds.evidence.travel import TRAVEL
from worlds.loading import load_drawn, load_family
from worlds.model import Family
from worlds.task import TaskPair
from worlds.town.catalogue import TOWN_SUITES, TownSuite
from worlds.town.task import TownTask

_HERE = FilePath(__file__).parent


@dataclass(frozen=True, slots=True)
class Drawing:
    """Which fresh pairs to draw: the seed, and how many of each family."""

    seed: int
    per_family: int


@dataclass(frozen=True, eq=False)
class Suite:
    """A named set of domains, each a tuple of families."""

    name: str
    domains: dict[str, tuple[Family, ...]]

    @cached_property
    def pairs(self) -> tuple[TaskPair, ...]:
        """All task pairs. Raises WorldError with every problem of every family."""
        problems: list[str] = []
        pairs: list[TaskPair] = []
        for path in self.families:
            try:
                pairs += self.family_pairs(path)
            except WorldError as error:
                problems += error.problems
        if problems:
            raise WorldError(problems)
        return tuple(pairs)

    @cached_property
    def families(self) -> Mapping[str, Family]:
        """The families by `domain/family`."""
        return {f"{domain}/{family.name}": family for domain, families in self.domains.items() for family in families}

    def family(self, path: str) -> tuple[str, Family]:
        """The domain and the family at `domain/family`. Raises UnknownTask."""
        if path not in self.families:
            raise UnknownTask(f"suite {self.name} has no family {path!r}; it has {', '.join(self.families)}")
        return path.partition("/")[0], self.families[path]

    def family_pairs(self, path: str) -> tuple[TaskPair, ...]:
        """The pairs of `domain/family`. Raises WorldError, and UnknownTask for no such family."""
        return _written(self, path)

    def drawn(self, path: str, seed: int, count: int) -> tuple[TaskPair, ...]:
        """Fresh pairs of `domain/family`. Raises UnknownTask, and WorldError for a recipe that draws a broken one."""
        return tuple(_drawn(self, path, seed, number) for number in range(count))

    def select(self, patterns: tuple[str, ...] = (), drawn: Drawing | None = None) -> tuple[TaskPair, ...]:
        """The pairs whose path matches one of the globs; all without globs. A bare id counts as `*/*/id`.

        With `drawn`, of fresh pairs instead of the written ones. Raises UnknownTask for a glob that matches nothing.
        """
        if drawn is None:
            pairs = self.pairs
        else:
            pairs = tuple(pair for path in self.families for pair in self.drawn(path, drawn.seed, drawn.per_family))
        if not patterns:
            return pairs
        chosen: set[str] = set()
        for pattern in patterns:
            glob = pattern if "/" in pattern else f"*/*/{pattern}"
            matching = {pair.path for pair in pairs if fnmatchcase(pair.path, glob)}
            if not matching:
                raise UnknownTask(
                    f"no task of suite {self.name} matches {pattern!r}; `twintown suites --tasks` lists them"
                )
            chosen |= matching
        return tuple(pair for pair in pairs if pair.path in chosen)


@cache
def _written(suite: Suite, path: str) -> tuple[TaskPair, ...]:
    domain, family = suite.family(path)
    return load_family(domain, family, _HERE / suite.name / f"{path}.yaml")


@lru_cache(maxsize=8192)
def _drawn(suite: Suite, path: str, seed: int, number: int) -> TaskPair:
    """One fresh pair; its task is called `domain/family/drawn-SEED-NUMBER`."""
    domain, family = suite.family(path)
    if path not in RECIPES:
        raise UnknownTask(f"family {path} has no recipe to draw from; write worlds/draws/{path}.py and list it there")
    instance = RECIPES[path](Draw(path, seed, number))
    pair = load_drawn(domain, family, instance, f"{path} drawn with seed {seed}, number {number}")
    return replace(pair, id=f"drawn-{seed}-{number}")


EVIDENCE = Suite(
    "evidence",
    {
        "finance": FINANCE,
        "cloud": CLOUD,
        "commerce": COMMERCE,
        "communication": COMMUNICATION,
        "documents": DOCUMENTS,
        "travel": TRAVEL,
    },
)
SUITES = (EVIDENCE,)
ALL_SUITES = (*SUITES, *TOWN_SUITES)
TOWN_NAMES = tuple(suite.name for suite in TOWN_SUITES)
Task = TaskPair | TownTask


def family_named(name: str) -> tuple[Suite, str]:
    """The suite and path of a family, by `domain/family` or by its bare name. Raises UnknownTask."""
    for suite in SUITES:
        for path in suite.families:
            if name in (path, path.partition("/")[2]):
                return suite, path
    raise UnknownTask(f"there is no family {name!r}; `twintown suites --families` lists them")


def suite_named(name: str) -> Suite | TownSuite:
    """The suite of this name. Raises UnknownTask."""
    for suite in ALL_SUITES:
        if suite.name == name:
            return suite
    raise UnknownTask(f"there is no suite {name!r}; there is {', '.join(suite.name for suite in ALL_SUITES)}")


def evidence_named(name: str) -> Suite:
    """The suite of this name, if it has families. Raises UnknownTask."""
    suite = suite_named(name)
    if isinstance(suite, Suite):
        return suite
    raise UnknownTask(f"suite {name!r} has no families; give {', '.join(suite.name for suite in SUITES)}")


def task_named(name: str) -> TaskPair | TownTask:
    """The task with this path, or with this id where the id is unique. Raises UnknownTask."""
    for town in TOWN_SUITES:
        if name in town.files:
            return town.task(name)
    path, _, instance = name.rpartition("/")
    for suite in SUITES:
        if path not in suite.families:
            continue
        if match := re.fullmatch(r"drawn-(\d+)-(\d+)", instance):
            return _drawn(suite, path, int(match[1]), int(match[2]))
        for pair in suite.family_pairs(path):
            if pair.id == instance:
                return pair
    found = {pair.path for suite in SUITES for pair in suite.pairs if pair.id == name}
    found |= {path for town in TOWN_SUITES for path in town.files if path.partition("/")[2] == name}
    if len(found) == 1:
        return task_named(found.pop())
    if found:
        raise UnknownTask(f"the id {name!r} is not unique; give one of {', '.join(sorted(found))}")
    raise UnknownTask(f"there is no task {name!r}; `twintown suites --tasks` lists them")


def pair_named(name: str) -> TaskPair:
    """The task pair of evidence with this name. Raises UnknownTask."""
    task = task_named(name)
    if isinstance(task, TaskPair):
        return task
    raise UnknownTask(f"{task.path} is a task of {task.suite}, not a pair of evidence")
