"""A server behind the guard: its answers as they came, and calls passed on to it unchanged."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Protocol

from mcp import ClientSession
from mcp.server import ServerRequestContext
from mcp.shared.dispatcher import ProgressFnT
from mcp_types import Implementation, Request, RequestParams, ServerCapabilities
from pydantic import RootModel

Raw = dict[str, Any]
_STAMPS = "io.modelcontextprotocol/"
"""What an SDK enters into `_meta` for each connection begins so; our own connection has its own."""


class _AsItCame(RootModel[Raw]):
    """An answer, unread."""


class Upstream(Protocol):
    """A server behind the guard."""

    @property
    def info(self) -> Implementation | None: ...

    @property
    def capabilities(self) -> ServerCapabilities | None: ...

    @property
    def instructions(self) -> str | None: ...

    async def answer(self, request: Request[Any, Any], progress: ProgressFnT | None = None) -> Raw:
        """The server's answer as it came. Raises MCPError as the server, or the connection, does."""


@dataclass(frozen=True, slots=True)
class Connected:
    """A server over an open session."""

    session: ClientSession

    @property
    def info(self) -> Implementation | None:
        return self.session.server_info

    @property
    def capabilities(self) -> ServerCapabilities | None:
        return self.session.server_capabilities

    @property
    def instructions(self) -> str | None:
        return self.session.instructions

    async def answer(self, request: Request[Any, Any], progress: ProgressFnT | None = None) -> Raw:
        return (await self.session.send_request(request, _AsItCame, progress_callback=progress)).root


async def forwarded(
    upstream: Upstream, request_type: type[Request[Any, Any]], params: RequestParams, context: ServerRequestContext[Any]
) -> Raw:
    """The server's own answer, as it is without what an SDK enters into it for a connection. Its errors, and those of
    the connection, are raised as they are."""
    meta = {key: value for key, value in (params.meta or {}).items() if not key.startswith(_STAMPS)}
    wants_progress = meta.pop("progressToken", None) is not None
    request = request_type.model_validate({"params": params.model_copy(update={"meta": meta or None})})
    progress = context.session.report_progress if wants_progress else None
    result = await upstream.answer(request, progress)
    told = {key: value for key, value in (result.pop("_meta", None) or {}).items() if not key.startswith(_STAMPS)}
    return {**result, "_meta": told} if told else result


def content_of(result: Raw) -> Any:
    """What an answer says: its structured content, else its text, as JSON if it is."""
    structured = result.get("structuredContent")
    if structured is not None:
        return structured
    text = "\n".join(block["text"] for block in result.get("content", ()) if block.get("type") == "text")
    try:
        return json.loads(text)
    except ValueError:
        return text
