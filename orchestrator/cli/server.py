"""`twintown server`"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated

import anyio
import typer
from mcp.server import Server

from orchestrator.installing.extension import NAME
from orchestrator.sessions import sessions_root
from servers.prompting import offer_request, with_request
from servers.session import SessionDirectory, file_session
from servers.transports.http import HOST, gateway
from servers.transports.joined import joined
from servers.transports.stdio import serve_stdio


def server(
    session: Annotated[str, typer.Option(help="The session's id.")],
    name: Annotated[str | None, typer.Argument(help="The server's name; without it all are offered as one.")] = None,
    http: Annotated[bool, typer.Option("--http", help="Over streamable HTTP instead of stdio.")] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="With --http; without it the system chooses.")
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="With --http: the address to listen at; loopback without it.")
    ] = None,
    known_as: Annotated[
        list[str] | None, typer.Option(help="With --http: a name by which clients reach this host; may be repeated.")
    ] = None,
    path: Annotated[
        str | None, typer.Option(help="With --http: the path of the address, instead of one that cannot be guessed.")
    ] = None,
) -> None:
    """One server of a session over stdio: what a host's configuration calls."""
    given = {"--port": port, "--host": host, "--known-as": known_as, "--path": path}
    if not http and (unused := [option for option, value in given.items() if value is not None]):
        option = unused[0]
        thing = option.removeprefix("--").replace("known-as", "name")
        raise typer.BadParameter(f"over stdio there is no {thing}: give --http too, or leave out {option}")
    if path is not None and (not path.startswith("/") or path == "/health"):
        raise typer.BadParameter(f"--path begins with / and is not /health; got {path}")
    directory = SessionDirectory(sessions_root(), session)
    if http:
        anyio.run(_serve_http, directory, name, port or 0, host or HOST, known_as or (), path)
    else:
        anyio.run(_serve_stdio, directory, name)


async def _serve_stdio(session: SessionDirectory, name: str | None) -> None:
    async with _opened(session, name) as opened:
        await serve_stdio(opened)


async def _serve_http(
    session: SessionDirectory, name: str | None, port: int, host: str, known_as: Sequence[str], path: str | None
) -> None:
    async with _opened(session, name) as opened, gateway(port, host, known_as) as at:
        paths = None if path is None else {opened.name: path}
        async with at.mounted({opened.name: opened}, paths) as addresses:
            print(json.dumps({"servers": addresses}), flush=True)
            await anyio.sleep_forever()


@asynccontextmanager
async def _opened(session: SessionDirectory, name: str | None) -> AsyncIterator[Server[object]]:
    """The server of this name, or all of the session as one."""
    async with file_session(session, None if name is None else (name,)) as opened:
        if name is not None:
            with_request(session, opened.servers)
            yield opened.servers[name]
            return
        async with joined(opened.servers, NAME) as one:
            offer_request(one, session.world.request)
            yield one
