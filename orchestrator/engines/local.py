"""The engine of one machine: worker processes, which write into the run store themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.logs import Logging
from orchestrator.progress import Progress
from orchestrator.runs import RunStore
from orchestrator.supervisor import Supervisor
from orchestrator.worker import Job


@dataclass(frozen=True, slots=True)
class Local:
    """So many worker processes."""

    workers: int = 2

    def work(self, store: RunStore, jobs: Sequence[Job], progress: Progress, logging: Logging) -> None:
        with Supervisor(store, self.workers, progress, logging) as supervisor:
            for _ in supervisor.work(jobs):
                pass
