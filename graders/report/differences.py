"""Paired differences between agents, over the tasks that both did whole."""

from __future__ import annotations

from collections.abc import Sequence

from graders.compare import Compared, Comparison
from graders.report.document import Dots, Key, Part, Picture, Section, Table, Words
from graders.report.tabled import titled
from graders.report.written import tasks

Pair = tuple[str, str, Comparison | None, str]
"""Labels of the first and the second, the comparison, and why there is none."""
_CORE = "core"


def differences_section(pairs: Sequence[Pair]) -> Section:
    """The second less the first, for every pair that compares; for others why they do not."""
    parts: list[Part] = [
        Words(
            (
                "Agents that did not do the same tasks do not compare by the figures above. Here only tasks count that"
                " both did whole. A difference is the second less the first; p is the exact McNemar test over tasks that"
                " pass or fail, without correction for the number of tests.",
            )
        )
    ]
    refused = tuple(f"{first} and {second} do not compare: {why}" for first, second, found, why in pairs if not found)
    if refused:
        parts.append(Words(refused, listed=True))
    for number, (first, second, found, _) in enumerate(pairs):
        if found is not None:
            parts.append(_picture(number, first, second, found))
    return Section("differences", "Differences over shared tasks", tuple(parts))


def _picture(number: int, first: str, second: str, comparison: Comparison) -> Picture:
    shown = [one for one in comparison.measures.values() if one is not None and one.measure.group == _CORE]
    rows = tuple((one.measure.title, (one.difference,)) for one in shown)
    title = f"{comparison.suite}: {second} less {first}"
    key = Key("difference", number)
    left_out = (
        f" Not compared: {comparison.only_first:,} tasks of the first alone, {comparison.only_second:,} of the second"
        f" alone, {len(comparison.left_out):,} others."
    )
    return Picture(
        f"difference-{number}",
        title,
        f"Percentage points over {tasks(comparison.tasks)} that both did whole, with 95 % intervals.{left_out}",
        (Dots("", "percent", (key,), rows, signed=True),),
        _table(title, first, second, [one for one in comparison.measures.values() if one is not None]),
    )


def _table(title: str, first: str, second: str, shown: Sequence[Compared]) -> Table:
    heads = ("measure", first, second, "difference", f"only {first}", f"only {second}", "p")
    rows = tuple(
        (titled(one.measure), f"{one.first:,.1f}", f"{one.second:,.1f}", one.difference, *_sides(one)) for one in shown
    )
    return Table(title, heads, rows)


def _sides(one: Compared) -> tuple[str | None, ...]:
    if one.mcnemar is None:
        return (None, None, None)
    return (str(one.mcnemar.only_first), str(one.mcnemar.only_second), f"{one.mcnemar.p:.3f}")
