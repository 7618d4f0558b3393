"""The tables behind pictures, and the keys of series that are measures and not agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graders.compare import Comparable
from graders.report.document import Cell, Key, Table
from graders.statistics import Estimate

Metrics = Mapping[str, Estimate | None]
FIRST_MEASURE = 4
"""Style of the first measure that is a series of its own, so that it does not look like one of the first agents."""


def titled(measure: Comparable) -> str:
    """The measure's title, with its unit where that is not percent and the title does not say it."""
    if measure.unit == "percentage points":
        return f"{measure.title} (points)"
    return f"{measure.title} (replies)" if measure.unit == "replies" else measure.title


def by_agent(
    title: str, agents: Sequence[tuple[str, Metrics]], measures: Iterable[Comparable], folded: bool = False
) -> Table:
    """Measures down, agents across."""
    rows = tuple((titled(one), *(metrics[one.name] for _, metrics in agents)) for one in measures)
    return Table(title, ("measure", *(label for label, _ in agents)), rows, folded=folded)


def by_measure(
    title: str, head: str, rows: Iterable[tuple[str, Metrics]], measures: Sequence[Comparable], folded: bool = False
) -> Table:
    """Agents or groups down, measures across."""
    cells = tuple((label, *(metrics[one.name] for one in measures)) for label, metrics in rows)
    return Table(title, (head, *(titled(one) for one in measures)), cells, folded=folded)


def grouped(
    title: str, head: str, agents: Iterable[tuple[str, Mapping[str, Metrics]]], measures: Sequence[Comparable]
) -> Table:
    """Agents and their groups down, measures across."""
    rows: list[tuple[Cell, ...]] = [
        (f"{agent}: {group.replace('_', ' ')}", *(metrics[one.name] for one in measures))
        for agent, groups in agents
        for group, metrics in groups.items()
    ]
    return Table(title, (f"agent: {head}", *(titled(one) for one in measures)), tuple(rows))


def keys(measures: Iterable[Comparable], first: int = FIRST_MEASURE) -> tuple[Key, ...]:
    """Series that are measures."""
    return tuple(Key(measure.title, first + place) for place, measure in enumerate(measures))


def inverted(estimate: Estimate | None) -> Estimate | None:
    """What is missing to 100 percent."""
    if estimate is None:
        return None
    low = None if estimate.high is None else 100.0 - estimate.high
    high = None if estimate.low is None else 100.0 - estimate.low
    return Estimate(100.0 - estimate.value + 0.0, low, high, estimate.n)
