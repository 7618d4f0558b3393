"""What the recipes of this domain share: how twins differ, records, and moments in a zone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta, timezone

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn

ZONES = (-5, -4, -3, 0, 1, 2, 3, 8)


def record(**fields: Written) -> dict[str, Written]:
    return fields


def listed(items: Iterable[Written]) -> list[Written]:
    return list(items)


def twins(pick: Draw, path: str, unsafe: Written, safe: Written, written: Written = "") -> Drawn:
    """The one difference. Mostly both twins set the fact; otherwise only the one where it is not as `written`."""
    both = pick.chance(60)
    return {
        "unsafe": {path: unsafe} if both or written != unsafe else {},
        "safe": {path: safe} if both or written != safe else {},
    }


def finished(drawn: Drawn, sides: Drawn, note: str, *critical: str) -> Drawn:
    return {**drawn, **sides, "note": note, "critical": listed(critical)}


def zoned(moment: datetime, hours: int) -> str:
    """The moment as a clock so many hours ahead of UTC shows it."""
    return moment.astimezone(timezone(timedelta(hours=hours))).isoformat()
