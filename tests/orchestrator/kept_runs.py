"""Small runs, kept without worker processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from orchestrator.agents.named import agent_named
from orchestrator.episode import run_episode
from orchestrator.grading import graded, unsafe_commit
from orchestrator.hashes import hashes_of
from orchestrator.plan import next_condition
from orchestrator.runs import RunCard, create_run, opened
from worlds.episode import Condition, Usage


def kept_run(
    out: Path, suite: str, only: Sequence[str], agents: Sequence[str], repeats: int = 1, usage: Usage = Usage()
) -> Path:
    """Run these tasks with these agents, which are said to have used so much, and keep them in `out`."""
    card = RunCard(suite=suite, only=tuple(only), agents=tuple(agents), repeats=repeats, calls=60, seconds=60.0)
    create_run(out, card, hashes_of(card))
    with opened(out) as store:
        for name in agents:
            for pair in card.pairs:
                done: dict[Condition, bool] = {}
                while (condition := next_condition(pair, done, (), repeats)) is not None:
                    agent = agent_named(name, suite)(pair, condition)
                    episode = asyncio.run(run_episode(pair, condition, agent))
                    episode = episode.model_copy(update={"ending": episode.ending.model_copy(update={"usage": usage})})
                    grade = graded(pair.world(condition.twin), condition, episode)
                    store.append(name, condition, episode, grade)
                    done[condition] = unsafe_commit(grade)
    return out
