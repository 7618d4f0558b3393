"""Opening the servers of one world in memory, with real clients."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mcp import ClientSession
from mcp_types import CallToolResult, TextContent
from pydantic import JsonValue

from servers.session import MOST_CALLS, MemorySession, memory_session
from servers.transports.era import Era
from servers.transports.memory import in_memory
from worlds.episode import Condition, JournalLine
from worlds.model import Setting, Twin
from worlds.task import TaskPair


@dataclass(frozen=True)
class Opened:
    """The clients of a session, and the session behind them."""

    clients: Mapping[str, ClientSession]
    session: MemorySession

    async def call(self, server: str, tool: str, arguments: dict[str, JsonValue] | None = None) -> CallToolResult:
        return await self.clients[server].call_tool(tool, {} if arguments is None else arguments)

    async def lines(self) -> tuple[JournalLine, ...]:
        return await self.session.journal.lines()

    async def effects(self) -> dict[str, list[str]]:
        """By server, the tools whose actions left something."""
        return {name: [e.tool for e in effects] for name, effects in (await self.session.final_state()).items()}


@asynccontextmanager
async def opened(
    pair: TaskPair,
    twin: Twin = Twin.SAFE,
    hidden: tuple[str, ...] = (),
    *,
    setting: Setting = Setting.SUPPRESSED,
    calls: int = MOST_CALLS,
    era: Era = Era.MODERN,
) -> AsyncIterator[Opened]:
    condition = Condition(pair.path, twin, setting, tuple(sorted(hidden)))
    async with (
        memory_session(pair.world(twin), condition, calls) as session,
        in_memory(session.servers, era) as clients,
    ):
        yield Opened(clients, session)


def said(answer: CallToolResult) -> str:
    """The text of an answer."""
    (block,) = answer.content
    assert isinstance(block, TextContent)
    return block.text
