"""The engine of a Ray cluster: hands on its nodes work through jobs; only this process writes the run store.

A hand or a node that dies costs its own unfinished episode. Its job goes on elsewhere from what is kept, so that the
search for a boundary never sees less, or other, results than it would on one machine.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from logging import WARNING
from typing import Any

import ray
import structlog
from ray.exceptions import RayError, RayTaskError

from orchestrator.engines.hand import Hand, Parcel
from orchestrator.logs import Logging, configure_logs
from orchestrator.progress import Progress
from orchestrator.runs import RunError, RunStore
from orchestrator.worker import ATTEMPTS, Job

PATIENCE = 30.0
"""Seconds without word from any hand after which it is told that the run waits for the cluster."""

SECONDS_TO_CLOSE = 10.0

_log = structlog.get_logger()


@dataclass(frozen=True)
class RayCluster:
    """A cluster. `address`: as `ray.init` takes it; None: one on this machine, which ends with the run. `hands`: how
    many work at once, one a CPU; None: as many as the cluster has CPUs at the start. `runtime_env`: Ray's."""

    address: str | None = None
    hands: int | None = None
    runtime_env: Mapping[str, Any] = field(default_factory=dict)

    def work(self, store: RunStore, jobs: Sequence[Job], progress: Progress, logging: Logging) -> None:
        """As `Engine.work`. Raises RunError also if the cluster cannot be reached or has other worlds."""
        with self._connected(logging):
            cpus = ray.cluster_resources()  # type: ignore[no-untyped-call]  # ray has no annotations here
            count = self.hands or int(cpus.get("CPU", 0)) or 1
            with _Crew(store, min(count, len(jobs)), progress, logging) as crew:
                crew.work(jobs)

    @contextmanager
    def _connected(self, logging: Logging) -> Iterator[None]:
        if ray.is_initialized():  # the caller's, who ends it
            yield
            return
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        own: dict[str, Any] = {} if self.address else {"include_dashboard": False, "num_cpus": self.hands}
        try:
            ray.init(
                address=self.address or "local",
                runtime_env=dict(self.runtime_env) or None,
                log_to_driver=logging.verbose,
                logging_level=WARNING,
                **own,
            )
        except (RayError, RuntimeError, ValueError, OSError) as error:
            where = f"--address {self.address}" if self.address else "a Ray cluster of this machine"
            raise RunError(f"{where} cannot be used: {' '.join(str(error).split())}") from None
        configure_logs(logging)
        try:
            yield
        finally:
            ray.shutdown()


@dataclass(eq=False)
class _Member:
    """A hand as the crew sees it. `pending`: what it was asked last: whether it is ready, or its stream of parcels."""

    actor: Any
    pending: Any
    ready: bool = False
    job: Job | None = None


class _Crew:
    """Hires hands, gives them jobs, keeps what they bring, and replaces those that are lost."""

    def __init__(self, store: RunStore, count: int, progress: Progress, logging: Logging) -> None:
        self._store, self._count, self._progress, self._logging = store, count, progress, logging
        self._hashes = store.hashes()
        self._queue: deque[Job] = deque()
        self._members: list[_Member] = []
        self._strikes: dict[tuple[str, str], int] = {}
        self._never_ready = 0

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *exc: object) -> None:
        closing = [member.actor.close.remote() for member in self._members if member.ready and member.job is None]
        with suppress(RayError):
            ray.wait(closing, num_returns=len(closing), timeout=SECONDS_TO_CLOSE) if closing else None
        for member in self._members:
            ray.kill(member.actor)

    def work(self, jobs: Sequence[Job]) -> None:
        self._queue.extend(jobs)
        for _ in range(self._count):
            self._hire()
        while self._queue or any(member.job for member in self._members):
            waiting = {member.pending: member for member in self._members if member.job or not member.ready}
            heard, _ = ray.wait(list(waiting), num_returns=1, timeout=PATIENCE, fetch_local=False)
            for pending in heard:
                self._hear(waiting[pending])
            if not heard and not any(member.ready for member in self._members):
                _log.warning("waiting for the cluster: no node has a free CPU")

    def _hire(self) -> None:
        actor = _hand().remote(self._store.card, self._logging)
        self._members.append(_Member(actor, actor.hashes.remote()))

    def _hear(self, member: _Member) -> None:
        try:
            if not member.ready:
                self._require_same(ray.get(member.pending))
                member.ready, self._never_ready = True, 0
                self._give(member)
            else:
                self._keep(member, ray.get(next(member.pending)))
        except StopIteration:
            self._give(member)
        except RayTaskError as error:
            if isinstance(error.cause, RunError):
                raise RunError(str(error.cause)) from None
            raise RunError(f"a hand failed: {error}; everything finished so far is kept") from None
        except RayError as error:
            self._replace(member, error)

    def _give(self, member: _Member) -> None:
        member.job = None
        if self._queue:
            job = self._queue.popleft()
            member.job = replace(job, done=tuple(self._store.done(job.agent, job.task).items()))
            member.pending = member.actor.work.options(num_returns="streaming").remote(member.job)

    def _keep(self, member: _Member, parcel: Parcel) -> None:
        for failure in parcel.failures:
            self._store.fail(failure)
        if parcel.graded is not None and member.job is not None:
            condition, episode, grade = parcel.graded
            self._progress.began(len(condition.hidden) > 1)
            self._store.append(parcel.agent, condition, episode, grade)
            self._progress.ended()
            self._strikes.pop((member.job.agent, member.job.task), None)

    def _replace(self, member: _Member, error: RayError) -> None:
        """A hand is lost, with its node or alone: its job goes on elsewhere from what is kept."""
        _log.warning("a hand was lost", error=str(error).splitlines()[0], task=member.job and member.job.task)
        self._members.remove(member)
        ray.kill(member.actor)  # it may only be out of reach, and must not go on
        if not member.ready:
            self._never_ready += 1
            if self._never_ready > ATTEMPTS:
                raise RunError(f"no worker can be started on the cluster: {' '.join(str(error).split())}")
        if member.job is not None:
            key = (member.job.agent, member.job.task)
            self._strikes[key] = self._strikes.get(key, 0) + 1
            if self._strikes[key] > ATTEMPTS:
                raise RunError(
                    f"hands were lost {ATTEMPTS + 1} times over {member.job.task} with {member.job.agent}; "
                    "everything finished so far is kept: complete it with --resume"
                )
            self._queue.appendleft(Job(member.job.agent, member.job.task))
        for other in self._members:
            if other.ready and other.job is None:
                self._give(other)
        self._hire()

    def _require_same(self, found: Mapping[str, str]) -> None:
        names = self._hashes.keys() | found.keys()
        if changed := sorted(name for name in names if self._hashes.get(name) != found.get(name)):
            raise RunError(
                f"a node of the cluster has other versions of {', '.join(changed)}: install this twintown there"
            )


def _hand() -> Any:
    """The class of hands as Ray has it. It replaces none: here a lost one's job goes on from what is kept."""
    return ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Hand)
