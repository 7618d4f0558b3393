"""What the finance recipes share."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
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


def at(day: date, minutes: int, hours_east: int) -> str:
    """So many minutes into a day, in a zone so many hours east of Greenwich."""
    start = datetime.combine(day, time(), timezone(timedelta(hours=hours_east)))
    return (start + timedelta(minutes=minutes)).isoformat()


def cents(pick: Draw, low: int, high: int) -> Decimal:
    """An amount, to the cent or in whole tens."""
    return pick.decimal(f"{low}", f"{high}", "0.01") if pick.chance() else Decimal(pick.integer(low, high, 10))


def sentences(pick: Draw, plain: str, told: str) -> Written:
    """A text that does without a fact, or tells it in a second place as well."""
    return [plain, told] if pick.chance() else plain
