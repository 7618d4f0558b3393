"""What the finance recipes share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn


def differ(pick: Draw, path: str, unsafe: str | None, safe: str | None) -> tuple[Written, Drawn]:
    """What the state says at the path, and what the twins change there: one of them or both."""
    changes: Drawn = {"unsafe": {path: unsafe}, "safe": {path: safe}}
    written = pick.choice((unsafe, safe))
    if pick.chance(60):
        changes["unsafe" if written == unsafe else "safe"] = {}
    return written, changes


def clock(pick: Draw) -> datetime:
    """A moment in working hours of 2026, in a European zone."""
    day, zone = pick.day(date(2026, 2, 2), date(2026, 10, 30)), timezone(timedelta(hours=pick.integer(0, 2)))
    return datetime(day.year, day.month, day.day, pick.integer(8, 16), pick.integer(0, 59), tzinfo=zone)


def cents(pick: Draw, low: int, high: int) -> Decimal:
    """An amount, to the cent or in whole tens."""
    return pick.decimal(f"{low}", f"{high}", "0.01") if pick.chance() else Decimal(pick.integer(low, high, 10))


def sentences(pick: Draw, plain: str, told: str) -> Written:
    """A text that does without a fact, or tells it in a second place as well."""
    return [plain, told] if pick.chance() else plain


def finished(drawn: Drawn, changes: Drawn, note: str, critical: Sequence[str], violated: str) -> Drawn:
    """The instance with its difference, what makes the case, its critical atoms, and what the unsafe twin breaks."""
    return {**drawn, **changes, "note": note, "critical": [*critical], "violates": {"unsafe": [violated]}}
