"""The suites as tasks of Inspect: `inspect eval twintown/evidence` (or `/trust`, `/errands`).

A sample is a fixed condition, an epoch a repeat. The boundary search of evidence asks for another condition after each
result, which a dataset cannot: `twintown run` has it, so SBM is known here only of tasks that one mask decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from orchestrator.agents.instructions import INSTRUCTIONS
from orchestrator.episode import Budget, run_episode
from orchestrator.grading import graded
from orchestrator.inspecting.agent import InspectAgent
from orchestrator.inspecting.measures import measured
from orchestrator.inspecting.samples import GRADE, condition_metadata, condition_of, sample_id, score_of, target
from orchestrator.plan import default_repeats, fixed_conditions, town_conditions
from worlds.catalogue import TOWN_NAMES, suite_named, task_named
from worlds.episode import Condition, Episode
from worlds.model import Setting
from worlds.task import TaskPair
from worlds.town.catalogue import TownSuite
from worlds.version import VERSION

EPISODE = "twintown:episode"
"""Where a sample's store keeps its episode."""

MASKS = ("none", "critical", "all")

Function = TypeVar("Function", bound=Callable[..., Any])


def _ours(function: Function) -> Function:
    """Inspect names what a package registers after the import package, and finds it by the distribution: it is told
    that this is of no package, and takes the name that it is given."""
    function.__module__ = "twintown"
    return function


@task(name="twintown/evidence")
@_ours
def evidence(
    only: str | list[str] = "",
    setting: str | list[str] = "",
    masks: str = "all",
    calls: int = Budget().calls,
    seconds: float = Budget().seconds,
) -> Task:
    """Facts hidden from the tools one by one, and an audit source: does the model act, does it look?

    `only`: globs over task paths. `setting`: full, suppressed or recovery; all if not given. `masks`: none, critical
    (no control masks) or all. `calls`, `seconds`: the most of an episode.
    """
    return suite_task("evidence", only, setting, masks, Budget(calls, seconds))


@task(name="twintown/trust")
@_ours
def trust(
    only: str | list[str] = "",
    setting: str | list[str] = "",
    masks: str = "none",
    calls: int = Budget().calls,
    seconds: float = Budget().seconds,
) -> Task:
    """Does the assistant do what its owner never agreed to, and does it go ahead where they did?"""
    return suite_task("trust", only, setting, masks, Budget(calls, seconds))


@task(name="twintown/errands")
@_ours
def errands(
    only: str | list[str] = "",
    setting: str | list[str] = "",
    masks: str = "none",
    calls: int = Budget().calls,
    seconds: float = Budget().seconds,
) -> Task:
    """Does the assistant finish the job?"""
    return suite_task("errands", only, setting, masks, Budget(calls, seconds))


def suite_task(suite: str, only: str | Sequence[str], setting: str | Sequence[str], masks: str, budget: Budget) -> Task:
    """A suite, or the part of it that is asked for, as a task of Inspect. Raises ValueError and UnknownTask."""
    conditions = list(chosen(suite, _several(only), _several(setting), masks))
    if not conditions:
        raise ValueError(f"{suite}: no condition is left with setting {setting!r} and masks {masks!r}")
    return Task(
        dataset=MemoryDataset([_sample(suite, condition) for condition in conditions], name=suite),
        setup=instructed(suite),
        solver=acting(budget.calls, budget.seconds),
        scorer=grade(),
        epochs=default_repeats(suite),
        version=VERSION,
        metadata={"suite": suite, "calls": budget.calls, "seconds": budget.seconds},
    )


def chosen(suite: str, only: tuple[str, ...], settings: tuple[str, ...], masks: str) -> Iterator[Condition]:
    """The fixed conditions, each once, that are asked for.

    Raises UnknownTask for globs without a task, and ValueError for settings and masks that do not exist.
    """
    if masks not in MASKS or (masks == "critical" and suite in TOWN_NAMES):
        raise ValueError(f"masks: got {masks!r}, expected none, all or, in evidence, critical")
    wanted = {Setting(name) for name in settings} or set(Setting)
    found = suite_named(suite)
    pairs = found.select(only) if isinstance(found, TownSuite) else found.select(only, None)
    for pair in pairs:
        planned = (
            fixed_conditions(pair) if isinstance(pair, TaskPair) else town_conditions(pair, 1, hiding=masks == "all")
        )
        for condition in planned:
            if condition.setting in wanted and _hides(pair, condition, masks):
                yield condition


def _hides(pair: Any, condition: Condition, masks: str) -> bool:
    if not condition.hidden or masks == "all":
        return True
    return masks == "critical" and set(condition.hidden) <= set(pair.critical)


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, [given] if isinstance(given, str) else given))


def _sample(suite: str, condition: Condition) -> Sample:
    return Sample(
        id=sample_id(condition),
        input=task_named(condition.task).world(condition.twin).request,
        target=target(suite, condition),
        metadata=condition_metadata(suite, condition),
    )


@solver(name="twintown/instructed")
@_ours
def instructed(suite: str) -> Solver:
    """Tell the model what every model is told."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        told = INSTRUCTIONS["town" if suite in TOWN_NAMES else "evidence"]
        state.messages.insert(0, ChatMessageSystem(content=told))
        return state

    return solve


@solver(name="twintown/acting")
@_ours
def acting(calls: int, seconds: float) -> Solver:
    """Run the sample's episode with the model as its agent, and keep the episode in the sample's store."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        condition, agent = condition_of(state.metadata, state.epoch), InspectAgent(state)
        episode = await run_episode(task_named(condition.task), condition, agent, Budget(calls, seconds))
        state.store.set(EPISODE, episode.model_dump(mode="json"))
        if agent.limit is not None:
            raise agent.limit
        return state

    return solve


@metric(name="twintown/measures", scores="unreduced")
@_ours
def measures() -> Metric:
    """Every measure of the suite that has data."""

    def computed(scores: list[SampleScore]) -> dict[str, str | int | float | bool | None]:
        return {**measured("inspect", [score.score.metadata or {} for score in scores])}

    return computed


@scorer(name=f"twintown/{GRADE}", metrics=[measures()])
@_ours
def grade() -> Scorer:
    """Judge the episode from its journal and final state, by the grader of its suite."""

    async def judged(state: TaskState, target: Target) -> Score:
        kept = state.store.get(EPISODE)
        if kept is None:
            return Score.unscored(reason="scoring_failed", explanation="there is no whole episode: it was broken off")
        condition, episode = condition_of(state.metadata, state.epoch), Episode.model_validate(kept)
        world = task_named(condition.task).world(condition.twin)
        return score_of(state.metadata["suite"], condition, episode, graded(world, condition, episode))

    return judged
