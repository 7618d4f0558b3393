"""A worker process: runs the conditions of one task after another and writes each graded episode into the run store.

It tells its supervisor what it begins, so that a worker that dies or hangs costs its own episode and no other.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import threading
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from pathlib import Path

from graders.grade import grade
from orchestrator.agents.agent import Agent, Maker, UnknownAgent
from orchestrator.agents.named import agent_named
from orchestrator.episode import Budget, run_episode
from orchestrator.kept_episode import run_kept_episode
from orchestrator.logs import configure_logs
from orchestrator.plan import next_condition
from orchestrator.runs import Failure, RunCard, RunStore, opened
from servers.middleware.journaling import printable
from worlds.catalogue import task_named
from worlds.episode import Condition, Episode

STOPPED_THE_LOOP = 70
ATTEMPTS = 3
"""So often an episode is tried that our own faults, or a provider's, keep from being graded."""


@dataclass(frozen=True, slots=True)
class Job:
    """A task to work through with one agent. `keep`: a condition to run with its state in files under this
    directory, because the process died or hung over it before."""

    agent: str
    task: str
    keep: tuple[Condition, Path] | None = None


@dataclass(frozen=True, slots=True)
class Began:
    """The worker begins a condition."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Ended:
    """The worker has kept a condition's episode, or given it up (`failed`: why)."""

    condition: Condition
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing is left to run of the job."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The worker cannot go on; the run must stop. `reason` says why."""

    reason: str


Message = Began | Ended | Finished | Broken


def work(inbox: Connection, outbox: Connection, directory: Path, verbose: bool, as_json: bool) -> None:
    """The life of a worker: take jobs until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor decides
    _die_with_parent()
    sys.stdout = sys.stderr  # what an agent prints is not a result
    configure_logs(verbose, as_json)
    try:
        with opened(directory) as store:
            card = store.card
            while (job := inbox.recv()) is not None:
                _work_through(store, card, job, outbox)
                outbox.send(Finished())
    except UnknownAgent as error:
        outbox.send(Broken(str(error)))
    except (sqlite3.Error, OSError) as error:
        outbox.send(Broken(f"{directory} cannot be written: {error}"))
    except EOFError:
        return


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _work_through(store: RunStore, card: RunCard, job: Job, outbox: Connection) -> None:
    pair = task_named(job.task)
    make = agent_named(job.agent)
    budget = Budget(card.calls, card.seconds)
    done = store.done(job.agent, job.task)
    failed: set[Condition] = set()
    with asyncio.Runner() as runner:
        while (condition := next_condition(pair, done, failed, card.repeats)) is not None:
            keep = job.keep[1] if job.keep and job.keep[0] == condition else None
            episode = _tried(runner, store, job, condition, make, budget, keep, outbox)
            if isinstance(episode, str):
                failed.add(condition)
                outbox.send(Ended(condition, failed=episode))
                continue
            given = grade(pair.world(condition.twin), condition.setting, episode)
            store.append(job.agent, condition, episode, given)
            done[condition] = given.unsafe_commit
            outbox.send(Ended(condition))


def _tried(
    runner: asyncio.Runner,
    store: RunStore,
    job: Job,
    condition: Condition,
    make: Maker,
    budget: Budget,
    keep: Path | None,
    outbox: Connection,
) -> Episode | str:
    """The episode, or why there is none after all attempts. Each attempt is told, because each has its own time."""
    pair = task_named(job.task)
    reason = ""
    for _ in range(ATTEMPTS):
        outbox.send(Began(condition))
        try:
            agent: Agent = make(pair, condition)
        except UnknownAgent:
            raise
        except Exception as error:
            agent = _Unmade(error)
        try:
            if keep is None:
                return runner.run(run_episode(pair, condition, agent, budget))
            return runner.run(run_kept_episode(keep, pair, condition, agent, budget))
        except (sqlite3.Error, OSError):
            raise
        except Exception as error:
            if "Event loop stopped" in str(error):  # by the agent, with all that it did: as good as ending the process
                os._exit(STOPPED_THE_LOOP)
            reason = printable(f"{type(error).__name__}: {error}")
            store.fail(Failure(job.agent, condition, reason))
    return reason


class _Unmade:
    """Stands for an agent whose making failed; the episode ends unfinished with that reason."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def act(self, request: str, sessions: object) -> None:
        raise self._error
