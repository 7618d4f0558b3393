"""The seam between a run and the machines that it runs on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from orchestrator.logs import Logging
from orchestrator.progress import Progress
from orchestrator.runs import RunStore
from orchestrator.worker import Job


class Engine(Protocol):
    """Works through jobs: one task with one agent each, whose conditions follow one another."""

    def work(self, store: RunStore, jobs: Sequence[Job], progress: Progress, logging: Logging) -> None:
        """Run what is missing of these jobs and keep it in the store. Raises RunError if the run cannot go on; what is
        finished by then is kept."""
