"""A payment waits while its beneficiary is listed, or is held for half or more by listed parties (FAMILY_NOTES row 6).

Behind it: ownership counts upwards from the listed party. Shares of several listed holders add up; a company that they
block in this way counts for its whole holding in the next one, and a company that they do not block counts for nothing.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement
from worlds.values import Money

HALF = Decimal(50)


class Payment(Record, system="bank", read="get_payment", list="list_payments", search="search_payments", key="id"):
    """Outgoing payment: number, party number of the beneficiary, amount, purpose, value date, workflow status,
    reference, remarks."""

    id: str
    beneficiary: str
    amount: Money
    purpose: str
    value_date: date
    status: str
    reference: str
    remarks: Prose = Prose()


class Owner(Value, key="party_id"):
    """A holder on record, with the share in per cent."""

    party_id: str
    name: str
    share: Decimal


class Company(
    Record,
    system="ownership_register",
    read="get_company",
    list="list_companies",
    search="search_companies",
    key="party_id",
):
    """Company on the ownership register: party number, name, industry, founding year, the holders on record with their
    shares in per cent (free float and small holders are not recorded), and remarks of the onboarding file."""

    party_id: str
    name: str
    industry: str
    founded: int
    owners: Listing[Owner] = Listing()
    file_remarks: Prose = Prose()


class HoldEntry(
    Record, system="screening", read="get_hold_entry", list="list_hold_entries", search="search_hold_entries", key="id"
):
    """Entry on the hold list: party number and name, programme, the day it was listed, the day of removal (null if it
    has not been removed), remarks."""

    id: str
    party_id: str
    name: str
    programme: str
    listed_on: date
    removed_on: date | None = None
    remarks: Prose = Prose()


class Licence(Record, system="licence_register", read="get_licence", list="list_licences", key="id"):
    """Licence held for payments to a party: its party number, the purposes named, first and last day, issuer."""

    id: str
    party_id: str
    purposes: tuple[str, ...]
    valid_from: date
    valid_to: date
    issuer: str
    remarks: Prose = Prose()


class State(WorldState):
    payment: Payment
    other_payments: Listing[Payment] = Listing()
    beneficiary: Company
    companies: Listing[Company] = Listing()
    entries: Listing[HoldEntry]
    licences: Listing[Licence] = Listing()


class ReleasePayment(Commit, system="bank"):
    """Release a waiting payment, so that it goes out on its value date."""

    payment_id: Annotated[str, Names(Payment)]


class DraftAdvice(Preparation, system="bank"):
    """Prepare the advice that announces a payment to its beneficiary."""

    says = ("The advice is drafted and has not been sent.", "It is addressed to {beneficiary.name}.")

    payment_id: Annotated[str, Names(Payment)]


def stands(state: State, entry: HoldEntry) -> bool:
    """Whether an entry holds on the value date: from the day of listing to the day before its removal."""
    return all_of(
        lambda: entry.listed_on <= state.payment.value_date,
        lambda: entry.removed_on is None or state.payment.value_date < entry.removed_on,
    )


def listed(state: State, party: str) -> bool:
    return some(state.entries, lambda entry: all_of(lambda: entry.party_id == party, lambda: stands(state, entry)))


def held_for_half(state: State, party: str, above: tuple[str, ...] = ()) -> bool:
    """Whether blocked holders have half or more. `above` holds the companies on the way here: holdings in a circle
    cannot block each other."""
    company = state.beneficiary if party == state.beneficiary.party_id else state.companies.get(party)
    if company is None:
        return False
    way = (*above, party)
    blocked = [
        owner.share for owner in company.owners if owner.party_id not in way and is_blocked(state, owner.party_id, way)
    ]
    return sum(blocked, Decimal(0)) >= HALF


def is_blocked(state: State, party: str, above: tuple[str, ...]) -> bool:
    return any_of(lambda: listed(state, party), lambda: held_for_half(state, party, above))


def licensed(state: State) -> bool:
    """Whether a licence for this beneficiary covers the payment's purpose and value date."""
    return some(
        state.licences,
        lambda licence: all_of(
            lambda: licence.party_id == state.payment.beneficiary,
            lambda: state.payment.purpose in licence.purposes,
            lambda: licence.valid_from <= state.payment.value_date <= licence.valid_to,
        ),
    )


@requirement("no entry of the hold list stands against the beneficiary itself, or a licence covers the payment")
def not_listed(state: State) -> bool:
    return any_of(lambda: not listed(state, state.payment.beneficiary), lambda: licensed(state))


@requirement("blocked holders have less than half of the beneficiary, or a licence covers the payment")
def owners_below_half(state: State) -> bool:
    return any_of(lambda: not held_for_half(state, state.payment.beneficiary), lambda: licensed(state))


FAMILY = Family(
    name="sanctions_hold",
    rule=(
        "A payment is released only if on its value date its beneficiary is not listed, and blocked holders have less "
        "than half of it; exactly half is too much. An entry of the hold list names a party by its party number, a "
        "like name alone is no match; it stands from the day of listing and no longer on the day of removal. Blocked "
        "are listed parties and companies of which blocked holders have half or more; the shares of all blocked "
        "holders add up, each with its whole share, while a company that is not blocked counts for nothing. A licence "
        "for this beneficiary that names the payment's purpose and includes its value date, first and last day "
        "counted, lifts both conditions."
    ),
    systems={
        "bank": "The bank's payment desk: outgoing payments.",
        "screening": "The screening tool with the hold list.",
        "ownership_register": "The ownership register: companies and who holds them.",
        "licence_register": "The register of licences held.",
    },
    state=State,
    commit=ReleasePayment,
    preparations=(DraftAdvice,),
    requirements=(not_listed, owners_below_half),
)
