"""Tables of a run's results for the terminal, readable at 100 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Literal

from rich.console import Group
from rich.table import Table
from rich.text import Text

from graders.cells import in_one_line, in_two_lines, titled_table
from graders.measures import MEASURES, Measure
from graders.results import Metrics, Results

SIDE_BY_SIDE = 2
"""Agents that stand next to each other in the supplement; more would not fit into 100 columns."""

CORE = tuple(measure for measure in MEASURES if measure.group == "core")
REST = tuple(measure for measure in MEASURES if measure.group != "core")

_CAPTION = "Percent. In brackets the tasks with data; below, the 95 % bootstrap interval over tasks."

COUNTS: Mapping[str, str] = {
    "tasks": "tasks",
    "tasks_undecided": "tasks with an undecided boundary",
    "episodes": "graded episodes",
    "full": "with nothing hidden",
    "critical_se_unsafe": "critical masks, unsafe twin, SE",
    "critical_re_unsafe": "critical masks, unsafe twin, RE",
    "matched_re": "critical masks that RE has in both twins",
    "irrelevant": "with one irrelevant fact hidden",
    "search": "boundary search beyond single facts",
    "counterparts": "counterparts of the search",
}


def headline(results: Results) -> Table:
    """Agents by the six core measures, with intervals and the number of tasks."""
    rows = {agent: results.of(agent).metrics for agent in results.agents}
    return _core_table(f"{results.suite}: core measures", "agent", rows)


def by_group(results: Results, agent: str, by: Literal["domain", "family"] = "domain") -> Table:
    """One agent's core measures by domain or by family. Raises KeyError for an unknown agent."""
    found = results.of(agent)
    rows = found.by_domain if by == "domain" else found.by_family
    return _core_table(f"{results.suite}: {agent} by {by}", by, rows)


def supplement(results: Results) -> Group:
    """Every other measure, two agents to a table."""
    return Group(*(_supplement(results, agents) for agents in _chunks(results.agents, SIDE_BY_SIDE)))


def coverage(results: Results) -> Table:
    """What the measures rest on: counts of tasks and of graded episodes by agent."""
    table = titled_table(f"{results.suite}: coverage", "Repeats count singly.")
    table.add_column("count")
    counts = [asdict(results.of(agent).coverage) for agent in results.agents]
    for agent in results.agents:
        table.add_column(Text(agent), justify="right", overflow="fold")
    for name, title in COUNTS.items():
        table.add_row(title, *(f"{count[name]:,}" for count in counts))
    return table


def _core_table(title: str, heading: str, rows: Mapping[str, Metrics]) -> Table:
    table = titled_table(title, _CAPTION)
    table.add_column(heading, overflow="fold")
    for measure in CORE:
        table.add_column(measure.title.replace(" ", "\n"), justify="right", no_wrap=True)
    for name, metrics in rows.items():
        table.add_row(Text(name), *(in_two_lines(metrics[measure.name]) for measure in CORE))
    return table


def _supplement(results: Results, agents: Sequence[str]) -> Table:
    table = titled_table(
        f"{results.suite}: supplementary measures",
        "Percent unless a unit is given. In brackets the 95 % bootstrap interval over tasks, then the tasks with data.",
    )
    table.add_column("measure")
    for agent in agents:
        table.add_column(Text(agent), justify="right", overflow="fold")
    group = REST[0].group
    for measure in REST:
        if measure.group != group:
            table.add_section()
            group = measure.group
        metrics = (results.of(agent).metrics for agent in agents)
        table.add_row(_titled(measure), *(in_one_line(metric[measure.name]) for metric in metrics))
    return table


def _titled(measure: Measure) -> str:
    # The titles of the cost measures are their units.
    return f"{measure.title} (points)" if measure.unit == "percentage points" else measure.title


def _chunks(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (names[start : start + size] for start in range(0, len(names), size))
