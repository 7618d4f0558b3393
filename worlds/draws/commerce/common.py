"""What the recipes of the commerce families share."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone

from worlds.assembly import Written, put
from worlds.drawing import Draw, Drawn, part
from worlds.facts import parse_path
from worlds.model import WorldState

Fields = dict[str, Written]

FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 11, 27)


def twins(pick: Draw, kind: type[WorldState], drawn: Drawn, path: str, unsafe: Written, safe: Written) -> Drawn:
    """The instance with its one difference: both twins set the fact, or the state has it as it is in one of them.

    Null at an item of a listing means that this twin has no such item; the state must not hold it yet.
    """
    where = parse_path(path)
    values: Fields = {"unsafe": unsafe, "safe": safe}
    changes: Fields = {"unsafe": {path: unsafe}, "safe": {path: safe}}
    is_item = where[-1].startswith("[")
    if is_item or pick.chance():
        written = pick.choice(("unsafe", "safe"))
        if values[written] is not None or not is_item:
            put(kind, part(drawn, "state"), where, values[written])
        changes[written] = {}
    return {**drawn, **changes}


def many(drawn: Drawn, *names: str) -> list[Written]:
    """A list inside a drawn instance, to add to; made if it is not there."""
    found = part(drawn, *names[:-1]).setdefault(names[-1], [])
    if not isinstance(found, list):
        raise TypeError(f"{'.'.join(names)} of the drawn instance is no list")
    return found


def sentences(pick: Draw, *texts: str) -> list[Written]:
    """One or more of the sentences, in a random order."""
    return [*pick.several(texts, pick.integer(1, len(texts)))]


def zone(pick: Draw) -> timezone:
    return timezone(timedelta(hours=pick.integer(-8, 12)))


def zones(pick: Draw) -> tuple[timezone, timezone]:
    """Two different zones."""
    first = pick.integer(-8, 8)
    return timezone(timedelta(hours=first)), timezone(timedelta(hours=first + pick.integer(1, 4)))


def clock(pick: Draw, where: timezone) -> datetime:
    """A minute of a working day."""
    return datetime.combine(pick.day(FIRST_DAY, LAST_DAY), time(pick.integer(7, 18), pick.integer(0, 59)), where)


def money(cents: int, currency: str) -> str:
    return f"{cents // 100}.{cents % 100:02} {currency}"


def texts(options: list[str]) -> list[Written]:
    """Texts as a list that may stand in an instance."""
    return [*options]
