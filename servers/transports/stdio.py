"""Over stdio: one process per server, as MCP hosts start them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server import Server
from mcp.server.stdio import stdio_server

from servers.transports.era import Era, greet

SECONDS_TO_READY = 60


async def serve_stdio(server: Server[object]) -> None:
    """Serve one client over this process's standard input and output, until the input closes."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


@asynccontextmanager
async def over_stdio(
    commands: Mapping[str, StdioServerParameters], era: Era = Era.MODERN
) -> AsyncIterator[dict[str, ClientSession]]:
    """Start these servers, each a process of its own, and open client sessions to them.

    Raises TimeoutError if one is not ready in time.
    """
    async with AsyncExitStack() as stack:
        sessions: dict[str, ClientSession] = {}
        for name, command in commands.items():
            streams = await stack.enter_async_context(stdio_client(command))
            sessions[name] = await stack.enter_async_context(ClientSession(*streams))
            with anyio.fail_after(SECONDS_TO_READY):
                await greet(sessions[name], era)
        yield sessions
