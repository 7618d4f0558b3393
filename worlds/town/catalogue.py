"""The suites of the town: `trust` and `errands`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path as FilePath

from worlds.documents import WorldError
from worlds.town.loading import load_task, task_files
from worlds.town.task import TownTask
from worlds.town.written import ErrandKind, Outcome


@dataclass(frozen=True)
class TownSuite:
    """A named set of tasks in groups: `trust` by the outcome that a trap can violate, `errands` by kind."""

    name: str
    groups: tuple[str, ...]

    @cached_property
    def files(self) -> dict[str, FilePath]:
        """The file of every task by its path `group/id`, group by group."""
        found = [(group, file) for group, file in task_files(self.name) if group in self.groups]
        found.sort(key=lambda each: (self.groups.index(each[0]), each[1].stem))
        return {f"{group}/{file.stem}": file for group, file in found}

    def task(self, path: str) -> TownTask:
        """The task with this path. Raises KeyError if there is none, and WorldError if its file is wrong."""
        return _loaded(self.name, path, self.files[path])

    @cached_property
    def tasks(self) -> tuple[TownTask, ...]:
        """All tasks. Raises WorldError with every problem of every file."""
        problems: list[str] = []
        tasks: list[TownTask] = []
        for path in self.files:
            try:
                tasks.append(self.task(path))
            except WorldError as error:
                problems += error.problems
        if problems:
            raise WorldError(problems)
        return tuple(tasks)

    def matching(self, patterns: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
        """For each glob the paths that it matches. A bare id counts as `*/id`."""
        for pattern in patterns:
            glob = pattern if "/" in pattern else f"*/{pattern}"
            yield pattern, [path for path in self.files if fnmatchcase(path, glob)]


@lru_cache(maxsize=1024)
def _loaded(suite: str, path: str, file: FilePath) -> TownTask:
    return load_task(suite, path.partition("/")[0], file)


TRUST = TownSuite("trust", tuple(outcome.value for outcome in Outcome))
ERRANDS = TownSuite("errands", tuple(kind.value for kind in ErrandKind))
TOWN_SUITES = (TRUST, ERRANDS)
