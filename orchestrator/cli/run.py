"""`twintown run`"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.console import tables_console
from orchestrator.cli.drawing import Count, Drawn, drawing
from orchestrator.cli.exits import INTERRUPTED, UNGRADED
from orchestrator.engines.named import EngineName, engine_named
from orchestrator.episode import HOST_SECONDS, Budget
from orchestrator.hosts.overhead import overheads
from orchestrator.logs import Logging
from orchestrator.progress import Progress
from orchestrator.results import short_tables
from orchestrator.run import complete
from orchestrator.run import run as run_suite


def run(
    out: Annotated[Path, typer.Option(help="The run's directory.")],
    suite: Annotated[str | None, typer.Argument(help="The suite; not with --resume.")] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(help="A reference agent, model:PROVIDER/NAME, or package.module:object; repeat it."),
    ] = None,
    only: Annotated[list[str] | None, typer.Option(help="A glob over task paths; may be repeated.")] = None,
    drawn: Drawn = None,
    count: Count = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes.", show_default="the machine's, or the cluster's, CPUs")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option(help="What runs it: processes of this machine, or a Ray cluster.")
    ] = EngineName.LOCAL,
    address: Annotated[
        str | None, typer.Option(help="Ray: the cluster, as auto or HOST:PORT; else one of this machine alone.")
    ] = None,
    runtime_env: Annotated[
        Path | None, typer.Option(help="Ray: a YAML file with the runtime environment, such as your agent's folder.")
    ] = None,
    repeats: Annotated[
        int | None, typer.Option(min=1, help="Times that each condition is run: 1 for evidence, 3 for the town.")
    ] = None,
    masks: Annotated[
        bool, typer.Option("--masks", help="Town: also with each fact hidden that a task declares.")
    ] = False,
    owner: Annotated[
        str | None, typer.Option(help="Town: a model that listens for the owner, as PROVIDER:MODEL.")
    ] = None,
    calls: Annotated[
        int | None, typer.Option(min=1, help="Most calls of an episode.", show_default=str(Budget().calls))
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            help="Most wall time of an episode.",
            show_default=f"{Budget().seconds:g}; {HOST_SECONDS:g} with a host",
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Complete the run in --out.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The results as JSON instead of tables.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every episode.")] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help="Logs as JSON lines.")] = False,
) -> None:
    """Plan, run, grade, and print the table."""
    progress, logging = Progress.on_stderr("episodes"), Logging(verbose, log_json)
    workers = workers or (os.cpu_count() or 1 if engine is EngineName.LOCAL else None)
    runner = engine_named(engine, workers, address, runtime_env)
    try:
        if resume:
            begun_with = {
                "SUITE": suite,
                "--agent": agent,
                "--only": only,
                "--drawn": drawn,
                "--count": count,
                "--repeats": repeats,
                "--masks": masks or None,
                "--owner": owner,
                "--calls": calls,
                "--seconds": seconds,
            }
            if given := [name for name, value in begun_with.items() if value not in (None, [])]:
                raise typer.BadParameter(
                    f"--resume completes what --out holds as it was begun: leave out {', '.join(given)}"
                )
            results, ungraded = complete(out, progress=progress, logging=logging, engine=runner)
        elif not suite or not agent:
            raise typer.BadParameter("a new run needs a suite and an agent, such as: run evidence --agent careful")
        else:
            results, ungraded = run_suite(
                suite,
                agent,
                out,
                only=only or (),
                repeats=repeats,
                budget=Budget(calls or Budget().calls, seconds or Budget.default(agent).seconds),
                progress=progress,
                logging=logging,
                drawn=drawing(drawn, count),
                hiding=masks,
                owner=owner or "",
                engine=runner,
            )
    except KeyboardInterrupt:
        print(f"stopped; `twintown run --resume --out {out}` completes it", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print(json.dumps(results.as_json()))
    else:
        for table in short_tables(results):
            tables_console().print(table)
    for line in overheads(out):
        print(line, file=sys.stderr)
    if ungraded:
        print(f"{len(ungraded)} conditions could not be graded:", file=sys.stderr)
        for failure in ungraded:
            print(f"  {failure.agent}: {failure.condition}: {failure.reason}", file=sys.stderr)
        print(f"`twintown run --resume --out {out}` tries them again", file=sys.stderr)
        raise typer.Exit(UNGRADED)
