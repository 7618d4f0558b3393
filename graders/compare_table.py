"""Two agents side by side, for the terminal, readable at 100 columns."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from graders.cells import MISSING, in_one_line, number, titled_table
from graders.compare import Comparable, Comparison

_TOLD = 10
"""Tasks left out that are told one by one."""


def comparison_table(comparison: Comparison) -> Group:
    """Two agents, measure by measure, the tasks that changed sides in the core measures, and those not compared."""
    title = f"{comparison.suite}: {comparison.first} and {comparison.second} on {comparison.tasks} shared tasks"
    caption = (
        "Difference: the second less the first, 95 % bootstrap interval over tasks."
        " p: exact McNemar over tasks, each by the majority of its repeats."
    )
    table = titled_table(title, caption)
    for heading in ("measure", "first", "second", "difference", "only first", "only second", "p"):
        table.add_column(heading, justify="left" if heading == "measure" else "right")
    shown = [one for one in comparison.measures.values() if one is not None]
    for one in shown:
        test = one.mcnemar
        sides = (str(test.only_first), str(test.only_second), f"{test.p:.3f}") if test else (MISSING,) * 3
        difference = in_one_line(one.difference)
        table.add_row(_titled(one.measure), number(one.first), number(one.second), difference, *sides)
    changed = [
        Text(f"{one.measure.title}: {word} {', '.join(paths)}")
        for one in shown
        if one.measure.group == "core"
        for word, paths in (("gained", one.gained), ("lost", one.lost))
        if paths
    ]
    return Group(table, *changed, *_not_compared(comparison))


def _not_compared(comparison: Comparison) -> list[Text]:
    counts = (("first", comparison.only_first), ("second", comparison.only_second))
    told = [Text(f"Not compared: {count} tasks that only the {which} has.") for which, count in counts if count]
    left_out = list(comparison.left_out.items())
    told += [Text(f"Not compared: {path}: {why}.") for path, why in left_out[:_TOLD]]
    if len(left_out) > _TOLD:
        told.append(Text(f"Not compared: {len(left_out) - _TOLD} more; --json lists them."))
    return told


def _titled(measure: Comparable) -> str:
    # The titles of the cost measures are their units.
    units = {"replies": " (replies)", "percentage points": " (points)"}
    return measure.title + units.get(measure.unit, "")
