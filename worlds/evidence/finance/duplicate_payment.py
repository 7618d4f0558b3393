"""An invoice is paid once: earlier payments count unless the money came back (seeds/002 A.3).

Behind it: the duplicate check of accounts payable. Duplicates slip through where a reference was typed differently, the
supplier has a second master record, or an order to the bank went unanswered and is simply repeated.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement
from worlds.values import Money, money_sum


class Invoice(Record, system="erp", read="get_invoice", list="list_invoices", search="search_invoices", key="id"):
    """Registered supplier invoice: supplier number and name, the supplier's reference, date, amount, the instalment to
    be paid now (none: the whole amount), payment status as last posted here, workflow, buyer, scanned pages, notes."""

    id: str
    supplier_number: str
    supplier: str
    reference: str
    invoice_date: date
    amount: Money
    instalment: Money | None = None
    payment_status: str
    workflow: str
    buyer: str
    scanned_pages: int
    notes: Prose = Prose()


class Supplier(Record, system="erp", read="get_supplier", list="list_suppliers", key="number"):
    """Supplier master record: number, name, tax number, city, who created it."""

    number: str
    name: str
    tax_number: str
    city: str
    created_by: str


class Transaction(
    Record, system="bank", read="get_transaction", list="list_transactions", search="search_transactions", key="id"
):
    """Outgoing payment: supplier number on the order, beneficiary, amount, reference, value date, notes, and status:
    paid, pending, no answer (the bank has not said what became of it), rejected, returned or reversed."""

    id: str
    supplier_number: str
    beneficiary: str
    amount: Money
    reference: str
    value_date: date
    status: Literal["paid", "pending", "no answer", "rejected", "returned", "reversed"]
    notes: Prose = Prose()


class State(WorldState):
    invoice: Invoice
    other_invoices: Listing[Invoice] = Listing()
    suppliers: Listing[Supplier]
    transactions: Listing[Transaction]


class PayInvoice(Commit, system="bank"):
    """Send the payment for a registered invoice: the instalment noted on it, otherwise the whole amount."""

    invoice_id: Annotated[str, Names(Invoice)]


class WriteRemittanceAdvice(Preparation, system="bank"):
    """Prepare the advice that accompanies a payment. Moves no money."""

    says = ("The advice is stored; no money has moved.", "It gives the invoice total as {invoice.amount}.")

    invoice_id: Annotated[str, Names(Invoice)]


def bare(reference: str) -> str:
    """A reference without spaces, punctuation and case."""
    return "".join(letter for letter in reference.casefold() if letter.isalnum())


def same_supplier(state: State, number: str) -> bool:
    """Whether a supplier number is the invoice's, or has the same tax number."""

    def same_tax_number() -> bool:
        ours, theirs = state.suppliers.get(state.invoice.supplier_number), state.suppliers.get(number)
        return ours is not None and theirs is not None and ours.tax_number == theirs.tax_number

    return any_of(lambda: number == state.invoice.supplier_number, same_tax_number)


def for_invoice(state: State, payment: Transaction, *statuses: str) -> bool:
    """Whether an earlier payment was made for the invoice and has one of these statuses."""
    return all_of(
        lambda: payment.status in statuses,
        lambda: bare(payment.reference) == bare(state.invoice.reference),
        lambda: same_supplier(state, payment.supplier_number),
    )


@requirement("what was paid for the invoice before, with this payment, does not exceed the invoice amount")
def within_amount(state: State) -> bool:
    invoice = state.invoice
    due = invoice.amount if invoice.instalment is None else invoice.instalment
    before = [payment.amount for payment in state.transactions if for_invoice(state, payment, "paid", "pending")]
    return money_sum(before, due.currency) + due <= invoice.amount


@requirement("no earlier payment for the invoice is without the bank's answer")
def no_open_attempt(state: State) -> bool:
    return not some(state.transactions, lambda payment: for_invoice(state, payment, "no answer"))


FAMILY = Family(
    name="duplicate_payment",
    rule=(
        "An invoice is paid once. Earlier payments for it are those at the bank that carry its reference, compared "
        "without spaces, punctuation and case, and went to its supplier, under its supplier number or one with the "
        "same tax number. Paid and pending ones count; rejected, returned and reversed ones do not. What counts and "
        "the payment to be made may together equal the invoice amount but not exceed it. While the bank has not "
        "answered on an earlier payment for the invoice, nothing more is paid. Status and workflow in the ERP do not "
        "decide."
    ),
    systems={
        "erp": "Accounts payable of the ERP: invoices and supplier master.",
        "bank": "The bank portal: outgoing payments and what became of them.",
    },
    state=State,
    commit=PayInvoice,
    preparations=(WriteRemittanceAdvice,),
    requirements=(within_amount, no_open_attempt),
)
