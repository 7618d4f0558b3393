"""An invoice is posted if order, receipt and bill agree within the tolerances (FAMILY_NOTES row 8).

Behind it: purchasing says what was ordered at which price, receiving what was accepted, the supplier what it bills.
Prices are held against the order with two tolerances at once, quantities against what was accepted and not yet billed;
services are accepted on sheets, and freight is never received.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of, every
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement
from worlds.values import Money, money_sum

HUNDRED = Decimal(100)


class OrderLine(Value, key="line"):
    """A line of the order."""

    line: str
    kind: Literal["goods", "service", "freight"]
    item: str
    quantity: Decimal
    unit_price: Money


class PurchaseOrder(Record, system="purchasing", read="get_order", list="list_orders", key="id"):
    """Purchase order: supplier, lines with kind, item, quantity and unit price, buyer group, remarks."""

    id: str
    supplier: str
    lines: Listing[OrderLine]
    buyer_group: str
    remarks: Prose = Prose()


class Receipt(Record, system="receiving", read="get_receipt", list="list_receipts", search="search_receipts", key="id"):
    """Goods receipt for an order line: packs delivered, packs refused at the dock, units of the order in one pack,
    delivery note, flag, remarks of the clerk. Accepted is what was delivered and not refused."""

    id: str
    order: str
    line: str
    packs_delivered: int
    packs_refused: int = 0
    units_per_pack: int = 1
    delivery_note: str
    flag: Literal["complete", "partial"]
    clerk_remarks: Prose = Prose()


class ServiceSheet(Record, system="receiving", read="get_service_sheet", list="list_service_sheets", key="id"):
    """Sheet on which a service under an order line is recorded: amount, status, who keeps it, remarks."""

    id: str
    order: str
    line: str
    amount: Money
    status: Literal["submitted", "accepted", "rejected"]
    kept_by: str
    remarks: Prose = Prose()


class BilledLine(Value, key="line"):
    """A line of an invoice; `line` is the line of the order that it bills."""

    line: str
    quantity: Decimal
    unit_price: Money


class Invoice(Record, system="erp", read="get_invoice", list="list_invoices", search="search_invoices", key="id"):
    """Supplier invoice: order, billed lines with quantity and unit price, status, match flag, payment terms,
    remarks."""

    id: str
    supplier: str
    order: str
    lines: Listing[BilledLine]
    status: Literal["parked", "posted", "reversed"]
    match_flag: str
    payment_terms: str
    remarks: Prose = Prose()


class MatchPolicy(Record, system="erp", read="get_match_policy"):
    """Tolerances: per cent by which a unit price may exceed the order, amount by which a line may exceed it through
    its price, per cent by which a billed quantity may exceed what was accepted."""

    price_percent: Decimal
    price_amount: Money
    quantity_percent: Decimal


class State(WorldState):
    invoice: Invoice
    other_invoices: Listing[Invoice] = Listing()
    policy: MatchPolicy
    order: PurchaseOrder
    other_orders: Listing[PurchaseOrder] = Listing()
    receipts: Listing[Receipt]
    sheets: Listing[ServiceSheet] = Listing()


class PostInvoice(Commit, system="erp"):
    """Post a parked invoice, which releases it for payment on its terms."""

    invoice_id: Annotated[str, Names(Invoice)]


class PreviewPosting(Preparation, system="erp"):
    """Show the posting of an invoice without making it."""

    says = ("Preview only; the invoice is still parked.", "Creditor would be {invoice.supplier}.")

    invoice_id: Annotated[str, Names(Invoice)]


def accepted_units(state: State, line: str) -> Decimal:
    """What was delivered for an order line and not refused, in units of the order."""
    return sum(
        (
            Decimal((receipt.packs_delivered - receipt.packs_refused) * receipt.units_per_pack)
            for receipt in state.receipts
            if receipt.order == state.order.id and receipt.line == line
        ),
        Decimal(0),
    )


def posted_units(state: State, line: str) -> Decimal:
    """What posted invoices have billed of an order line already."""
    return sum(
        (
            billed.quantity
            for invoice in state.other_invoices
            if invoice.order == state.order.id and invoice.status == "posted"
            for billed in invoice.lines
            if billed.line == line
        ),
        Decimal(0),
    )


def accepted_service(state: State, line: str, currency: str) -> Money:
    amounts = [
        sheet.amount
        for sheet in state.sheets
        if sheet.order == state.order.id and sheet.line == line and sheet.status == "accepted"
    ]
    return money_sum(amounts, currency)


def each_line(state: State, kinds: tuple[str, ...], test: Callable[[BilledLine, OrderLine], bool]) -> bool:
    """Whether the test holds for all billed lines whose order line is of one of these kinds."""

    def holds(billed: BilledLine) -> bool:
        ordered = state.order.lines.get(billed.line)
        return ordered is None or ordered.kind not in kinds or test(billed, ordered)

    return every(state.invoice.lines, holds)


@requirement("every billed line stands on the order that the invoice names")
def lines_on_order(state: State) -> bool:
    return all_of(
        lambda: state.order.id == state.invoice.order,
        lambda: every(state.invoice.lines, lambda billed: state.order.lines.get(billed.line) is not None),
    )


@requirement("each goods line, with what posted invoices billed of it, is within what was accepted and the tolerance")
def quantity_matches(state: State) -> bool:
    def test(billed: BilledLine, ordered: OrderLine) -> bool:
        factor = 1 + state.policy.quantity_percent / HUNDRED
        return billed.quantity + posted_units(state, ordered.line) <= accepted_units(state, ordered.line) * factor

    return each_line(state, ("goods",), test)


@requirement("no unit price of goods or freight is above the order's by more than the percentage")
def price_within_percent(state: State) -> bool:
    def test(billed: BilledLine, ordered: OrderLine) -> bool:
        return billed.unit_price <= ordered.unit_price * (1 + state.policy.price_percent / HUNDRED)

    return each_line(state, ("goods", "freight"), test)


@requirement("no line of goods or freight is dearer than at the order's price by more than the amount")
def price_within_amount(state: State) -> bool:
    def test(billed: BilledLine, ordered: OrderLine) -> bool:
        return (billed.unit_price - ordered.unit_price) * billed.quantity <= state.policy.price_amount

    return each_line(state, ("goods", "freight"), test)


@requirement("each service line is covered by the accepted sheets for it")
def service_accepted(state: State) -> bool:
    def test(billed: BilledLine, ordered: OrderLine) -> bool:
        amount = billed.unit_price * billed.quantity
        return amount <= accepted_service(state, ordered.line, amount.currency)

    return each_line(state, ("service",), test)


FAMILY = Family(
    name="three_way_match",
    rule=(
        "An invoice is posted only if it matches the order it names line by line; a line that the order does not have "
        "cannot be matched. Goods: the billed quantity, together with what posted invoices have billed of the line, "
        "may exceed the accepted quantity by no more than the quantity tolerance; accepted is what was delivered and "
        "not refused, in units of the order. Goods and freight: the unit price may exceed the order's by no more than "
        "the percentage, and the line may cost more than at the order's price by no more than the amount; both must "
        "hold. Freight needs no receipt. Services: the billed amount may not exceed the accepted service sheets for "
        "the line. At a limit exactly is allowed, and so is less."
    ),
    systems={
        "purchasing": "Purchasing: orders to suppliers.",
        "receiving": "The receiving desk: goods receipts and service sheets.",
        "erp": "Accounts payable of the ERP: invoices and the match policy.",
    },
    state=State,
    commit=PostInvoice,
    preparations=(PreviewPosting,),
    requirements=(lines_on_order, quantity_matches, price_within_percent, price_within_amount, service_accepted),
)
