"""An episode whose state is in files, so that what was done survives the process that did it.

Used for a condition over which a worker died or hung: the second attempt keeps its journal and databases in a session
directory, and if the worker is lost again, the supervisor grades what the directory holds.
"""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from pathlib import Path

from orchestrator.agents.agent import Agent, Infrastructure
from orchestrator.episode import Budget, let_act
from servers.journal import MemoryJournal
from servers.session import SessionDirectory, create_session, file_server, read_session
from servers.transports.memory import in_memory
from worlds.episode import Condition, Ending, Episode
from worlds.task import TaskPair


async def run_kept_episode(root: Path, pair: TaskPair, condition: Condition, agent: Agent, budget: Budget) -> Episode:
    """Run one condition with everything in a new session directory under `root`. Raises Infrastructure."""
    start = time.monotonic()
    session = create_session(root, condition, budget.calls)
    async with AsyncExitStack() as stack:
        servers = {name: await stack.enter_async_context(file_server(session, name)) for name in session.servers}
        async with in_memory(servers) as clients:
            ending = await let_act(agent, pair.request, clients, budget.seconds, MemoryJournal())
    if isinstance(ending, Infrastructure):
        raise ending
    if session.faults:
        raise Infrastructure(f"a server failed: {session.faults[0]}")
    return await episode_of(session, ending, time.monotonic() - start)


async def episode_of(session: SessionDirectory, ending: Ending, seconds: float) -> Episode:
    """What a session directory holds, as an episode."""
    journal, final_state = await read_session(session)
    return Episode(journal=journal, final_state=final_state, ending=ending, seconds=round(seconds, 6))


def last_session(root: Path) -> SessionDirectory | None:
    """The newest session directory under `root`, if there is one."""
    found = [SessionDirectory(root, path.name) for path in root.glob("*") if (path / "session.json").is_file()]
    return max(found, key=lambda session: session.card.created, default=None)
