"""`twintown check`"""

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase
from typing import Annotated

import typer

from orchestrator.checking import check_suite
from orchestrator.cli.drawing import Count, Drawn, drawing
from orchestrator.cli.exits import PROBLEMS
from orchestrator.progress import Progress
from orchestrator.town_checking import check_town
from worlds.catalogue import SUITES
from worlds.documents import UnknownTask
from worlds.town.catalogue import TOWN_SUITES


def check(
    only: Annotated[
        list[str] | None, typer.Option(help="A glob over domain/family, or over outcome/task and kind/task; repeat it.")
    ] = None,
    drawn: Drawn = None,
    count: Count = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Prove every invariant of every world; all problems at once."""
    fresh, globs = drawing(drawn, count), only or ["*"]
    towns = () if fresh else TOWN_SUITES
    there = [path for suite in SUITES for path in suite.families] + [path for town in towns for path in town.files]
    for glob in globs:
        if not any(_matches(path, glob) for path in there):
            raise UnknownTask(
                f"no family or task matches {glob!r}; `twintown suites --families` and `--tasks` list them"
            )
    proven, problems = 0, list[str]()
    for suite in SUITES:
        if families := [path for path in suite.families if _wanted(path, globs)]:
            checked, found = check_suite(suite, families, workers, Progress.on_stderr("families"), fresh)
            proven += checked
            problems += found
    for town in towns:
        if tasks := [path for path in town.files if _wanted(path, globs)]:
            checked, found = check_town(town, tasks, workers, Progress.on_stderr(f"{town.name} tasks"))
            proven += checked
            problems += found
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{proven} tasks checked, {len(problems)} problems")
    if problems:
        raise typer.Exit(PROBLEMS)


def _wanted(path: str, globs: list[str]) -> bool:
    return any(_matches(path, glob) for glob in globs)


def _matches(family: str, glob: str) -> bool:
    return fnmatchcase(family, glob) or fnmatchcase(f"{family}/", glob)
