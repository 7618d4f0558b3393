"""One episode: build the world's servers, let the agent act, keep what came of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass

import anyio
from mcp import ClientSession

from graders.grade import Grade, grade
from orchestrator.agents.agent import Agent, Infrastructure
from servers.journal import MemoryJournal
from servers.middleware.journaling import printable
from servers.session import MOST_CALLS, memory_session
from servers.transports.era import Era
from servers.transports.memory import in_memory
from worlds.catalogue import task_named
from worlds.episode import CallOutcome, Condition, Ending, Episode, JournalLine, Usage
from worlds.model import Setting, Twin
from worlds.task import TaskPair


@dataclass(frozen=True, slots=True)
class Budget:
    """What an agent may use in one episode: calls, and seconds of wall time."""

    calls: int = MOST_CALLS
    seconds: float = 120.0


async def run_episode(
    pair: TaskPair, condition: Condition, agent: Agent, budget: Budget = Budget(), era: Era = Era.MODERN
) -> Episode:
    """Run one condition over MCP in memory.

    Whatever the agent does ends in an episode. Raises Infrastructure if our own servers failed or the agent says that
    something beyond it did.
    """
    start = time.monotonic()
    world = pair.world(condition.twin)
    async with memory_session(world, condition, budget.calls) as session:
        async with in_memory(session.servers, era) as clients:
            ending = await let_act(agent, pair.request, clients, budget.seconds, session.journal)
        journal = await session.journal.lines()
        final_state = await session.final_state()
    if isinstance(ending, Infrastructure):
        raise ending
    if session.faults:
        raise Infrastructure(f"a server failed: {session.faults[0]!r}")
    return Episode.model_construct(
        journal=journal,
        final_state=final_state,
        ending=_with_calls_used_up(ending, journal, budget.calls),
        seconds=round(time.monotonic() - start, 6),
    )


async def run_task(
    task: str,
    agent: Agent,
    twin: Twin = Twin.UNSAFE,
    setting: Setting = Setting.FULL,
    hidden: tuple[str, ...] = (),
    budget: Budget = Budget(),
) -> tuple[Episode, Grade]:
    """Run one task by its name with an agent of one's own, and grade it.

    Raises UnknownTask for a name, and ValueError for a mask, that does not exist.
    """
    pair = task_named(task)
    condition = checked_condition(pair, twin, setting, hidden)
    episode = await run_episode(pair, condition, agent, budget)
    return episode, grade(pair.world(twin), setting, episode)


def checked_condition(pair: TaskPair, twin: Twin, setting: Setting, hidden: tuple[str, ...]) -> Condition:
    """A condition of this pair. Raises ValueError for an unknown atom, or for a mask in the full setting."""
    unknown = sorted(set(hidden) - pair.everything)
    if unknown:
        atoms = ", ".join(sorted(pair.everything))
        raise ValueError(f"{pair.path} has no atom {', '.join(unknown)}; it has {atoms}")
    if setting is Setting.FULL and hidden:
        raise ValueError(
            f"in the setting full nothing is hidden, but got {', '.join(hidden)}; use suppressed or recovery"
        )
    return Condition(pair.path, twin, setting, tuple(sorted(set(hidden))))


async def let_act(
    agent: Agent, request: str, sessions: Mapping[str, ClientSession], seconds: float, journal: MemoryJournal
) -> Ending | Infrastructure:
    """Let the agent act until it ends, fails, pesters or runs out of time, and say which; or that something failed
    which is not the agent. Nothing is raised, because the caller's open sessions would wrap it."""
    acted = Acted()
    with anyio.move_on_after(seconds) as time_limit:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_cancel_when_pestered, journal, tasks.cancel_scope)
            acted = await _acted(agent, request, sessions)
            tasks.cancel_scope.cancel()
    if acted.infrastructure is not None:
        return acted.infrastructure
    reason = acted.reason
    if time_limit.cancelled_caught:
        reason = f"it did not end within {seconds:g} seconds"
    elif journal.pestered.is_set():
        reason = "it went on calling after the session had ended"
    return Ending(reason=printable(reason), message=printable(acted.message), usage=_usage(agent))


@dataclass(frozen=True, slots=True)
class Acted:
    """What became of an agent: its message, or why it did not finish, or what failed that is not the agent."""

    reason: str = ""
    message: str = ""
    infrastructure: Infrastructure | None = None


async def _cancel_when_pestered(journal: MemoryJournal, scope: anyio.CancelScope) -> None:
    await journal.pestered.wait()
    scope.cancel()


async def _acted(agent: Agent, request: str, sessions: Mapping[str, ClientSession]) -> Acted:
    try:
        answer = await agent.act(request, sessions)
    except Infrastructure as failure:
        return Acted(infrastructure=failure)
    except KeyboardInterrupt:
        raise
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise  # ours: time is over, or it pestered
        return Acted("it raised CancelledError")
    except BaseException as error:
        return Acted(f"it raised {type(error).__name__}: {error}")
    if answer is None or isinstance(answer, str):
        return Acted(message=answer or "")
    return Acted(f"it returned a {type(answer).__name__}; expected a text or None")


def _usage(agent: Agent) -> Usage:
    usage = getattr(agent, "usage", None)
    return usage if isinstance(usage, Usage) else Usage()


def _with_calls_used_up(ending: Ending, journal: tuple[JournalLine, ...], calls: int) -> Ending:
    refused = any(line.outcome is CallOutcome.OVER and line.seq > calls for line in journal)
    if refused and not ending.reason:
        return ending.model_copy(update={"reason": f"its {calls} calls were used up"})
    return ending
