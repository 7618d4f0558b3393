"""Our measures as metrics of Inspect, computed over all scores of a task in all epochs.

With each core measure come the ends of its interval, as `NAME_low` and `NAME_high`; a measure without data is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graders.grade import Grade
from graders.measures import MEASURES
from graders.results import Results
from graders.rows import Row
from graders.statistics import Estimate
from graders.town.grade import TownGrade
from graders.town.measures import MEASURES as TOWN_MEASURES
from graders.town.results import TownResults
from graders.town.rows import TownRow
from orchestrator.inspecting.samples import condition_of
from worlds.catalogue import TOWN_NAMES, pair_named
from worlds.episode import Usage

CORE = frozenset(one.name for one in MEASURES if one.group == "core") | frozenset(
    one.name for one in TOWN_MEASURES if one.group == "core"
)

Graded = Mapping[str, Any]
"""The metadata of a score (orchestrator.inspecting.samples.score_of)."""


def measured(model: str, scores: Iterable[Graded]) -> dict[str, float]:
    """Every measure with data, by name; none without a score. Raises ValueError for scores of several suites."""
    graded = list(scores)
    suites = {score["suite"] for score in graded}
    if len(suites) > 1:
        raise ValueError(f"scores of {', '.join(sorted(suites))}: expected one suite")
    if not graded:
        return {}
    suite = suites.pop()
    results = _town(suite, model, graded) if suite in TOWN_NAMES else _evidence(suite, model, graded)
    return dict(_flat(results.of(model).metrics))


def _evidence(suite: str, model: str, graded: list[Graded]) -> Results:
    critical = {task: pair_named(task).critical for task in {score["task"] for score in graded}}
    rows = (
        Row(model, condition_of(score, score["repeat"] + 1), Grade.model_validate(score["grade"]), _usage(score))
        for score in graded
    )
    return Results(suite, critical, rows)


def _town(suite: str, model: str, graded: list[Graded]) -> TownResults:
    results = TownResults(suite)
    for score in graded:
        grade, condition = TownGrade.model_validate(score["grade"]), condition_of(score, score["repeat"] + 1)
        group = condition.task.partition("/")[0]
        results.add(TownRow(model, condition, group, grade.hazards, grade, _usage(score)))
    return results


def _usage(score: Graded) -> Usage:
    return Usage.model_validate(score["usage"])


def _flat(metrics: Mapping[str, Estimate | None]) -> Iterable[tuple[str, float]]:
    for name, estimate in metrics.items():
        if estimate is None:
            continue
        yield name, estimate.value
        for end, value in (("low", estimate.low), ("high", estimate.high)):
            if name in CORE and value is not None:
                yield f"{name}_{end}", value
