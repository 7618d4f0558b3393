"""A run: worker processes, their supervision, and what is left in the run store.

A worker that dies or hangs costs its own episode, which is tried again with its state in files; whatever it did is then
graded even if it is lost a second time. A run that is stopped resumes with what is missing, and nothing twice.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import structlog

from graders.grade import grade
from graders.results import Results
from orchestrator.agents.named import agent_named
from orchestrator.episode import Budget
from orchestrator.hashes import hashes_of
from orchestrator.kept_episode import episode_of, session_of
from orchestrator.logs import configure_logs
from orchestrator.plan import fixed_count
from orchestrator.progress import Progress
from orchestrator.runs import Failure, RunCard, RunError, RunStore, create_run, opened
from orchestrator.worker import ATTEMPTS, Began, Broken, Ended, Finished, Job, Message, Spoilt, work
from worlds.catalogue import Drawing, task_named
from worlds.episode import Condition, Ending

GRACE = 10.0
"""Seconds after its time budget at which a worker counts as hung."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Logging:
    """How workers log: everything instead of warnings, and as JSON."""

    verbose: bool = False
    as_json: bool = False


def run(
    suite: str,
    agents: Sequence[str],
    out: Path,
    only: Sequence[str] = (),
    workers: int = 2,
    repeats: int = 1,
    budget: Budget = Budget(),
    progress: Progress | None = None,
    logging: Logging = Logging(),
    drawn: Drawing | None = None,
) -> tuple[Results, tuple[Failure, ...]]:
    """Plan, run and grade a suite, or the part of it that the globs `only` pick, with one or more agents.

    With `drawn`, fresh pairs are drawn in place of the written ones.

    Returns the results, and the conditions that could not be graded. Raises RunError, UnknownTask, UnknownAgent or
    WorldError before anything is written.
    """
    out = out.resolve()  # an agent may change the working directory
    for agent in agents:
        agent_named(agent)
    card = RunCard(
        suite=suite,
        only=tuple(only),
        drawn=drawn,
        agents=tuple(dict.fromkeys(agents)),
        repeats=repeats,
        calls=budget.calls,
        seconds=budget.seconds,
    )
    create_run(out, card, hashes_of(card))
    return complete(out, workers, progress, logging)


def complete(
    out: Path, workers: int = 2, progress: Progress | None = None, logging: Logging = Logging()
) -> tuple[Results, tuple[Failure, ...]]:
    """Run what is missing of a run, and nothing twice.

    Raises RunError if there is no run, or if its worlds or graders are not those of this installation.
    """
    configure_logs(logging.verbose, logging.as_json)
    out = out.resolve()
    with opened(out) as store:
        card = store.card
        pairs = card.pairs
        store.require_same(hashes_of(card))
        for agent in card.agents:
            agent_named(agent)
        jobs = [Job(agent, pair.path) for agent in card.agents for pair in pairs]
        with store.alone(), progress or Progress.silent() as shown:
            shown.start(store.count(), len(card.agents) * card.repeats * fixed_count(pairs) + store.searched())
            _Supervisor(store, card, jobs, workers, shown, logging).run()
        return results_of(store), tuple(store.ungraded())


def results_of(store: RunStore) -> Results:
    """The results of all that is graded in a run."""
    critical = {pair.path: pair.critical for pair in store.card.pairs}
    return Results(store.card.suite, critical, store.rows(critical))


@dataclass
class _Worker:
    process: SpawnProcess
    jobs: Connection
    messages: Connection
    job: Job | None = None
    condition: Condition | None = None
    deadline: float | None = None
    killed: bool = False


@dataclass
class _Supervisor:
    store: RunStore
    card: RunCard
    todo: Iterable[Job]
    count: int
    progress: Progress
    logging: Logging
    clock: Callable[[], float] = time.monotonic
    workers: list[_Worker] = field(default_factory=list)
    strikes: dict[tuple[str, str, Condition | None], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.queue = deque(self.todo)
        self.attempts = self.store.directory / "attempts"

    def run(self) -> None:
        """Work until nothing is left. Raises RunError if the run cannot go on."""
        try:
            for _ in range(min(self.count, len(self.queue))):
                self._hire()
            while any(worker.job for worker in self.workers):
                self._wait()
        finally:
            for worker in self.workers:
                worker.process.kill()
                self._close(worker)
            shutil.rmtree(self.attempts, ignore_errors=True)

    def _hire(self) -> None:
        context = get_context("spawn")
        their_jobs, our_jobs = context.Pipe(duplex=False)
        our_messages, their_messages = context.Pipe(duplex=False)
        process = context.Process(
            target=work,
            args=(their_jobs, their_messages, self.store.directory, self.logging.verbose, self.logging.as_json),
        )
        process.start()
        their_jobs.close()
        their_messages.close()
        worker = _Worker(process, our_jobs, our_messages)
        self.workers.append(worker)
        self._give(worker)

    def _give(self, worker: _Worker) -> None:
        worker.job = self.queue.popleft() if self.queue else None
        try:
            worker.jobs.send(worker.job)
        except OSError:  # it is gone; the wait finds that out
            return

    def _wait(self) -> None:
        now = self.clock()
        deadlines = [worker.deadline - now for worker in self.workers if worker.deadline is not None]
        ready = connection.wait(
            [worker.messages for worker in self.workers if worker.job], max(0, min(deadlines, default=60))
        )
        for worker in list(self.workers):
            if worker.messages in ready:
                try:
                    self._heed(worker, worker.messages.recv())
                except (EOFError, OSError):
                    self._replace(worker)
            elif worker.deadline is not None and self.clock() > worker.deadline:
                worker.killed = True
                worker.process.kill()
                self._replace(worker)

    def _heed(self, worker: _Worker, message: Message) -> None:
        match message:
            case Began(condition):
                self.progress.began(len(condition.hidden) > 1 and condition != worker.condition)
                worker.condition = condition
                worker.deadline = self.clock() + self.card.seconds + GRACE
            case Ended(condition, failed):
                worker.condition = worker.deadline = None
                self.progress.ended()
                _log.info("episode", agent=worker.job and worker.job.agent, condition=str(condition), failed=failed)
            case Finished():
                self._give(worker)
            case Spoilt():
                if worker.job is not None:
                    self.queue.appendleft(Job(worker.job.agent, worker.job.task))
                worker.job = worker.condition = worker.deadline = None
                self._replace(worker)
            case Broken(reason):
                raise RunError(f"{reason}; everything finished so far is kept: complete it with --resume")

    def _replace(self, worker: _Worker) -> None:
        """A worker is lost: settle what it was at, and put another in its place."""
        worker.process.join()
        job, condition = worker.job, worker.condition
        if job is not None and condition is not None:
            self.queue.appendleft(self._settle(worker, job, condition))
        elif job is not None:
            self._strike(job, None)
            self.queue.appendleft(Job(job.agent, job.task))
        self._close(worker)
        self.workers.remove(worker)
        if self.queue:
            self._hire()

    def _settle(self, worker: _Worker, job: Job, condition: Condition) -> Job:
        """What to do about a condition over which a worker was lost: try it again with its state in files; if that
        was done already, grade what the files hold."""
        status = worker.process.exitcode or 0
        reason = _why_lost(worker.killed, status, self.card.seconds)
        _log.warning("a worker was lost", condition=str(condition), reason=reason)
        self._strike(job, condition)
        session = session_of(job.keep[1], condition) if job.keep and job.keep[0] == condition else None
        blamed = worker.killed or status != -signal.SIGKILL  # a kill from outside is not the agent's doing
        if session is not None and blamed:
            seconds = self.card.seconds if worker.killed else 0.0
            episode = asyncio.run(episode_of(session, Ending(reason=reason), seconds))
            world = task_named(condition.task).world(condition.twin)
            self.store.append(job.agent, condition, episode, grade(world, condition.setting, episode))
            self.progress.ended()
            return Job(job.agent, job.task)
        self.store.fail(Failure(job.agent, condition, reason))
        return Job(job.agent, job.task, keep=(condition, self.attempts / secrets.token_hex(8)))

    def _strike(self, job: Job, condition: Condition | None) -> None:
        key = (job.agent, job.task, condition)
        self.strikes[key] = self.strikes.get(key, 0) + 1
        if self.strikes[key] > ATTEMPTS:
            raise RunError(
                f"workers were lost {ATTEMPTS + 1} times over {job.task} with {job.agent}; "
                "everything finished so far is kept: complete it with --resume"
            )

    @staticmethod
    def _close(worker: _Worker) -> None:
        worker.process.join()
        worker.process.close()
        worker.jobs.close()
        worker.messages.close()


def _why_lost(killed: bool, status: int, seconds: float) -> str:
    if killed:
        return f"it blocked its process for more than {seconds:g} seconds"
    return f"its process ended with {'signal ' + str(-status) if status < 0 else 'status ' + str(status)}"
