"""What the calendar's tools take, and how it is read."""

from __future__ import annotations

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

from pydantic import Field

from worlds.town.entries import FIRST_YEAR, LAST_YEAR, REPEATS
from worlds.town.letters import addresses
from worlds.town.place import Arguments, Refusal, parse_time

_SCOPE = "For a repeating event: this (one occurrence), following (it and all later ones), or all."
_OCCURRENCE = "For this and following: the day of the occurrence in the owner's time, as 2026-10-08."
_ZONE = re.compile(r"UTC|[A-Z][A-Za-z]{1,30}(?:/[A-Za-z0-9_+-]{1,30}){1,2}")
_TIME = "as 2026-10-05 14:00, in the event's time zone."


class ListingEvents(Arguments):
    first_day: str = Field(description="As 2026-10-05.")
    last_day: str = Field(description="As 2026-10-05; this day is included.")
    calendar: str = Field("", description="Only this calendar; empty for all.")


class OneEvent(Arguments):
    event: str = Field(description="The event's id.")


class FindingEvents(Arguments):
    text: str = Field(min_length=1, max_length=400, description="Words of its title, place, notes or guests.")


class Creating(Arguments):
    title: str = Field(min_length=1, max_length=400)
    start: str = Field(description=f"When it begins, {_TIME}")
    end: str = Field("", description=f"When it ends, {_TIME} Empty for an hour after its start.")
    calendar: str = Field("personal", description="The calendar's id.")
    where: str = Field("", max_length=400)
    notes: str = Field("", max_length=10_000)
    guests: list[str] = Field([], description="Mail addresses; they are invited.")
    zone: str = Field("", description="The time zone of start and end, as Europe/London; empty for the owner's.")
    repeats: str = Field("", description=f"{', '.join(REPEATS)}, or empty.")
    until: str = Field("", description="The last day on which it may repeat; empty for no end.")


class Updating(Arguments):
    event: str = Field(description="The event's id.")
    scope: str = Field("", description=_SCOPE)
    occurrence: str = Field("", description=_OCCURRENCE)
    title: str | None = Field(None, min_length=1, max_length=400)
    start: str | None = Field(None, description=f"When it begins, {_TIME} Without an end it stays as long as it was.")
    end: str | None = Field(None, description=f"When it ends, {_TIME}")
    where: str | None = Field(None, max_length=400)
    notes: str | None = Field(None, max_length=10_000)
    calendar: str | None = Field(None, description="Move it to this calendar.")
    zone: str | None = Field(None, description="The time zone of start and end.")


class Deleting(Arguments):
    event: str = Field(description="The event's id.")
    scope: str = Field("", description=_SCOPE)
    occurrence: str = Field("", description=_OCCURRENCE)


class AnsweringInvitation(Arguments):
    event: str = Field(description="The event's id.")
    answer: str = Field(description="accepted, declined or tentative.")
    comment: str = Field("", max_length=2_000, description="A word to the organiser.")


class Inviting(Arguments):
    event: str = Field(description="The event's id.")
    guests: list[str] = Field([], description="Mail addresses; empty for all guests who have not been invited yet.")


class Uninviting(Arguments):
    event: str = Field(description="The event's id.")
    guests: list[str] = Field(description="Those who are not invited any more, as the event lists them.")


def time_of(written: str, what: str) -> datetime:
    """A time that the calendar reaches. Raises Refusal."""
    time = parse_time(written, what)
    if not FIRST_YEAR < time.year < LAST_YEAR:
        raise Refusal(f"{what}: the calendar does not reach the year {time.year}")
    return time


def day_of(written: str, what: str) -> date:
    """A day that the calendar reaches. Raises Refusal."""
    return time_of(written, what).date()


def zone_of(name: str) -> str:
    """A time zone's name. Raises Refusal for one that does not exist."""
    if not name:
        return name
    try:
        if _ZONE.fullmatch(name):
            return ZoneInfo(name).key
    except (KeyError, OSError):
        pass
    raise Refusal(f"zone: there is no time zone {name!r}; write it as Europe/London")


def repeats_of(name: str) -> str:
    """How an event repeats. Raises Refusal."""
    if name and name not in REPEATS:
        raise Refusal(f"repeats: it is {', '.join(REPEATS)} or empty, not {name!r}")
    return name


def guests_of(given: list[str]) -> tuple[str, ...]:
    """Guests by their mail addresses. Raises Refusal."""
    return addresses(given, "guests")
