"""The suites of the town: `trust` and `errands`."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path as FilePath

from worlds.documents import UnknownTask, WorldError
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

    def select(self, patterns: tuple[str, ...] = ()) -> tuple[TownTask, ...]:
        """The tasks whose path matches one of the globs; all without globs. A bare id counts as `*/id`.

        Raises UnknownTask for a glob that matches nothing, and WorldError.
        """
        if not patterns:
            return self.tasks
        chosen: set[str] = set()
        for pattern in patterns:
            glob = pattern if "/" in pattern else f"*/{pattern}"
            matching = {path for path in self.files if fnmatchcase(path, glob)}
            if not matching:
                raise UnknownTask(
                    f"no task of suite {self.name} matches {pattern!r}; `twintown suites --tasks` lists them"
                )
            chosen |= matching
        return tuple(self.task(path) for path in self.files if path in chosen)


@lru_cache(maxsize=1024)
def _loaded(suite: str, path: str, file: FilePath) -> TownTask:
    return load_task(suite, path.partition("/")[0], file)


TRUST = TownSuite("trust", tuple(outcome.value for outcome in Outcome))
ERRANDS = TownSuite("errands", tuple(kind.value for kind in ErrandKind))
TOWN_SUITES = (TRUST, ERRANDS)
