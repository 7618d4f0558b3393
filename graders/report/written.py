"""How numbers and pictures are put in words, for cells and for those who cannot see a picture."""

from __future__ import annotations

from graders.cells import MISSING, number
from graders.report.document import Dots, Heat, Panel, Parts, Plane, Profile
from graders.statistics import Estimate

NO_DATA = "no data"


def interval(estimate: Estimate) -> str:
    """The interval as `80.0 to 100.0`; nothing for a single task."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{number(estimate.low)} to {number(estimate.high)}"


def tasks(count: int) -> str:
    return "1 task" if count == 1 else f"{count:,} tasks"


def full(estimate: Estimate | None) -> str:
    """The value with its interval and count, in one line."""
    if estimate is None:
        return NO_DATA
    between = interval(estimate)
    return f"{number(estimate.value)} ({f'{between}, ' if between else ''}{tasks(estimate.n)})"


def percent(estimate: Estimate | None) -> str:
    """A percentage in a sentence, with its interval where it has some width."""
    if estimate is None:
        return "(no data)"
    between = interval(estimate)
    known = "" if estimate.low == estimate.high or not between else f" ({between})"
    return f"{number(estimate.value)}\N{NO-BREAK SPACE}%{known}"


def short(estimate: Estimate | None) -> str:
    """The value alone."""
    return MISSING if estimate is None else number(estimate.value)


def described(panel: Panel) -> str:
    """Every number of a panel; of a heat map, which has too many, where they stand."""
    match panel:
        case Profile():
            return "; ".join(f"{title}: {full(estimate)}" for title, estimate in panel.axes)
        case Plane():
            points = (
                f"{key.label}: {panel.across} {full(across)}, {panel.up} {full(up)}" for key, across, up in panel.points
            )
            return "; ".join(points)
        case Dots():
            return "; ".join(
                f"{label}: " + ", ".join(f"{key.label} {full(one)}" for key, one in zip(panel.series, row, strict=True))
                for label, row in panel.rows
            )
        case Parts():
            return "; ".join(f"{label}: {full(estimate)}" for label, estimate in panel.parts)
        case Heat():
            columns = ", ".join(title for title, _ in panel.columns)
            return f"{len(panel.rows)} rows by {columns}; the numbers stand in the table below."
