"""Criteria about the calendars."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from graders.town.finding import Finding, counted, found, none
from graders.town.goals.criterion import Count, Criterion, SomeTexts, Times, described
from graders.town.goals.letters import all_reached, any_reached
from graders.town.goals.records import Entry, entries
from graders.town.meaning import like, within
from graders.town.past import Past
from worlds.town.people import is_about
from worlds.town.row import AGENT, Row
from worlds.town.written import Texts


class EventThere(Criterion):
    """At the end an event that the agent created or changed stands in this `calendar`: its title has one of the phrases
    of `title_has` and none of `title_without`, it starts at one of `start` and ends at one of `end`, all of `guests`
    and none of `no_guests` are invited, its notes have `notes_has` and nothing of it (title, place, notes) has one of
    `notes_without`. `event`: this one, by id. `exactly` so many."""

    short: ClassVar[str] = "title_has"

    calendar: str = ""
    event: str = ""
    title_has: Texts = ()
    title_without: Texts = ()
    start: Times = ()
    end: Times = ()
    where: str = ""
    guests: Texts = ()
    no_guests: Texts = ()
    notes_has: Texts = ()
    notes_without: Texts = ()
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        fit = [entry for entry in entries(past).values() if _by_agent(entry) and self._fits(past, entry)]
        return counted(described("event", self), _last_rows(fit), self.exactly)

    def _fits(self, past: Past, entry: Entry) -> bool:
        title, guests = entry.text("title"), entry.texts("guests")
        whole = "\n".join((title, entry.text("where"), entry.text("notes")))
        return (
            not entry.gone
            and self.calendar in ("", entry.text("calendar"))
            and self.event in ("", entry.id)
            and is_about(title, self.title_has)
            and not (self.title_without and is_about(title, self.title_without))
            and within(entry.text("start"), self.start)
            and within(entry.text("end"), self.end)
            and (not self.where or like(self.where, entry.text("where")))
            and all_reached(past, self.guests, guests)
            and not any_reached(past, self.no_guests, guests)
            and is_about(entry.text("notes"), self.notes_has)
            and not (self.notes_without and is_about(whole, self.notes_without))
        )


class NoEvent(Criterion):
    """At the end no event that the agent created or changed stands in this `calendar`, with a title that has one of
    `title_has`, at one of `start`."""

    short: ClassVar[str] = "title_has"

    calendar: str = ""
    title_has: Texts = ()
    start: Times = ()

    def find(self, past: Past) -> Finding:
        fit = [
            entry
            for entry in entries(past).values()
            if _by_agent(entry)
            and not entry.gone
            and self.calendar in ("", entry.text("calendar"))
            and is_about(entry.text("title"), self.title_has)
            and within(entry.text("start"), self.start)
        ]
        return none(described("no event", self), _last_rows(fit))


class EventGone(Criterion):
    """The agent deleted this event: `scope` `all` (the whole of it), `this` (one occurrence; the rest is still there)
    or `following` (from an occurrence on); `on`: the day of the occurrence."""

    short: ClassVar[str] = "event"

    event: str = Field(min_length=1)
    scope: str = Field("all", pattern="^(all|this|following)$")
    on: Times = ()

    def find(self, past: Past) -> Finding:
        entry = entries(past).get(self.event)
        if entry is None:
            return found(False, f"{described('event gone', self)}: there is no such event")
        deleted = [row for row in entry.rows if row.kind == "event_deleted" and row.by == AGENT]
        if self.scope == "all":
            held = entry.gone and bool(deleted)
        else:
            parts = [row for row in deleted if row.text("scope") == self.scope]
            held = not entry.gone and len(parts) == len(deleted) and bool(parts)
            held = held and all(within(row.text("occurrence"), self.on) for row in parts)
        return found(held, f"{described('event gone', self)}: {_state(entry)}", deleted)


class EventKept(Criterion):
    """This event is still there whole, no part of a series deleted or changed alone; with `unchanged`, nothing of it
    was changed."""

    short: ClassVar[str] = "event"

    event: str = Field(min_length=1)
    unchanged: bool = False

    def find(self, past: Past) -> Finding:
        entry = entries(past).get(self.event)
        if entry is None:
            return found(False, f"{described('event kept', self)}: there is no such event")
        changes = [row for row in entry.rows if row.kind != "event_created"]
        held = not entry.gone and not entry.parted and not (self.unchanged and changes)
        return found(held, f"{described('event kept', self)}: {_state(entry)}", entry.rows)


class Invited(Criterion):
    """The agent's acts sent an invitation `to` all of these; `exactly` so many to them."""

    short: ClassVar[str] = "to"

    to: SomeTexts
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        rows = [row for row in past.acts("invitation_sent") if any_reached(past, self.to, row.texts("to"))]
        everyone = tuple(one for row in rows for one in row.texts("to"))
        if not all_reached(past, self.to, everyone):
            return found(False, f"{described('invited', self)}: not all were invited", rows)
        return counted(described("invited", self), rows, self.exactly)


class Answered(Criterion):
    """The agent answered the invitation to this `event` with this `answer`, and that is its last answer; its comment
    is about one of the phrases of `comment`. Deleting an event of somebody else's declines it."""

    event: str = Field(min_length=1)
    answer: str = Field(pattern="^(accepted|declined|tentative)$")
    comment: Texts = ()

    def find(self, past: Past) -> Finding:
        rows = [row for row in past.acts("answer_sent") if row.text("event") == self.event]
        last = rows[-1] if rows else None
        held = last is not None and last.text("answer") == self.answer and is_about(last.text("comment"), self.comment)
        return found(held, f"{described('answered', self)}: {last.text('answer') if last else 'no answer'}", rows)


def _by_agent(entry: Entry) -> bool:
    return bool(_own_rows(entry))


def _own_rows(entry: Entry) -> list[Row]:
    """The agent's rows that made this entry what it is; of a series that was parted they are the part's."""
    return [
        row
        for row in entry.rows
        if row.by == AGENT and row.kind != "event_deleted" and (row.text("entry") or row.text("event")) == entry.id
    ]


def _last_rows(fit: list[Entry]) -> list[Row]:
    return [_own_rows(entry)[-1] for entry in fit]


def _state(entry: Entry) -> str:
    if entry.gone:
        return "it is deleted"
    parts = ", ".join(f"{scope} on {day}" for scope, day in entry.parted)
    return f"it is there without {parts}" if parts else "it is there"
