"""`twintown server`"""

from __future__ import annotations

import json
from typing import Annotated

import anyio
import typer

from orchestrator.sessions import sessions_root
from servers.session import SessionDirectory, file_server
from servers.transports.http import gateway
from servers.transports.stdio import serve_stdio


def server(
    name: Annotated[str, typer.Argument(help="The server's name.")],
    session: Annotated[str, typer.Option(help="The session's id.")],
    http: Annotated[bool, typer.Option("--http", help="Over streamable HTTP instead of stdio.")] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="With --http; without it the system chooses.")
    ] = None,
) -> None:
    """One server of a session over stdio: what a host's configuration calls."""
    if port is not None and not http:
        raise typer.BadParameter("over stdio there is no port: give --http too, or leave out --port")
    anyio.run(_serve, SessionDirectory(sessions_root(), session), name, http, port or 0)


async def _serve(session: SessionDirectory, name: str, http: bool, port: int) -> None:
    async with file_server(session, name) as opened:
        if not http:
            await serve_stdio(opened)
            return
        async with gateway(port) as at, at.mounted({name: opened}) as addresses:
            print(json.dumps({"servers": addresses}), flush=True)
            await anyio.sleep_forever()
