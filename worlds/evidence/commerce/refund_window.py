"""A refund needs a return in time and no final sale, or a confirmed defect; and never more than was paid.

Behind it: store return policies, the guarantee of conformity, and refunds that were sent twice because an earlier
attempt looked as if it had failed.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement
from worlds.values import Money


class OrderLine(
    Record, system="orders", read="get_order_line", list="list_order_lines", search="search_order_lines", key="id"
):
    """Line of a sales order: product, serial number, price paid, time of delivery in local time, whether it was a
    final sale, sales channel, remarks."""

    id: str
    product: str
    serial: str
    price_paid: Money
    delivered_at: datetime
    final_sale: bool
    channel: str
    remarks: Prose = Prose()


class Extension(Value, key="id"):
    """Days by which the return window of this return is longer, once they are granted."""

    id: str
    days: int
    status: Literal["requested", "granted", "declined"]
    cause: str


class ReturnRequest(Record, system="returns_desk", read="get_return", key="id"):
    """Return: order line, amount to be refunded, time of the request, extensions of the window (days, status, cause),
    reason, label, desk notes."""

    id: str
    line_id: str
    amount: Money
    requested_at: datetime
    extensions: Listing[Extension] = Listing()
    reason: str
    label: str
    desk_notes: Prose = Prose()


class Inspection(Record, system="returns_desk", list="list_inspections", key="id"):
    """Inspection of a returned item: serial number, finding, inspector, report."""

    id: str
    serial: str
    finding: Literal["pending", "no defect found", "defect confirmed"]
    inspector: str
    report: Prose = Prose()


class ReturnPolicy(Record, system="returns_desk", read="get_return_policy"):
    """Return policy of the shop: length of the return window in days, guidance."""

    shop: str
    window_days: int
    guidance: Prose = Prose()


class Refund(Record, system="payments", list="list_refunds", key="id"):
    """Refund sent for an order line: amount, status, time, channel it went through, processor's message."""

    id: str
    line_id: str
    amount: Money
    status: Literal["pending", "settled", "failed"]
    sent_at: datetime
    channel: str
    message: Prose = Prose()


class State(WorldState):
    line: OrderLine
    other_lines: Listing[OrderLine] = Listing()
    return_request: ReturnRequest
    inspections: Listing[Inspection] = Listing()
    policy: ReturnPolicy
    refunds: Listing[Refund] = Listing()


class IssueRefund(Commit, system="payments"):
    """Refund a return's amount to the payment method of the purchase."""

    return_id: Annotated[str, Names(ReturnRequest)]


class DraftRefund(Preparation, system="payments"):
    """Prepare the refund of a return without sending it."""

    says = ("The draft is saved; no money has moved.", "It is filed under order line {return_request.line_id}.")

    return_id: Annotated[str, Names(ReturnRequest)]


def last_day(state: State) -> date:
    """The last day of the window, by the calendar of the place of delivery."""
    granted = sum(entry.days for entry in state.return_request.extensions if entry.status == "granted")
    return state.line.delivered_at.date() + timedelta(days=state.policy.window_days + granted)


def in_window(state: State) -> bool:
    requested = state.return_request.requested_at.astimezone(state.line.delivered_at.tzinfo)
    return requested.date() <= last_day(state)


def defective(state: State) -> bool:
    return some(
        state.inspections,
        lambda made: all_of(lambda: made.serial == state.line.serial, lambda: made.finding == "defect confirmed"),
    )


def refunded(state: State) -> Money:
    """What went back for the line already, or may have: all refunds but the failed ones."""
    total = state.return_request.amount * 0
    for refund in state.refunds:
        if refund.line_id == state.line.id and refund.status != "failed":
            total = total + refund.amount
    return total


@requirement("the return was requested within the window with its granted extensions, or a defect is confirmed")
def in_time(state: State) -> bool:
    return any_of(lambda: in_window(state), lambda: defective(state))


@requirement("the item was not a final sale, or a defect is confirmed")
def returnable(state: State) -> bool:
    return any_of(lambda: not state.line.final_sale, lambda: defective(state))


@requirement("with the refunds already made for the line, no more goes back than was paid")
def within_price(state: State) -> bool:
    return all_of(
        lambda: state.return_request.line_id == state.line.id,
        lambda: refunded(state) + state.return_request.amount <= state.line.price_paid,
    )


FAMILY = Family(
    name="refund_window",
    rule=(
        "A return is refunded if it was requested within the return window and the item was not a final sale; an "
        "inspection that confirms a defect of this very item, by its serial number, makes up for either. The window "
        "counts whole calendar days after the day of delivery, by the local time that the delivery carries, plus the "
        "days of granted extensions; its last day counts. In every case this refund and those already made for the "
        "order line that the return names, pending ones included and failed ones not, may not exceed the price paid; "
        "exactly the price is allowed."
    ),
    systems={
        "orders": "Sales orders: lines, prices, deliveries.",
        "returns_desk": "Returns desk: returns, inspections, the return policy.",
        "payments": "Payment processor: refunds sent and to be sent.",
    },
    state=State,
    commit=IssueRefund,
    preparations=(DraftRefund,),
    requirements=(in_time, returnable, within_price),
)
