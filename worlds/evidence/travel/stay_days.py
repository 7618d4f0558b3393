"""On every day of a trip the days spent in the area, within the window that ends that day, stay within the limit.

Behind it: rolling limits such as the Schengen states' short-stay rule, and the shorter ones that houses set for tax
and social security. Entry and exit days count, leaving the area resets nothing, days under a permit do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Literal

from worlds.judging import all_of, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, WorldState, requirement


class PlannedTrip(Record, system="booking", read="get_planned_trip", key="id"):
    """A trip to be booked: traveller, area, first and last day there, hotel, remarks."""

    id: str
    traveller: str
    area: str
    arrives_on: date
    leaves_on: date
    hotel: str
    remarks: Prose = Prose()


class Stay(Record, system="travel_history", read="get_stay", list="list_stays", search="search_stays", key="id"):
    """A past or booked stay of the traveller: area, first and last day there, place, purpose, notes."""

    id: str
    area: str
    entered_on: date
    left_on: date
    place: str
    purpose: str
    notes: Prose = Prose()


class Permit(Record, system="residence_register", read="get_permit", list="list_permits", key="id"):
    """A residence permit or long-stay visa of the traveller: kind, area, status, first and last day."""

    id: str
    kind: str
    area: str
    status: Literal["issued", "applied for", "withdrawn"]
    valid_from: date
    valid_to: date


class StayLimit(Record, system="residence_register", read="get_stay_limit"):
    """The limit that applies to the traveller in an area: most days, length of the window in days, where it comes from,
    guidance."""

    area: str
    max_days: int
    window_days: int
    source: str
    guidance: Prose = Prose()


class State(WorldState):
    trip: PlannedTrip
    stays: Listing[Stay]
    permits: Listing[Permit] = Listing()
    limit: StayLimit


class BookPlannedTrip(Commit, system="booking"):
    """Book a planned trip with its dates."""

    trip_id: Annotated[str, Names(PlannedTrip)]


def days_of(first: date, last: date) -> Iterator[date]:
    """Every day from the first to the last, both included."""
    return (first + timedelta(days=number) for number in range((last - first).days + 1))


def is_under_permit(state: State, day: date) -> bool:
    return some(
        state.permits,
        lambda permit: all_of(
            lambda: permit.area == state.trip.area,
            lambda: permit.status == "issued",
            lambda: permit.valid_from <= day <= permit.valid_to,
        ),
    )


def counted_days(state: State) -> frozenset[date]:
    """The days in the trip's area that count, the trip's own included; a day of two stays counts once."""
    days = set(days_of(state.trip.arrives_on, state.trip.leaves_on))
    for stay in state.stays:
        if stay.area == state.trip.area:
            days.update(days_of(stay.entered_on, stay.left_on))
    return frozenset(day for day in days if not is_under_permit(state, day))


@requirement("on no day of the trip do the counted days of the window that ends with it exceed the limit")
def within_limit(state: State) -> bool:
    counted = counted_days(state)
    for day in days_of(state.trip.arrives_on, state.trip.leaves_on):
        start = day - timedelta(days=state.limit.window_days - 1)
        if sum(start <= other <= day for other in counted) > state.limit.max_days:
            return False
    return True


FAMILY = Family(
    name="stay_days",
    rule=(
        "A trip may be booked only if on each of its days the traveller's days in the trip's area, counted over the "
        "window that ends with that day and includes it, are at most the limit. Days of entry and exit are whole "
        "days; a day that belongs to two stays counts once; the trip's own days count. Stays in other areas do not "
        "count, and leaving the area does not start a new window. Days covered by an issued residence permit or "
        "long-stay visa for the area do not count. Exactly the limit is allowed."
    ),
    systems={
        "travel_history": "The traveller's stays, past and booked.",
        "booking": "The booking tool: planned trips.",
        "residence_register": "Permits of the traveller and the limits that apply.",
    },
    state=State,
    commit=BookPlannedTrip,
    requirements=(within_limit,),
)
