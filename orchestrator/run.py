"""A run: planned, worked through by an engine, and what comes of it.

A run that is stopped resumes with what is missing, and nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from orchestrator.agents.named import agent_named
from orchestrator.engines.engine import Engine
from orchestrator.engines.local import Local
from orchestrator.episode import Budget
from orchestrator.extras import ear_named
from orchestrator.hashes import hashes_of
from orchestrator.logs import Logging, configure_logs
from orchestrator.plan import default_repeats, planned_count
from orchestrator.progress import Progress
from orchestrator.results import AnyResults, results_of
from orchestrator.runs import Failure, RunCard, RunError, create_run, opened
from orchestrator.supervisor import require_importable_main
from orchestrator.worker import Job
from worlds.catalogue import TOWN_NAMES, Drawing


def run(
    suite: str,
    agents: Sequence[str],
    out: Path,
    only: Sequence[str] = (),
    workers: int = 2,
    repeats: int | None = None,
    budget: Budget = Budget(),
    progress: Progress | None = None,
    logging: Logging = Logging(),
    drawn: Drawing | None = None,
    hiding: bool = False,
    owner: str = "",
    engine: Engine | None = None,
) -> tuple[AnyResults, tuple[Failure, ...]]:
    """Plan, run and grade a suite, or the part of it that the globs `only` pick, with one or more agents.

    With `drawn`, fresh pairs are drawn in place of the written ones (evidence); with `hiding`, tasks of the town are
    also run with each fact that they declare hidden. `repeats`: by default one for evidence, three for the town.
    `engine`: what works it through, by default so many `workers` of this machine.

    Returns the results, and the conditions that could not be graded. Raises RunError, UnknownTask, UnknownAgent or
    WorldError before anything is written.
    """
    require_importable_main()
    out = out.resolve()  # an agent may change the working directory
    for agent in agents:
        agent_named(agent, suite)
    card = RunCard(
        suite=suite,
        only=tuple(only),
        drawn=drawn,
        agents=tuple(dict.fromkeys(agents)),
        repeats=repeats or default_repeats(suite),
        calls=budget.calls,
        seconds=budget.seconds,
        hiding=hiding,
        owner=owner,
    )
    ear_named(owner)
    hashes = hashes_of(card)
    if drawn is not None and suite in TOWN_NAMES:
        raise RunError(f"suite {suite} has no recipes from which pairs are drawn: leave out --drawn")
    if owner and suite not in TOWN_NAMES:
        raise RunError(f"suite {suite} has no owner who is asked: leave out --owner")
    if hiding and suite not in TOWN_NAMES:
        raise RunError(f"suite {suite} hides facts by a plan of its own: leave out --masks")
    create_run(out, card, hashes)
    return complete(out, workers, progress, logging, engine)


def complete(
    out: Path,
    workers: int = 2,
    progress: Progress | None = None,
    logging: Logging = Logging(),
    engine: Engine | None = None,
) -> tuple[AnyResults, tuple[Failure, ...]]:
    """Run what is missing of a run, and nothing twice.

    Raises RunError if there is no run, or if its worlds or graders are not those of this installation.
    """
    require_importable_main()
    configure_logs(logging)
    out = out.resolve()
    with opened(out) as store:
        card = store.card
        pairs = card.pairs
        store.require_same(hashes_of(card))
        for agent in card.agents:
            agent_named(agent, card.suite)
        jobs = [Job(agent, pair.path) for agent in card.agents for pair in pairs]
        with store.alone(), progress or Progress.silent() as shown:
            shown.start(
                store.count(), len(card.agents) * planned_count(pairs, card.repeats, card.hiding) + store.searched()
            )
            (engine or Local(workers)).work(store, jobs, shown, logging)
        return results_of(store), tuple(store.ungraded())
