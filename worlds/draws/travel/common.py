"""What the recipes of the travel families share: places with their clocks, slots, and the twins' difference."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

from worlds.assembly import Written, put
from worlds.drawing import Draw, Drawn, part
from worlds.facts import parse_path
from worlds.model import WorldState

FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2027, 6, 25)

CITIES: tuple[tuple[str, float], ...] = (
    ("Accra", 0),
    ("Dakar", 0),
    ("Lagos", 1),
    ("Tunis", 1),
    ("Johannesburg", 2),
    ("Lusaka", 2),
    ("Nairobi", 3),
    ("Istanbul", 3),
    ("Doha", 3),
    ("Muscat", 4),
    ("Tbilisi", 4),
    ("Tashkent", 5),
    ("Mumbai", 5.5),
    ("Colombo", 5.5),
    ("Kathmandu", 5.75),
    ("Bangkok", 7),
    ("Jakarta", 7),
    ("Perth", 8),
    ("Taipei", 8),
    ("Manila", 8),
    ("Osaka", 9),
    ("Seoul", 9),
    ("Brisbane", 10),
    ("Phoenix", -7),
    ("Guatemala City", -6),
    ("Lima", -5),
    ("Bogota", -5),
    ("La Paz", -4),
    ("San Juan", -4),
    ("Recife", -3),
    ("Montevideo", -3),
)
"""Places whose clocks stand the same all year, with their hours from UTC."""


def zone(hours: float) -> timezone:
    return timezone(timedelta(hours=hours))


def local(moment: datetime, hours: float) -> str:
    """The moment as it is written in a zone."""
    return moment.astimezone(zone(hours)).isoformat()


def later(day: date, days: int) -> str:
    return (day + timedelta(days=days)).isoformat()


def slot(path: str) -> str:
    return f"{{{path}}}"


def flight_number(pick: Draw, code: str) -> str:
    return pick.identifier(f"{code} {pick.integer(1, 9)}###")


def said(pick: Draw, *sentences: str) -> list[Written]:
    """Some of the sentences, in their order; possibly none."""
    return [sentence for sentence in sentences if pick.chance(60)]


def differ(
    pick: Draw, state: type[WorldState], drawn: Drawn, path: str, unsafe: Written, safe: Written
) -> dict[str, Written]:
    """Lets the twins differ at a path: both set it, or one keeps what the state says.

    Null is an item of a listing that is not there. Returns the drawn instance, for the case to complete.
    """
    sides: dict[str, Written] = {"unsafe": {path: unsafe}, "safe": {path: safe}}
    kept = pick.choice(("unsafe", "safe") if None in (unsafe, safe) else ("", "", "unsafe", "safe"))
    if kept:
        value = unsafe if kept == "unsafe" else safe
        sides[kept] = {}
        if value is not None:
            put(state, part(drawn, "state"), parse_path(path), value)
    drawn.update(sides)
    return drawn
