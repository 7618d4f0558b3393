"""What there is: suites, their domains, families and task pairs."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path as FilePath

from worlds.evidence.cloud import CLOUD
from worlds.evidence.commerce import COMMERCE
from worlds.evidence.communication import COMMUNICATION
from worlds.evidence.documents import DOCUMENTS
from worlds.evidence.finance import FINANCE
from worlds.evidence.travel import TRAVEL
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
