"""An episode whose state is in files, so that what was done survives the process that did it.

Used for a condition over which a worker died or hung: the second attempt keeps its journal and databases in a session
directory, and if the worker is lost again, the supervisor grades what the directory holds.
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from orchestrator.agents.agent import Agent, Infrastructure
from orchestrator.conversation import Conversation
from orchestrator.episode import Budget, acted_over, with_calls_used_up
from servers.hearing import Ear
from servers.session import SessionDirectory, create_session, end_file_turn, file_session, read_session
from worlds.catalogue import Task
from worlds.episode import Condition, Ending, Episode
from worlds.town.task import TownTask


async def run_kept_episode(
    root: Path, pair: Task, condition: Condition, agent: Agent, budget: Budget, ear: Ear | None = None
) -> Episode:
    """Run one condition with everything in a new session directory under `root`. Raises Infrastructure."""
    start = time.monotonic()
    session = create_session(root, condition, budget.calls)
    acting = Conversation(agent, partial(end_file_turn, session, ear=ear)) if isinstance(pair, TownTask) else agent
    request = session.world.request
    async with file_session(session, ear=ear) as opened:
        ending = await acted_over(opened.servers, acting, request, budget.seconds, opened.journal.pestered)
    if isinstance(ending, Infrastructure):
        raise ending
    if session.faults:
        raise Infrastructure(f"a server failed: {session.faults[0]}")
    return await episode_of(session, ending, time.monotonic() - start)


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
