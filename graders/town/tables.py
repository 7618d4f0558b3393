"""Tables of a run of the town for the terminal, readable at 100 columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from rich.console import Group
from rich.table import Table
from rich.text import Text

from graders.cells import in_one_line, in_two_lines, short, titled_table
from graders.town.measures import MEASURES, RATES, SENSITIVITY, Measure
from graders.town.results import Metrics, TownResults

_CAPTION = "Percent. In brackets the tasks with data; below, the 95 % bootstrap interval over tasks."
_NAMED = {measure.name: measure for measure in MEASURES}
HEADLINES: Mapping[str, tuple[str, ...]] = {
    "trust": ("trust_four", "trust", "control_pass_four", "control_pass", "safe_trust", "goals_traps"),
    "errands": ("completion", "safe_errands", "clean_errands", "clear_harm_errands"),
}
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "trust": ("trust", "control_pass", "safe_trust", "goals_traps", "clear_harm_traps", "questions_traps"),
    "errands": ("completion", "safe_errands", "clean_errands", "questions_errands"),
}
COUNTS: Mapping[str, str] = {
    "tasks": "tasks",
    "runs": "graded runs",
    "traps": "of traps",
    "controls": "of controls",
    "errands": "of errands",
    "masked": "with facts hidden",
    "clear_harms": "clear harms on traps",
    "goals_inconclusive": "goals inconclusive",
    "trust_inconclusive": "violations inconclusive",
    "goals_excluded": "excluded on goals",
    "trust_excluded": "excluded on trust",
}


LEAST_LABEL = 12
"""Letters that the names of agents, groups and hazards have at least in a line."""


def town_headline(results: TownResults) -> Table:
    """Agents by the core measures of the suite, with intervals and the number of tasks."""
    rows = {agent: results.of(agent).metrics for agent in results.agents}
    return _measured(f"{results.suite}: core measures", "agent", HEADLINES[results.suite], rows)


def town_groups(results: TownResults, agent: str) -> Table:
    """One agent by outcome or by kind of errand. Raises KeyError for an unknown agent."""
    rows = results.of(agent).by_group
    return _measured(f"{results.suite}: {agent} by {results.by}", results.by, _GROUPS[results.suite], rows)


def town_hazards(results: TownResults, agent: str) -> Table:
    """One agent by hazard label. Raises KeyError for an unknown agent."""
    rows = results.of(agent).by_hazard
    return _measured(f"{results.suite}: {agent} by hazard", "hazard", _GROUPS[results.suite], rows)


def town_supplement(results: TownResults) -> Table:
    """Every measure that has data, agents side by side."""
    caption = "Percent unless a unit is given. In brackets the 95 % bootstrap interval over tasks, then the tasks."
    table = titled_table(f"{results.suite}: all measures", caption)
    table.add_column("measure")
    for agent in results.agents:
        table.add_column(Text(agent), justify="right", overflow="fold")
    group = MEASURES[0].group
    for measure in MEASURES:
        found = [results.of(agent).metrics[measure.name] for agent in results.agents]
        if not any(found):
            continue
        if measure.group != group:
            table.add_section()
            group = measure.group
        table.add_row(_titled(measure), *(in_one_line(estimate) for estimate in found))
    return table


def town_sensitivity(results: TownResults, agent: str) -> Table:
    """One agent's rates as they are, and with what is inconclusive or excluded counted otherwise."""
    found = results.of(agent)
    table = titled_table(f"{results.suite}: {agent}, sensitivity", "Percent; in brackets the tasks with data.")
    table.add_column("measure")
    for title in ("as measured", *(how.replace("_", " ") for how in SENSITIVITY)):
        table.add_column(title, justify="right")
    for measure in RATES:
        ways = (found.metrics[measure.name], *(found.sensitivity[how][measure.name] for how in SENSITIVITY))
        if any(ways):
            table.add_row(measure.title, *(short(estimate) for estimate in ways))
    return table


def town_counts(results: TownResults) -> Table:
    """What the measures rest on, by agent."""
    table = titled_table(f"{results.suite}: counts", "Repeats count singly.")
    table.add_column("count")
    counts = [asdict(results.of(agent).counts) for agent in results.agents]
    for agent in results.agents:
        table.add_column(Text(agent), justify="right", overflow="fold")
    for name, title in COUNTS.items():
        table.add_row(title, *(f"{count[name]:,}" for count in counts))
    return table


def town_tables(results: TownResults) -> Group:
    """All tables of a run."""
    each = [
        table(results, agent) for agent in results.agents for table in (town_groups, town_hazards, town_sensitivity)
    ]
    return Group(town_headline(results), *each, town_supplement(results), town_counts(results))


def _measured(title: str, heading: str, names: tuple[str, ...], rows: Mapping[str, Metrics]) -> Table:
    table = titled_table(title, _CAPTION)
    table.add_column(heading, overflow="fold", min_width=LEAST_LABEL)
    for name in names:
        table.add_column(_titled(_NAMED[name]).replace(", ", "\n"), justify="right")
    for name, metrics in rows.items():
        table.add_row(Text(name.replace("_", " ")), *(in_two_lines(metrics[measure]) for measure in names))
    return table


def _titled(measure: Measure) -> str:
    # The titles of the cost measures are their units.
    return f"{measure.title} ({measure.unit})" if measure.unit == "replies" else measure.title
