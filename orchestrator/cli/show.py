"""`twintown show`"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from orchestrator.showing import described, lines
from orchestrator.town_showing import described_task, task_lines
from worlds.catalogue import task_named
from worlds.town.task import TownTask


def show(
    task: Annotated[
        str, typer.Argument(help="A task by path (domain/family/instance, outcome/task, kind/task), or its last part.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """A pair for people, not agents: request, servers, tools, atoms, the difference, and both verdicts."""
    named = task_named(task)
    if isinstance(named, TownTask):
        _show_town(described_task(named), as_json)
        return
    found = described(named)
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
        return
    console = Console(highlight=False)
    console.print(f"[bold]{escape(str(found['task']))}[/bold]\n{escape(str(found['note']))}\n")
    console.print(f"[bold]Request[/bold]  {escape(str(found['request']))}")
    console.print(f"[bold]Rule[/bold]     {escape(str(found['rule']))}\n")
    _print_lines(console, lines(found))


def _show_town(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
        return
    console = Console(highlight=False)
    console.print(f"[bold]{escape(str(found['task']))}[/bold] ({found['suite']})\n{escape(str(found['note']))}\n")
    _print_lines(console, task_lines(found))


def _print_lines(console: Console, told: dict[str, list[str]]) -> None:
    for title, printed in told.items():
        console.print(f"[bold]{title.capitalize()}[/bold]")
        for line in printed:
            console.print(f"  {escape(line)}", soft_wrap=True)
