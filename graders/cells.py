"""How tables of results are laid out, and how an estimate is written in a cell."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from graders.statistics import Estimate

MISSING = "-"


def titled_table(title: str, caption: str) -> Table:
    """A table without columns yet."""
    return Table(title=Text(title), caption=caption, title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD)


def in_two_lines(estimate: Estimate | None) -> Text:
    """The value with the number of tasks; below it the interval, if there is one."""
    if estimate is None:
        return Text(MISSING)
    lines = [short(estimate).plain]
    if estimate.low is not None and estimate.high is not None:
        lines.append(f"{number(estimate.low)}-{number(estimate.high)}")
    return Text("\n".join(lines))


def in_one_line(estimate: Estimate | None) -> Text:
    """The value, the interval, if there is one, and the number of tasks."""
    if estimate is None:
        return Text(MISSING)
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f"[{number(estimate.low)}, {number(estimate.high)}] "
    return Text(f"{number(estimate.value)} {interval}{estimate.n}")


def short(estimate: Estimate | None) -> Text:
    """The value with the number of tasks."""
    return Text(MISSING) if estimate is None else Text(f"{number(estimate.value)} ({estimate.n})")


def number(value: float) -> str:
    """With one decimal; from a thousand on without."""
    # A measured zero is 0.0, never -0.0.
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{round(value, 1) + 0.0:.1f}"
