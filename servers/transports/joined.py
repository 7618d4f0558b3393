"""All servers of a session as one, for a host that takes a single server: each tool's name begins with its server's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from mcp import ClientSession
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from servers.transports.memory import in_memory
from worlds.version import VERSION

BETWEEN = "__"
"""Stands between the name of a server and the name of its tool."""


@asynccontextmanager
async def joined(servers: Mapping[str, Server[object]], name: str) -> AsyncIterator[Server[object]]:
    """One server under this name in front of these. Calls reach them as they come, over sessions in memory."""
    async with in_memory(servers) as sessions:
        yield _front(name, sessions)


def _front(name: str, sessions: Mapping[str, ClientSession]) -> Server[object]:
    async def on_list_tools(
        ctx: ServerRequestContext[object], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        tools = []
        for server, session in sessions.items():
            listed = await session.list_tools()
            tools += [tool.model_copy(update={"name": server + BETWEEN + tool.name}) for tool in listed.tools]
        return ListToolsResult(tools=tools)

    async def on_call_tool(ctx: ServerRequestContext[object], params: CallToolRequestParams) -> CallToolResult:
        server, _, tool = params.name.partition(BETWEEN)
        if server not in sessions:
            known = ", ".join(sessions)
            said = f"there is no tool {params.name!r} here; names begin with {known}, then {BETWEEN}"
            return CallToolResult(content=[TextContent(type="text", text=said)], is_error=True)
        answer = await sessions[server].call_tool(tool, params.arguments)
        return answer.model_copy(update={"meta": None})

    about = "\n".join(f"{server}: {session.instructions}" for server, session in sessions.items())
    return Server(name, version=VERSION, instructions=about, on_list_tools=on_list_tools, on_call_tool=on_call_tool)
