"""`twintown check`"""

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase
from typing import Annotated

import typer

from orchestrator.checking import check_suite
from orchestrator.cli.exits import PROBLEMS
from orchestrator.progress import Progress
from worlds.catalogue import SUITES, Drawing, UnknownTask


def check(
    only: Annotated[list[str] | None, typer.Option(help="A glob over domain/family; may be repeated.")] = None,
    drawn: Annotated[
        int | None, typer.Option(min=0, help="A seed: check fresh pairs instead of the written ones.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="With --drawn: pairs of each family.")] = 5,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Prove every invariant of every world; all problems at once."""
    fresh = None if drawn is None else Drawing(drawn, count)
    proven, problems = 0, list[str]()
    for suite in SUITES:
        families = [path for path in suite.families if not only or any(_matches(path, glob) for glob in only)]
        if not families:
            raise UnknownTask(f"no family of suite {suite.name} matches {', '.join(only or ())}")
        count, found = check_suite(suite, families, workers, Progress.on_stderr("families"), fresh)
        proven += count
        problems += found
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{proven} pairs checked, {len(problems)} problems")
    if problems:
        raise typer.Exit(PROBLEMS)


def _matches(family: str, glob: str) -> bool:
    return fnmatchcase(family, glob) or fnmatchcase(f"{family}/", glob)
