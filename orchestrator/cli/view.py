"""`twintown view`"""

from __future__ import annotations

import json
import signal
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import anyio
import anyio.to_thread
import typer

from orchestrator.viewing.app import app_of
from orchestrator.viewing.viewed import ViewedRun, viewed
from servers.transports.http import HOST, answering, bound


def view(
    directory: Annotated[Path, typer.Argument(help="A run's directory.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: the system chooses.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line with the address; opens no browser.")] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the address; open no browser.")] = False,
) -> None:
    """Look into a run: its numbers, the episodes behind them, and two twins side by side. Ctrl-C ends it."""
    with viewed(directory) as run:
        anyio.run(_serve, run, port, as_json, as_json or no_open)


async def _serve(run: ViewedRun, port: int, as_json: bool, quiet: bool) -> None:
    with bound(port) as listening:
        async with answering(app_of(run), listening), anyio.create_task_group() as tasks:
            address = f"http://{HOST}:{listening.getsockname()[1]}/"
            print(json.dumps({"address": address}) if as_json else f"{address}  (Ctrl-C ends it)", flush=True)
            tasks.start_soon(_in_thread, run.tasks)  # so that they are there when the first page needs them
            if not quiet:
                tasks.start_soon(_in_thread, webbrowser.open, address)
            with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for _ in signals:
                    break
            tasks.cancel_scope.cancel()


async def _in_thread(call: Callable[..., object], *arguments: object) -> None:
    await anyio.to_thread.run_sync(call, *arguments, abandon_on_cancel=True)
