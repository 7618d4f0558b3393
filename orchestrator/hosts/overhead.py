"""What Twintown adds to the time of a host: everything but the host's own process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from orchestrator.agents.agent import HOST
from orchestrator.runs import opened


def overhead_of(times: Iterable[tuple[float, float]]) -> float | None:
    """The share, from 0 to 1, of the episodes' wall time in which their host's process did not run; None without any
    episode. `times`: seconds of each episode, and of its host in it."""
    whole = own = 0.0
    for seconds, host in times:
        whole += seconds
        own += min(host, seconds)
    return (whole - own) / whole if whole else None


def overheads(directory: Path) -> Iterator[str]:
    """A line for each host among the agents of a run. Raises RunError as `opened` does."""
    with opened(directory) as store:
        for agent in store.card.agents:
            if agent.startswith(HOST) and (share := overhead_of(store.host_times(agent))) is not None:
                yield f"{agent}: {share:.1%} of its wall time is not its own process"
