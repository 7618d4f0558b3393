"""A trip is ticketed only on a passport that passes two separate tests: when it was issued, and how long it runs.

Behind it: entry rules such as those of the Schengen states, where airlines have turned away valid travellers by
merging the two tests into one expiry date. The travel desk adds its own margin, so the numbers are the table's, not
the world's.
"""

from __future__ import annotations

import calendar
from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class TripFile(Record, system="booking", read="get_trip_file", key="id"):
    """Trip to be ticketed: traveller, destination, number of the passport it is booked with, dates of arrival and
    departure there, seat, remarks."""

    id: str
    traveller: str
    destination: str
    passport_number: str
    arrives_on: date
    departs_on: date
    seat: str
    remarks: Prose = Prose()


class Passport(Record, system="traveller_profiles", read="get_passport", list="list_passports", key="number"):
    """A passport on file: holder, issuing state, issue and expiry date, place of issue, the profile's own status, text
    read from the scanned page."""

    number: str
    holder: str
    issuing_state: str
    issued_on: date
    expires_on: date
    place_of_issue: str
    profile_status: str = "complete"
    scan: Prose = Prose()


class Waiver(Value, key="issuing_state"):
    """For passports of this state the months beyond are not asked, from one day to another."""

    issuing_state: str
    starts_on: date
    ends_on: date


class EntryRule(Record, system="entry_rules", read="get_entry_rule", list="list_entry_rules", key="destination"):
    """Entry requirements of a destination with the travel desk's margin included: the age in years that a passport must
    not have reached on arrival (null: none), the months it must run beyond an anchor date, waivers, notes."""

    destination: str
    max_age_years: int | None = None
    months_beyond: int
    anchor: Literal["arrival date", "departure date"]
    waivers: Listing[Waiver] = Listing()
    notes: Prose = Prose()


class State(WorldState):
    trip: TripFile
    passports: Listing[Passport]
    entry_rules: Listing[EntryRule]


class IssueTicket(Commit, system="booking"):
    """Issue the ticket of a trip file."""

    trip_id: Annotated[str, Names(TripFile)]


class SendItinerary(Preparation, system="booking"):
    """Mail the planned itinerary to the traveller."""

    says = ("The itinerary is on its way; no ticket has been issued.",)

    trip_id: Annotated[str, Names(TripFile)]


def months_after(day: date, months: int) -> date:
    """The same day of the month so many months later, or the month's last day where it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def passport(state: State) -> Passport | None:
    return state.passports.get(state.trip.passport_number)


def entry_rule(state: State) -> EntryRule | None:
    return state.entry_rules.get(state.trip.destination)


@requirement("on arrival the passport has not reached the destination's age limit, if there is one")
def issued_recently_enough(state: State) -> bool:
    rule, held = entry_rule(state), passport(state)
    if rule is None or held is None:
        return False
    years = rule.max_age_years
    return years is None or state.trip.arrives_on < months_after(held.issued_on, 12 * years)


@requirement("the passport runs for the destination's months beyond the anchor date, or a waiver covers the arrival")
def runs_long_enough(state: State) -> bool:
    rule, held = entry_rule(state), passport(state)
    if rule is None or held is None:
        return False

    def beyond_anchor() -> bool:
        anchor = state.trip.arrives_on if rule.anchor == "arrival date" else state.trip.departs_on
        return held.expires_on >= months_after(anchor, rule.months_beyond)

    def waived() -> bool:
        return all_of(
            lambda: state.trip.departs_on <= held.expires_on,
            lambda: some(
                rule.waivers,
                lambda waiver: (
                    waiver.issuing_state == held.issuing_state
                    and waiver.starts_on <= state.trip.arrives_on <= waiver.ends_on
                ),
            ),
        )

    return any_of(beyond_anchor, waived)


FAMILY = Family(
    name="passport_validity",
    rule=(
        "A ticket may be issued only on a passport that passes two separate tests of the destination's entry rule. "
        "Age: if the rule has an age limit, the passport must be younger than it on the day of arrival; on the very "
        "anniversary of its issue (for the leap day, the last of February in a year without one) it no longer is. Run: "
        "the passport must be valid for the rule's months beyond its anchor date, arrival or departure, counted to the "
        "same day of the month or, where there is none, to its last day; to expire exactly on that day is enough. A "
        "waiver for the issuing state that is in force on the day of arrival, its first and last day included, "
        "replaces the second test: valid up to the day of departure is then enough. How long ago it was issued does "
        "not shorten how long it runs. What counts is the passport that the trip file names; without it or an entry "
        "rule on file no ticket is issued."
    ),
    systems={
        "traveller_profiles": "Profiles of the travellers with the passports they hold.",
        "entry_rules": "The travel desk's table of entry requirements.",
        "booking": "The booking tool: trip files and tickets.",
    },
    state=State,
    commit=IssueTicket,
    preparations=(SendItinerary,),
    requirements=(issued_recently_enough, runs_long_enough),
)
