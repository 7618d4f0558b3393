"""A hand: what works through jobs on a node of a cluster, and gives back each episode as it is graded.

On its node it is a run of one worker process in a folder of its own, supervised as on a single machine. So an agent
that blocks, dies or cannot be stopped is judged there by the same code, and what the cluster loses is never its doing.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from orchestrator.grading import AnyGrade
from orchestrator.hashes import hashes_of
from orchestrator.logs import Logging, configure_logs
from orchestrator.progress import Progress
from orchestrator.runs import LOCK, Failure, RunCard, create_run, opened
from orchestrator.supervisor import Supervisor
from orchestrator.worker import Job
from worlds.episode import Condition, Episode

_PREFIX = "twintown-hand-"


@dataclass(frozen=True, slots=True)
class Parcel:
    """A graded episode, or at the end of a job (`graded` is None) the attempts that failed."""

    agent: str
    graded: tuple[Condition, Episode, AnyGrade] | None
    failures: tuple[Failure, ...] = ()


class Hand:
    """One worker of a cluster."""

    def __init__(self, card: RunCard, logging: Logging) -> None:
        configure_logs(logging)
        self._stack = ExitStack()
        _take_away_what_dead_hands_left()
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._stack.callback(shutil.rmtree, folder, ignore_errors=True)
        self._hashes = hashes_of(card)
        create_run(folder / "run", card, self._hashes)
        self._store = self._stack.enter_context(opened(folder / "run"))
        self._stack.enter_context(self._store.alone())
        self._supervisor = self._stack.enter_context(Supervisor(self._store, 1, Progress.silent(), logging))

    def hashes(self) -> Mapping[str, str]:
        """What this node's worlds and graders are; answered as soon as the hand is ready."""
        return self._hashes

    def work(self, job: Job) -> Iterator[Parcel]:
        """Work through a job. Raises RunError as the supervisor does."""
        for agent, condition in self._supervisor.work([job]):
            found = self._store.kept(agent, condition)
            if found is not None:
                yield Parcel(agent, (condition, *found))
        yield Parcel(job.agent, None, self._store.emptied())

    def close(self) -> None:
        """End the worker process and take the folder away."""
        self._stack.close()


def _take_away_what_dead_hands_left() -> None:
    """A hand that was killed leaves its folder; its lock, which nobody holds any more, tells it from one at work."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError), (folder / "run" / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
