"""Plays an agent as a model: its calls become the model's, and what the host brings back becomes their answers.

The agent acts in a task of its own, in sessions that are not real: each call waits there until a request of the host
brings its result.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from mcp import ClientSession
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool
from pydantic import JsonValue

from orchestrator.agents.agent import Agent
from orchestrator.endpoint.fitting import fitting
from orchestrator.endpoint.naming import Place, matched
from orchestrator.endpoint.structured import CutShort, structured
from orchestrator.endpoint.turn import Calls, Offered, Result, Says, Step, Turn

NOTHING = "."
"""What is said in place of nothing, which the APIs of models do not allow."""
ASIDE = "OK"
"""What is answered to a request that offers none of the world's tools, as for a title."""


class Player:
    """One policy at work in the conversations of one host, one after the other.

    `make` makes the agent of a conversation; `servers`: the names of each server's tools, of which a session may be
    without the `optional` ones. `offered`: every tool that the model was offered. `asked`: the calls that were made, by
    server and tool. `conversations`: how many began, `messages`: how many the policy was told in all of them.
    `trouble`: why the policy could not be played, the first time; empty if all is well. `warn` is told each time.
    """

    def __init__(
        self,
        make: Callable[[], Agent],
        servers: Mapping[str, Sequence[str]],
        optional: Collection[str] = (),
        warn: Callable[[str], None] = lambda why: None,
    ) -> None:
        self._make, self._servers, self._optional, self._warn = make, servers, optional, warn
        self._playing: _Conversation | None = None
        self._latest: tuple[str, tuple[Offered, ...]] | None = None
        self._given: dict[str, Step] = {}
        self._one_at_a_time = asyncio.Lock()
        self.offered: set[str] = set()
        self.asked: list[Place] = []
        self.conversations = 0
        self.messages = 0
        self.trouble = ""

    async def step(self, turn: Turn) -> Step:
        """What the model answers. Within a conversation, the same history gets the same answer."""
        self.offered |= {each.whole for each in turn.offered}
        tools = matched(turn.offered, self._servers)
        if turn.schema is not None:
            return Says(_id(), json.dumps(fitting(turn.schema)))
        if not tools:
            return Says(_id(), ASIDE)
        async with self._one_at_a_time:
            begins = turn.begins and self._latest != (turn.history, turn.offered)
            if begins:
                self._given.clear()
            if begins or turn.history not in self._given:
                self._given[turn.history] = await self._next(turn, tools)
            self._latest = turn.history, turn.offered
            return self._given[turn.history]

    async def close(self) -> None:
        """End what is being played."""
        if self._playing is not None:
            await self._playing.close()

    async def _next(self, turn: Turn, tools: Mapping[Place, tuple[Offered, ...]]) -> Step:
        playing = self._playing
        if playing is None or turn.begins:
            await self.close()
            playing = self._playing = _Conversation(self._make())
            self.conversations += 1
            return await self._told(turn, playing, tools)
        if playing.pending is not None:
            result = _result_of(playing.pending, turn.results)
            if result is not None:
                return await self._made(playing.answered(result), playing, tools)
            if any(each.call and each.call == playing.answered_last for each in turn.results):
                return playing.pending
            return self._troubled(f"the call of {playing.pending.tool.whole} was never answered")
        if turn.asked > playing.asked and not playing.acts:
            return await self._told(turn, playing, tools)
        return Says(_id(), playing.said or NOTHING)

    async def _told(self, turn: Turn, playing: _Conversation, tools: Mapping[Place, tuple[Offered, ...]]) -> Step:
        """Tell the policy the person's message; what it does first."""
        self.messages += 1
        there = {server for server, _ in tools} | (self._servers.keys() - set(self._optional))
        servers = {server: names for server, names in self._servers.items() if server in there}
        return await self._made(playing.begun(turn, servers, tools), playing, tools)

    async def _made(
        self, waiting: Awaitable[_Call | str], playing: _Conversation, tools: Mapping[Place, tuple[Offered, ...]]
    ) -> Step:
        """The agent's next call under the name that the host has for it, or its last words."""
        try:
            came = await waiting
        except CutShort as error:
            return self._troubled(str(error))
        except Exception as error:
            return self._troubled(f"the policy raised {type(error).__name__}: {error}")
        if isinstance(came, str):
            return Says(_id(), came or NOTHING)
        place = (came.server, came.tool)
        names = tools.get(place, ())
        if len(names) != 1:
            offered = ", ".join(each.whole for each in names) or "no tool of that name"
            return self._troubled(f"{came.server}.{came.tool} was to be called, but the model was offered {offered}")
        self.asked.append(place)
        playing.pending = Calls(_id(), names[0], came.arguments)
        return playing.pending

    def _troubled(self, why: str) -> Says:
        self.trouble = self.trouble or why
        self._warn(why)
        return Says(_id(), NOTHING)


@dataclass(frozen=True, slots=True)
class _Call:
    """What the agent wants to call."""

    server: str
    tool: str
    arguments: Mapping[str, JsonValue]


class _Conversation:
    """One agent with what it waits for. `asked`: how many messages of the person it has taken in."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._acting: asyncio.Task[str | None] | None = None
        self._calls: asyncio.Queue[_Call] = asyncio.Queue()
        self._results: asyncio.Queue[CallToolResult] = asyncio.Queue()
        self.pending: Calls | None = None
        self.answered_last = ""
        self.asked = 0
        self.said = ""

    async def begun(
        self, turn: Turn, servers: Mapping[str, Sequence[str]], tools: Mapping[Place, tuple[Offered, ...]]
    ) -> _Call | str:
        """Let the agent act on the person's message; its first call, or its last words."""
        sessions = {
            server: _Session(self, server, _described(server, names, tools)) for server, names in servers.items()
        }
        self.asked = turn.asked
        self._acting = asyncio.create_task(self._acted(turn.said, sessions))
        return await self._until_next()

    async def answered(self, result: Result) -> _Call | str:
        """Give the pending call its result; the agent's next call, or its last words."""
        called, self.pending = self.pending, None
        if called is not None:
            self.answered_last = called.id
        try:
            self._results.put_nowait(_as_mcp(result))
        except CutShort:
            raise CutShort(f"the answer of {called.tool.whole if called else 'a tool'} came back cut short") from None
        return await self._until_next()

    @property
    def acts(self) -> bool:
        """Whether the agent has not yet ended its turn."""
        return self._acting is not None and not self._acting.done()

    async def close(self) -> None:
        """End the agent, wherever it is."""
        if self._acting is not None:
            self._acting.cancel()
            await asyncio.wait({self._acting})

    async def call(self, call: _Call) -> CallToolResult:
        """Called by the agent: waits until the host has brought the result."""
        self._calls.put_nowait(call)
        return await self._results.get()

    async def _acted(self, said: str, sessions: Mapping[str, _Session]) -> str | None:
        return await self._agent.act(said, cast(Mapping[str, ClientSession], sessions))

    async def _until_next(self) -> _Call | str:
        if self._acting is None:
            raise RuntimeError("nobody acts")
        calling = asyncio.create_task(self._calls.get())
        await asyncio.wait({calling, self._acting}, return_when=asyncio.FIRST_COMPLETED)
        if calling.done():
            return calling.result()
        calling.cancel()
        self.said = self._acting.result() or ""
        return self.said


@dataclass(frozen=True, slots=True)
class _Session:
    """Stands for a client session in the hands of the agent."""

    conversation: _Conversation
    server: str
    tools: tuple[Tool, ...]

    async def list_tools(self, **options: object) -> ListToolsResult:
        return ListToolsResult(tools=list(self.tools))

    async def call_tool(
        self, name: str, arguments: Mapping[str, JsonValue] | None = None, **options: object
    ) -> CallToolResult:
        return await self.conversation.call(_Call(self.server, name, dict(arguments or {})))


def _described(server: str, names: Sequence[str], tools: Mapping[Place, tuple[Offered, ...]]) -> tuple[Tool, ...]:
    """The server's tools as the host describes them to the model."""
    return tuple(
        Tool(name=name, description=each.description, input_schema=dict(each.parameters or {"type": "object"}))
        for name in names
        for each in tools.get((server, name), ())[:1]
    )


def _result_of(call: Calls, results: Sequence[Result]) -> Result | None:
    """By its id, else by its name: one of the APIs has no ids."""
    by_id = [each for each in results if each.call == call.id]
    by_name = [each for each in results if not each.call and each.name == call.tool.name]
    fitting = by_id or by_name
    return fitting[-1] if fitting else None


def _as_mcp(result: Result) -> CallToolResult:
    block = TextContent(type="text", text=result.text)
    content = None if result.failed else structured(result.text)
    return CallToolResult(content=[block], structured_content=content, is_error=result.failed)


def _id() -> str:
    return secrets.token_hex(12)
