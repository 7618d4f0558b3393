"""A run on a Ray cluster of two nodes: interrupted first, then one node is killed in the middle of it.

    python -m tests.orchestrator.two_nodes OUT

In a process of its own, because Ray keeps threads and files. Prints what was done as JSON.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_METRICS_COLLECTION": "0"}

from ray.cluster_utils import Cluster

from orchestrator.engines.ray_cluster import RayCluster
from orchestrator.progress import Progress
from orchestrator.run import complete, run
from orchestrator.runs import opened

ONLY = ("PR-58217", "PR-44908")
AGENTS = ("careful", "noisy:7")


class Watched(Progress):
    """Calls a function whenever an episode is kept."""

    def __init__(self, then: Callable[[], None]) -> None:
        super().__init__("", None)
        self._then = then

    def ended(self, count: int = 1) -> None:
        super().ended(count)
        self._then()


def main() -> None:
    """Run, and stop by an interrupt after ten episodes; then complete, and kill a node while both work."""
    out = Path(sys.argv[1])
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    killed: list[int] = []
    try:
        second = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        engine = RayCluster(cluster.address, hands=2)
        counted = iter(range(1, 1000))

        def interrupt_at_ten() -> None:
            if next(counted) == 10:
                raise KeyboardInterrupt

        def kill_while_both_work() -> None:
            at_work = {job for job, count in _kept(out).items() if count > before.get(job, 0)}
            if not killed and len(at_work) == 2:
                cluster.remove_node(second, allow_graceful=False)
                killed.append(sum(_kept(out).values()))

        interrupted = False
        try:
            run("evidence", AGENTS, out, only=ONLY, progress=Watched(interrupt_at_ten), engine=engine)
        except KeyboardInterrupt:
            interrupted = True
        before = _kept(out)
        _, ungraded = complete(out, progress=Watched(kill_while_both_work), engine=engine)
        print(json.dumps({"interrupted": interrupted, "kept_before": sum(before.values()), "killed_at": killed,
                          "ungraded": len(ungraded)}))  # fmt: skip
    finally:
        cluster.shutdown()


def _kept(out: Path) -> dict[tuple[str, str], int]:
    """How many episodes are kept, by agent and task."""
    found: dict[tuple[str, str], int] = {}
    with opened(out) as store:
        for agent, condition, _ in store.outcomes():
            found[agent, condition.task] = found.get((agent, condition.task), 0) + 1
    return found


if __name__ == "__main__":
    logging.getLogger("ray").setLevel(logging.ERROR)
    main()
