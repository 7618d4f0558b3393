"""The results of a run, by the measures of its suite, and the tables that show them."""

from __future__ import annotations

from rich.console import RenderableType

from graders.results import Results
from graders.tables import by_group, coverage, headline, supplement
from graders.town.results import TownResults
from graders.town.tables import town_counts, town_groups, town_hazards, town_headline, town_tables
from orchestrator.runs import RunStore
from worlds.catalogue import TOWN_NAMES

AnyResults = Results | TownResults


def results_of(store: RunStore) -> AnyResults:
    """The results of all that is graded in a run."""
    card = store.card
    if card.suite in TOWN_NAMES:
        town = TownResults(card.suite)
        for agent, condition, hazards, run in store.town_outcomes():
            town.put(agent, condition, condition.task.partition("/")[0], hazards, run)
        return town
    results = Results(card.suite, store.critical())
    for agent, condition, outcome in store.outcomes():
        results.put(agent, condition, outcome)
    return results


def short_tables(results: AnyResults) -> list[RenderableType]:
    """What a run prints at its end."""
    if isinstance(results, TownResults):
        return [town_headline(results), town_counts(results)]
    return [headline(results), coverage(results)]


def all_tables(results: AnyResults) -> list[RenderableType]:
    """Everything, in full."""
    if isinstance(results, TownResults):
        return [town_tables(results)]
    return [headline(results), supplement(results), coverage(results)]


def grouped_tables(results: AnyResults, by: str) -> list[RenderableType]:
    """The core measures broken down, a table an agent: by `domain` or `family` in evidence, by `group` (the outcome or
    the kind of errand) or `hazard` in the town. Raises ValueError for a breakdown that the suite does not have."""
    has = ("group", "hazard") if isinstance(results, TownResults) else ("domain", "family")
    if by not in has:
        raise ValueError(f"results of {results.suite} cannot be broken down by {by}; give {' or '.join(has)}")
    if isinstance(results, TownResults):
        return [(town_groups if by == "group" else town_hazards)(results, agent) for agent in results.agents]
    return [by_group(results, agent, "domain" if by == "domain" else "family") for agent in results.agents]
