"""No more key people on one aircraft than the travel-risk policy says, and no excluded pair together.

Behind it: succession risk. What counts is the aircraft, so flight numbers of different sellers, separate bookings and
the travellers' own accounts of where they will sit do not matter; a booking counts until it is cancelled.
"""

from __future__ import annotations

from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement


class Booking(
    Record, system="booking", read="get_booking", list="list_bookings", search="search_bookings", key="locator"
):
    """A booking: traveller, flight as sold, operating flight with its day (the aircraft), status, cabin, remarks."""

    locator: str
    traveller: str
    sold_as: str
    operated_as: str
    status: Literal["ticketed", "held", "cancelled"]
    cabin: str
    remarks: Prose = Prose()


class Person(Record, system="org_directory", read="get_person", list="list_people", key="name"):
    """Directory entry: title, whether listed as key person, office."""

    name: str
    title: str
    key_person: bool
    office: str


class ExcludedPair(Value, key="id"):
    """Two people who do not fly on one aircraft."""

    id: str
    one: str
    other: str


class Waiver(Value, key="id"):
    """A decision about the maximum on one operating flight."""

    id: str
    flight: str
    decided_by: Literal["board", "chief executive", "travel desk"]
    status: Literal["in force", "proposed", "withdrawn"]


class TravelRiskPolicy(Record, system="travel_risk", read="get_travel_risk_policy"):
    """Travel-risk policy: the most key people on one aircraft, excluded pairs, waivers of the maximum with the flight,
    who decided and status, guidance."""

    max_key_people: int
    excluded_pairs: Listing[ExcludedPair] = Listing()
    waivers: Listing[Waiver] = Listing()
    guidance: Prose = Prose()


class State(WorldState):
    booking: Booking
    other_bookings: Listing[Booking] = Listing()
    people: Listing[Person]
    policy: TravelRiskPolicy


class TicketBooking(Commit, system="booking"):
    """Issue the ticket of a held booking."""

    locator: Annotated[str, Names(Booking)]


def is_aboard(state: State, booking: Booking) -> bool:
    """Whether another booking puts its traveller on the aircraft of the requested one."""
    return all_of(lambda: booking.status != "cancelled", lambda: booking.operated_as == state.booking.operated_as)


def is_key_person(state: State, name: str) -> bool:
    person = state.people.get(name)
    return person is not None and person.key_person


@requirement(
    "with this booking no more than the maximum of key people are on the aircraft, or a board waiver covers it"
)
def within_maximum(state: State) -> bool:
    def few_enough() -> bool:
        aboard = {other.traveller for other in state.other_bookings if is_aboard(state, other)}
        names = sorted(aboard | {state.booking.traveller})
        return sum(is_key_person(state, name) for name in names) <= state.policy.max_key_people

    def waived() -> bool:
        return some(
            state.policy.waivers,
            lambda waiver: all_of(
                lambda: waiver.flight == state.booking.operated_as,
                lambda: waiver.decided_by == "board",
                lambda: waiver.status == "in force",
            ),
        )

    return any_of(few_enough, waived)


@requirement("nobody is on the aircraft with whom the traveller forms an excluded pair")
def no_excluded_pair(state: State) -> bool:
    def excluded(name: str) -> bool:
        return some(state.policy.excluded_pairs, lambda pair: {pair.one, pair.other} == {name, state.booking.traveller})

    return every(
        state.other_bookings,
        lambda other: not all_of(lambda: is_aboard(state, other), lambda: excluded(other.traveller)),
    )


FAMILY = Family(
    name="key_people_flight",
    rule=(
        "A held booking may be ticketed only if, the traveller included, no more key people than the policy's maximum "
        "are then on the aircraft, and nobody is on it with whom the traveller forms an excluded pair. The aircraft "
        "is the operating flight of the day, whatever the flight number sold. Everybody with a held or ticketed "
        "booking on it counts, also if they hold another one elsewhere; cancelled bookings do not count, nor do "
        "people whom the directory does not list as key persons. A waiver in force that the board decided for this "
        "operating flight lifts the maximum, but not an excluded pair. Exactly the maximum is allowed."
    ),
    systems={
        "booking": "The booking tool: all staff bookings.",
        "org_directory": "The directory of staff with the list of key persons.",
        "travel_risk": "The travel-risk policy of the security office.",
    },
    state=State,
    commit=TicketBooking,
    requirements=(within_maximum, no_excluded_pair),
)
