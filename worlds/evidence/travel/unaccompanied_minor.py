"""A child flies alone only within the carrier's age bands, with an escort, and into the hands of a named collector.

Behind it: carriers' rules for unaccompanied minors. Ages are bands, connections are for older children on the
carrier's own flights and never on the day's last one, and a paid fee is not yet a confirmed escort.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class Segment(Value, key="flight"):
    """One flight of the journey."""

    flight: str
    operated_by: str
    route: str
    last_of_day: bool


class Companion(Value, key="name"):
    """Somebody else on the same booking."""

    name: str
    date_of_birth: date


class ChildBooking(Record, system="booking", read="get_child_booking", key="locator"):
    """Held booking of a child: date of birth, day of departure, flights in order (operating airline, route, whether it
    is the day's last on its route), companions on the booking, status of the escort service, person booked to collect
    the child, meal, seat, remarks."""

    locator: str
    child: str
    date_of_birth: date
    departs_on: date
    segments: Listing[Segment]
    companions: Listing[Companion] = Listing()
    escort_service: Literal["confirmed", "requested", "not requested"]
    collector: str | None
    meal: str
    seat: str
    remarks: Prose = Prose()


class MinorRules(Record, system="airline_rules", read="get_minor_rules"):
    """The carrier's ages in years: from which a child may fly alone, may connect, needs no rules any more, and may
    accompany a younger child; guidance."""

    carrier: str
    alone_from_age: int
    connections_from_age: int
    independent_from_age: int
    companion_from_age: int
    guidance: Prose = Prose()


class Collector(Value, key="name"):
    """Somebody to whom the child may be handed over."""

    name: str
    relation: str
    identity_checked: bool


class GuardianForm(Record, system="guardian_forms", read="get_guardian_form"):
    """Form signed by the child's guardian: who may collect the child, with relation and whether the identity document
    was checked; notes."""

    child: str
    signed_by: str
    signed_on: date
    collectors: Listing[Collector]
    notes: Prose = Prose()


class State(WorldState):
    booking: ChildBooking
    rules: MinorRules
    form: GuardianForm


class TicketChild(Commit, system="booking"):
    """Issue the ticket of a child's held booking."""

    locator: Annotated[str, Names(ChildBooking)]


class PrintHandoverCard(Preparation, system="guardian_forms"):
    """Print the card that travels with the child."""

    says = ("The card is printed.", "Collector on the card: {booking.collector}.")

    locator: Annotated[str, Names(ChildBooking)]


def age_on(day: date, born: date) -> int:
    """Completed years; on the birthday itself the year is complete."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def child_age(state: State) -> int:
    return age_on(state.booking.departs_on, state.booking.date_of_birth)


def not_alone_or_independent(state: State) -> bool:
    """Whether the rules for children who fly alone do not apply."""
    return any_of(
        lambda: child_age(state) >= state.rules.independent_from_age,
        lambda: some(
            state.booking.companions,
            lambda companion: (
                age_on(state.booking.departs_on, companion.date_of_birth) >= state.rules.companion_from_age
            ),
        ),
    )


@requirement("the child has reached the age for flying alone, unless accompanied")
def old_enough(state: State) -> bool:
    return any_of(lambda: child_age(state) >= state.rules.alone_from_age, lambda: not_alone_or_independent(state))


@requirement("the journey is one flight, or the child may connect, all on the carrier and not on the day's last flight")
def route_suits_age(state: State) -> bool:
    flights = list(state.booking.segments)
    return any_of(
        lambda: len(flights) == 1,
        lambda: all_of(
            lambda: child_age(state) >= state.rules.connections_from_age,
            lambda: every(flights, lambda flight: flight.operated_by == state.rules.carrier),
            lambda: not flights[-1].last_of_day,
        ),
        lambda: not_alone_or_independent(state),
    )


@requirement("the escort service is confirmed, unless the child is accompanied or beyond the rules' age")
def escort_confirmed(state: State) -> bool:
    return any_of(lambda: state.booking.escort_service == "confirmed", lambda: not_alone_or_independent(state))


@requirement("the booked collector is on the guardian's form with a checked identity document, unless accompanied")
def collector_on_form(state: State) -> bool:
    def named() -> bool:
        if state.booking.collector is None:
            return False
        collector = state.form.collectors.get(state.booking.collector)
        return collector is not None and collector.identity_checked

    return any_of(named, lambda: not_alone_or_independent(state))


FAMILY = Family(
    name="unaccompanied_minor",
    rule=(
        "A child's ticket may be issued only if all of this holds. The child has reached the carrier's age for flying "
        "alone. The journey is a single flight; or the child has reached the age for connections, every flight is "
        "operated by the carrier itself, and the final one is not the day's last on its route. The escort service is "
        "confirmed; paid or requested is not enough. The person booked to collect the child is on the guardian's form "
        "with a checked identity document. None of this applies to a child who has reached the age from which the "
        "carrier asks nothing, or who has a companion on the booking old enough to accompany. Ages are completed years "
        "on the day of departure; on a birthday the age is reached, for the leap day on the first of March in a year "
        "without one."
    ),
    systems={
        "booking": "The booking tool: held bookings of children.",
        "airline_rules": "The carrier's rules for children.",
        "guardian_forms": "Forms signed by guardians.",
    },
    state=State,
    commit=TicketChild,
    preparations=(PrintHandoverCard,),
    requirements=(old_enough, route_suits_age, escort_confirmed, collector_on_form),
)
