"""`twintown serve`"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import anyio
import typer
from rich.console import Console

from orchestrator.episode import checked_condition
from orchestrator.installing.extension import extension
from orchestrator.installing.format import Entries
from orchestrator.installing.hosts import HOSTS, Host, Surroundings, host_named
from orchestrator.installing.installation import InstallError, install, uninstall
from orchestrator.serving import commands, graded_session, print_session, served, until_ended
from orchestrator.sessions import HOME, installations_root, sessions_root
from servers.session import MOST_CALLS, SessionDirectory, create_session
from worlds.catalogue import task_named
from worlds.model import Setting, Twin
from worlds.town.task import TownWorld


@dataclass(frozen=True, slots=True)
class Target:
    """A host that the session is for: its file, and whether it is edited."""

    host: Host
    file: Path
    by_command: bool
    edited: bool

    def entries(self, session: SessionDirectory, addresses: dict[str, str]) -> Entries:
        if self.by_command:
            return self.host.entries_by_command(commands(session))
        return self.host.entries_by_address(addresses)


def serve(
    task: Annotated[
        str, typer.Argument(help="A task by path (domain/family/instance, outcome/task, kind/task), or its last part.")
    ],
    twin: Annotated[
        Twin | None, typer.Option(help="Which of the two worlds; by default unsafe, the trap, where there are two.")
    ] = None,
    setting: Annotated[Setting | None, typer.Option(help="full; with a mask, suppressed.")] = None,
    mask: Annotated[list[str] | None, typer.Option(help="An atom to hide; may be repeated.")] = None,
    host: Annotated[str | None, typer.Option(help=f"Configuration for this host: {', '.join(HOSTS)}.")] = None,
    put_in: Annotated[
        bool, typer.Option("--install", help="Put it into the host's file, and take it out again at the end.")
    ] = False,
    config: Annotated[Path | None, typer.Option(help="The host's file, if it is not the usual one.")] = None,
    stdio: Annotated[bool, typer.Option("--stdio", help="The host starts the servers itself, over stdio.")] = False,
    mcpb: Annotated[Path | None, typer.Option(help="Write a Claude Desktop extension for the session.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: the system chooses.")] = 0,
    calls: Annotated[int, typer.Option(min=1, help="Most calls of the session.")] = MOST_CALLS,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line when ready, one with the grade.")] = False,
) -> None:
    """Start a session that any MCP client can use; on Ctrl-C, or when it is over, grade it."""
    if host is None and (put_in or stdio or config):
        raise typer.BadParameter("--install, --stdio and --config are for a host: name it with --host")
    target = _target(host_named(host), config, stdio, put_in) if host else None
    hidden = tuple(mask or ())
    pair = task_named(task)
    condition = checked_condition(
        pair, twin or pair.twins[0], setting or (Setting.SUPPRESSED if hidden else Setting.FULL), hidden
    )
    session = create_session(sessions_root(), condition, calls)
    if mcpb is not None:
        _write_new(mcpb, extension(sys.executable, session.id))
    anyio.run(_serve, session, target, mcpb, port, as_json)


def _target(host: Host, config: Path | None, stdio: bool, edited: bool) -> Target:
    return Target(host, config or host.file(Surroundings()), stdio or host.by_address is None, edited)


def _write_new(file: Path, content: bytes) -> None:
    try:
        with file.open("xb") as opened:
            opened.write(content)
    except FileExistsError:
        raise ValueError(f"{file} is there already; name another file") from None


async def _serve(session: SessionDirectory, target: Target | None, mcpb: Path | None, port: int, as_json: bool) -> None:
    refused: InstallError | None = None
    async with served(session, port) as addresses:
        try:
            _ready(session, target, mcpb, addresses, as_json)
            await _first_of_end_and_signal(session)
        except InstallError as error:  # raised outside, where nothing wraps it
            refused = error
        finally:
            if target is not None and target.edited and refused is None:
                _take_out(target)
    if refused is not None:
        raise refused
    episode, found = await graded_session(session)
    if as_json:
        print(found.model_dump_json(), flush=True)
    else:
        print_session(session, episode, found)


def _ready(
    session: SessionDirectory, target: Target | None, mcpb: Path | None, addresses: dict[str, str], as_json: bool
) -> None:
    """Install the session if that is asked for, and say that it is ready."""
    entries = target.entries(session, addresses) if target else {}
    if target is not None and target.edited:
        install(target.host, entries, target.file, installations_root())
    if as_json:
        told: dict[str, object] = {"session": session.id, "servers": addresses}
        if target is not None:
            told |= {"host": target.host.name, "file": str(target.file), "entries": entries}
        print(json.dumps(told), flush=True)
    else:
        _explain(session, target, entries, mcpb, addresses)


def _take_out(target: Target) -> None:
    try:
        print(uninstall(target.host, target.file, installations_root()), file=sys.stderr)
    except InstallError as error:
        print(f"error: {error}", file=sys.stderr)


async def _first_of_end_and_signal(session: SessionDirectory) -> None:
    async with anyio.create_task_group() as tasks:

        async def on_signal() -> None:
            with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for _ in signals:
                    tasks.cancel_scope.cancel()

        tasks.start_soon(on_signal)
        await until_ended(session)
        tasks.cancel_scope.cancel()


def _explain(
    session: SessionDirectory,
    target: Target | None,
    entries: Entries,
    mcpb: Path | None,
    addresses: dict[str, str],
) -> None:
    console = Console(highlight=False)
    first = session.servers[0]
    console.print(
        f"[bold]Session {session.id}[/bold] is ready. Give your host the prompt `task` of the server {first}, or this "
        "request, in these words:\n"
    )
    print(session.world.request)
    if target is not None:
        _explain_host(console, session, target, entries)
    elif mcpb is not None:
        console.print(f"\n[bold]Claude Desktop[/bold]: open {mcpb}. The session's id is a setting of the extension.")
    else:
        desktop, code = HOSTS["claude-desktop"], HOSTS["claude-code"]
        console.print("\n[bold]Claude Desktop[/bold] (claude_desktop_config.json, then restart it):")
        print(desktop.written(desktop.entries_by_command(commands(session))))
        console.print("[bold]Claude Code[/bold] (.mcp.json in an empty folder) and other hosts that take addresses:")
        print(code.written(code.entries_by_address(addresses)))
    if HOME in os.environ:  # no path stands in what a host is given
        console.print(f"\nA host that starts the servers itself needs {HOME}={os.environ[HOME]} in its environment.")
    if isinstance(session.world, TownWorld):
        console.print(f"\nIf your host ends with a question, put it to the owner: twintown turn {session.id} 'IT'")
        ends = ", when your host is done"
    else:
        ends = "; so does the commit"
    console.print(f"\nCtrl-C ends and grades it{ends}. Meanwhile and later: twintown grade {session.id}")


def _explain_host(console: Console, session: SessionDirectory, target: Target, entries: Entries) -> None:
    host = target.host
    if target.edited:
        console.print(f"\nIts servers stand in {target.file} until the session ends.")
    else:
        console.print(f"\n[bold]{host.title}[/bold], into {target.file}:\n")
        print(host.written(entries))
    console.print(host.then.format(first=session.servers[0]))
