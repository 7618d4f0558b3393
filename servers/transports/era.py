"""The two eras of the protocol: the handshake of 2025-11-25 and before, and the stateless one of 2026-07-28."""

from __future__ import annotations

from enum import StrEnum

from mcp import ClientSession


class Era(StrEnum):
    """How a client begins: `initialize`, or `server/discover`."""

    HANDSHAKE = "handshake"
    MODERN = "modern"


async def greet(session: ClientSession, era: Era) -> None:
    """Begin a session as this era does."""
    if era is Era.HANDSHAKE:
        await session.initialize()
    else:
        await session.discover()
