"""An episode whose state is in files, so that what was done survives the process that did it.

Used for a condition over which a worker died or hung: the second attempt keeps its journal and databases in a session
directory, and if the worker is lost again, the supervisor grades what the directory holds.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from mcp.server import Server

from orchestrator.agents.agent import Agent, Infrastructure
from orchestrator.agents.configuration import Guarded
from orchestrator.episode import Budget, Within, acted_over, host_seconds, with_calls_used_up
from servers.guard.town import Before, guarded_town
from servers.hearing import Ear
from servers.session import (
    FileSession,
    SessionDirectory,
    create_session,
    end_file_turn,
    file_session,
    read_session,
    tools_of,
)
from worlds.catalogue import Task
from worlds.episode import Condition, Ending, Episode
from worlds.town.task import TownWorld


async def run_kept_episode(
    root: Path, pair: Task, condition: Condition, agent: Agent, budget: Budget, ear: Ear | None = None
) -> Episode:
    """Run one condition with everything in a new session directory under `root`. Raises Infrastructure."""
    start = time.monotonic()
    session = create_session(root, condition, budget.calls)
    world = pair.world(condition.twin)
    end_turn = partial(end_file_turn, session, ear=ear) if isinstance(world, TownWorld) else None
    async with file_session(session, ear=ear) as opened, _before(agent, session, opened) as servers:
        reach = Within(servers, tools_of(world, condition.setting), opened.journal)
        ending = await acted_over(reach, agent, world.request, budget.seconds, end_turn)
    if isinstance(ending, Infrastructure):
        raise ending
    if session.faults:
        raise Infrastructure(f"a server failed: {session.faults[0]}")
    episode = await episode_of(session, ending, time.monotonic() - start)
    return episode.model_copy(update={"host_seconds": host_seconds(agent), "access": reach.access(agent)})


@asynccontextmanager
async def _before(
    agent: Agent, session: SessionDirectory, opened: FileSession
) -> AsyncIterator[Mapping[str, Server[object]]]:
    """What the agent reaches: the session's servers, or the guard in front of them."""
    world, card = session.world, session.card
    if isinstance(agent, Guarded) and isinstance(world, TownWorld) and opened.bus is not None:
        guard = Before(world, card.condition.mask, card.most_calls, opened.bus, opened.journal, session.note_fault)
        async with guarded_town(opened.servers, guard) as servers:
            yield servers
    else:
        yield opened.servers


async def episode_of(session: SessionDirectory, ending: Ending, seconds: float) -> Episode:
    """What a session directory holds, as an episode."""
    journal, final_state = await read_session(session)
    ending = with_calls_used_up(ending, journal, session.card.most_calls)
    return Episode(journal=journal, final_state=final_state, ending=ending, seconds=round(seconds, 6))


def session_of(root: Path, condition: Condition) -> SessionDirectory | None:
    """The session directory under `root` of this condition, if one was made. Each attempt has a root of its own."""
    for path in root.glob("*/session.json"):
        session = SessionDirectory(root, path.parent.name)
        if session.card.condition == condition:
            return session
    return None
