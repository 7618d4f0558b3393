"""What a calendar sends to others: invitations, word of changes, cancellations and answers, each guest once an act."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import JsonValue

from worlds.town.entries import Entry, in_zone
from worlds.town.letters import is_address, lower
from worlds.town.place import Answered, Occasion, clock

if TYPE_CHECKING:
    from worlds.town.town import Town


class Invitations:
    """Tells guests and organisers."""

    def __init__(self, town: Town) -> None:
        self.town = town
        household = town.world.household
        self.home = household.zone
        self._account = household.accounts[0].id if household.accounts else ""
        self._own = {household.owner.casefold(), *lower(account.address for account in household.accounts)}
        self._shared: dict[str, list[JsonValue]] = {c.id: list(c.shared_with) for c in household.calendars}

    def is_own(self, entry: Entry) -> bool:
        """Whether the owner organises this entry."""
        return not entry.organiser or self.is_owner(entry.organiser)

    def is_owner(self, named: str) -> bool:
        """Whether this name or address is the owner's."""
        return named.casefold() in self._own

    def invite(self, entry: Entry, guests: Iterable[str]) -> Entry:
        """Invite those of the guests who can be told; the entry with them told."""
        told = self._tell("invitation_sent", entry, guests)
        return replace(entry, told=entry.told | told)

    def update(self, entry: Entry, scope: str, occurrence: str) -> frozenset[str]:
        """Tell those who know of the entry what it is now."""
        return self._tell("update_sent", entry, self._known(entry), scope=scope, occurrence=occurrence)

    def cancel(self, entry: Entry, guests: Iterable[str], scope: str, occurrence: str) -> frozenset[str]:
        """Tell these guests that it is off for them, as far as they know of it."""
        wanted = set(guests)
        there = [guest for guest in self._known(entry) if guest in wanted]
        return self._tell("cancellation_sent", entry, there, scope=scope, occurrence=occurrence)

    def answer(self, entry: Entry, answer: str, comment: str, scope: str, occurrence: str) -> None:
        """Tell the organiser whether the owner comes."""
        more = {"answer": answer, "comment": comment, "scope": scope, "occurrence": occurrence}
        self.town.record("calendar", "answer_sent", **self.shown(entry), **more, to=entry.organiser)
        if is_address(entry.organiser):
            self._reach(entry.organiser, f"{answer}: {entry.title}\n{comment}", entry.title)

    def shown(self, entry: Entry) -> Answered:
        """Everything of an entry with its times in the owner's zone, and in its own if that is another."""
        shown: Answered = {
            "event": entry.id, "calendar": entry.calendar, "shared_with": self._shared.get(entry.calendar, []),
            "title": entry.title, "start": clock(in_zone(entry.start, entry.zone, self.home)),
            "end": clock(in_zone(entry.end, entry.zone, self.home)), "where": entry.where, "notes": entry.notes,
            "organiser": entry.organiser, "guests": list(entry.guests), "repeats": entry.repeats,
            "until": str(entry.until or ""), "zone": entry.zone, "local_start": "", "local_end": "",
        }  # fmt: skip
        if entry.zone:
            shown |= {"local_start": clock(entry.start), "local_end": clock(entry.end)}
        return shown

    def _known(self, entry: Entry) -> list[str]:
        return [guest for guest in entry.guests if guest in entry.told]

    def _tell(self, kind: str, entry: Entry, guests: Iterable[str], **more: JsonValue) -> frozenset[str]:
        reached = [guest for guest in dict.fromkeys(guests) if is_address(guest) and not self.is_owner(guest)]
        for guest in reached:
            self.town.record("calendar", kind, **self.shown(entry), **more, to=guest)
            self._reach(guest, f"{entry.title}\n{entry.notes}", entry.title)
        return frozenset(reached)

    def _reach(self, address: str, text: str, title: str) -> None:
        post = self.town.mailbox.post
        if post.reaches(address.casefold()):
            self.town.noticed(Occasion("mail_to", address, text))
        elif self._account:
            post.bounce(address, title, self._account, None)
