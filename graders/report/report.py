"""The whole report of some runs, as values: what was tested, what came of it, on what terms, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.measures import MEASURES
from graders.report.access import Reach, access_table, unequal
from graders.report.differences import Pairing, differences_section
from graders.report.document import Cell, Facts, Part, Report, Section, Table, Words
from graders.report.entrants import AnyResults, Entrant, entrants
from graders.report.evidence import evidence_section
from graders.report.town import town_section
from graders.report.written import tasks
from graders.results import Results
from graders.statistics import CONFIDENCE, RESAMPLES
from graders.town.measures import MEASURES as TOWN_MEASURES
from graders.town.results import TownResults

MOST_UNGRADED = 40
"""Reasons that are listed for one run."""


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """One run as far as a report needs it.

    `terms`: what it was made with, by name, for the first table; `hashes`: of worlds and graders. `reach`: by agent.
    `incomplete`: by agent, tasks that have conditions without a grade. `ungraded`: conditions that were tried and have
    no grade, by agent and reason.
    """

    name: str
    results: AnyResults
    terms: Mapping[str, str]
    hashes: Mapping[str, str]
    reach: Mapping[str, Reach]
    incomplete: Mapping[str, int]
    ungraded: Mapping[tuple[str, str], int]


def report(runs: Sequence[ReportedRun], pairings: Sequence[Pairing], version: str) -> Report:
    """The report. Raises ValueError if no run has a graded episode."""
    everyone = entrants([(run.name, run.results) for run in runs])
    if not everyone:
        raise ValueError(f"no episode of {', '.join(run.name for run in runs)} is graded: there is nothing to report")
    sections = [_tested(runs)]
    for suite in dict.fromkeys(run.results.suite for run in runs):
        section = _of_suite(suite, everyone)
        if section:
            sections.append(section)
    if pairings:
        sections.append(differences_section(pairings))
    sections += [_access(runs, everyone), _missing(runs), _reading(runs), _made(runs)]
    return Report("Twintown report", _lede(runs, everyone), tuple(sections), version)


def numbers(runs: Sequence[ReportedRun], pairings: Sequence[Pairing]) -> dict[str, object]:
    """Every number of the report as JSON. `results` of a run is what `twintown results RUN --json` prints."""
    return {
        "schema": 1,
        "runs": [
            {
                "run": run.name,
                "results": run.results.as_json(),
                "access": {agent: reach.as_json() for agent, reach in run.reach.items()},
                "incomplete_tasks": dict(run.incomplete),
                "ungraded": [
                    {"agent": agent, "reason": reason, "conditions": count}
                    for (agent, reason), count in run.ungraded.items()
                ],
            }
            for run in runs
        ],
        "comparisons": [
            {"first": one.first, "second": one.second, "refused": one.refused or None,
             "comparison": one.comparison.as_json() if one.comparison else None}
            for one in pairings
        ],
    }  # fmt: skip


AnyEntrant = Entrant[Results] | Entrant[TownResults]


def _of_suite(suite: str, everyone: Sequence[AnyEntrant]) -> Section | None:
    evidence = [one for one in everyone if isinstance(one.results, Results) and one.results.suite == suite]
    town = [one for one in everyone if isinstance(one.results, TownResults) and one.results.suite == suite]
    if evidence:
        return evidence_section(evidence)
    return town_section(town) if town else None


def _lede(runs: Sequence[ReportedRun], everyone: Sequence[AnyEntrant]) -> tuple[str, ...]:
    suites = tuple(dict.fromkeys(run.results.suite for run in runs))
    labels = tuple(dict.fromkeys(one.label for one in everyone))
    agents = f"{len(labels)} agents" if len(labels) > 1 else "one agent"
    return (
        f"How {agents} ({', '.join(labels)}) did in the {'suites' if len(suites) > 1 else 'suite'}"
        f" {', '.join(suites)}. Every task plays in simulated business systems that are MCP servers; in one twin of a"
        " task an act is forbidden, in the other the same act is right. Verdicts come from the state that the agent"
        " left behind, never from what it says.",
        "Figures are percentages over tasks unless a unit is given, with 95 % bootstrap intervals over tasks and the"
        " number of tasks that have data (n). Behind each picture there is a table with its numbers.",
    )


def _tested(runs: Sequence[ReportedRun]) -> Section:
    names = tuple(dict.fromkeys(name for run in runs for name in run.terms))
    rows = tuple((name, *(run.terms.get(name, "") for run in runs)) for name in names)
    table = Table("The runs", ("run", *(run.name for run in runs)), rows, words=True)
    return Section("tested", "What was tested", (table,))


def _access(runs: Sequence[ReportedRun], everyone: Sequence[AnyEntrant]) -> Section:
    parts: list[Part] = [
        Words(
            (
                "The only tools an agent has are meant to be those of the world. Here is what each was offered, what it"
                " listed and what it called, so that a difference in access is not taken for one in judgement.",
            )
        )
    ]
    for suite in dict.fromkeys(run.results.suite for run in runs):
        reaches = _reaches(suite, runs, everyone)
        if reaches:
            parts += [access_table(suite, reaches), _equality(suite, reaches)]
    return Section("access", "Equal access", tuple(parts))


def _reaches(suite: str, runs: Sequence[ReportedRun], everyone: Sequence[AnyEntrant]) -> dict[str, Reach]:
    by_run = {run.name: run for run in runs}
    return {
        one.label: by_run[one.run].reach[one.agent]
        for one in everyone
        if one.results.suite == suite and one.agent in by_run[one.run].reach
    }


def _equality(suite: str, reaches: Mapping[str, Reach]) -> Words:
    if len(reaches) < 2:
        return Words((f"{suite}: one agent, nobody to compare it with.",))
    different = unequal(reaches)
    if not any(reach.known for reach in reaches.values()):
        return Words((f"{suite}: what was offered is not known.",))
    if not different:
        return Words(
            (f"{suite}: in every place that several agents had, they were offered as many servers and tools.",)
        )
    return Words(
        (
            f"{suite}: in {tasks(len(different))} agents were not offered as many servers and tools; their figures"
            f" there do not compare: {', '.join(different[:10])}{', and more' if len(different) > 10 else ''}.",
        )
    )


def _missing(runs: Sequence[ReportedRun]) -> Section:
    parts: list[Part] = []
    for run in runs:
        rows = [(agent, f"{count:,}", reason) for (agent, reason), count in run.ungraded.items()]
        whole = [
            f"{run.name}: {agent} has {count:,} tasks with conditions that have no grade."
            for agent, count in run.incomplete.items()
            if count
        ]
        if whole:
            parts.append(Words(tuple(whole)))
        if rows:
            note = f"The first {MOST_UNGRADED} of {len(rows)} reasons." if len(rows) > MOST_UNGRADED else ""
            heads = ("agent", "conditions", "last reason")
            parts.append(
                Table(f"{run.name}: tried, and not graded", heads, tuple(rows[:MOST_UNGRADED]), note, words=True)
            )
        if not rows and not whole:
            parts.append(Words((f"{run.name}: every condition that was planned is graded.",)))
        parts += _open(run)
    return Section("missing", "What could not be graded, and why", tuple(parts))


def _open(run: ReportedRun) -> list[Part]:
    """What is graded and still not counted by some measure."""
    if isinstance(run.results, Results):
        rows: list[tuple[Cell, ...]] = [
            (agent, f"{found.tasks_undecided:,}", f"{found.tasks:,}")
            for agent in run.results.agents
            if (found := run.results.of(agent).coverage).tasks_undecided
        ]
        note = "Their boundary search is not finished; they have no SBM and no place in the boundary decomposition."
        return [Table(f"{run.name}: undecided boundaries", ("agent", "tasks", "of"), tuple(rows), note)] if rows else []
    rows = []
    for agent in run.results.agents:
        counts = run.results.of(agent).counts
        four = (counts.goals_inconclusive, counts.trust_inconclusive, counts.goals_excluded, counts.trust_excluded)
        if any(four):
            rows.append((agent, *(f"{count:,}" for count in four)))
    heads = ("agent", "goals inconclusive", "violations inconclusive", "excluded on goals", "excluded on trust")
    note = (
        "Inconclusive: what only a reader can tell, and no two readers agreed on. Excluded: the simulated owner"
        " answered wrongly. Neither is a pass."
    )
    return [Table(f"{run.name}: runs that are not counted", heads, tuple(rows), note)] if rows else []


def _reading(runs: Sequence[ReportedRun]) -> Section:
    suites = {type(run.results) for run in runs}
    named = [
        Facts(f"Measures of {name}", tuple((one.title, one.definition) for one in measures), folded=True)
        for name, kind, measures in (("evidence", Results, MEASURES), ("the town", TownResults, TOWN_MEASURES))
        if kind in suites
    ]
    words = Words(
        (
            f"Tasks are the sample: a figure is the mean over tasks, each with equal weight, and its interval is the"
            f" percentile bootstrap over tasks ({CONFIDENCE:.0%}, {RESAMPLES:,} resamples). Repeats are averaged within"
            " a task. A figure that every task agrees on has no spread to show: its interval is a point, which does not"
            " mean that it is certain; with few tasks, look at n.",
            "A measure without data is missing, never zero, and missing is never a pass.",
            "Whoever has the run can look at the episodes behind any figure, twin beside twin, with twintown view RUN.",
        )
    )
    return Section("reading", "How to read this", (words, *named))


def _made(runs: Sequence[ReportedRun]) -> Section:
    parts = tuple(
        Facts(f"{run.name}: hashes of worlds and graders (SHA-256)", tuple(run.hashes.items()), folded=True)
        for run in runs
    )
    words = Words(
        (
            "Two runs compare if these hashes are the same in both. The numbers of this page stand in it as JSON, in"
            " the element with the id numbers; they can be computed again from what twintown export writes.",
        )
    )
    return Section("made", "What it was made with", (words, *parts))
