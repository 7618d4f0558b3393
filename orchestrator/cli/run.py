"""`twintown run`"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from graders.tables import coverage, headline
from orchestrator.cli.console import tables_console
from orchestrator.cli.exits import INTERRUPTED, UNGRADED
from orchestrator.episode import Budget
from orchestrator.progress import Progress
from orchestrator.run import Logging, complete
from orchestrator.run import run as run_suite
from servers.session import MOST_CALLS
from worlds.catalogue import Drawing

PER_FAMILY = 5
"""Fresh pairs drawn of a family, as many as most families have written ones."""


def run(
    out: Annotated[Path, typer.Option(help="The run's directory.")],
    suite: Annotated[str | None, typer.Argument(help="The suite; not with --resume.")] = None,
    agent: Annotated[
        list[str] | None, typer.Option(help="A reference agent, or package.module:object; repeat it.")
    ] = None,
    only: Annotated[list[str] | None, typer.Option(help="A glob over task paths; may be repeated.")] = None,
    drawn: Annotated[
        int | None, typer.Option(min=0, help="A seed: run fresh pairs instead of the written ones.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="With --drawn: pairs of each family.")] = PER_FAMILY,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
    repeats: Annotated[int, typer.Option(min=1, help="Times that each condition is run.")] = 1,
    calls: Annotated[int, typer.Option(min=1, help="Most calls of an episode.")] = MOST_CALLS,
    seconds: Annotated[float, typer.Option(min=0.1, help="Most wall time of an episode.")] = Budget().seconds,
    resume: Annotated[bool, typer.Option("--resume", help="Complete the run in --out.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The results as JSON instead of tables.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every episode.")] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help="Logs as JSON lines.")] = False,
) -> None:
    """Plan, run, grade, and print the table."""
    progress, logging = Progress.on_stderr("episodes"), Logging(verbose, log_json)
    try:
        if resume:
            if suite or agent or only or drawn is not None:
                raise typer.BadParameter("--resume completes what --out holds as it was begun: give only --workers")
            results, ungraded = complete(out, workers, progress, logging)
        elif not suite or not agent:
            raise typer.BadParameter("a new run needs a suite and an agent, such as: run evidence --agent careful")
        else:
            budget = Budget(calls, seconds)
            wanted = tuple(only or ())
            fresh = None if drawn is None else Drawing(drawn, count)
            results, ungraded = run_suite(suite, agent, out, wanted, workers, repeats, budget, progress, logging, fresh)
    except KeyboardInterrupt:
        print(f"stopped; `twintown run --resume --out {out}` completes it", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print(json.dumps(results.as_json()))
    else:
        for table in (headline(results), coverage(results)):
            tables_console().print(table)
    if ungraded:
        print(f"{len(ungraded)} conditions could not be graded:", file=sys.stderr)
        for failure in ungraded:
            print(f"  {failure.agent}: {failure.condition}: {failure.reason}", file=sys.stderr)
        print(f"`twintown run --resume --out {out}` tries them again", file=sys.stderr)
        raise typer.Exit(UNGRADED)
