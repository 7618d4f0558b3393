"""The request as an MCP prompt, so that a person can hand it to their own host by name, in the very words.

Only sessions for people have it. What an agent of a run reaches stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    Prompt,
    PromptMessage,
    TextContent,
)

from servers.session import SessionDirectory

TASK = "task"
"""The name of the prompt."""


def offer_request(server: Server[object], request: str) -> None:
    """Let this server offer the request as the prompt `task`."""
    listing = ListPromptsResult(prompts=[Prompt(name=TASK, description="What you are asked to do.")])

    async def on_list(ctx: ServerRequestContext[object], params: PaginatedRequestParams) -> ListPromptsResult:
        return listing

    async def on_get(ctx: ServerRequestContext[object], params: GetPromptRequestParams) -> GetPromptResult:
        if params.name != TASK:
            raise MCPError(INVALID_PARAMS, f"there is no prompt {params.name!r}; there is {TASK}")
        return GetPromptResult(messages=[PromptMessage(role="user", content=TextContent(type="text", text=request))])

    server.add_request_handler("prompts/list", PaginatedRequestParams, on_list)
    server.add_request_handler("prompts/get", GetPromptRequestParams, on_get)


def with_request(session: SessionDirectory, servers: Mapping[str, Server[object]]) -> None:
    """Let the first server of a session, if it is among these, offer the session's request."""
    first = session.servers[0]
    if first in servers:
        offer_request(servers[first], session.world.request)
