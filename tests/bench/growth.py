"""How much a worker's memory grows over many episodes: prints MiB."""

from __future__ import annotations

import asyncio
import gc
import sys

import psutil

from graders.grade import grade
from orchestrator.agents.named import agent_named
from orchestrator.episode import run_episode
from orchestrator.plan import fixed_conditions
from worlds.catalogue import EVIDENCE


async def play(episodes: int) -> None:
    """Fixed conditions of the first finance families, over and over."""
    make = agent_named("auditor", "evidence")
    conditions = [
        (pair, condition)
        for pair in EVIDENCE.select(("finance/payment_authority/*",))
        for condition in fixed_conditions(pair)
    ]
    for number in range(episodes):
        pair, condition = conditions[number % len(conditions)]
        episode = await run_episode(pair, condition, make(pair, condition))
        grade(pair.world(condition.twin), condition.setting, episode)


def main() -> None:
    """After a warm-up of 500 episodes."""
    process = psutil.Process()
    asyncio.run(play(500))
    gc.collect()
    before = process.memory_info().rss
    asyncio.run(play(int(sys.argv[1])))
    gc.collect()
    print(round((process.memory_info().rss - before) / 2**20, 2))


if __name__ == "__main__":
    main()
