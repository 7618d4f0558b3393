"""`twintown suites`"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.table import Table

from orchestrator.cli.console import tables_console
from orchestrator.plan import fixed_count
from worlds.catalogue import SUITES, Suite
from worlds.town.catalogue import TOWN_SUITES, TownSuite


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


def town_counts(suite: TownSuite) -> dict[str, Any]:
    """What a suite of the town holds, counted."""
    by_group = {group: sum(path.startswith(f"{group}/") for path in suite.files) for group in suite.groups}
    if suite.name == "trust":
        return {"pairs": len(suite.files), "by_outcome": by_group, "facts": _declaring(suite)}
    return {"tasks": len(suite.files), "by_kind": by_group, "facts": _declaring(suite)}


def _declaring(suite: TownSuite) -> int:
    """How many tasks declare facts that may be hidden."""
    return sum(bool(task.everything) for task in suite.tasks)


def _tasks() -> list[str]:
    evidence = [pair.path for suite in SUITES for pair in suite.pairs]
    return [*evidence, *(path for town in TOWN_SUITES for path in town.files)]


def _families() -> list[str]:
    return [path for suite in SUITES for path in suite.families]


def suites(
    as_json: Annotated[bool, typer.Option("--json", help="JSON: an object of counts, or a list of paths.")] = False,
    tasks: Annotated[bool, typer.Option("--tasks", help="The path of every task instead.")] = False,
    families: Annotated[bool, typer.Option("--families", help="The path of every family instead.")] = False,
) -> None:
    """What there is, counted."""
    if tasks and families:
        raise typer.BadParameter("--tasks and --families are two lists: give one of them")
    if tasks or families:
        paths = _tasks() if tasks else _families()
        print(json.dumps(paths) if as_json else "\n".join(paths))
        return
    found: dict[str, dict[str, Any]] = {suite.name: counts(suite) for suite in SUITES}
    found |= {town.name: town_counts(town) for town in TOWN_SUITES}
    if as_json:
        print(json.dumps(found))
        return
    table = Table("suite", "holds", box=None)
    for name, counted in found.items():
        table.add_row(name, ", ".join(_told(what, count) for what, count in counted.items()))
    tables_console().print(table)


def _told(what: str, count: Any) -> str:
    if isinstance(count, dict):
        return ", ".join(f"{number} {group}" for group, number in count.items())
    return f"{count:,} {what.replace('_', ' ')}"
