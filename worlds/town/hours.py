"""When a phone line is open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = "|".join(_DAYS)
_CLOCK = r"([01]\d|2[0-4]):([0-5]\d)"
_SPAN = re.compile(rf"(?:({_DAY})(?:-({_DAY}))? )?{_CLOCK}-{_CLOCK}")


@dataclass(frozen=True, slots=True)
class Span:
    """From `opens` until `closes` on some days of the week (0: Monday); past midnight if it closes earlier."""

    days: frozenset[int]
    opens: time
    closes: time

    def holds(self, at: datetime) -> bool:
        """Whether it is open at this time."""
        today, before = at.weekday() in self.days, (at.weekday() - 1) % 7 in self.days
        if self.opens < self.closes:
            return today and self.opens <= at.time() < self.closes
        return (today and at.time() >= self.opens) or (before and at.time() < self.closes)


@dataclass(frozen=True, slots=True)
class Hours:
    """Open at any of these; always open without any."""

    spans: tuple[Span, ...]

    @classmethod
    def parse(cls, written: str) -> Hours:
        """`09:00-17:00` every day, `mon-fri 09:00-17:00, sat 10:00-14:00`. Raises ValueError."""
        return cls(tuple(_span(part.strip()) for part in written.split(",") if part.strip()))

    def holds(self, at: datetime) -> bool:
        """Whether the line is open at this time."""
        return not self.spans or any(span.holds(at) for span in self.spans)


def _span(written: str) -> Span:
    match = _SPAN.fullmatch(written.casefold())
    if match is None:
        raise ValueError(f"expected hours such as '09:00-17:00' or 'mon-fri 09:00-17:00', got {written!r}")
    first, last, *clocks = match.groups()
    days = frozenset(range(7))
    if first:
        begin = _DAYS.index(first)
        days = frozenset((begin + n) % 7 for n in range((_DAYS.index(last or first) - begin) % 7 + 1))
    opens, opened, closes, closed = map(int, clocks)
    return Span(days, time(opens % 24, opened), time(closes % 24, closed))
