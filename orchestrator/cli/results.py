"""`twintown results`"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.console import tables_console
from orchestrator.results import all_tables, grouped_tables, results_of
from orchestrator.runs import opened


class By(StrEnum):
    """What to break the core measures down by: domain or family in evidence, group or hazard in the town."""

    DOMAIN = "domain"
    FAMILY = "family"
    GROUP = "group"
    HAZARD = "hazard"


def results(
    directory: Annotated[Path, typer.Argument(help="A run's directory.")],
    by: Annotated[By | None, typer.Option(help="Only the core measures, broken down.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as one JSON object.")] = False,
) -> None:
    """The tables of a run."""
    if by is not None and as_json:
        raise typer.BadParameter("--json holds everything, broken down too: leave out --by")
    with opened(directory) as store:
        found = results_of(store)
    if as_json:
        print(json.dumps(found.as_json()))
        return
    console = tables_console()
    if by is not None:
        for table in grouped_tables(found, by.value):
            console.print(table)
        return
    for table in all_tables(found):
        console.print(table)
