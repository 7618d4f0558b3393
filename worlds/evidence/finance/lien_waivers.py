"""A construction draw is released when everyone who could file a lien has waived it (FAMILY_NOTES row 9).

Behind it: an owner who pays the contractor pays twice if a subcontractor or its supplier then files a lien. A waiver is
as good as its kind, its through date and its amount; one for the work now billed may wait for the payment, one for the
work already paid may not.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement
from worlds.values import Money

Kind = Literal["conditional progress", "unconditional progress"]


class BilledParty(Value, key="party"):
    """A subcontractor or supplier billed in the draw, and what it was paid from the draw before."""

    party: str
    trade: str
    amount: Money
    paid_previous: Money | None = None


class Draw(Record, system="draw_desk", read="get_draw", list="list_draws", key="number"):
    """Draw request: project, through date of the work billed and of the previous draw, release day, the billed parties
    with this draw's amount and what the previous draw paid them, permit, superintendent, statement of the general
    contractor."""

    number: str
    project: str
    through_date: date
    previous_through_date: date | None = None
    release_on: date
    parties: Listing[BilledParty]
    permit: str
    superintendent: str
    statement: Prose = Prose()


class WaiverTerms(Record, system="draw_desk", read="get_waiver_terms"):
    """What the construction loan says about waivers: the amount up to which a party needs none."""

    loan: str
    exempt_up_to: Money
    remarks: Prose = Prose()


class Waiver(Record, system="waiver_log", read="get_waiver", list="list_waivers", search="search_waivers", key="id"):
    """Signed lien waiver: project, party, kind, through date, amount, day of receipt, text of the form."""

    id: str
    project: str
    party: str
    kind: Kind
    through_date: date
    amount: Money
    received_on: date
    form: Prose = Prose()


class Notice(Record, system="title_desk", read="get_notice", list="list_notices", key="id"):
    """Notice of someone who furnishes a project under a billed party: who, under whom, amount furnished in this draw,
    day given, day withdrawn (null if it was not)."""

    id: str
    project: str
    party: str
    under: str
    amount: Money
    given_on: date
    withdrawn_on: date | None = None


class LienBond(Record, system="title_desk", read="get_lien_bond", list="list_lien_bonds", key="id"):
    """Bond against liens of one claimant on a project: amount, surety, day of recording (null while not recorded)."""

    id: str
    project: str
    claimant: str
    amount: Money
    surety: str
    recorded_on: date | None = None


class State(WorldState):
    draw: Draw
    other_draws: Listing[Draw] = Listing()
    terms: WaiverTerms
    waivers: Listing[Waiver]
    notices: Listing[Notice] = Listing()
    bonds: Listing[LienBond] = Listing()


class ReleaseDraw(Commit, system="draw_desk"):
    """Release a draw: the lender wires its amount to the general contractor."""

    draw_number: Annotated[str, Names(Draw)]


class DraftFundingLetter(Preparation, system="draw_desk"):
    """Prepare the letter that goes to the general contractor with a draw."""

    says = ("The letter is drafted and not sent.", "It is about {draw.project}.")

    draw_number: Annotated[str, Names(Draw)]


def exempt(state: State, party: str, amount: Money) -> bool:
    """Whether no waiver is needed: the amount is small, or a bond recorded by the release day stands for it."""

    def bonded(bond: LienBond) -> bool:
        return all_of(
            lambda: bond.claimant == party,
            lambda: bond.project == state.draw.project,
            lambda: bond.recorded_on is not None and bond.recorded_on <= state.draw.release_on,
            lambda: bond.amount >= amount,
        )

    return any_of(lambda: amount <= state.terms.exempt_up_to, lambda: some(state.bonds, bonded))


def waived(state: State, party: str, amount: Money, through: date, *kinds: Kind) -> bool:
    """Whether one waiver of the party for this project is of the right kind and reaches both date and amount."""
    return some(
        state.waivers,
        lambda waiver: all_of(
            lambda: waiver.party == party,
            lambda: waiver.project == state.draw.project,
            lambda: waiver.kind in kinds,
            lambda: waiver.through_date >= through,
            lambda: waiver.amount >= amount,
        ),
    )


def waived_now(state: State, party: str, amount: Money) -> bool:
    return waived(state, party, amount, state.draw.through_date, "conditional progress", "unconditional progress")


@requirement("every billed party has waived its lien for this draw, or is exempt")
def this_draw_waived(state: State) -> bool:
    return every(
        state.draw.parties,
        lambda billed: any_of(
            lambda: exempt(state, billed.party, billed.amount),
            lambda: waived_now(state, billed.party, billed.amount),
        ),
    )


@requirement("every billed party has unconditionally waived its lien for what the previous draw paid, or is exempt")
def previous_draw_waived(state: State) -> bool:
    def settled(billed: BilledParty) -> bool:
        paid, through = billed.paid_previous, state.draw.previous_through_date
        return (
            paid is None
            or through is None
            or any_of(
                lambda: exempt(state, billed.party, paid),
                lambda: waived(state, billed.party, paid, through, "unconditional progress"),
            )
        )

    return every(state.draw.parties, settled)


@requirement("everyone whose notice stands on the release day has waived its lien for this draw, or is exempt")
def notices_waived(state: State) -> bool:
    return every(
        state.notices,
        lambda notice: any_of(
            lambda: notice.project != state.draw.project,
            lambda: notice.given_on > state.draw.release_on,
            lambda: notice.withdrawn_on is not None and notice.withdrawn_on <= state.draw.release_on,
            lambda: exempt(state, notice.party, notice.amount),
            lambda: waived_now(state, notice.party, notice.amount),
        ),
    )


FAMILY = Family(
    name="lien_waivers",
    rule=(
        "A draw is released only against lien waivers for its project. Every party billed in it needs a progress "
        "waiver, conditional or unconditional, that reaches the draw's through date and the amount billed; and, for "
        "what the previous draw paid it, an unconditional one that reaches the previous through date and the amount "
        "paid. Everyone who has given notice on the project by the release day, and not withdrawn it by then, needs "
        "the same waiver for this draw as a billed party, for the amount of the notice. One single waiver must reach "
        "both date and amount; equal is enough. No waiver is needed for an amount up to and including the exempt "
        "amount of the loan terms, or from a claimant against whom a bond of at least the amount has been recorded for "
        "the project by the release day."
    ),
    systems={
        "draw_desk": "The lender's draw desk: draw requests and the waiver terms of the loan.",
        "waiver_log": "The log of signed lien waivers.",
        "title_desk": "The title company: notices of furnishing and recorded bonds.",
    },
    state=State,
    commit=ReleaseDraw,
    preparations=(DraftFundingLetter,),
    requirements=(this_draw_waived, previous_draw_waived, notices_waived),
)
