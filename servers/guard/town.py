"""The guard in front of a session of the town.

It knows what the owner has said so far (the ledger as it stands), the rules of the town's servers, and what it reads
through the same tools as the agent, under the same mask. What it reads and asks stands in the journal as its own, and
so do the calls that it held. It knows neither the twin nor what a task forbids.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from mcp.server import Server, ServerRequestContext
from mcp_types import CallToolRequest, CallToolRequestParams

from servers.bounds import keepable, printable
from servers.bus import Bus
from servers.guard.account import MemoryAccount
from servers.guard.gateway import Answer, Guard, Held, guarded
from servers.guard.rules import TOWN, Rules, load_rules
from servers.guard.upstream import Connected, Upstream, content_of
from servers.journal import Journal
from servers.server import Fault
from servers.town import OWNER, build_town_server, town_tools
from servers.transports.memory import in_memory
from worlds.episode import CallKind, CallOutcome, JournalLine
from worlds.model import Mask
from worlds.town.consent import Standing
from worlds.town.task import TownWorld
from worlds.town.town import Action, Reply, Town


@cache
def town_rules() -> Rules:
    """The rules that ship for the town's servers."""
    return load_rules(TOWN)


class AsideJournal:
    """The journal for what the guard calls itself: the same lines, marked as the guard's."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.pestered = journal.pestered
        self.aside = 0
        self.listed: set[str] = set()  # what the guard lists is not what the agent saw

    async def begin(self) -> int:
        self._journal.aside += 1
        return await self._journal.begin()

    async def append(self, line: JournalLine) -> None:
        await self._journal.append(line.model_copy(update={"kind": CallKind.GUARD}))

    async def end(self, seq: int) -> bool:
        return await self._journal.end(seq)

    async def ended(self) -> bool:
        return await self._journal.ended()

    async def begun(self) -> int:
        return await self._journal.begun()

    def seconds(self) -> float:
        return self._journal.seconds()

    async def lines(self) -> tuple[JournalLine, ...]:
        return await self._journal.lines()


class AsideBus:
    """The bus for what the guard does itself: what the owner says unasked waits for the agent's next call."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def act(self, action: Action) -> Reply:
        return await self._bus.act(action.model_copy(update={"aside": True}))

    async def town(self) -> Town:
        return await self._bus.town()


class TownOwner:
    """The owner of a town: what they have granted so far, and a question to them by `owner.ask`.

    A question that got no leave is not asked again as long as the consent stays the same.
    """

    decides_unknown = False

    def __init__(self, world: TownWorld, bus: Bus, journal: Journal, asking: Upstream) -> None:
        self._world, self._bus, self._journal, self._asking = world, bus, journal, asking
        self._answers: dict[tuple[str, int], str] = {}

    async def standing(self) -> Standing:
        return (await self._bus.town()).owner.ledger.at()

    async def ask(self, held: Held, context: ServerRequestContext[Any]) -> Answer:
        key = (held.question, await self._changes())
        if key not in self._answers:
            params = CallToolRequestParams(name="ask", arguments={"question": held.question})
            result = await self._asking.answer(CallToolRequest(params=params))
            content = content_of(result)
            said = content.get("answer") if isinstance(content, dict) else content
            self._answers[key] = str(said)
        return Answer(self._answers[key])

    async def _changes(self) -> int:
        return len((await self._bus.town()).owner.ledger.changes)

    def without_answers(self, params: CallToolRequestParams) -> CallToolRequestParams:
        return params

    async def refused(self, held: Held, text: str) -> None:
        """Keep the held call in the journal, as the agent's."""
        _, tools = town_tools(self._world)[held.server]
        kind = next((tool.kind for tool in tools if tool.name == held.tool), CallKind.UNKNOWN)
        seq = await self._journal.begin()
        await self._journal.append(
            JournalLine(
                seq=seq,
                server=held.server,
                tool=printable(held.tool),
                arguments=keepable(held.arguments),
                kind=kind,
                outcome=CallOutcome.HELD,
                shown=printable(text),
                exposed=(),
                seconds=round(self._journal.seconds(), 6),
            )
        )


@dataclass(frozen=True, slots=True)
class Before:
    """The session that the guard stands before. `most_calls`: the agent's budget."""

    world: TownWorld
    mask: Mask
    most_calls: int
    bus: Bus
    journal: Journal
    fault: Fault


@asynccontextmanager
async def guarded_town(servers: Mapping[str, Server[Any]], of: Before) -> AsyncIterator[Mapping[str, Server[Any]]]:
    """The servers of a session of the town with the guard before them."""
    journal = of.journal
    aside, bus = AsideJournal(journal), AsideBus(of.bus)
    own = {name: build_town_server(of.world, name, of.mask, sys.maxsize, bus, aside, of.fault) for name in servers}

    async def used_up() -> bool:
        """Then a call is passed on, so that it is refused as ever."""
        return await journal.ended() or await journal.begun() - journal.aside >= of.most_calls

    async with in_memory(servers) as sessions, in_memory(own) as own_sessions:
        upstreams = {name: Connected(session) for name, session in sessions.items()}
        reading = {name: Connected(session) for name, session in own_sessions.items()}
        owner = TownOwner(of.world, of.bus, journal, reading[OWNER])
        guard = Guard(town_rules(), owner, MemoryAccount(), reading, used_up)
        yield guarded(guard, upstreams)
