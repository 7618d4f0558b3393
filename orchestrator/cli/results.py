"""`twintown results`"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from graders.tables import by_group, coverage, headline, supplement
from orchestrator.cli.console import tables_console
from orchestrator.run import results_of
from orchestrator.runs import opened


class By(StrEnum):
    """What to break the core measures down by."""

    DOMAIN = "domain"
    FAMILY = "family"


def results(
    directory: Annotated[Path, typer.Argument(help="A run's directory.")],
    by: Annotated[By | None, typer.Option(help="Only the core measures, broken down.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as one JSON object.")] = False,
) -> None:
    """The tables of a run."""
    with opened(directory) as store:
        found = results_of(store)
    if as_json:
        print(json.dumps(found.as_json()))
        return
    console = tables_console()
    if by is not None:
        for agent in found.agents:
            console.print(by_group(found, agent, "domain" if by is By.DOMAIN else "family"))
        return
    for table in (headline(found), supplement(found), coverage(found)):
        console.print(table)
