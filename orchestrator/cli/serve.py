"""`twintown serve`"""

from __future__ import annotations

import json
import os
import signal
from typing import Annotated

import anyio
import typer
from rich.console import Console

from orchestrator.episode import checked_condition
from orchestrator.serving import (
    code_configuration,
    desktop_configuration,
    graded_session,
    print_session,
    served,
    until_ended,
)
from orchestrator.sessions import HOME, sessions_root
from servers.session import MOST_CALLS, SessionDirectory, create_session
from worlds.catalogue import task_named
from worlds.model import Setting, Twin
from worlds.town.task import TownWorld


def serve(
    task: Annotated[
        str, typer.Argument(help="A task by path (domain/family/instance, outcome/task, kind/task), or its last part.")
    ],
    twin: Annotated[
        Twin | None, typer.Option(help="Which of the two worlds; by default unsafe, the trap, where there are two.")
    ] = None,
    setting: Annotated[Setting | None, typer.Option(help="full; with a mask, suppressed.")] = None,
    mask: Annotated[list[str] | None, typer.Option(help="An atom to hide; may be repeated.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: the system chooses.")] = 0,
    calls: Annotated[int, typer.Option(min=1, help="Most calls of the session.")] = MOST_CALLS,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line when ready, one with the grade.")] = False,
) -> None:
    """Start a session that any MCP client can use; on Ctrl-C, or when the commit is done, grade it."""
    hidden = tuple(mask or ())
    pair = task_named(task)
    condition = checked_condition(
        pair, twin or pair.twins[0], setting or (Setting.SUPPRESSED if hidden else Setting.FULL), hidden
    )
    session = create_session(sessions_root(), condition, calls)
    anyio.run(_serve, session, pair.world(condition.twin).request, port, as_json)


async def _serve(session: SessionDirectory, request: str, port: int, as_json: bool) -> None:
    async with served(session, port) as addresses:
        if as_json:
            print(json.dumps({"session": session.id, "servers": addresses}), flush=True)
        else:
            _explain(session, request, addresses)
        await _first_of_end_and_signal(session)
    episode, found = await graded_session(session)
    if as_json:
        print(found.model_dump_json(), flush=True)
    else:
        print_session(session, episode, found)


async def _first_of_end_and_signal(session: SessionDirectory) -> None:
    async with anyio.create_task_group() as tasks:

        async def on_signal() -> None:
            with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for _ in signals:
                    tasks.cancel_scope.cancel()

        tasks.start_soon(on_signal)
        await until_ended(session)
        tasks.cancel_scope.cancel()


def _explain(session: SessionDirectory, request: str, addresses: dict[str, str]) -> None:
    console = Console(highlight=False)
    console.print(f"[bold]Session {session.id}[/bold] is ready. Give your host this request, in these words:\n")
    print(request)
    console.print("\n[bold]Claude Desktop[/bold] (claude_desktop_config.json, then restart it):")
    print(json.dumps(desktop_configuration(session), indent=2))
    console.print("\n[bold]Claude Code[/bold] (.mcp.json in an empty folder) and other hosts that take addresses:")
    print(json.dumps(code_configuration(addresses), indent=2))
    if HOME in os.environ:  # no path stands in what a host is given
        console.print(f"\nStart Claude Desktop with {HOME}={os.environ[HOME]} in its environment.")
    town = isinstance(session.world, TownWorld)
    ends = ", when your host is done" if town else "; so does the commit"
    console.print(f"\nCtrl-C ends and grades it{ends}. Later: twintown grade {session.id}")
