"""One MCP server of a session: its tools, its pipeline, its store. The wiring of everything in this package."""

from __future__ import annotations

import logging
from collections.abc import Callable

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from servers.audit import audit_handler
from servers.journal import Journal
from servers.middleware.arguments import checking_arguments
from servers.middleware.call import Answer, Refused
from servers.middleware.ending import ending, refusing_after_the_end
from servers.middleware.journaling import Entrance, journaling
from servers.middleware.masking import masking
from servers.store import Store
from servers.system import system_handler
from servers.tools import AUDIT_TOOLS, ToolSpec, listed, tools_by_system
from worlds.model import AUDIT, NOTHING_HIDDEN, Mask, Setting
from worlds.task import TaskPair
from worlds.version import VERSION

_log = logging.getLogger(__name__)
_AUDIT_TEXT = "An independent audit source."

Fault = Callable[[BaseException], None]
"""Is told of an error of ours, so that its episode is not graded."""


def server_names(pair: TaskPair, setting: Setting) -> tuple[str, ...]:
    """The servers of a world: its systems of record, and the audit server in `recovery`."""
    systems = tuple(pair.family.systems)
    return (*systems, AUDIT) if setting is Setting.RECOVERY else systems


def build_server(
    pair: TaskPair, name: str, mask: Mask, most_calls: int, store: Store, journal: Journal, fault: Fault
) -> Server[object]:
    """The MCP server of one system, or of the audit source, over its open store and the session's journal."""
    if name == AUDIT:
        text, tools, door = _AUDIT_TEXT, AUDIT_TOOLS, masking(NOTHING_HIDDEN, audit_handler(pair, store, mask))
    else:
        text, tools = pair.family.systems[name], tools_by_system(pair.family)[name]
        door = masking(mask, system_handler(pair, store))
    checked = checking_arguments(pair, tools, ending(journal, door))
    entrance = journaling(journal, name, tools, refusing_after_the_end(journal, most_calls, checked))
    return mcp_server(name, text, tools, entrance, fault, journal.listed.add)


def mcp_server(
    name: str,
    text: str,
    tools: tuple[ToolSpec, ...],
    entrance: Entrance,
    fault: Fault,
    on_listed: Callable[[str], None],
) -> Server[object]:
    """A low-level MCP server in front of a pipeline. `on_listed` is told its name when its tools are listed."""
    listing = ListToolsResult(tools=listed(tools))

    async def on_list_tools(
        ctx: ServerRequestContext[object], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        on_listed(name)
        return listing

    async def on_call_tool(ctx: ServerRequestContext[object], params: CallToolRequestParams) -> CallToolResult:
        try:
            return as_result(await entrance(params.name, params.arguments or {}))
        except Exception as error:
            _log.exception("%s.%s failed", name, params.name)
            fault(error)
            raise MCPError(INTERNAL_ERROR, "internal error") from None  # its text may hold evidence

    return Server(name, version=VERSION, instructions=text, on_list_tools=on_list_tools, on_call_tool=on_call_tool)


def as_result(answer: Answer) -> CallToolResult:
    """An answer as MCP carries it: structured content and the same as text; a refusal is a tool error."""
    block = TextContent(type="text", text=answer.text)
    if isinstance(answer, Refused):
        return CallToolResult(content=[block], is_error=True)
    structured = answer.content if isinstance(answer.content, dict) else None
    return CallToolResult(content=[block], structured_content=structured)
