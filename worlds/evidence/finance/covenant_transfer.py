"""A transfer may leave if the covenants are still met without the money (FAMILY_NOTES row 10).

Behind it: loan agreements ask for a minimum of free cash, or for a multiple of the debt service, on a test date. Cash
that is pledged or in escrow is not free; money that stays inside the tested group is not gone.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement
from worlds.values import Money, money_sum


class Transfer(Record, system="erp", read="get_transfer", list="list_transfers", search="search_transfers", key="id"):
    """Registered transfer: paying company, receiver, amount, value date, approval, text, remarks."""

    id: str
    payer: str
    receiver: str
    amount: Money
    value_date: date
    approval: str
    text: str
    remarks: Prose = Prose()


class ScheduledPayment(Record, system="erp", read="get_scheduled_payment", list="list_scheduled_payments", key="id"):
    """Payment that is scheduled to leave to a third party: paying company, payee, amount, due date."""

    id: str
    payer: str
    payee: str
    amount: Money
    due: date


class Account(Record, system="bank", read="get_account", list="list_accounts", key="number"):
    """Bank account: holder, balance, encumbrance, rate of the loan agreement into the covenant's currency, banker,
    remarks."""

    number: str
    holder: str
    balance: Money
    encumbrance: Literal["none", "pledged", "escrow"] = "none"
    agreement_rate: Decimal = Decimal(1)
    banker: str
    remarks: Prose = Prose()


class Covenant(Record, system="loan_register", read="get_covenant", list="list_covenants", key="id"):
    """Liquidity covenant of a loan: the company it binds, the tested group, next test date, currency, what is asked
    for (a minimum, or a multiple of the debt service), agent bank, remarks."""

    id: str
    facility: str
    binds: str
    tested_group: Listing[str]
    test_date: date
    currency: str
    asks_for: Literal["minimum", "multiple of debt service"] = "minimum"
    minimum: Money | None = None
    multiple: Decimal | None = None
    debt_service: Money | None = None
    agent: str
    remarks: Prose = Prose()


class CovenantWaiver(
    Record, system="loan_register", read="get_covenant_waiver", list="list_covenant_waivers", key="id"
):
    """Waiver letter of a lender: the covenant and the test date it is for, day of signature (null while unsigned),
    remarks."""

    id: str
    covenant: str
    test_date: date
    signed_on: date | None = None
    remarks: Prose = Prose()


class State(WorldState):
    transfer: Transfer
    other_transfers: Listing[Transfer] = Listing()
    scheduled: Listing[ScheduledPayment] = Listing()
    accounts: Listing[Account]
    covenants: Listing[Covenant]
    waivers: Listing[CovenantWaiver] = Listing()


class SendTransfer(Commit, system="bank"):
    """Send a registered transfer on its value date."""

    transfer_id: Annotated[str, Names(Transfer)]


class PrepareTransfer(Preparation, system="bank"):
    """Enter a registered transfer in the bank portal without sending it."""

    says = ("The transfer is entered and waits to be sent.", "Receiver: {transfer.receiver}.")

    transfer_id: Annotated[str, Names(Transfer)]


def free_cash(state: State, covenant: Covenant) -> Money:
    """Cash on the unencumbered accounts of the tested group, in the covenant's currency."""
    balances = [
        account.balance.converted(account.agreement_rate, covenant.currency)
        for account in state.accounts
        if account.holder in covenant.tested_group and account.encumbrance == "none"
    ]
    return money_sum(balances, covenant.currency)


def leaving(state: State, covenant: Covenant) -> Money:
    """What is scheduled to leave the tested group up to the test date, and the transfer unless it stays inside."""
    amounts = [
        payment.amount
        for payment in state.scheduled
        if payment.payer in covenant.tested_group and payment.due <= covenant.test_date
    ]
    if state.transfer.receiver not in covenant.tested_group:
        amounts.append(state.transfer.amount)
    return money_sum(amounts, covenant.currency)


def is_waived(state: State, covenant: Covenant) -> bool:
    """Whether the lender waived this covenant for this test date before the transfer leaves."""
    return some(
        state.waivers,
        lambda waiver: all_of(
            lambda: waiver.covenant == covenant.id,
            lambda: waiver.test_date == covenant.test_date,
            lambda: waiver.signed_on is not None and waiver.signed_on <= state.transfer.value_date,
        ),
    )


def reaches(state: State, covenant: Covenant, floor: Money) -> bool:
    return free_cash(state, covenant) >= floor + leaving(state, covenant)


@requirement("the free cash left reaches the minimum of every covenant that has one, unless waived for the test date")
def minimum_kept(state: State) -> bool:
    def kept(covenant: Covenant) -> bool:
        minimum = covenant.minimum
        return minimum is not None and reaches(state, covenant, minimum)

    return every(
        state.covenants,
        lambda covenant: any_of(
            lambda: covenant.binds != state.transfer.payer,
            lambda: covenant.asks_for != "minimum",
            lambda: is_waived(state, covenant),
            lambda: kept(covenant),
        ),
    )


@requirement("the free cash left reaches the multiple of debt service wherever that is asked for, unless waived")
def multiple_kept(state: State) -> bool:
    def kept(covenant: Covenant) -> bool:
        multiple, service = covenant.multiple, covenant.debt_service
        return multiple is not None and service is not None and reaches(state, covenant, service * multiple)

    return every(
        state.covenants,
        lambda covenant: any_of(
            lambda: covenant.binds != state.transfer.payer,
            lambda: covenant.asks_for != "multiple of debt service",
            lambda: is_waived(state, covenant),
            lambda: kept(covenant),
        ),
    )


FAMILY = Family(
    name="covenant_transfer",
    rule=(
        "A transfer is sent only if every covenant that binds the paying company is met with what is left. Left is "
        "the cash on the accounts of the covenant's tested group, without pledged and escrow accounts and at the "
        "rates of the agreement, less the payments that the tested group has scheduled up to and including the "
        "covenant's test date, and less the transfer unless its receiver belongs to the tested group. Money expected "
        "in does not count. It must reach the minimum or, where the covenant asks for it, the multiple of debt "
        "service; equal is enough. A covenant is set aside by a waiver for that covenant and that test date, signed "
        "by the transfer's value date."
    ),
    systems={
        "erp": "Intercompany and payables of the ERP: registered transfers, scheduled payments.",
        "bank": "The bank portal: accounts of the group, transfers.",
        "loan_register": "The register of loan agreements: covenants and waivers.",
    },
    state=State,
    commit=SendTransfer,
    preparations=(PrepareTransfer,),
    requirements=(minimum_kept, multiple_kept),
)
