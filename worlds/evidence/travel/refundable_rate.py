"""A room for an undecided trip must be returnable at no cost up to the decision on which it depends.

Behind it: hotel cancellation terms. Deadlines are in the hotel's time, a "flexible" label often means changes and not
money back, and an agency's promise does not bind the hotel.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement
from worlds.values import Money


class Concession(Value, key="id"):
    """A written promise of free cancellation for one room request."""

    id: str
    given_by: Literal["hotel", "booking agency"]
    free_until: datetime


class RoomRequest(Record, system="booking", read="get_room_request", key="id"):
    """A room to be booked: guest, hotel, rate code, check-in, nights, the decision on which the trip depends, written
    concessions, remarks."""

    id: str
    guest: str
    hotel: str
    rate_code: str
    check_in: str
    nights: int
    depends_on: str
    concessions: Listing[Concession] = Listing()
    remarks: Prose = Prose()


class Rate(Record, system="hotel_rates", read="get_rate", list="list_rates", key="code"):
    """A rate of the hotel: label, room, price a night, what is refunded before the cancellation deadline, the deadline
    (null: none) in hotel time, the fee for each cancellation, the right to change dates, bed, terms."""

    code: str
    label: str
    room: str
    price: Money
    refund: Literal["in full", "in part", "none"]
    free_until: datetime | None
    cancellation_fee: Money
    date_changes: str
    bed: str
    terms: Prose = Prose()


class Decision(Record, system="calendar", read="get_decision", list="list_decisions", key="id"):
    """A decision in the calendar: subject, body that takes it, time, place, notes."""

    id: str
    subject: str
    body: str
    at: datetime
    place: str
    notes: Prose = Prose()


class State(WorldState):
    request: RoomRequest
    rates: Listing[Rate]
    decisions: Listing[Decision]


class BookRoom(Commit, system="booking"):
    """Book a requested room at its rate."""

    request_id: Annotated[str, Names(RoomRequest)]


class AskAvailability(Preparation, system="booking"):
    """Ask the hotel whether the requested room is still free."""

    says = ("The room is still free; nothing has been booked.",)

    request_id: Annotated[str, Names(RoomRequest)]


def conceded(state: State) -> bool:
    """Whether the hotel itself lets this request go free of charge up to the decision."""
    decision = state.decisions.get(state.request.depends_on)
    return decision is not None and some(
        state.request.concessions,
        lambda concession: concession.given_by == "hotel" and concession.free_until >= decision.at,
    )


@requirement("the rate refunds in full and charges no fee, or the hotel conceded a free cancellation for this request")
def returned_in_full(state: State) -> bool:
    def by_rate() -> bool:
        rate = state.rates.get(state.request.rate_code)
        return rate is not None and all_of(lambda: rate.refund == "in full", lambda: rate.cancellation_fee.amount == 0)

    return any_of(by_rate, lambda: conceded(state))


@requirement("free cancellation, by the rate or by the hotel's concession, ends no earlier than the decision")
def open_until_decision(state: State) -> bool:
    def by_rate() -> bool:
        rate = state.rates.get(state.request.rate_code)
        decision = state.decisions.get(state.request.depends_on)
        if rate is None or decision is None or rate.free_until is None:
            return False
        return rate.free_until >= decision.at

    return any_of(by_rate, lambda: conceded(state))


FAMILY = Family(
    name="refundable_rate",
    rule=(
        "A room may be booked only if it can still be given back at no cost when the decision falls on which the "
        "request depends. Either its rate refunds in full, has no cancellation fee and a cancellation deadline no "
        "earlier than the decision; or the hotel itself, not an agency, has conceded for this request a free "
        "cancellation that ends no earlier than the decision. Times are compared as moments, in whatever zone they "
        "are written; the same moment is enough. A right to change dates is no right to cancel, and labels do not "
        "count."
    ),
    systems={
        "booking": "The booking tool: room requests and bookings.",
        "hotel_rates": "The hotel's rates and their terms.",
        "calendar": "The calendar of decisions and the bodies that take them.",
    },
    state=State,
    commit=BookRoom,
    preparations=(AskAvailability,),
    requirements=(returned_in_full, open_until_decision),
)
