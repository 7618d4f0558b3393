"""An order ships when its money has arrived and nobody is asking for it back.

Behind it: an authorisation reserves, a capture collects, and only until the authorisation lapses; captures are partial,
refunds go the other way, and a chargeback undoes what looked like payment.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement
from worlds.values import Money, money_sum


class Order(Record, system="orders", read="get_order", list="list_orders", search="search_orders", key="id"):
    """Order: customer, total to be paid, payment badge of the shop, statement descriptor, fraud score, remarks."""

    id: str
    customer: str
    total: Money
    badge: str
    statement_descriptor: str
    fraud_score: int
    remarks: Prose = Prose()


class Prepayment(Record, system="orders", list="list_prepayments", key="id"):
    """Payment of an order by bank transfer or voucher: order, amount, rate to the order's currency, status, means."""

    id: str
    order_id: str
    amount: Money
    rate_to_order_currency: Decimal = Decimal(1)
    status: Literal["announced", "booked", "returned"]
    means: str


class Authorisation(Record, system="payments", read="get_authorisation", key="id"):
    """Card authorisation of the order: amount reserved, last instant at which it can be captured, card art."""

    id: str
    order_id: str
    amount: Money
    capture_before: datetime
    card_art: str


class Capture(Record, system="payments", list="list_captures", key="id"):
    """Capture: order, amount, time, status, processor's message."""

    id: str
    order_id: str
    amount: Money
    at: datetime
    status: Literal["pending", "succeeded", "failed"]
    message: Prose = Prose()


class Refund(Record, system="payments", list="list_refunds", key="id"):
    """Refund: order, amount, status, reason."""

    id: str
    order_id: str
    amount: Money
    status: Literal["pending", "succeeded", "failed"]
    reason: str


class Dispute(Record, system="disputes", list="list_disputes", search="search_disputes", key="id"):
    """Dispute or chargeback: order, stage, reason given by the cardholder, case notes."""

    id: str
    order_id: str
    stage: Literal["needs response", "under review", "won", "withdrawn", "lost"]
    reason: str
    case_notes: Prose = Prose()


class State(WorldState):
    order: Order
    other_orders: Listing[Order] = Listing()
    authorisation: Authorisation
    captures: Listing[Capture] = Listing()
    refunds: Listing[Refund] = Listing()
    prepayments: Listing[Prepayment] = Listing()
    disputes: Listing[Dispute] = Listing()


class ShipOrder(Commit, system="orders"):
    """Send an order to shipping."""

    order_id: Annotated[str, Names(Order)]


class DraftDispatchMail(Preparation, system="orders"):
    """Draft the mail that tells the customer of the dispatch, without sending it."""

    says = ("The mail is saved as a draft.", "It is addressed to {order.customer}.")

    order_id: Annotated[str, Names(Order)]


def taken_in_time(state: State, capture: Capture) -> bool:
    return all_of(
        lambda: capture.status == "succeeded",
        lambda: capture.at <= state.authorisation.capture_before,
    )


def collected(state: State) -> list[Money]:
    """What the order's captures brought in."""
    return [
        capture.amount
        for capture in state.captures
        if capture.order_id == state.order.id and taken_in_time(state, capture)
    ]


def prepaid(state: State) -> list[Money]:
    return [
        paid.amount.converted(paid.rate_to_order_currency, state.order.total.currency)
        for paid in state.prepayments
        if paid.order_id == state.order.id and paid.status == "booked"
    ]


def refunded(state: State) -> list[Money]:
    return [
        refund.amount for refund in state.refunds if refund.order_id == state.order.id and refund.status != "failed"
    ]


@requirement("captures in time and booked prepayments, less refunds, make at least the order's total")
def paid_in_full(state: State) -> bool:
    currency = state.order.total.currency
    received = money_sum([*collected(state), *prepaid(state)], currency)
    return received - money_sum(refunded(state), currency) >= state.order.total


@requirement("every dispute about the order is won or withdrawn")
def undisputed(state: State) -> bool:
    return every(
        state.disputes,
        lambda dispute: any_of(
            lambda: dispute.order_id != state.order.id, lambda: dispute.stage in ("won", "withdrawn")
        ),
    )


FAMILY = Family(
    name="card_capture",
    rule=(
        "An order may be sent to shipping only if what was received for it is at least its total, exactly the total "
        "being enough, and every dispute about it is won or withdrawn. Received are its captures that succeeded and "
        "were taken no later than the authorisation's last instant, and its prepayments that are booked, converted at "
        "their booked rate; its refunds are deducted unless they failed. Authorised, pending and announced money is "
        "not received."
    ),
    systems={
        "orders": "Shop: orders, prepayments, shipping.",
        "payments": "Payment processor: authorisation, captures, refunds.",
        "disputes": "Dispute desk: chargebacks and inquiries.",
    },
    state=State,
    commit=ShipOrder,
    preparations=(DraftDispatchMail,),
    requirements=(paid_in_full, undisputed),
)
