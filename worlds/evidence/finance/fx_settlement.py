"""An invoice is settled if, at the rate of its deal, it costs no more than the account has free (FAMILY_NOTES row 7).

Behind it: treasury books a deal for an invoice, and the bank debits what the invoice costs at the booked rate, not at
the rate on the screen. Which way the quote runs, what is on hold, and whether a credit line is committed decide.
"""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Literal

from worlds.judging import all_of, any_of
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement
from worlds.values import Money, money_sum

CENT = Decimal("0.01")


class Invoice(Record, system="erp", read="get_invoice", list="list_invoices", search="search_invoices", key="id"):
    """Supplier invoice in foreign currency: amount, the deal it is settled with, the account to debit, settlement day,
    approval, cost center, remarks."""

    id: str
    supplier: str
    amount: Money
    deal: str
    debit_account: str
    settle_on: date
    approval: str
    cost_center: str
    remarks: Prose = Prose()


class Drawing(Value, key="invoice"):
    """A part of a deal that was used for an earlier invoice."""

    invoice: str
    amount: Money


class Deal(Record, system="treasury_desk", read="get_deal", list="list_deals", search="search_deals", key="id"):
    """Currency deal: status, the amount bought, the rate and the currency of which it prices one unit, value date,
    drawings by earlier invoices, dealing desk, text of the confirmation."""

    id: str
    status: Literal["booked", "indicative", "cancelled"]
    buys: Money
    against: str
    rate: Decimal
    quoted_per: str
    value_date: date
    drawings: Listing[Drawing] = Listing()
    desk: str
    confirmation: Prose = Prose()


class ScreenRate(Record, system="treasury_desk", list="list_screen_rates", key="pair"):
    """Rate of the morning for a currency pair: units of the second currency for one of the first."""

    pair: str
    rate: Decimal
    taken_at: str


class Hold(Value, key="ref"):
    """An amount on the account that is set aside."""

    ref: str
    amount: Money
    reason: str


class CreditLine(Value):
    """A credit line on the account: limit, what is drawn, whether the bank has committed it."""

    limit: Money
    drawn: Money
    committed: bool


class Account(Record, system="bank", read="get_account", list="list_accounts", key="number"):
    """Own account: currency, ledger balance, holds, credit line, branch, remarks."""

    number: str
    currency: str
    ledger: Money
    holds: Listing[Hold] = Listing()
    credit_line: CreditLine | None = None
    branch: str
    remarks: Prose = Prose()


class State(WorldState):
    invoice: Invoice
    other_invoices: Listing[Invoice] = Listing()
    deal: Deal
    other_deals: Listing[Deal] = Listing()
    screen_rates: Listing[ScreenRate] = Listing()
    account: Account
    other_accounts: Listing[Account] = Listing()


class SettleInvoice(Commit, system="bank"):
    """Settle an invoice with its deal: the bank debits the account named on the invoice and pays the supplier."""

    invoice_id: Annotated[str, Names(Invoice)]


class DraftSettlement(Preparation, system="bank"):
    """Prepare the settlement of an invoice without sending it."""

    says = ("The settlement is saved as a draft.", "It would pay {invoice.amount} to {invoice.supplier}.")

    invoice_id: Annotated[str, Names(Invoice)]


def cost(state: State) -> Money:
    """What the invoice costs in the account's currency at the rate of its deal, to the cent."""
    amount, rate = state.invoice.amount, state.deal.rate
    exact = amount.amount * rate if state.deal.quoted_per == amount.currency else amount.amount / rate
    return Money(exact.quantize(CENT, ROUND_HALF_UP), state.account.currency)


def balance_free(state: State) -> Money:
    account = state.account
    return account.ledger - money_sum([hold.amount for hold in account.holds], account.currency)


@requirement("the deal is the one that the invoice names, is booked, and its value date is the day of settlement")
def deal_is_firm(state: State) -> bool:
    return all_of(
        lambda: state.deal.id == state.invoice.deal,
        lambda: state.deal.status == "booked",
        lambda: state.deal.value_date == state.invoice.settle_on,
    )


@requirement("what earlier invoices left of the deal is enough for the invoice")
def deal_is_enough(state: State) -> bool:
    drawn = money_sum([drawing.amount for drawing in state.deal.drawings], state.deal.buys.currency)
    return drawn + state.invoice.amount <= state.deal.buys


@requirement("the cost at the deal's rate is within the balance less holds, with a committed line as far as undrawn")
def within_available(state: State) -> bool:
    def with_credit_line() -> bool:
        line = state.account.credit_line
        return line is not None and all_of(
            lambda: line.committed,
            lambda: cost(state) <= balance_free(state) + line.limit - line.drawn,
        )

    return all_of(
        lambda: state.account.number == state.invoice.debit_account,
        lambda: any_of(lambda: cost(state) <= balance_free(state), with_credit_line),
    )


FAMILY = Family(
    name="fx_settlement",
    rule=(
        "An invoice in foreign currency is settled with the deal it names and no other. The deal must be booked, its "
        "value date must be the settlement day, and what earlier drawings left of it must be enough for the invoice. "
        "The invoice is converted at the deal's rate, which is the price of one unit of the currency it is quoted per, "
        "and rounded to the cent, half a cent upwards. That cost must be within what the account to be debited, the "
        "one that the invoice names, has available: the ledger balance less all holds, and the undrawn part of a "
        "credit line if the bank has committed it. Equal is enough."
    ),
    systems={
        "erp": "Accounts payable of the ERP: invoices from suppliers.",
        "treasury_desk": "The treasury desk: currency deals and the rates of the morning.",
        "bank": "The bank portal: own accounts and settlements.",
    },
    state=State,
    commit=SettleInvoice,
    preparations=(DraftSettlement,),
    requirements=(deal_is_firm, deal_is_enough, within_available),
)
