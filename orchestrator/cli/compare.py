"""`twintown compare`"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from graders.compare_table import comparison_table
from graders.gates import gate, judged
from orchestrator.cli.console import tables_console
from orchestrator.cli.exits import PROBLEMS
from orchestrator.comparing import compared_sides, differing_terms, side_of


def compare(
    first: Annotated[Path, typer.Argument(help="A run's directory: what is compared with.")],
    second: Annotated[Path, typer.Argument(help="Another of the same suite, or the same with two agents.")],
    agent: Annotated[str | None, typer.Option(help="The first run's agent; needed if it has several.")] = None,
    other: Annotated[str | None, typer.Option(help="The second run's agent; needed if it has several.")] = None,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(help="Exit with 1 if MEASURE [surely] drops|rises by NUMBER, as 'trust drops by 2'; repeat it."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Two runs over the tasks that both did whole: paired differences, exact McNemar, and what changed sides."""
    ours, theirs = side_of(first, agent, "--agent"), side_of(second, other, "--other")
    gates = [gate(text, [measure.name for measure in ours.results.measures]) for text in fail_if or ()]
    comparison = compared_sides(ours, theirs)
    verdicts = [judged(one, comparison) for one in gates]
    terms = differing_terms(ours, theirs)
    if as_json:
        told = {"differing_terms": list(terms), "gates": [verdict.as_json() for verdict in verdicts]}
        print(json.dumps(comparison.as_json() | told))
    else:
        tables_console().print(comparison_table(comparison))
    for term in terms:
        print(f"the runs were not made with the same {term}", file=sys.stderr)
    for verdict in verdicts:
        print(verdict, file=sys.stderr)
    if any(verdict.failed for verdict in verdicts):
        raise typer.Exit(PROBLEMS)
