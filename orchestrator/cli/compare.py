"""`twintown compare`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from graders.town.compare import compared
from graders.town.results import TownResults
from graders.town.tables import town_comparison
from orchestrator.cli.console import tables_console
from orchestrator.results import AnyResults, results_of
from orchestrator.runs import opened


def compare(
    first: Annotated[Path, typer.Argument(help="A run's directory.")],
    second: Annotated[Path, typer.Argument(help="Another, or the same with two agents.")],
    agent: Annotated[str | None, typer.Option(help="The first run's agent; needed if it has several.")] = None,
    other: Annotated[str | None, typer.Option(help="The second run's agent; needed if it has several.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Two runs of the town over the tasks that both have: paired differences and exact McNemar."""
    ours, theirs = _town(first), _town(second)
    comparison = compared(ours, _one(ours, agent, first, "--agent"), theirs, _one(theirs, other, second, "--other"))
    if not comparison.tasks:
        raise typer.BadParameter(f"{first} and {second} share no task: there is nothing to compare")
    if as_json:
        print(json.dumps(comparison.as_json()))
    else:
        tables_console().print(town_comparison(comparison))


def _town(directory: Path) -> TownResults:
    with opened(directory) as store:
        found: AnyResults = results_of(store)
    if isinstance(found, TownResults):
        return found
    raise typer.BadParameter(f"{directory} is a run of {found.suite}; expected one of trust or errands")


def _one(results: TownResults, asked: str | None, directory: Path, option: str) -> str:
    if asked in results.agents:
        return str(asked)
    if asked is None and len(results.agents) == 1:
        return results.agents[0]
    has = ", ".join(results.agents) or "no graded episode"
    raise typer.BadParameter(f"{directory} has {has}; say which with {option}")
