"""Paired differences between agents, over the tasks that both did whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.compare import Compared, Comparison
from graders.report.document import Cell, Dots, Key, Part, Picture, Section, Table, Words
from graders.report.tabled import titled
from graders.report.written import tasks

_DIFFERENCE = Key("difference", 0)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants of one suite by label, and how they compare, or why they do not."""

    first: str
    second: str
    comparison: Comparison | None
    refused: str = ""

    @property
    def title(self) -> str:
        return f"{self.second} minus {self.first}"


def differences_section(pairs: Sequence[Pairing]) -> Section:
    """The second less the first, for every pair that compares; for others why they do not."""
    parts: list[Part] = [
        Words(
            (
                "Agents that did not do the same tasks do not compare by the figures above. Here only tasks count that"
                " both did whole. A difference is the second less the first; p is the exact McNemar test over tasks"
                " that pass or fail, without correction for the number of tests.",
            )
        ),
        Words(tuple(_terms(pair) for pair in pairs), listed=True),
    ]
    found = [(pair, pair.comparison) for pair in pairs if pair.comparison is not None]
    for suite in dict.fromkeys(comparison.suite for _, comparison in found):
        parts.append(_picture(suite, [one for one in found if one[1].suite == suite]))
    return Section("differences", "Differences over shared tasks", tuple(parts))


def _terms(pair: Pairing) -> str:
    found = pair.comparison
    if found is None:
        return f"{pair.title}: they do not compare: {pair.refused}"
    left = (
        (found.only_first, f"that only {pair.first} did"),
        (found.only_second, f"that only {pair.second} did"),
        (len(found.left_out), "that one of them did not do whole, or that changed in between"),
    )
    without = "".join(f", without {tasks(count)} {why}" for count, why in left if count)
    return f"{pair.title}, {found.suite}: over {tasks(found.tasks)}{without}."


def _picture(suite: str, pairs: Sequence[tuple[Pairing, Comparison]]) -> Picture:
    panels = tuple(
        Dots(
            pair.title,
            "percent",
            (_DIFFERENCE,),
            tuple((one.measure.title, (one.difference,)) for one in _known(found) if one.measure.group == "core"),
            signed=True,
        )
        for pair, found in pairs
    )
    heads = ("agents: measure", "first", "second", "difference", "only first", "only second", "p")
    rows = tuple(
        (f"{pair.title}: {titled(one.measure)}", *_cells(one)) for pair, found in pairs for one in _known(found)
    )
    note = "Only first, only second: tasks that one alone passes, for measures by which a task passes or fails."
    return Picture(
        f"{suite}-difference",
        f"{suite}: differences of the core measures",
        "Percentage points, with 95 % intervals over tasks. The table has all measures.",
        panels,
        Table(f"{suite}: differences of all measures", heads, rows, note),
    )


def _known(comparison: Comparison) -> list[Compared]:
    return [one for one in comparison.measures.values() if one is not None]


def _cells(one: Compared) -> tuple[Cell, ...]:
    values = (f"{one.first:,.1f}", f"{one.second:,.1f}", one.difference)
    if one.mcnemar is None:
        return (*values, "", "", "")
    return (*values, str(one.mcnemar.only_first), str(one.mcnemar.only_second), f"{one.mcnemar.p:.3f}")
