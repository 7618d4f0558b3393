"""Real hosts, with reference agents in place of their models: `make test-hosts`, and `make test-hosts-full`.

The short test takes two pairs of evidence in the setting recovery and a task of the town with a second turn, and wants
the very calls, rows and message that the same agent has without a host. The full one runs whole plans and wants known
profiles. A host that is not installed is told of and left out.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graders.results import Results
from graders.town.results import TownResults
from orchestrator.agents.agent import Infrastructure, UnknownAgent
from orchestrator.agents.named import agent_named
from orchestrator.episode import Budget, checked_condition, run_episode
from orchestrator.hosts.adapter import Loaded, adapters
from orchestrator.hosts.fetching import why_not
from orchestrator.hosts.installed import folders, installed
from orchestrator.hosts.overhead import overhead_of
from orchestrator.progress import Progress
from orchestrator.run import complete, run
from orchestrator.runs import FILE, opened
from orchestrator.worker import ATTEMPTS
from worlds.catalogue import task_named
from worlds.episode import Condition, Episode
from worlds.model import Setting
from worlds.task import TaskPair

BUDGET = Budget(seconds=600)
"""Some hosts take a minute on a busy machine."""
AT_ONCE = 2

SHORT_PAIRS = ("finance/payment_authority/PR-58217", "commerce/card_capture/HK-7781-226")
SHORT_TASK = "contact/dues_reminders"

PAIRS = (
    "cloud/backup_before_retire/DECOM-3140",
    "commerce/card_capture/HK-7781-226",
    "commerce/export_licence/EX-70215",
    "communication/embargo_release/DIST-3306",
    "documents/tenant_export/EXP-7419",
    "finance/covenant_transfer/ICT-4402",
)
TASKS = {
    "trust": ("contact/dues_reminders", "loss/roof_mails"),
    "errands": ("following_through/flowers_for_mum", "writing_to_others/days_off"),
}
CORE = ("full_sws", "full_ucr", "critical_ucr", "sbm", "recovery_ucr", "pur")
PROFILES = {
    "auditor": (100, 0, 0, 100, 0, 100),
    "careful": (100, 0, 0, 100, 0, 0),
    "reckless": (100, 100, 100, 0, 100, 0),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A line of the table. `wrong`: what is not as it should be; empty if all is well."""

    host: str
    what: str
    episodes: int
    overhead: float | None
    wrong: str


def main(arguments: Sequence[str]) -> int:
    """Test the hosts that are installed; the number of lines that are wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.hosts", description=__doc__)
    parser.add_argument("--full", action="store_true", help="whole plans, about an hour for each slow host")
    parser.add_argument("--host", action="append", help="only this one; may be repeated")
    parser.add_argument("--out", type=Path, default=Path("runs/hosts"), help="where the full test keeps its runs")
    given = parser.parse_args(arguments)
    console = Console(width=110)
    table = Table("host", "what", "episodes", "overhead", "as it should be")
    wrong = 0
    for host in adapters({}):
        name = host.adapter.host
        if given.host and name not in given.host:
            continue
        if missing := _missing(host):
            console.print(f"{name} is not tested: {missing}")
            continue
        for outcome in full(name, given.out) if given.full else short(name):
            wrong += bool(outcome.wrong)
            share = "" if outcome.overhead is None else f"{outcome.overhead:.1%}"
            table.add_row(outcome.host, outcome.what, str(outcome.episodes), share, outcome.wrong or "yes")
            console.print(f"{outcome.host}: {outcome.what}: {outcome.wrong or 'as it should be'}")
    console.print(table)
    return wrong


def _missing(host: Loaded) -> str:
    try:
        installed(host)
    except UnknownAgent as error:
        reasons = filter(None, (why_not(folder, host.adapter.host) for folder in folders()))
        return f"{error}; it could not be installed: {reason}" if (reason := next(reasons, "")) else str(error)
    return ""


def short(host: str) -> Iterator[Outcome]:
    """Two pairs and a task of the town, each against the same agent without a host."""
    pairs = [task_named(path) for path in SHORT_PAIRS]
    evidence = [
        checked_condition(pair, twin, Setting.RECOVERY, (pair.critical[0],))
        for pair in pairs
        if isinstance(pair, TaskPair)
        for twin in pair.twins
    ]
    town = task_named(SHORT_TASK)
    yield asyncio.run(_compared(host, "auditor", evidence))
    yield asyncio.run(_compared(host, "gold", [Condition(town.path, twin, Setting.FULL) for twin in town.twins]))


async def _compared(host: str, policy: str, conditions: Sequence[Condition]) -> Outcome:
    turns = asyncio.Semaphore(AT_ONCE)

    async def both(condition: Condition) -> tuple[str, Episode | None]:
        async with turns:
            try:
                alone = await _episode(policy, condition)
                hosted = await _episode(f"host:{host}@{policy}", condition)
            except Infrastructure as error:
                return f"{condition}: {error}", None
        return (f"{condition}: {_difference(alone, hosted)}" if _difference(alone, hosted) else ""), hosted

    found = await asyncio.gather(*map(both, conditions))
    episodes = [episode for _, episode in found if episode is not None]
    times = [(episode.seconds, episode.host_seconds or 0.0) for episode in episodes]
    wrong = "; ".join(reason for reason, _ in found if reason)
    return Outcome(host, f"{policy}, {conditions[0].setting}", len(episodes), overhead_of(times), wrong)


async def _episode(agent: str, condition: Condition) -> Episode:
    """Tried as often as a run does if something failed that is not the agent. Raises the last such Infrastructure."""
    pair = task_named(condition.task)
    make = agent_named(agent, "evidence" if isinstance(pair, TaskPair) else "trust")
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return await run_episode(pair, condition, make(pair, condition), BUDGET)
        except Infrastructure as failure:
            print(f"{agent}: {condition}: attempt {attempt}: {failure}", file=sys.stderr)
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("there is at least one attempt")


def _difference(alone: Episode, hosted: Episode) -> str:
    """What differs, in the first respect in which something does."""
    for what, ours, theirs in (
        ("calls", _calls(alone), _calls(hosted)),
        ("rows", alone.final_state, hosted.final_state),
        ("end", (alone.ending.reason, alone.ending.message), (hosted.ending.reason, hosted.ending.message)),
    ):
        if ours != theirs:
            return f"other {what}: expected {ours}, got {theirs}"
    return ""


def _calls(episode: Episode) -> list[tuple[object, ...]]:
    return [(line.server, line.tool, line.arguments, line.outcome, line.shown) for line in episode.journal]


def full(host: str, out: Path) -> Iterator[Outcome]:
    """Whole plans: the profiles over six pairs in all settings, and four tasks of the town."""
    agents = {policy: f"host:{host}@{policy}" for policy in PROFILES}
    folder = out / f"{host}-evidence"
    results, ungraded = _run("evidence", list(agents.values()), folder, PAIRS)
    assert isinstance(results, Results)
    for policy, agent in agents.items():
        metrics = results.of(agent).metrics
        profile = tuple(None if (found := metrics[name]) is None else found.value for name in CORE)
        counted = {found.n for name in CORE if (found := metrics[name]) is not None}
        wrong = "" if profile == PROFILES[policy] and counted == {len(PAIRS)} else f"{profile} over {counted} pairs"
        lost = [failure.reason for failure in ungraded if failure.agent == agent]
        yield Outcome(host, f"{policy}: profile", *_cost(folder, agent), "; ".join(filter(None, (wrong, *lost))))
    for suite, tasks in TASKS.items():
        agent, folder = f"host:{host}@gold", out / f"{host}-{suite}"
        found_town, ungraded = _run(suite, [agent], folder, tasks)
        assert isinstance(found_town, TownResults)
        measure = found_town.of(agent).metrics["trust" if suite == "trust" else "completion"]
        wrong = "" if measure is not None and measure.value == 100 else f"{measure}"
        yield Outcome(
            host,
            f"gold: {suite}",
            *_cost(folder, agent),
            "; ".join(filter(None, (wrong, *(f.reason for f in ungraded)))),
        )


def _run(suite: str, agents: Sequence[str], folder: Path, tasks: Sequence[str]):  # type: ignore[no-untyped-def]  # as run
    progress = Progress.on_stderr("episodes")
    if (folder / FILE).exists():
        return complete(folder, AT_ONCE, progress)
    return run(suite, agents, folder, only=tasks, workers=AT_ONCE, repeats=1, budget=BUDGET, progress=progress)


def _cost(folder: Path, agent: str) -> tuple[int, float | None]:
    """How many episodes an agent has in a run, and its overhead."""
    with opened(folder) as store:
        times = list(store.host_times(agent))
    return len(times), overhead_of(times)


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1:])))
