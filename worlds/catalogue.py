"""What there is: suites, their domains, families and task pairs."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path as FilePath

from worlds.evidence.finance import FINANCE
from worlds.loading import WorldError, load_family
from worlds.model import Family
from worlds.task import TaskPair

_HERE = FilePath(__file__).parent


class UnknownTask(LookupError):
    """No such suite, task or pattern; the message says what there is."""


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

    def select(self, patterns: tuple[str, ...] = ()) -> tuple[TaskPair, ...]:
        """The pairs whose path matches one of the globs; all without globs. A bare id counts as `*/*/id`.

        Raises UnknownTask for a pattern that matches nothing.
        """
        if not patterns:
            return self.pairs
        chosen: set[str] = set()
        for pattern in patterns:
            glob = pattern if "/" in pattern else f"*/*/{pattern}"
            matching = {pair.path for pair in self.pairs if fnmatchcase(pair.path, glob)}
            if not matching:
                raise UnknownTask(
                    f"no task of suite {self.name} matches {pattern!r}; `twintown suites --tasks` lists them"
                )
            chosen |= matching
        return tuple(pair for pair in self.pairs if pair.path in chosen)


@cache
def family_pairs(suite: str, domain: str, family: Family) -> tuple[TaskPair, ...]:
    return load_family(domain, family, _HERE / suite / domain / f"{family.name}.yaml")


EVIDENCE = Suite("evidence", {"finance": FINANCE})
SUITES = (EVIDENCE,)


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
                if name.startswith(f"{domain}/{family.name}/"):
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
