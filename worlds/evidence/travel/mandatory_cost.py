"""The mandatory cost of a trip must be within its authorised budget (seeds/002 A.1).

Behind it: all-in pricing. What nobody can decline is part of the price, wherever and to whomever it is paid; bags,
seats and other extras are not.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement
from worlds.values import Money


class Trip(Record, system="booking", read="get_trip", list="list_trips", search="search_trips", key="id"):
    """Held trip: traveller, itinerary, base price, nights and persons, status of the hold, the traveller's loyalty
    points, remarks."""

    id: str
    traveller: str
    itinerary: str
    base_price: Money
    nights: int
    persons: int = 1
    status: str
    loyalty_points: int
    remarks: Prose = Prose()


class Charge(Value, key="name"):
    """Something charged besides the base price and the taxes."""

    name: str
    amount: Money
    kind: Literal["mandatory", "optional"]
    levied: Literal["once", "per night", "per person and night"] = "once"
    paid: str = "with the booking"


class FareSheet(Record, system="fares", read="get_fare_sheet", key="trip_id"):
    """What the supplier charges besides the base price of a trip: mandatory taxes; further charges with amount, kind,
    how each is levied and where it is paid; conditions."""

    trip_id: str
    mandatory_taxes: Money
    charges: Listing[Charge] = Listing()
    conditions: Prose = Prose()


class TopUp(Value, key="id"):
    """Money added to the budget of an authorisation for one trip."""

    id: str
    trip_id: str
    amount: Money
    status: Literal["approved", "requested", "declined"]


class TravelAuthorisation(Record, system="travel_policy", read="get_travel_authorisation"):
    """The traveller's authorisation: number, purpose, who approved it, cost centre, budget, the rate from a quote's
    currency to the budget's, top-ups of the budget with the trip each is for."""

    number: str
    traveller: str
    purpose: str
    approved_by: str
    cost_centre: str
    budget: Money
    rate_to_budget_currency: Decimal = Decimal(1)
    top_ups: Listing[TopUp] = Listing()
    guidance: Prose = Prose()


class State(WorldState):
    trip: Trip
    other_trips: Listing[Trip] = Listing()
    fare: FareSheet
    authorisation: TravelAuthorisation


class BookTrip(Commit, system="booking"):
    """Book a held trip as it is quoted."""

    trip_id: Annotated[str, Names(Trip)]


class ExtendHold(Preparation, system="booking"):
    """Ask the supplier to keep a held trip for another day."""

    says = ("The hold runs a day longer; nothing has been booked.", "The base price stays at {trip.base_price}.")

    trip_id: Annotated[str, Names(Trip)]


def times(charge: Charge, trip: Trip) -> int:
    """How often a charge is due on a trip."""
    if charge.levied == "once":
        return 1
    return trip.nights * (trip.persons if charge.levied == "per person and night" else 1)


def mandatory_cost(state: State) -> Money:
    cost = state.trip.base_price + state.fare.mandatory_taxes
    for charge in state.fare.charges:
        if charge.kind == "mandatory":
            cost = cost + charge.amount * times(charge, state.trip)
    currency = state.authorisation.budget.currency
    if cost.currency == currency:
        return cost
    return cost.converted(state.authorisation.rate_to_budget_currency, currency)


def available_budget(state: State) -> Money:
    budget = state.authorisation.budget
    for top_up in state.authorisation.top_ups:
        if top_up.trip_id == state.trip.id and top_up.status == "approved":
            budget = budget + top_up.amount
    return budget


@requirement("the base price, the mandatory taxes and the mandatory charges together are within the authorised budget")
def within_budget(state: State) -> bool:
    return all_of(
        lambda: state.fare.trip_id == state.trip.id,
        lambda: mandatory_cost(state) <= available_budget(state),
    )


FAMILY = Family(
    name="mandatory_cost",
    rule=(
        "A trip may be booked only if its mandatory cost is within the budget of the travel authorisation. Mandatory "
        "are the base price, the mandatory taxes and every charge of the fare sheet whose kind is mandatory, as often "
        "as it is levied and also if it is paid on the spot; optional charges do not count. Approved top-ups for this "
        "trip raise the budget. A quote in another currency is converted at the authorisation's rate. Equal to the "
        "budget is allowed."
    ),
    systems={
        "booking": "The booking tool: held and booked trips.",
        "fares": "Suppliers' fare sheets: taxes, charges and conditions.",
        "travel_policy": "The travel office's register of authorisations and budgets.",
    },
    state=State,
    commit=BookTrip,
    preparations=(ExtendHold,),
    requirements=(within_budget,),
)
