"""In memory: real JSON-RPC messages over stream pairs, in one process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
from mcp import ClientSession
from mcp.server import Server
from mcp.shared.memory import create_client_server_memory_streams

from servers.transports.era import Era, greet


@asynccontextmanager
async def in_memory(
    servers: Mapping[str, Server[object]], era: Era = Era.MODERN
) -> AsyncIterator[dict[str, ClientSession]]:
    """Open client sessions to these servers. They close in reverse order, in the task that opened them."""
    async with AsyncExitStack() as stack:
        tasks = await stack.enter_async_context(anyio.create_task_group())
        stack.callback(tasks.cancel_scope.cancel)
        sessions: dict[str, ClientSession] = {}
        for name, server in servers.items():
            client, ours = await stack.enter_async_context(create_client_server_memory_streams())
            tasks.start_soon(server.run, *ours, server.create_initialization_options())
            sessions[name] = await stack.enter_async_context(ClientSession(*client))
            await greet(sessions[name], era)
        yield sessions
