"""The tables of `twintown results` as plain values, every number with the address of the episodes behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from graders.cells import number
from graders.measures import MEASURES, Measure
from graders.results import Results
from graders.statistics import Estimate
from graders.town.measures import MEASURES as TOWN_MEASURES
from graders.town.measures import Measure as TownMeasure
from graders.town.results import TownResults
from orchestrator.results import AnyResults, results_of
from orchestrator.runs import opened
from orchestrator.viewing.filter import Filter, behind

_BROKEN_DOWN = ("core", "safe outcome")
"""The groups of measures that breakdowns show."""


@dataclass(frozen=True, slots=True)
class Cell:
    """An estimate: its value, its interval if it has one, the tasks with data, and the episodes behind it."""

    value: str
    interval: str
    tasks: int
    link: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its heading, what that means, and a cell, or None, for every column."""

    heading: str
    means: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its title, the heading of its rows, those of its columns, and its rows in named sections."""

    title: str
    corner: str
    columns: tuple[str, ...]
    sections: Mapping[str, tuple[Row, ...]]


def results_at(directory: Path) -> AnyResults:
    """The results of a run as it is now. Raises RunError, and ValueError for rows that contradict its tasks."""
    with opened(directory) as store:
        return results_of(store)


def measures_table(results: AnyResults) -> Table:
    """Every measure of every agent; in a run of the town, those that any agent has data of."""
    town = isinstance(results, TownResults)
    sections: dict[str, tuple[Row, ...]] = {}
    for measure in _measures(town):
        estimates = [results.of(agent).metrics[measure.name] for agent in results.agents]
        if town and not any(estimates):
            continue
        cells = tuple(
            _cell(estimate, behind(measure.name, agent, town))
            for agent, estimate in zip(results.agents, estimates, strict=True)
        )
        row = Row(f"{measure.title}{_unit(measure.unit, measure.group)}", measure.definition, cells)
        sections[measure.group] = (*sections.get(measure.group, ()), row)
    return Table(f"{results.suite}: all measures", "measure", results.agents, sections)


def breakdown_table(results: AnyResults, agent: str, by: str) -> Table:
    """One agent's core measures by domain, family, group or hazard. Raises KeyError for an agent without results."""
    town = isinstance(results, TownResults)
    groups = _groups(results, agent, by)
    found = results.of(agent).metrics
    measures = [one for one in _measures(town) if one.group in _BROKEN_DOWN and (not town or found[one.name])]
    rows = []
    for group, metrics in groups.items():
        task, hazard = ((), group) if by == "hazard" else ((f"{group}/*",), "")
        cells = (_cell(metrics[one.name], behind(one.name, agent, town, task, hazard)) for one in measures)
        rows.append(Row(group.replace("_", " "), "", tuple(cells)))
    return Table(
        f"{results.suite}: {agent} by {by}", by, tuple(measure.title for measure in measures), {"": tuple(rows)}
    )


def _groups(results: AnyResults, agent: str, by: str) -> Mapping[str, Mapping[str, Estimate | None]]:
    if isinstance(results, Results):
        found = results.of(agent)
        return found.by_domain if by == "domain" else found.by_family
    of_town = results.of(agent)
    return of_town.by_group if by == "group" else of_town.by_hazard


def _measures(town: bool) -> Sequence[Measure] | Sequence[TownMeasure]:
    return TOWN_MEASURES if town else MEASURES


def _unit(unit: str, group: str) -> str:
    # The titles of the cost measures are their units.
    return "" if unit == "percent" or group == "cost" else f" ({unit})"


def _cell(estimate: Estimate | None, chosen: Filter) -> Cell | None:
    if estimate is None:
        return None
    low, high = estimate.low, estimate.high
    interval = "" if low is None or high is None else f"{number(low)} to {number(high)}"
    return Cell(number(estimate.value), interval, estimate.n, f"/episodes?{chosen.query}")
