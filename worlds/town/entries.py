"""Calendar entries: when their occurrences are, in whose time, and how a series is parted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from worlds.town.letters import is_address
from worlds.town.written import Event

DAY = timedelta(days=1)
STEPS = {"weekly": 7, "biweekly": 14}
"""Days between occurrences; `monthly` is the same day of each month that has it."""
REPEATS = ("weekly", "biweekly", "monthly")
FIRST_YEAR, LAST_YEAR = 1970, 2100
SCOPES = ("this", "following", "all")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a calendar. `start` and `end` are in `zone`, or in the owner's time without one. `told`: the guests
    who have been told of it. `skipped`: the days, in its zone, on which a series does not take place."""

    id: str
    calendar: str
    title: str
    start: datetime
    end: datetime
    zone: str = ""
    where: str = ""
    notes: str = ""
    organiser: str = ""
    guests: tuple[str, ...] = ()
    told: frozenset[str] = frozenset()
    created_by: str = ""
    repeats: str = ""
    until: date | None = None
    answer: str = ""
    skipped: frozenset[date] = frozenset()

    @classmethod
    def of(cls, event: Event) -> Entry:
        """An entry that is there at the start."""
        guests = plain(event.guests)
        return cls(
            event.id, event.calendar, event.title, event.start, event.end, event.zone, event.where, event.notes,
            event.organiser, guests, frozenset(guests) if event.invited else frozenset(), event.created_by,
            event.repeats, event.until.date() if event.until else None, event.answer,
        )  # fmt: skip

    @property
    def lasts(self) -> timedelta:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time that an entry takes place: `local` is its start in the entry's zone, the others in the owner's time."""

    entry: Entry
    local: datetime
    start: datetime
    end: datetime


def plain(guests: Iterable[str]) -> tuple[str, ...]:
    """Guests each once, mail addresses in lower case."""
    return tuple(dict.fromkeys(guest.casefold() if is_address(guest) else guest for guest in guests))


def starts(entry: Entry, first: datetime, last: datetime) -> Iterator[datetime]:
    """The starts from `first` to `last`, in the entry's zone, in order."""
    for start in _raster(entry, first, last):
        over = entry.until is not None and start.date() > entry.until
        if over or start > last:
            return
        if start >= first and start.date() not in entry.skipped:
            yield start


def _raster(entry: Entry, first: datetime, last: datetime) -> Iterator[datetime]:
    if not entry.repeats:
        yield entry.start
    elif entry.repeats == "monthly":
        month = entry.start.year * 12 + entry.start.month - 1
        for number in range(month, last.year * 12 + last.month):
            start = _on_day(entry.start, number)
            if start is not None:
                yield start
    else:
        step = timedelta(days=STEPS[entry.repeats])
        start = entry.start + step * max(0, (first - entry.start) // step)
        while start <= last:
            yield start
            start += step


def _on_day(start: datetime, month: int) -> datetime | None:
    try:
        return start.replace(year=month // 12, month=month % 12 + 1)
    except ValueError:
        return None


def occurrences(entry: Entry, first: datetime, last: datetime, home: str) -> Iterator[Occurrence]:
    """The occurrences that touch the time from `first` until `last`, both in the owner's zone `home`."""
    for local in starts(entry, first - entry.lasts - 2 * DAY, last + 2 * DAY):
        start, end = (in_zone(time, entry.zone, home) for time in (local, local + entry.lasts))
        if start < last and (end > first or start >= first):
            yield Occurrence(entry, local, start, end)


def on_day(entry: Entry, day: date, home: str) -> Occurrence | None:
    """The occurrence that begins on this day, in the owner's time."""
    midnight = datetime(day.year, day.month, day.day)
    there = occurrences(entry, midnight, midnight + DAY, home)
    return next((one for one in there if one.start.date() == day), None)


def next_one(entry: Entry, after: datetime, home: str) -> Occurrence | None:
    """The first occurrence that is not over, or the last one there was within a year if all are."""
    coming = occurrences(entry, after, min(after + 400 * DAY, datetime(LAST_YEAR, 12, 1)), home)
    first = next(islice(coming, 1), None)
    if first is not None:
        return first
    past = list(occurrences(entry, min(entry.start, after) - DAY, after, home))
    return past[-1] if past else None


def is_empty(entry: Entry) -> bool:
    """Whether an entry never takes place."""
    return next(starts(entry, entry.start, datetime(LAST_YEAR, 12, 31)), None) is None


def in_zone(time: datetime, zone: str, wanted: str) -> datetime:
    """A time of one zone in another; without `zone` it is in the wanted one already."""
    if not zone or zone == wanted:
        return time
    return time.replace(tzinfo=ZoneInfo(zone)).astimezone(ZoneInfo(wanted)).replace(tzinfo=None)


def parted(entry: Entry, scope: str, local: datetime) -> tuple[Entry | None, Entry]:
    """An entry without the part that begins at `local` and reaches as far as `scope` says, and that part.

    Nothing is left of an entry that does not take place any more.
    """
    if scope == "all" or not entry.repeats:
        return None, entry
    end = local + entry.lasts
    if scope == "this":
        part = replace(entry, start=local, end=end, repeats="", until=None, skipped=frozenset())
        rest = replace(entry, skipped=entry.skipped | {local.date()})
    else:
        later = frozenset(day for day in entry.skipped if day >= local.date())
        part = replace(entry, start=local, end=end, skipped=later)
        rest = replace(entry, until=local.date() - DAY)
    return (None if is_empty(rest) else rest), part


def moved(entry: Entry, start: datetime, end: datetime) -> Entry:
    """An entry at another time; the days on which a series does not take place move with it."""
    days = start.date() - entry.start.date()
    skipped = frozenset(day + days for day in entry.skipped)
    until = entry.until + days if entry.until else None
    return replace(entry, start=start, end=end, skipped=skipped, until=until)
