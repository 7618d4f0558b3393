"""`twintown suites`"""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table

from orchestrator.cli.console import tables_console
from orchestrator.plan import fixed_count
from worlds.catalogue import SUITES, Suite


def counts(suite: Suite) -> dict[str, int]:
    """What a suite holds, counted."""
    pairs = suite.pairs
    critical = sum(len(pair.critical) for pair in pairs)
    irrelevant = sum(len(pair.irrelevant) for pair in pairs)
    return {
        "domains": len(suite.domains),
        "families": len(suite.families),
        "pairs": len(pairs),
        "worlds": 2 * len(pairs),
        "atoms": critical + irrelevant,
        "critical": critical,
        "irrelevant": irrelevant,
        "fixed_conditions": fixed_count(pairs),
    }


def suites(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    tasks: Annotated[bool, typer.Option("--tasks", help="The path of every task instead.")] = False,
    families: Annotated[bool, typer.Option("--families", help="The path of every family instead.")] = False,
) -> None:
    """What there is, counted."""
    if tasks:
        for suite in SUITES:
            for pair in suite.pairs:
                print(pair.path)
        return
    if families:
        for suite in SUITES:
            print("\n".join(suite.families))
        return
    found = {suite.name: counts(suite) for suite in SUITES}
    if as_json:
        print(json.dumps(found))
        return
    table = Table("suite", *(name.replace("_", " ") for name in next(iter(found.values()))), box=None)
    for name, counted in found.items():
        table.add_row(name, *(f"{count:,}" for count in counted.values()))
    tables_console().print(table)
