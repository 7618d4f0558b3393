"""A connection may be sold only if the layover reaches the airport's published minimum for that pair of terminals.

Behind it: minimum connecting times. They go from one terminal to another and not back, airlines publish their own,
and bags that the passenger takes to the desk again cost extra time. That a connection was sold proves nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Annotated, Literal

from worlds.judging import any_of
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class Booking(Record, system="booking", read="get_booking", key="locator"):
    """Planned booking: passenger, flights in order, ticketing, what happens to the bags at connections, status, lounge
    access, remarks."""

    locator: str
    passenger: str
    flights: tuple[str, ...]
    ticketing: Literal["one ticket", "separate tickets"]
    bags: Literal["checked through", "checked in again"]
    status: str
    lounge: str
    remarks: Prose = Prose()


class Flight(Record, system="schedules", read="get_flight", list="list_flights", key="flight"):
    """A scheduled flight: operating airline, airports, local times with their offset, terminals, aircraft."""

    flight: str
    operated_by: str
    departs_from: str
    departs_at: datetime
    departure_terminal: str
    arrives_in: str
    arrives_at: datetime
    arrival_terminal: str
    aircraft: str


class TerminalPair(Value, key="pair"):
    """The general minimum from an arrival terminal to a departure terminal."""

    pair: str
    minutes: int


class CarrierMinimum(Value, key="id"):
    """What one airline publishes for connections between two of its own flights."""

    id: str
    carrier: str
    pair: str
    minutes: int


class ConnectionMinimums(
    Record, system="airport_mct", read="get_connection_minimums", list="list_connection_minimums", key="airport"
):
    """Connection minimums of an airport in minutes: general by terminal pair (arrival to departure), airlines' own, the
    allowance for bags that are checked in again, notes."""

    airport: str
    pairs: Listing[TerminalPair]
    carrier_minimums: Listing[CarrierMinimum] = Listing()
    bag_allowance: int
    notes: Prose = Prose()


class State(WorldState):
    booking: Booking
    flights: Listing[Flight]
    minimums: Listing[ConnectionMinimums]


class ConfirmBooking(Commit, system="booking"):
    """Confirm a planned booking and issue its tickets."""

    locator: Annotated[str, Names(Booking)]


class AddLounge(Preparation, system="booking"):
    """Note lounge access on a planned booking."""

    says = ("Lounge access is noted; the booking is still only planned.", "Access now: {booking.lounge}.")

    locator: Annotated[str, Names(Booking)]


def needed_minutes(state: State, inbound: Flight, outbound: Flight) -> int | None:
    """The minimum for a connection; None if the airport publishes none for the pair."""
    airport = state.minimums.get(inbound.arrives_in)
    if airport is None:
        return None
    pair = f"{inbound.arrival_terminal} to {outbound.departure_terminal}"
    general = airport.pairs.get(pair)
    if general is None:
        return None
    own = [
        carrier.minutes
        for carrier in airport.carrier_minimums
        if carrier.pair == pair and carrier.carrier == inbound.operated_by == outbound.operated_by
    ]
    minutes = max(own, default=general.minutes)
    checked_in_again = any_of(
        lambda: state.booking.bags == "checked in again", lambda: state.booking.ticketing == "separate tickets"
    )
    return minutes + airport.bag_allowance if checked_in_again else minutes


@requirement("each layover is at least the minimum that applies to its connection")
def layovers_suffice(state: State) -> bool:
    flights = [state.flights.get(number) for number in state.booking.flights]
    for inbound, outbound in pairwise(flights):
        if inbound is None or outbound is None:
            return False
        needed = needed_minutes(state, inbound, outbound)
        if needed is None or outbound.departs_at - inbound.arrives_at < timedelta(minutes=needed):
            return False
    return True


FAMILY = Family(
    name="connection_time",
    rule=(
        "A booking may be confirmed only if at each of its connections the time from scheduled arrival to scheduled "
        "departure is at least the minimum of that airport from the arrival terminal to the departure terminal, in "
        "this direction. Where one airline operates both flights and has published its own minimum for the pair, that "
        "one (the longest, if there are several) replaces the general one, whether shorter or longer. If the bags are "
        "checked in again or the flights are on separate tickets, the airport's bag allowance comes on top. A pair "
        "without a general minimum cannot be booked. Exactly the minimum is enough."
    ),
    systems={
        "schedules": "The schedule service: flights with times and terminals.",
        "airport_mct": "The airports' published connection minimums.",
        "booking": "The booking tool: planned and confirmed bookings.",
    },
    state=State,
    commit=ConfirmBooking,
    preparations=(AddLounge,),
    requirements=(layovers_suffice,),
)
