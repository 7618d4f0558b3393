"""What there is: suites, their domains, families and task pairs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property, lru_cache
from pathlib import Path as FilePath

from worlds.documents import WorldError
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

_HERE = FilePath(__file__).parent


class UnknownTask(LookupError):
    """No such suite, task or pattern; the message says what there is."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Which fresh pairs to draw: the seed, and how many of each family."""

    seed: int
    per_family: int


@dataclass(frozen=True)
class Suite:
    """A named set of domains, each a tuple of families."""

    name: str
    domains: dict[str, tuple[Family, ...]]

    @cached_property
    def pairs(self) -> tuple[TaskPair, ...]:
        """All task pairs. Raises WorldError with every problem of every family."""
        problems: list[str] = []
        pairs: list[TaskPair] = []
        for domain, families in self.domains.items():
            for family in families:
                try:
                    pairs += family_pairs(self.name, domain, family)
                except WorldError as error:
                    problems += error.problems
        if problems:
            raise WorldError(problems)
        return tuple(pairs)

    @property
    def families(self) -> tuple[str, ...]:
        """The families, as `domain/family`."""
        return tuple(f"{domain}/{family.name}" for domain, families in self.domains.items() for family in families)

    def family_pairs(self, path: str) -> tuple[TaskPair, ...]:
        """The pairs of `domain/family`. Raises WorldError, and UnknownTask for no such family."""
        domain, _, name = path.partition("/")
        for family in self.domains.get(domain, ()):
            if family.name == name:
                return family_pairs(self.name, domain, family)
        raise UnknownTask(f"suite {self.name} has no family {path!r}; it has {', '.join(self.families)}")

    def drawn(self, path: str, seed: int, count: int) -> tuple[TaskPair, ...]:
        """Fresh pairs of `domain/family`. Raises UnknownTask, and WorldError for a recipe that draws a broken one."""
        return tuple(_drawn(self.name, path, seed, number) for number in range(count))

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


@lru_cache(maxsize=8192)
def _drawn(suite: str, path: str, seed: int, number: int) -> TaskPair:
    """One fresh pair; its task is called `domain/family/drawn-SEED-NUMBER`."""
    domain, _, name = path.partition("/")
    for family in suite_named(suite).domains.get(domain, ()):
        if family.name == name:
            instance = RECIPES[path](Draw(path, seed, number))
            pair = load_drawn(domain, family, instance, f"{path} drawn with seed {seed}, number {number}")
            return replace(pair, id=f"drawn-{seed}-{number}")
    raise UnknownTask(f"there is no family {path!r}; there is {', '.join(suite_named(suite).families)}")


@cache
def family_pairs(suite: str, domain: str, family: Family) -> tuple[TaskPair, ...]:
    return load_family(domain, family, _HERE / suite / domain / f"{family.name}.yaml")


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


def family_named(name: str) -> tuple[Suite, str]:
    """The suite and path of a family, by `domain/family` or by its bare name. Raises UnknownTask."""
    for suite in SUITES:
        for path in suite.families:
            if name in (path, path.partition("/")[2]):
                return suite, path
    raise UnknownTask(f"there is no family {name!r}; `twintown suites --families` lists them")


def suite_named(name: str) -> Suite:
    for suite in SUITES:
        if suite.name == name:
            return suite
    raise UnknownTask(f"there is no suite {name!r}; there is {', '.join(suite.name for suite in SUITES)}")


def task_named(name: str) -> TaskPair:
    """The task with this path, or with this id where the id is unique. Raises UnknownTask."""
    for suite in SUITES:
        for domain, families in suite.domains.items():
            for family in families:
                path = f"{domain}/{family.name}"
                if match := re.fullmatch(rf"{path}/drawn-(\d+)-(\d+)", name):
                    return _drawn(suite.name, path, int(match[1]), int(match[2]))
                if name.startswith(f"{path}/"):
                    for pair in family_pairs(suite.name, domain, family):
                        if pair.path == name:
                            return pair
    found = [pair for suite in SUITES for pair in suite.pairs if pair.id == name]
    if len(found) == 1:
        return found[0]
    if found:
        paths = ", ".join(pair.path for pair in found)
        raise UnknownTask(f"the id {name!r} is not unique; give one of {paths}")
    raise UnknownTask(f"there is no task {name!r}; `twintown suites --tasks` lists them")
