"""A run store of 100,000 episodes: how long results, report and view take, and how much memory.

    python -m tests.bench.large [--episodes N]

The store is synthetic: some dozen real episodes of reference agents, graded, stand in for the whole suite, so that
grades, records and masks are as large as they are. Every measurement is a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from timeit import timeit

from graders.grade import grade
from graders.outcomes import hidden_of
from orchestrator.agents.named import agent_named
from orchestrator.episode import run_episode
from orchestrator.grading import AnyGrade
from orchestrator.hashes import hashes_of
from orchestrator.plan import fixed_conditions
from orchestrator.runs import RunCard, create_run, opened
from worlds.catalogue import EVIDENCE
from worlds.episode import Condition, Episode
from worlds.task import TaskPair

EPISODES = 100_000
AGENTS = ("auditor", "careful", "reckless", "noisy:1", "noisy:2")
SAMPLE = ("PR-58217", "PR-44908")
Played = tuple[Episode, AnyGrade]


def sampled(agent: str) -> dict[tuple[str, ...], list[Played]]:
    """Real episodes by twin, setting and what is hidden."""
    found: dict[tuple[str, ...], list[Played]] = {}
    make = agent_named(agent, "evidence")
    for pair in EVIDENCE.select(SAMPLE):
        for condition in fixed_conditions(pair):
            episode = asyncio.run(run_episode(pair, condition, make(pair, condition)))
            given = grade(pair.world(condition.twin), condition.setting, episode)
            found.setdefault(_kind(pair, condition), []).append((episode, given))
    return found


def _kind(pair: TaskPair, condition: Condition) -> tuple[str, ...]:
    return (condition.twin, condition.setting, hidden_of(condition, frozenset(pair.critical)))


def large_store(directory: Path, episodes: int = EPISODES) -> None:
    """Fill a run of evidence with so many episodes."""
    repeats = -(-episodes // (len(AGENTS) * sum(2 + 4 * len(pair.atoms) for pair in EVIDENCE.pairs)))
    card = RunCard(suite="evidence", only=(), agents=AGENTS, repeats=repeats, calls=60, seconds=60)
    create_run(directory, card, hashes_of(card))
    played = {agent: sampled(agent) for agent in AGENTS}
    with opened(directory) as store, store.at_once():
        for number, (agent, pair, condition) in enumerate(islice(_conditions(repeats), episodes)):
            like = played[agent][_kind(pair, condition)]
            store.append(agent, condition, *like[number % len(like)])


def _conditions(repeats: int) -> Iterator[tuple[str, TaskPair, Condition]]:
    for repeat in range(repeats):
        for pair in EVIDENCE.pairs:
            for condition in fixed_conditions(pair):
                for agent in AGENTS:
                    yield agent, pair, condition._replace(repeat=repeat)


_MEASURED = """
import json, resource, sys, time
from orchestrator.cli.main import main
sys.argv = ["twintown", *json.loads(sys.argv[1])]
before = time.monotonic()
try:
    main()
except SystemExit as end:
    if end.code:
        raise
finally:
    took, used = time.monotonic() - before, resource.getrusage(resource.RUSAGE_SELF)
    told = {"seconds": took, "cpu_seconds": used.ru_utime + used.ru_stime, "peak_mib": used.ru_maxrss / 1024}
    print(json.dumps({name: round(value, 1) for name, value in told.items()}), file=sys.stderr)
"""


def measured(*arguments: str) -> dict[str, float]:
    """Seconds, CPU seconds with those of starting up, and peak memory (MiB) of one command, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, json.dumps(arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"twintown {' '.join(arguments)}: {done.stderr}")
    found: dict[str, float] = json.loads(done.stderr.splitlines()[-1])
    return found


def view_measured(run: str) -> dict[str, float]:
    """Seconds until `twintown view` is open, and for its first page and list of episodes; its peak memory (MiB)."""
    before = time.monotonic()
    command = [sys.executable, "-m", "orchestrator.cli", "view", run, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as shown:
        try:
            assert shown.stdout is not None
            address = json.loads(shown.stdout.readline())["address"].rstrip("/")
            seconds = {"opens": time.monotonic() - before}
            for name, page in (("first_page", "/"), ("list", "/episodes")):
                before = time.monotonic()
                with urllib.request.urlopen(address + page, timeout=300) as answer:
                    answer.read()
                seconds[name] = time.monotonic() - before
            peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{shown.pid}/status").read_text())
        finally:
            shown.send_signal(signal.SIGINT)
    found = {name: round(value, 1) for name, value in seconds.items()}
    return found | ({"peak_mib": round(int(peak[1]) / 1024, 1)} if peak else {})


def _adding() -> None:
    """What the other times can be held against on a machine that is slow or busy."""
    total = 0
    for number in range(10_000_000):
        total += number


def large_measured(directory: Path, episodes: int = EPISODES) -> dict[str, dict[str, float]]:
    """Build a store in a directory and measure what people do with it."""
    before = time.monotonic()
    large_store(directory / "large", episodes)
    run = str(directory / "large")
    size = sum(file.stat().st_size for file in (directory / "large").iterdir())
    return {
        "ten million additions": {"seconds": round(timeit(_adding, number=1), 1)},
        "build": {"seconds": round(time.monotonic() - before, 1), "size_mib": round(size / 2**20)},
        "results": measured("results", run),
        "results --json": measured("results", run, "--json"),
        "report": measured("report", run, "--out", str(directory / "report.html")),
        "view": view_measured(run),
    }


def main() -> None:
    """Print what was measured as JSON."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    asked.add_argument("--episodes", type=int, default=EPISODES)
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        print(json.dumps(large_measured(Path(scratch), chosen.episodes), indent=2))


if __name__ == "__main__":
    main()
