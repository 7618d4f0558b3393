"""The two eras of the protocol: the handshake of 2025-11-25 and before, and the stateless one of 2026-07-28."""

from __future__ import annotations

from enum import StrEnum

from mcp import ClientSession, MCPError
from mcp_types import REQUEST_TIMEOUT


class Era(StrEnum):
    """How a client begins: `initialize`, or `server/discover`."""

    HANDSHAKE = "handshake"
    MODERN = "modern"


async def greet(session: ClientSession, era: Era) -> None:
    """Begin a session as this era does. The caller sets the limit of time."""
    if era is Era.HANDSHAKE:
        await session.initialize()
        return
    while True:  # the SDK asks for ten seconds only, and a server on a busy machine may need longer to start
        try:
            await session.discover()
            return
        except MCPError as error:
            if error.error.code != REQUEST_TIMEOUT:
                raise
