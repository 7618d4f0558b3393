"""The supervisor of a run's worker processes.

A worker that dies or hangs costs its own episode, which is tried again with its state in files; whatever it did is then
graded even if it is lost a second time.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import TracebackType

import structlog

from orchestrator.grading import graded
from orchestrator.kept_episode import episode_of, session_of
from orchestrator.logs import Logging
from orchestrator.progress import Progress
from orchestrator.runs import Failure, RunError, RunStore
from orchestrator.worker import ATTEMPTS, Began, Broken, Ended, Finished, Job, Message, Ready, Spoilt, work
from worlds.catalogue import task_named
from worlds.episode import Condition, Ending

GRACE = 10.0
"""Seconds after its time budget at which a worker counts as hung."""

UNGUARDED = 71
"""The status of a worker whose main script starts a run of its own as it is imported."""

_GUARD = 'call run() there under `if __name__ == "__main__":`'

_log = structlog.get_logger()


def require_importable_main() -> None:
    """Workers import the script that starts them. Raises RunError if that cannot be done because it is in no file.

    Ends the process if it is a worker that imports the script and so would start the run again.
    """
    main, imported = sys.modules["__main__"], sys.modules.get("__mp_main__")
    if imported is not None and imported is not main:
        sys.exit(UNGUARDED)
    file = getattr(main, "__file__", None)
    if main.__spec__ is None and file is not None and not Path(file).is_file():
        raise RunError(f"workers import the script that calls run(), which is in no file ({file}): save it, {_GUARD}")


@dataclass
class _Worker:
    process: SpawnProcess
    jobs: Connection
    messages: Connection
    ready: bool = False
    job: Job | None = None
    condition: Condition | None = None
    deadline: float | None = None
    killed: bool = False


@dataclass
class Supervisor:
    """Hires workers, gives them jobs, replaces those that are lost, and settles what they were at.

    Use it as a context: at its end no worker is left.
    """

    store: RunStore
    count: int
    progress: Progress
    logging: Logging
    clock: Callable[[], float] = time.monotonic
    workers: list[_Worker] = field(default_factory=list)
    strikes: dict[tuple[str, str, Condition | None], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.card = self.store.card
        self.queue: deque[Job] = deque()
        self.settled: deque[tuple[str, Condition]] = deque()
        self.attempts = self.store.directory / "attempts"

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self.workers:
            worker.process.kill()
            self._close(worker)
        self.workers.clear()
        shutil.rmtree(self.attempts, ignore_errors=True)

    def work(self, jobs: Iterable[Job]) -> Iterator[tuple[str, Condition]]:
        """Work until nothing of these is left; each agent and condition that is kept, or given up, is told at once.

        Workers stay for the next jobs. Raises RunError if the run cannot go on.
        """
        self.queue.extend(jobs)
        for worker in self.workers:
            self._give(worker)
        while self.queue and len(self.workers) < self.count:
            self._hire()
        while any(worker.job for worker in self.workers):
            self._wait()
            while self.settled:
                yield self.settled.popleft()

    def _hire(self) -> None:
        context = get_context("spawn")
        their_jobs, our_jobs = context.Pipe(duplex=False)
        our_messages, their_messages = context.Pipe(duplex=False)
        process = context.Process(
            target=work,
            args=(their_jobs, their_messages, self.store.directory, self.logging),
        )
        process.start()
        their_jobs.close()
        their_messages.close()
        worker = _Worker(process, our_jobs, our_messages)
        self.workers.append(worker)
        self._give(worker)

    def _give(self, worker: _Worker) -> None:
        worker.job = self.queue.popleft() if self.queue else None
        if worker.job is None:
            return
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
                message = _received(worker.messages)
                if message is None:
                    self._replace(worker)
                else:
                    self._heed(worker, message)
            elif worker.deadline is not None and self.clock() > worker.deadline:
                worker.killed = True
                worker.process.kill()
                self._replace(worker)

    def _heed(self, worker: _Worker, message: Message) -> None:
        match message:
            case Ready():
                worker.ready = True
            case Began(condition):
                self.progress.began(len(condition.hidden) > 1 and condition != worker.condition)
                worker.condition = condition
                worker.deadline = self.clock() + self.card.seconds + GRACE
            case Ended(condition, failed):
                worker.condition = worker.deadline = None
                if worker.job is not None:
                    self.settled.append((worker.job.agent, condition))
                self.progress.ended()
                _log.info("episode", agent=worker.job and worker.job.agent, condition=str(condition), failed=failed)
            case Finished():
                self._give(worker)
            case Spoilt():
                if worker.job is not None:
                    self.queue.appendleft(replace(worker.job, keep=None))
                worker.job = worker.condition = worker.deadline = None
                self._replace(worker)
            case Broken(reason):
                raise RunError(f"{reason}; everything finished so far is kept: complete it with --resume")

    def _replace(self, worker: _Worker) -> None:
        """A worker is lost: settle what it was at, and put another in its place."""
        worker.process.join()
        status = worker.process.exitcode or 0
        if not worker.ready and status > 0:
            raise RunError(_why_not_ready(status))
        job, condition = worker.job, worker.condition
        if job is not None and condition is not None:
            self.queue.appendleft(self._settle(worker, job, condition))
        elif job is not None:
            self._strike(job, None)
            self.queue.appendleft(replace(job, keep=None))
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
            self.store.append(job.agent, condition, episode, graded(world, condition, episode))
            self.settled.append((job.agent, condition))
            self.progress.ended()
            return replace(job, keep=None)
        self.store.fail(Failure(job.agent, condition, reason))
        return replace(job, keep=(condition, self.attempts / secrets.token_hex(8)))

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


def _received(messages: Connection) -> Message | None:
    """The next message; None if its sender is gone."""
    try:
        message: Message = messages.recv()
    except (EOFError, OSError):
        return None
    return message


def _why_not_ready(status: int) -> str:
    kept = "what is planned is kept: complete it with --resume"
    if status == UNGUARDED:
        return f"workers import the script that calls run(), and by that it calls run() again: {_GUARD}; {kept}"
    return f"a worker ended with status {status} before it was ready; its error stands above: mend that; {kept}"


def _why_lost(killed: bool, status: int, seconds: float) -> str:
    if killed:
        return f"it blocked its process for more than {seconds:g} seconds"
    return f"its process ended with {'signal ' + str(-status) if status < 0 else 'status ' + str(status)}"
