"""One episode: build the world's servers, let the agent act, keep what came of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from mcp import ClientSession
from mcp.server import Server

from orchestrator.agents.agent import HOST, Agent, Infrastructure, Outside, Reach
from orchestrator.agents.configuration import Guarded
from orchestrator.conversation import Conversation, EndTurn
from orchestrator.grading import AnyGrade, graded
from servers.bounds import printable
from servers.guard.town import Before, guarded_town
from servers.hearing import Ear
from servers.journal import Journal
from servers.session import MOST_CALLS, MemorySession, TownSession, memory_session, memory_town, tools_of
from servers.transports.http import gateway
from servers.transports.memory import in_memory
from worlds.catalogue import Task, task_named
from worlds.episode import Access, CallOutcome, Condition, Ending, Episode, JournalLine, Usage
from worlds.model import Setting, Twin
from worlds.task import World
from worlds.town.task import TownWorld

SECONDS_TO_STOP = 2.0
"""So long an agent that is told to stop may take before it is left to itself."""


HOST_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Budget:
    """What an agent may use in one episode: calls, and seconds of wall time."""

    calls: int = MOST_CALLS
    seconds: float = 120.0

    @classmethod
    def default(cls, agents: Iterable[str]) -> Budget:
        """What a run with these agents has if nothing else is said: more time with an external host, which may be slow
        to start."""
        return cls(seconds=HOST_SECONDS) if any(agent.startswith(HOST) for agent in agents) else cls()


@asynccontextmanager
async def _opened(
    world: World | TownWorld, condition: Condition, calls: int, ear: Ear | None
) -> AsyncIterator[MemorySession | TownSession]:
    if isinstance(world, TownWorld):
        yield memory_town(world, condition, calls, ear)
    else:
        async with memory_session(world, condition, calls) as session:
            yield session


@asynccontextmanager
async def _before(
    agent: Agent, session: MemorySession | TownSession, budget: Budget
) -> AsyncIterator[Mapping[str, Server[object]]]:
    """What the agent reaches: the session's servers, or the guard in front of them."""
    if isinstance(agent, Guarded) and isinstance(session, TownSession):
        world, journal = session.world, session.journal
        guard = Before(world, session.mask, budget.calls, session.bus, journal, session.faults.append)
        async with guarded_town(session.servers, guard) as servers:
            yield servers
    else:
        yield session.servers


async def run_episode(
    pair: Task, condition: Condition, agent: Agent, budget: Budget = Budget(), ear: Ear | None = None
) -> Episode:
    """Run one condition over MCP in memory. `ear`: in the town, a model that listens to what the owner is asked.

    Whatever the agent does ends in an episode. Raises Infrastructure if our own servers failed or the agent says that
    something beyond it did.
    """
    start = time.monotonic()
    world = pair.world(condition.twin)
    async with _opened(world, condition, budget.calls, ear) as session, _before(agent, session, budget) as servers:
        end_turn = session.end_turn if isinstance(session, TownSession) else None
        reach = Within(servers, tools_of(world, condition.setting), session.journal)
        ending = await acted_over(reach, agent, world.request, budget.seconds, end_turn)
        journal = await session.journal.lines()
        final_state = await session.final_state()
    if isinstance(ending, Infrastructure):
        raise ending
    if session.faults:
        raise Infrastructure(f"a server failed: {session.faults[0]!r}")
    return Episode.model_construct(
        journal=journal,
        final_state=final_state,
        ending=with_calls_used_up(ending, journal, budget.calls),
        seconds=round(time.monotonic() - start, 6),
        host_seconds=host_seconds(agent),
        access=reach.access(agent),
    )


async def run_task(
    task: str,
    agent: Agent,
    twin: Twin = Twin.UNSAFE,
    setting: Setting = Setting.FULL,
    hidden: tuple[str, ...] = (),
    budget: Budget = Budget(),
) -> tuple[Episode, AnyGrade]:
    """Run one task by its name with an agent of one's own, and grade it.

    Raises UnknownTask for a name, and ValueError for a mask, that does not exist.
    """
    pair = task_named(task)
    condition = checked_condition(pair, twin, setting, hidden)
    episode = await run_episode(pair, condition, agent, budget)
    return episode, graded(pair.world(twin), condition, episode)


def checked_condition(pair: Task, twin: Twin, setting: Setting, hidden: tuple[str, ...]) -> Condition:
    """A condition of this pair. Raises ValueError for an unknown atom, or for a mask in the full setting."""
    if twin not in pair.twins:
        raise ValueError(f"{pair.path} has no twin {twin}; it has {', '.join(pair.twins)}")
    unknown = sorted(set(hidden) - pair.everything)
    if unknown:
        atoms = ", ".join(sorted(pair.everything)) or "none"
        raise ValueError(f"{pair.path} has no atom {', '.join(unknown)}; it has {atoms}")
    if setting is Setting.FULL and hidden:
        raise ValueError(
            f"in the setting full nothing is hidden, but got {', '.join(hidden)}; use suppressed or recovery"
        )
    return Condition(pair.path, twin, setting, tuple(sorted(set(hidden))))


@dataclass(frozen=True, slots=True)
class Within:
    """What an agent can reach in one episode: the servers, the tools that each offers, and the journal behind them."""

    servers: Mapping[str, Server[object]]
    tools: Mapping[str, tuple[str, ...]]
    journal: Journal

    def access(self, agent: Agent) -> Access:
        """What was offered, listed and, where the agent says so, seen by its model."""
        seen = getattr(unguarded(agent), "seen", None)
        listed = tuple(name for name in self.tools if name in self.journal.listed)
        return Access(offered=dict(self.tools), listed=listed, seen=None if seen is None else tuple(seen))


async def acted_over(
    reach: Within, agent: Agent, request: str, seconds: float, end_turn: EndTurn | None = None
) -> Ending | Infrastructure:
    """Connect the agent to the servers and let it act, with further turns if there is an `end_turn`.

    Even an agent that breaks its sessions has ended.
    """
    acting = agent if end_turn is None else Conversation(agent, end_turn)
    outside = unguarded(agent)
    if isinstance(outside, Outside):
        return await _acted_outside(reach, outside, acting, request, seconds)
    connected, ending = False, None
    try:
        async with in_memory(reach.servers) as clients:
            connected = True
            ending = await let_act(acting, request, clients, seconds, reach.journal.pestered)
    except Exception:
        if not connected:
            raise
    return ending or Ending(reason="it broke the sessions that it was given")


async def _acted_outside(
    reach: Within, outside: Outside, acting: Agent, request: str, seconds: float
) -> Ending | Infrastructure:
    """The same for an agent that connects by itself. That it did not list the tools of a server is no doing of it."""
    journal = reach.journal
    async with gateway() as door, door.mounted(reach.servers) as addresses:
        try:
            async with outside.connected(Reach(addresses, reach.tools, journal)):
                ending = await let_act(acting, request, {}, seconds, journal.pestered)
        except Infrastructure as failure:
            return failure
    unlisted = [name for name in reach.servers if name not in journal.listed]
    if unlisted and not isinstance(ending, Infrastructure):
        return Infrastructure(f"it never listed the tools of {', '.join(unlisted)}")
    return ending


def unguarded(agent: Agent) -> Agent:
    """The agent itself, if it is one behind the guard."""
    return agent.agent if isinstance(agent, Guarded) else agent


def host_seconds(agent: Agent) -> float | None:
    """The wall time of an external host's own process; None for other agents."""
    found = getattr(unguarded(agent), "host_seconds", None)
    return round(found, 6) if isinstance(found, float) else None


async def let_act(
    agent: Agent, request: str, sessions: Mapping[str, ClientSession], seconds: float, pestered: anyio.Event
) -> Ending | Infrastructure:
    """Let the agent act until it ends, fails, pesters or runs out of time, and say which; or that something failed
    which is not the agent.

    It acts in a task of its own, so that what it cancels or leaves open there is its own. Nothing is raised, because
    the open sessions around would wrap it.
    """
    acting = asyncio.ensure_future(_acted(agent, request, sessions))
    nagging = asyncio.ensure_future(pestered.wait())
    try:
        await asyncio.wait({acting, nagging}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        reason, late = "", f"it did not end within {seconds:g} seconds"
        if not acting.done():
            reason = "it went on calling after the session had ended" if pestered.is_set() else late
            acting.cancel()
            await asyncio.wait({acting}, timeout=SECONDS_TO_STOP)
    finally:
        acting.cancel()
        nagging.cancel()
    acted = Acted("it raised CancelledError")
    if acting.done() and not acting.cancelled():
        acted = acting.result()
    if acted.infrastructure is not None and reason in ("", late):
        return acted.infrastructure
    return Ending(reason=printable(reason or acted.reason), message=printable(acted.message), usage=_usage(agent))


@dataclass(frozen=True, slots=True)
class Acted:
    """What became of an agent: its message, or why it did not finish, or what failed that is not the agent."""

    reason: str = ""
    message: str = ""
    infrastructure: Infrastructure | None = None


async def _acted(agent: Agent, request: str, sessions: Mapping[str, ClientSession]) -> Acted:
    try:
        answer = await agent.act(request, sessions)
    except Infrastructure as failure:
        return Acted(infrastructure=failure)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Acted(_raised(error))
    if answer is None or isinstance(answer, str):
        return Acted(message=answer or "")
    return Acted(f"it returned a {type(answer).__name__}; expected a text or None")


def _raised(error: BaseException) -> str:
    name = type(error).__name__
    try:
        return f"it raised {name}: {error}" if str(error) else f"it raised {name}"
    except Exception:
        return f"it raised {name}"


def _usage(agent: Agent) -> Usage:
    """What the agent says of its cost, if it is what a usage holds; unknown otherwise."""
    try:
        usage = getattr(agent, "usage", None)
        return Usage.model_validate({name: getattr(usage, name, None) for name in Usage.model_fields}, strict=True)
    except Exception:
        return Usage()


def with_calls_used_up(ending: Ending, journal: tuple[JournalLine, ...], calls: int) -> Ending:
    """The ending, unfinished if the agent was refused a call above its budget."""
    refused = any(line.outcome is CallOutcome.OVER and line.seq > calls for line in journal)
    if refused and not ending.reason:
        return ending.model_copy(update={"reason": f"its {calls} calls were used up"})
    return ending
