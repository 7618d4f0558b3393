"""The yardstick: a bare MCP server, and CPU time."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from mcp.server import Server, ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

_READY = CallToolResult(
    content=[TextContent(type="text", text='{"status": "done"}')], structured_content={"status": "done"}
)


def bare_server(name: str, tools: list[Tool]) -> Server[object]:
    """A low-level MCP server with these tools, whose answers are ready-made."""
    listing = ListToolsResult(tools=tools)

    async def on_list_tools(
        ctx: ServerRequestContext[object], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return listing

    async def on_call_tool(ctx: ServerRequestContext[object], params: CallToolRequestParams) -> CallToolResult:
        return _READY

    return Server(name, on_list_tools=on_list_tools, on_call_tool=on_call_tool)


async def cpu_ms(work: Callable[[], Awaitable[object]]) -> float:
    """CPU milliseconds of this process while the work is done."""
    start = time.process_time()
    await work()
    return 1000 * (time.process_time() - start)
