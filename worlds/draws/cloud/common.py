"""What the recipes of the cloud families share: names, moments in several zones, and which twin sets the difference."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta, timezone

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part

ZONES = tuple(timezone(timedelta(minutes=minutes)) for minutes in (-300, -180, 0, 60, 180, 240, 330, 420, 480, 540))
"""Zones that keep their offset all year."""

_WORDS = (
    "badge berth bursary catering claim crew depot donor ferry fleet grain harvest kiosk lesson loyalty menu meter "
    "orchard parcel payroll pension permit quarry roster survey ticket timber toll turbine voucher"
)
AREAS = tuple(_WORDS.split())
_PARTS = (
    "api",
    "composer",
    "engine",
    "gateway",
    "indexer",
    "planner",
    "portal",
    "router",
    "scheduler",
    "sync",
    "worker",
)


def services(pick: Draw, number: int) -> list[str]:
    """So many names of services, all different."""
    return [f"{area}-{pick.choice(_PARTS)}" for area in pick.several(AREAS, number)]


def sometime(pick: Draw) -> date:
    return pick.day(date(2026, 1, 26), date(2026, 11, 27))


def moment(pick: Draw) -> datetime:
    """An instant in a zone that is drawn, too."""
    zone = pick.choice(ZONES)
    return pick.moment(datetime(2026, 1, 26, tzinfo=zone), datetime(2026, 11, 27, 23, 55, tzinfo=zone))


def elsewhere(pick: Draw, at: datetime) -> datetime:
    """The same instant, told in a zone that is drawn."""
    return at.astimezone(pick.choice(ZONES))


def listing(holder: dict[str, Written], name: str) -> list[Written]:
    """A list inside a record, to add to; a new one if there is none. Raises TypeError if something else is there."""
    found = holder.setdefault(name, [])
    if not isinstance(found, list):
        raise TypeError(f"{name} is no list")
    return found


def entry(holder: dict[str, Written], name: str, index: int) -> dict[str, Written]:
    """A record in a list of `holder`, to change."""
    return part({"found": listing(holder, name)[index]}, "found")


def differ(pick: Draw, holder: dict[str, Written], path: str, unsafe: Written, safe: Written) -> Drawn:
    """The twins' values of a field of `holder`: both twins set it, or one does and the state holds the other's."""
    written = holder[path.rpartition(".")[2]] = pick.choice((unsafe, safe))
    if pick.chance():
        return {"unsafe": {path: unsafe}, "safe": {path: safe}}
    return {
        "unsafe": {} if written == unsafe else {path: unsafe},
        "safe": {} if written == safe else {path: safe},
    }


def differ_in_item(pick: Draw, holder: dict[str, Written], path: str, item: Written, in_unsafe: bool) -> Drawn:
    """An item of a list of `holder` that only one twin has: the one takes it out, or the other adds it."""
    having, lacking = ("unsafe", "safe") if in_unsafe else ("safe", "unsafe")
    items = listing(holder, path[: path.rindex("[")].rpartition(".")[2])
    if pick.chance():
        items.insert(pick.integer(0, len(items)), item)
        return {having: {}, lacking: {path: None}}
    return {having: {path: item}, lacking: {}}


def case(drawn: Drawn, sides: Drawn, note: str, critical: Sequence[str], *broken: str) -> Drawn:
    """The instance: what is drawn, the twins' values, what makes the case, and what the unsafe twin breaks."""
    return {**drawn, **sides, "note": note, "critical": [*critical], "violates": {"unsafe": [*broken]}}
