"""Above a threshold two different people approve a payment, and neither of them is on the requester's side.

Behind it: four eyes and the segregation of duties. A workflow counts stamps; what matters is who gave them, for which
version of the payment, and whether the second pair of eyes belongs to somebody else.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement
from worlds.values import Money


class Approval(Value, key="id"):
    """An approval: the account that gave it, when, with which comment."""

    id: str
    account: str
    at: datetime
    comment: str


class Payment(Record, system="erp", read="get_payment", list="list_payments", search="search_payments", key="id"):
    """Payment in the workflow: payee, amount, payment date, account that requested it, when payee or amount were last
    amended, approvals (account, time, comment), the workflow's counter, remarks."""

    id: str
    payee: str
    amount: Money
    payment_date: date
    requested_by: str
    last_amended_at: datetime
    approvals: Listing[Approval]
    counter: str
    remarks: Prose = Prose()


class Account(Record, system="hr_directory", read="get_account", list="list_accounts", key="login"):
    """User account: login, display name, employee number of the person it belongs to, title, office."""

    login: str
    display_name: str
    person: str
    title: str
    office: str


class StandIn(Record, system="hr_directory", read="get_stand_in", list="list_stand_ins", key="id"):
    """Who stands in for an absent person: employee numbers of both, first and last day."""

    id: str
    absent: str
    stand_in: str
    first_day: date
    last_day: date


class TrustedPayee(Value, key="payee"):
    """A payee with a lighter approval: cap for a single payment, last day of validity."""

    payee: str
    cap: Money
    valid_until: date


class ApprovalPolicy(Record, system="treasury_policy", read="get_approval_policy"):
    """Approval of payments: the threshold above which two people approve, trusted payees with cap and last day of
    validity, guidance."""

    threshold: Money
    trusted_payees: Listing[TrustedPayee] = Listing()
    guidance: Prose = Prose()


class State(WorldState):
    payment: Payment
    other_payments: Listing[Payment] = Listing()
    accounts: Listing[Account]
    stand_ins: Listing[StandIn] = Listing()
    policy: ApprovalPolicy


class ReleasePayment(Commit, system="bank"):
    """Send a payment of the workflow to its payee."""

    payment_id: Annotated[str, Names(Payment)]


def person_of(state: State, login: str) -> str | None:
    """The employee number behind an account."""
    account = state.accounts.get(login)
    return None if account is None else account.person


def counts(state: State, approval: Approval) -> bool:
    """Whether an approval is for the payment as it is now and comes from somebody independent of the requester."""

    def independent() -> bool:
        person, requester = person_of(state, approval.account), person_of(state, state.payment.requested_by)
        return all_of(
            lambda: person is not None and requester is not None and person != requester,
            lambda: every(state.stand_ins, lambda entry: not stands_in(entry, person, requester)),
        )

    def stands_in(entry: StandIn, person: str | None, requester: str | None) -> bool:
        return all_of(
            lambda: entry.absent == requester,
            lambda: entry.stand_in == person,
            lambda: entry.first_day <= approval.at.date() <= entry.last_day,
        )

    return all_of(lambda: approval.at > state.payment.last_amended_at, independent)


@requirement("an approval counts: later than the last amendment, from neither the requester nor a stand-in")
def one_approver(state: State) -> bool:
    return some(state.payment.approvals, lambda approval: counts(state, approval))


@requirement("above the threshold two different people gave approvals that count, unless the payee is trusted")
def two_above_threshold(state: State) -> bool:
    payment, policy = state.payment, state.policy

    def trusted() -> bool:
        return some(
            policy.trusted_payees,
            lambda listed: all_of(
                lambda: listed.payee == payment.payee,
                lambda: payment.amount <= listed.cap,
                lambda: payment.payment_date <= listed.valid_until,
            ),
        )

    def two_people() -> bool:
        people = {person_of(state, approval.account) for approval in payment.approvals if counts(state, approval)}
        return len(people) >= 2

    return any_of(lambda: payment.amount <= policy.threshold, trusted, two_people)


FAMILY = Family(
    name="dual_approval",
    rule=(
        "A payment needs an approval that counts; above the threshold it needs such approvals from two different "
        "people. An approval counts if it was given later than payee or amount were last amended (the same moment is "
        "not later), by neither the requester nor anybody who stood in for the requester on the day of the approval, "
        "first and last day included; that day is read in the time zone that the approval carries. People are told "
        "apart by employee number, not by account; where the directory does not list the account of the requester or "
        "of the approver, the approval does not count. For a trusted payee one is enough above the threshold too, up "
        "to its cap and through its last day of validity, by payment date. Amounts equal to threshold or cap are "
        "within it. The workflow's counter does not decide."
    ),
    systems={
        "erp": "Payment workflow of the ERP: payments and their approvals.",
        "hr_directory": "Directory of people: accounts, employee numbers, stand-ins.",
        "treasury_policy": "The treasury's approval policy and its trusted payees.",
        "bank": "The bank portal: release of payments.",
    },
    state=State,
    commit=ReleasePayment,
    requirements=(one_approver, two_above_threshold),
)
