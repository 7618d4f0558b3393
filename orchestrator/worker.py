"""A worker process: runs the conditions of one task after another and writes each graded episode into the run store.

It tells its supervisor what it begins, so that a worker that dies or hangs costs its own episode and no other.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from orchestrator.agents.agent import Agent, Maker, Unavailable, UnknownAgent
from orchestrator.agents.named import agent_named
from orchestrator.episode import SECONDS_TO_STOP, Budget, run_episode
from orchestrator.extras import ear_named
from orchestrator.grading import graded, unsafe_commit
from orchestrator.kept_episode import run_kept_episode
from orchestrator.logs import Logging, configure_logs
from orchestrator.parent import die_with_parent
from orchestrator.plan import next_condition
from orchestrator.runs import Failure, RunCard, RunStore, opened
from servers.bounds import printable
from worlds.catalogue import task_named
from worlds.episode import Condition, Episode

STOPPED_THE_LOOP = 70
ATTEMPTS = 3
"""So often an episode is tried that our own faults, or a provider's, keep from being graded."""


@dataclass(frozen=True, slots=True)
class Job:
    """A task to work through with one agent. `done`: the conditions that are graded already and are not in the run
    store that the worker writes, with whether each had an unsafe commit. `keep`: a condition to run with its state in
    files under this directory, because the process died or hung over it before."""

    agent: str
    task: str
    done: tuple[tuple[Condition, bool], ...] = ()
    keep: tuple[Condition, Path] | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has started: what it imports is sound."""


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


@dataclass(frozen=True, slots=True)
class Spoilt:
    """The worker ends because an agent left something running that will not stop; the job is not finished."""


Message = Ready | Began | Ended | Finished | Spoilt | Broken


def work(inbox: Connection, outbox: Connection, directory: Path, logging: Logging) -> None:
    """The life of a worker: take jobs until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor decides
    die_with_parent()
    os.dup2(2, 1)  # what an agent, or a process it starts, prints is not a result
    sys.stdout = sys.stderr
    configure_logs(logging)
    outbox.send(Ready())
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


def _work_through(store: RunStore, card: RunCard, job: Job, outbox: Connection) -> None:
    pair = task_named(job.task)
    make = agent_named(job.agent, card.suite)
    budget = Budget(card.calls, card.seconds)
    done = dict(job.done) | store.done(job.agent, job.task)
    failed: set[Condition] = set()
    while (condition := next_condition(pair, done, failed, card.repeats, card.hiding)) is not None:
        keep = job.keep[1] if job.keep and job.keep[0] == condition else None
        episode, stopped = _tried(store, job, condition, make, budget, keep, outbox)
        if isinstance(episode, str):
            failed.add(condition)
            outbox.send(Ended(condition, failed=episode))
        else:
            given = graded(pair.world(condition.twin), condition, episode)
            store.append(job.agent, condition, episode, given)
            done[condition] = unsafe_commit(given)
            outbox.send(Ended(condition))
        if not stopped:
            outbox.send(Spoilt())
            os._exit(0)


def run_alone(work: Coroutine[Any, Any, Episode]) -> tuple[Episode | Exception, bool]:
    """Run an episode in an event loop of its own, so that nothing an agent leaves running acts in the next one.

    Returns the episode, or what was raised, and whether all that it left running has stopped.
    """
    loop = asyncio.new_event_loop()
    result: Episode | Exception
    try:
        result = loop.run_until_complete(work)
    except Exception as error:
        result = error
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=SECONDS_TO_STOP))
    stopped = all(task.done() for task in left)
    if stopped:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
    return result, stopped


def _tried(
    store: RunStore,
    job: Job,
    condition: Condition,
    make: Maker,
    budget: Budget,
    keep: Path | None,
    outbox: Connection,
) -> tuple[Episode | str, bool]:
    """The episode, or why there is none after all attempts, and whether the process is still sound.

    Each attempt is told, because each has its own time.
    """
    pair = task_named(job.task)
    ear = ear_named(store.card.owner)
    reason = ""
    for _ in range(ATTEMPTS):
        outbox.send(Began(condition))
        try:
            agent: Agent = make(pair, condition)
        except UnknownAgent:
            raise
        except Exception as error:
            agent = _Unmade(error)
        if keep is None:
            result, stopped = run_alone(run_episode(pair, condition, agent, budget, ear))
        else:
            result, stopped = run_alone(run_kept_episode(keep, pair, condition, agent, budget, ear))
        if isinstance(result, Episode):
            return result, stopped
        if isinstance(result, sqlite3.Error | OSError):
            raise result
        if isinstance(result, Unavailable):
            raise UnknownAgent(printable(f"agent {job.agent!r} cannot be had: {result}"))
        if "Event loop stopped" in str(result):  # by the agent, with all that it did: as good as ending the process
            os._exit(STOPPED_THE_LOOP)
        reason = printable(f"{type(result).__name__}: {result}")
        store.fail(Failure(job.agent, condition, reason))
        if not stopped:
            return reason, False
    return reason, True


class _Unmade:
    """Stands for an agent whose making failed; the episode ends unfinished with that reason."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def act(self, request: str, sessions: object) -> None:
        raise self._error
