"""The owner's calendars: entries that repeat, in their zones, with guests who are told, and who sees what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pydantic import JsonValue

from worlds.episode import CallKind
from worlds.town.calendar_arguments import (
    AnsweringInvitation,
    Creating,
    Deleting,
    FindingEvents,
    Inviting,
    ListingEvents,
    OneEvent,
    Uninviting,
    Updating,
    day_of,
    guests_of,
    repeats_of,
    time_of,
    zone_of,
)
from worlds.town.entries import (
    DAY,
    SCOPES,
    Entry,
    Occurrence,
    is_empty,
    moved,
    next_one,
    occurrences,
    on_day,
    parted,
    plain,
)
from worlds.town.invitations import Invitations
from worlds.town.place import Answered, NoArguments, Place, Refusal, Tool, clock
from worlds.town.written import EventEffect

if TYPE_CHECKING:
    from worlds.town.town import Town

ANSWERS = ("accepted", "declined", "tentative")
LONGEST = timedelta(days=366)
"""So long an event may last, and so many days are listed at once."""


class CalendarPlace(Place):
    """The owner's calendars."""

    server = "calendar"
    about = "The owner's calendars: events, guests, invitations."

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        household = town.world.household
        self.home = household.zone
        self.calendars = {calendar.id: calendar for calendar in household.calendars}
        self.entries = {event.id: Entry.of(event) for event in household.events}
        self.invitations = Invitations(town)

    def tools(self) -> tuple[Tool, ...]:
        commits = CallKind.COMMIT
        return (
            Tool("list_calendars", "The owner's calendars, and who sees them.", NoArguments, self.list_calendars),
            Tool("list_events", "What takes place on some days, in order.", ListingEvents, self.list_events),
            Tool("view_event", "Everything about an event.", OneEvent, self.view_event),
            Tool("find_events", "Events that hold all the words.", FindingEvents, self.find_events),
            Tool("create_event", "Enter an event; its guests are invited.", Creating, self.create_event, commits),
            Tool("update_event", "Change an event; its guests are told.", Updating, self.update_event, commits),
            Tool("delete_event", "Delete an event; its guests, or its organiser, are told.", Deleting,
                 self.delete_event, commits),
            Tool("answer_invitation", "Tell an event's organiser whether the owner comes.", AnsweringInvitation,
                 self.answer_invitation, commits),
            Tool("invite", "Invite guests to an event.", Inviting, self.invite, commits),
            Tool("uninvite", "Take guests off an event; they are told.", Uninviting, self.uninvite, commits),
        )  # fmt: skip

    # --- reads

    def list_calendars(self, asked: NoArguments) -> Answered:
        return {"calendars": [{"id": c.id, "name": c.name, "shared_with": list(c.shared_with)}
                              for c in self.calendars.values()]}  # fmt: skip

    def list_events(self, asked: ListingEvents) -> Answered:
        first, last = day_of(asked.first_day, "first_day"), day_of(asked.last_day, "last_day")
        if not first <= last <= first + LONGEST:
            raise Refusal(f"last_day: {last} is before {first}, or more than a year after it")
        self._calendar(asked.calendar)
        begin, end = (datetime(day.year, day.month, day.day) for day in (first, last + DAY))
        found = [
            one for entry in self.entries.values() if asked.calendar in ("", entry.calendar)
            for one in occurrences(entry, begin, end, self.home)
        ]  # fmt: skip
        found.sort(key=lambda one: (one.start, one.end, one.entry.id))
        return {"zone": self.home, "events": [self._brief(one) for one in found]}

    def view_event(self, asked: OneEvent) -> Answered:
        entry = self._entry(asked.event)
        unasked: list[JsonValue] = [guest for guest in entry.guests if guest not in entry.told]
        shown = {name: value for name, value in self.invitations.shown(entry).items() if value not in ("", [])}
        more: Answered = {"answer": entry.answer, "created_by": entry.created_by, "not_invited_yet": unasked,
                          "left_out": [str(day) for day in sorted(entry.skipped)]}  # fmt: skip
        coming = next_one(entry, self.town.now, self.home) if entry.repeats else None
        if coming:
            more["next"] = self._brief(coming)
        return {**shown, **{name: value for name, value in more.items() if value not in ("", [])}}

    def find_events(self, asked: FindingEvents) -> Answered:
        found: list[JsonValue] = []
        for entry in self.entries.values():
            fields = (entry.title, entry.where, entry.notes, entry.organiser, *entry.guests)
            one = next_one(entry, self.town.now, self.home) if self.town.finds(asked.text, fields) else None
            if one:
                found.append(self._brief(one))
        return {"events": found}

    # --- acts

    def create_event(self, asked: Creating) -> Answered:
        self._calendar(asked.calendar or "personal")
        guests, zone, repeats = guests_of(asked.guests), zone_of(asked.zone), repeats_of(asked.repeats)
        start = time_of(asked.start, "start")
        end = time_of(asked.end, "end") if asked.end else start + timedelta(hours=1)
        until = day_of(asked.until, "until") if asked.until else None
        if until and not repeats:
            raise Refusal("until: the event does not repeat")
        if until and until < start.date():
            raise Refusal(f"until: {until} is before the event's start")
        _check_times(start, end)
        entry = Entry(
            self.town.new_id("e", self.entries), asked.calendar or "personal", asked.title, start, end, zone,
            asked.where, asked.notes, guests=guests, repeats=repeats, until=until,
        )  # fmt: skip
        self.record("event_created", **self.invitations.shown(entry))
        self.entries[entry.id] = told = self.invitations.invite(entry, guests)
        return {"event": entry.id, **self._where_it_is(entry), "invited": _names(told.told)}

    def update_event(self, asked: Updating) -> Answered:
        entry = self._own(asked.event)
        scope, occurrence = self._scope(entry, asked.scope, asked.occurrence)
        rest, part = parted(entry, scope, occurrence.local)
        changed = self._changed(part, asked, occurrence if asked.occurrence else None)
        if changed == part:
            raise Refusal("nothing would change")
        if rest is not None:
            changed = replace(changed, id=self.town.new_id("e", self.entries))
            self.entries[entry.id] = rest
        self.entries[changed.id] = changed
        day = str(occurrence.start.date()) if scope != "all" else ""
        before = self.invitations.shown(part)
        self.record("event_changed", **{**self.invitations.shown(changed), "event": entry.id}, entry=changed.id,
                    scope=scope, occurrence=day, before=before)  # fmt: skip
        told = self.invitations.update(changed, scope, day)
        return {"event": changed.id, **self._where_it_is(changed), "told": _names(told)}

    def delete_event(self, asked: Deleting) -> Answered:
        entry = self._entry(asked.event)
        scope, occurrence = self._scope(entry, asked.scope, asked.occurrence)
        rest, part = parted(entry, scope, occurrence.local)
        del self.entries[entry.id]
        if rest is not None:
            self.entries[entry.id] = rest
        scope = "all" if rest is None else scope
        day = str(occurrence.start.date()) if scope != "all" else ""
        self.record("event_deleted", **self.invitations.shown(part), scope=scope, occurrence=day)
        if self.invitations.is_own(entry):
            told = _names(self.invitations.cancel(part, part.guests, scope, day))
        elif entry.answer != "declined":
            self.invitations.answer(part, "declined", "", scope, day)
            told = [entry.organiser]
        else:
            told = []
        return {"deleted": entry.id, "scope": scope, "told": told}

    def answer_invitation(self, asked: AnsweringInvitation) -> Answered:
        entry = self._entry(asked.event)
        if asked.answer not in ANSWERS:
            raise Refusal(f"answer: it is {', '.join(ANSWERS)}, not {asked.answer!r}")
        if self.invitations.is_own(entry):
            raise Refusal(f"event {entry.id} is the owner's own; there is no invitation to answer")
        if entry.answer == asked.answer:
            raise Refusal(f"event {entry.id} is {asked.answer} already")
        self.entries[entry.id] = replace(entry, answer=asked.answer)
        self.invitations.answer(entry, asked.answer, asked.comment, "all", "")
        return {"event": entry.id, "answer": asked.answer, "told": [entry.organiser]}

    def invite(self, asked: Inviting) -> Answered:
        entry = self._own(asked.event)
        guests = guests_of(asked.guests) or tuple(guest for guest in entry.guests if guest not in entry.told)
        known = [guest for guest in guests if guest in entry.told]
        if known:
            raise Refusal(f"guests: already invited: {', '.join(known)}")
        if not guests:
            raise Refusal("guests: all guests have been invited already")
        more = replace(entry, guests=tuple(dict.fromkeys((*entry.guests, *guests))))
        self.record("event_changed", **self.invitations.shown(more), entry=entry.id, scope="all", occurrence="",
                    before=self.invitations.shown(entry))  # fmt: skip
        self.entries[entry.id] = told = self.invitations.invite(more, guests)
        return {"event": entry.id, "invited": _names(told.told - entry.told)}

    def uninvite(self, asked: Uninviting) -> Answered:
        entry = self._own(asked.event)
        strangers = [guest for guest in asked.guests if guest not in entry.guests]
        if strangers or not asked.guests:
            raise Refusal(f"guests: {', '.join(strangers) or 'nobody'} is not among them: {', '.join(entry.guests)}")
        kept = tuple(guest for guest in entry.guests if guest not in asked.guests)
        fewer = replace(entry, guests=kept, told=entry.told - set(asked.guests))
        self.entries[entry.id] = fewer
        self.record("event_changed", **self.invitations.shown(fewer), entry=entry.id, scope="all", occurrence="",
                    before=self.invitations.shown(entry))  # fmt: skip
        told = self.invitations.cancel(entry, asked.guests, "all", "")
        return {"event": entry.id, "told": _names(told)}

    # --- what the town does here

    def arrived(self, event: EventEffect) -> None:
        """Someone invites the owner, or an entry appears."""
        answer = "open" if event.organiser and not self.invitations.is_owner(event.organiser) else ""
        guests = plain(event.guests)
        created_by = event.organiser or ("" if self.town.by == "world" else self.town.by)
        entry = Entry(
            self.town.new_id("e", self.entries), event.calendar, event.title, event.start, event.end, "", event.where,
            event.notes, event.organiser, guests, frozenset(guests), created_by, answer=answer,
        )  # fmt: skip
        self.entries[entry.id] = entry
        self.record("event_arrived", **self.invitations.shown(entry), answer=answer)

    # --- inside

    def _changed(self, entry: Entry, asked: Updating, occurrence: Occurrence | None) -> Entry:
        """An entry with what is asked for. For a whole series, new times are those of the named occurrence, if one is
        named, and move all alike."""
        if asked.calendar is not None:
            self._calendar(asked.calendar or "personal")
        zone = entry.zone if asked.zone is None else zone_of(asked.zone)
        given = {name: getattr(asked, name) for name in ("title", "where", "notes", "calendar")}
        changed = replace(entry, zone=zone, **{name: value for name, value in given.items() if value is not None})
        offset = occurrence.local - entry.start if occurrence else timedelta()
        start = entry.start + offset if asked.start is None else time_of(asked.start, "start")
        end = start + entry.lasts if asked.end is None else time_of(asked.end, "end")
        _check_times(start, end)
        changed = moved(changed, start - offset, end - offset)
        if is_empty(changed):
            raise Refusal("the event would take place on no day at all")
        return changed

    def _scope(self, entry: Entry, scope: str, occurrence: str) -> tuple[str, Occurrence]:
        """Which part of an entry is meant, and where it begins. Raises Refusal."""
        if scope not in ("", *SCOPES):
            raise Refusal(f"scope: it is {', '.join(SCOPES)}, not {scope!r}")
        if entry.repeats and not scope:
            raise Refusal(f"scope: event {entry.id} repeats {entry.repeats}; it takes {', '.join(SCOPES)}")
        if entry.repeats and scope != "all" and not occurrence:
            raise Refusal(f"occurrence: {scope} takes the day of an occurrence")
        if occurrence:
            day = day_of(occurrence, "occurrence")
            found = on_day(entry, day, self.home)
            if found is None:
                raise Refusal(f"occurrence: event {entry.id} does not take place on {day}")
        else:
            found = Occurrence(entry, entry.start, entry.start, entry.end)
        return (scope if entry.repeats else "all"), found

    def _brief(self, one: Occurrence) -> Answered:
        entry = one.entry
        brief: Answered = {
            "id": entry.id, "calendar": entry.calendar, "title": entry.title, "start": clock(one.start),
            "end": clock(one.end), "where": entry.where, "organiser": entry.organiser, "answer": entry.answer,
        }  # fmt: skip
        if entry.repeats:
            brief |= {"repeats": entry.repeats, "occurrence": str(one.start.date())}
        if entry.zone:
            there = {"start": clock(one.local), "end": clock(one.local + entry.lasts)}
            brief |= {"zone": entry.zone, "local": f"{there['start']} to {there['end']}"}
        return {name: value for name, value in brief.items() if value != ""}

    def _where_it_is(self, entry: Entry) -> Answered:
        shown = self.invitations.shown(entry)
        return {name: shown[name] for name in ("calendar", "start", "end", "shared_with")}

    def _calendar(self, name: str) -> None:
        if name and name not in self.calendars:
            raise Refusal(f"there is no calendar {name!r}; there is {', '.join(self.calendars)}")

    def _entry(self, name: str) -> Entry:
        if name not in self.entries:
            raise Refusal(f"there is no event {name!r}")
        return self.entries[name]

    def _own(self, name: str) -> Entry:
        entry = self._entry(name)
        if not self.invitations.is_own(entry):
            raise Refusal(f"event {name} is organised by {entry.organiser}; only the organiser can change it")
        return entry


def _names(told: Iterable[str]) -> list[JsonValue]:
    return [*sorted(told)]


def _check_times(start: datetime, end: datetime) -> None:
    if not start < end <= start + LONGEST:
        raise Refusal(f"end: {clock(end)} is not after {clock(start)}, or more than a year after it")
