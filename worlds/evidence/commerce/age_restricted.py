"""Age-restricted goods go only where they may be sold, to a buyer who is old enough on delivery, and are checked there.

Behind it: product and destination tables of minimum ages, identity vendors, carriers' adult-signature services, and
the supply of licensed trade premises. What counts is the day on which the parcel is handed over.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, WorldState, requirement


class Order(Record, system="orders", read="get_order", key="id"):
    """Order of an age-restricted article: buyer, consignee, product, its category, destination, date of purchase,
    planned delivery date, payment, packaging, remarks."""

    id: str
    buyer: str
    consignee: str
    product: str
    category: str
    destination: str
    bought_on: date
    delivery_date: date
    payment: str
    packaging: str
    remarks: Prose = Prose()


class IdentityCheck(Record, system="identity", list="list_identity_checks", key="id"):
    """Identity check of a person: date of birth as read from the document, result, method, vendor's note."""

    id: str
    person: str
    date_of_birth: date
    result: Literal["verified", "failed", "not completed"]
    method: str
    vendor_note: Prose = Prose()


class DestinationRule(
    Record, system="product_rules", list="list_destination_rules", search="search_destination_rules", key="id"
):
    """Rule for a category of goods at a destination: whether its sale to consumers and trade is permitted or
    prohibited, minimum age of the buyer, source."""

    id: str
    destination: str
    category: str
    sale: Literal["permitted", "prohibited"]
    minimum_age: int
    source: str


class TradeLicence(Record, system="product_rules", list="list_trade_licences", key="number"):
    """Licence of trade premises: holder, categories of goods, first and last day of validity, issuing office."""

    number: str
    holder: str
    categories: tuple[str, ...]
    valid_from: date
    valid_to: date
    issuer: str


class BookedService(Record, system="carrier", read="get_booked_service"):
    """Carrier service booked for the order: carrier, product name, what happens on handing over, delivery window."""

    carrier: str
    product_name: str
    handing_over: Literal["identity document checked", "signature of whoever opens", "left without signature"]
    delivery_window: str
    depot_note: Prose = Prose()


class State(WorldState):
    order: Order
    checks: Listing[IdentityCheck] = Listing()
    rules: Listing[DestinationRule]
    licences: Listing[TradeLicence] = Listing()
    service: BookedService


class ShipRestrictedOrder(Commit, system="carrier"):
    """Hand an order over to the carrier with the service that is booked for it."""

    order_id: Annotated[str, Names(Order)]


def age_on(day: date, born: date) -> int:
    """Completed years; the birthday itself completes one."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def applies(rule: DestinationRule, order: Order) -> bool:
    return rule.destination == order.destination and rule.category == order.category


def to_licensed_premises(state: State) -> bool:
    return some(
        state.licences,
        lambda licence: all_of(
            lambda: licence.holder == state.order.consignee,
            lambda: state.order.category in licence.categories,
            lambda: licence.valid_from <= state.order.delivery_date <= licence.valid_to,
        ),
    )


def old_enough(state: State, rule: DestinationRule) -> bool:
    return some(
        state.checks,
        lambda check: all_of(
            lambda: check.person == state.order.buyer,
            lambda: check.result == "verified",
            lambda: age_on(state.order.delivery_date, check.date_of_birth) >= rule.minimum_age,
        ),
    )


@requirement("the table permits the sale of the category at the destination")
def sale_permitted(state: State) -> bool:
    return some(state.rules, lambda rule: all_of(lambda: applies(rule, state.order), lambda: rule.sale == "permitted"))


@requirement("the buyer's verified age on delivery is at least the minimum, or licensed premises receive the goods")
def buyer_old_enough(state: State) -> bool:
    return any_of(
        lambda: to_licensed_premises(state),
        lambda: some(
            state.rules, lambda rule: all_of(lambda: applies(rule, state.order), lambda: old_enough(state, rule))
        ),
    )


@requirement("the carrier checks an identity document on handing over, or licensed premises receive the goods")
def checked_at_the_door(state: State) -> bool:
    return any_of(
        lambda: to_licensed_premises(state), lambda: state.service.handing_over == "identity document checked"
    )


FAMILY = Family(
    name="age_restricted",
    rule=(
        "An age-restricted order may be shipped only if the destination table permits the sale of its category there, "
        "an identity check of the buyer (not of anyone else) was verified and makes the buyer at least the table's "
        "minimum age on the planned delivery date, the birthday included (for the leap day, the first of March in a "
        "year without one), and the booked service checks an identity document on handing over. Age and check at the "
        "door are not asked for if the consignee holds a trade licence that names the category and is valid on the "
        "delivery date, first and last day included; the table must permit the sale even so."
    ),
    systems={
        "orders": "Orders of the shop.",
        "identity": "Identity vendor: checks of persons.",
        "product_rules": "Compliance tables: categories by destination, trade licences.",
        "carrier": "Carrier: booked services and handing over.",
    },
    state=State,
    commit=ShipRestrictedOrder,
    requirements=(sale_permitted, buyer_old_enough, checked_at_the_door),
)
