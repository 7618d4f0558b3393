"""`twintown show`"""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from orchestrator.showing import described, lines
from worlds.catalogue import task_named


def show(
    task: Annotated[str, typer.Argument(help="domain/family/instance, or the instance alone.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """A pair for people, not agents: request, servers, tools, atoms, the difference, and both verdicts."""
    found = described(task_named(task))
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
        return
    console = Console(highlight=False)
    console.print(f"[bold]{escape(str(found['task']))}[/bold]\n{escape(str(found['note']))}\n")
    console.print(f"[bold]Request[/bold]  {escape(str(found['request']))}")
    console.print(f"[bold]Rule[/bold]     {escape(str(found['rule']))}\n")
    for title, told in lines(found).items():
        console.print(f"[bold]{title.capitalize()}[/bold]")
        for line in told:
            console.print(f"  {escape(line)}", soft_wrap=True)
