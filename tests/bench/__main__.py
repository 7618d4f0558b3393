"""`make bench`: what an episode costs beside the same calls on bare MCP servers, and whether workers and memory scale.

Prints a table and writes bench.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from mcp import ClientSession
from mcp.server import Server
from rich.console import Console
from rich.table import Table

from graders.grade import grade
from orchestrator.episode import run_episode
from orchestrator.hashes import hashes_of
from orchestrator.progress import Progress
from orchestrator.run import run
from orchestrator.runs import RunCard, create_run, opened
from servers.server import server_names
from servers.store import image, memory_stores
from servers.tools import listed, tools_by_system
from servers.transports.memory import in_memory
from tests.bench.bare import bare_server, cpu_ms
from tests.bench.large import EPISODES, large_measured
from tests.bench.town import measured as town_measured
from worlds.catalogue import EVIDENCE, pair_named
from worlds.episode import Condition
from worlds.model import Setting, Twin
from worlds.reading import reads
from worlds.task import TaskPair

PAYMENT = "finance/payment_authority/PR-58217"
Calls = tuple[tuple[str, str, dict[str, object]], ...]


class Caller:
    """Makes the same calls every time."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> None:
        for session in sessions.values():
            await session.list_tools()
        for server, tool, arguments in self._calls:
            await sessions[server].call_tool(tool, arguments)


def six_calls(pair: TaskPair) -> Calls:
    """The reads of a task, repeated up to five, and its commit."""
    asked = [(read.system, read.tool, dict(read.arguments)) for read in reads(pair)]
    wanted = [asked[index % len(asked)] for index in range(5)]
    return (*wanted, (pair.commit.system, pair.commit.tool, pair.commit.model_dump(mode="json")))


def bare_servers(pair: TaskPair) -> dict[str, Server[object]]:
    """Low-level MCP servers with the same tools, whose answers are ready-made."""
    return {system: bare_server(system, listed(tools)) for system, tools in tools_by_system(pair.family).items()}


async def over_bare(path: str, rounds: int, directory: Path) -> dict[str, float]:
    """CPU of one whole episode over that of the same calls on bare servers, measured turn by turn."""
    pair = pair_named(path)
    condition = Condition(path, Twin.UNSAFE, Setting.SUPPRESSED, tuple(sorted(pair.differing)))
    world, calls = pair.world(Twin.UNSAFE), six_calls(pair)
    seeds = {name: image(world, name) for name in server_names(pair, condition.setting)}
    card = RunCard(suite="evidence", only=(path,), agents=("caller",), repeats=rounds, calls=60, seconds=60)
    create_run(directory, card, hashes_of(card))
    with opened(directory) as store:

        async def whole(repeat: int) -> None:
            episode = await run_episode(pair, condition, Caller(calls))
            store.append("caller", condition._replace(repeat=repeat), episode, grade(world, condition.setting, episode))

        async def bare() -> None:
            async with in_memory(bare_servers(pair)) as sessions:
                await Caller(calls).act("", sessions)

        async def stores() -> None:
            async with memory_stores(seeds):
                pass

        async def judge_and_record(repeat: int) -> None:
            store.append("again", condition._replace(repeat=repeat), last, grade(world, condition.setting, last))

        last = await run_episode(pair, condition, Caller(calls))
        await bare()
        times: dict[str, list[float]] = {"whole": [], "bare": [], "stores": [], "grade and record": []}
        for repeat in range(rounds):
            times["whole"].append(await cpu_ms(lambda repeat=repeat: whole(repeat)))
            times["bare"].append(await cpu_ms(bare))
            times["stores"].append(await cpu_ms(stores))
            times["grade and record"].append(await cpu_ms(lambda repeat=repeat: judge_and_record(repeat)))
    medians = {name: statistics.median(values) for name, values in times.items()}
    medians["middleware and the rest"] = (
        medians["whole"] - medians["bare"] - medians["stores"] - medians["grade and record"]
    )
    return medians


class _Timed(Progress):
    """Notes when episodes end, so that starting the workers does not count."""

    def __init__(self) -> None:
        super().__init__("", None)
        self.ends: list[float] = []

    def ended(self, count: int = 1) -> None:
        super().ended(count)
        self.ends.append(time.monotonic())

    def steady_rate(self, workers: int) -> float:
        """Episodes a second between the first moments, when all workers are at work, and the last."""
        ends = self.ends[10 * workers : -10 * workers]
        return (len(ends) - 1) / (ends[-1] - ends[0])


def rate(directory: Path, workers: int, agent: str, only: tuple[str, ...]) -> float:
    timed = _Timed()
    run("evidence", [agent], directory, only=only, workers=workers, progress=timed)
    return timed.steady_rate(workers)


def growth(episodes: int) -> float:
    """MiB that a worker's memory grows over so many episodes, after a warm-up; in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.growth", str(episodes)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def main() -> None:
    asked = argparse.ArgumentParser(prog="make bench", description=__doc__)
    asked.add_argument("--quick", action="store_true", help="a tenth of the rounds, to see that it works")
    asked.add_argument("--out", type=Path, default=Path("bench.json"))
    chosen = asked.parse_args()
    rounds, episodes = (30, 300) if chosen.quick else (300, 6000)
    console = Console(width=100)
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        console.print("measuring one episode beside bare MCP servers ...")
        parts = asyncio.run(over_bare(PAYMENT, rounds, home / "payment"))
        found["episode_over_bare"] = round(parts["whole"] / parts["bare"], 3)
        found["cpu_ms"] = {name: round(value, 3) for name, value in parts.items()}
        first_of = {
            domain: next(pair.path for pair in EVIDENCE.pairs if pair.domain == domain) for domain in EVIDENCE.domains
        }
        by_domain = {}
        for domain, path in first_of.items():
            measured = asyncio.run(over_bare(path, max(20, rounds // 4), home / domain))
            by_domain[domain] = round(measured["whole"] / measured["bare"], 3)
        found["episode_over_bare_by_domain"] = by_domain
        console.print("measuring one episode of the town beside bare MCP servers ...")
        town = town_measured(max(20, rounds // 3), home / "town")
        found["town_episode_over_bare"] = round(town["whole"] / town["bare"], 3)
        found["town_cpu_ms"] = {name: round(value, 3) for name, value in town.items()}
        console.print("measuring one worker and two ...")
        only = ("finance/payment_authority/*",) if chosen.quick else ("finance/*",)
        one, two = (rate(home / f"{workers} workers", workers, "reckless", only) for workers in (1, 2))
        found["two_workers_over_one"] = round(two / one, 3)
        found["episodes_per_second_per_core"] = round(one, 1)
        large = EPISODES // 20 if chosen.quick else EPISODES
        console.print(f"measuring a run store of {large:,} episodes ...")
        for name, measured in large_measured(home, large).items():
            found[f"store_of_{large}: {name}"] = measured
    console.print(f"measuring memory over {episodes} episodes ...")
    found[f"rss_growth_mib_{episodes}_episodes"] = growth(episodes)
    table = Table("measure", "value", box=None)
    for name, value in found.items():
        if isinstance(value, dict):
            for part, number in value.items():
                table.add_row(f"{name}: {part}", str(number))
        else:
            table.add_row(name, str(value))
    console.print(table)
    chosen.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
