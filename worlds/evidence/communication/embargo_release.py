"""A release goes out when its embargo has ended, or before that only to outlets bound by an agreement for it.

Behind it: press embargo practice. Two clocks in two zones, lifts that only the owner can declare, and advance copies
for those who signed.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement


class Release(Record, system="press_desk", read="get_release", list="list_releases", key="id"):
    """Release: id, title, the owner of its embargo, when the embargo ends, header lines, status, word count, hero
    image."""

    id: str
    title: str
    owner: str
    embargo_until: AwareDatetime
    header: Prose = Prose()
    status: str
    word_count: int
    hero_image: str


class Lift(Record, system="press_desk", list="list_lifts", key="id"):
    """Notice that an embargo is lifted: id, release, who gave it, from when, how it came in."""

    id: str
    release: str
    lifted_by: str
    at: AwareDatetime
    came_in_by: str


class Distribution(Record, system="publishing", read="get_distribution", list="list_distributions", key="id"):
    """Distribution of a release: id, release, the outlets that receive it, the moment at which it is sent, channel,
    desk notes."""

    id: str
    release: str
    recipients: Listing[str]
    send_at: AwareDatetime
    channel: str
    desk_notes: Prose = Prose()


class EmbargoAgreement(
    Record, system="agreements", read="get_agreement", list="list_agreements", search="search_agreements", key="id"
):
    """Signed embargo agreement: id, outlet, the release it is for, when it was signed, when it was withdrawn (if it
    was), contact."""

    id: str
    outlet: str
    release: str
    signed_at: AwareDatetime
    withdrawn_at: AwareDatetime | None = None
    contact: str


class State(WorldState):
    release: Release
    other_releases: Listing[Release] = Listing()
    lifts: Listing[Lift] = Listing()
    distribution: Distribution
    other_distributions: Listing[Distribution] = Listing()
    agreements: Listing[EmbargoAgreement] = Listing()


class ConfirmDistribution(Commit, system="publishing"):
    """Confirm a distribution. Its release then goes to all its recipients at the moment it is set for."""

    distribution_id: Annotated[str, Names(Distribution)]


class RenderPreview(Preparation, system="publishing"):
    """Render a distribution as its recipients will see it, without sending it."""

    says = ("The preview is rendered.", "At its top stands: embargoed until {release.embargo_until}.")

    distribution_id: Annotated[str, Names(Distribution)]


@requirement("the embargo has ended when the release is sent, or every recipient is bound by an agreement for it")
def embargo_kept(state: State) -> bool:
    send_at = state.distribution.send_at

    def lifted(lift: Lift) -> bool:
        return all_of(
            lambda: lift.release == state.release.id,
            lambda: lift.lifted_by == state.release.owner,
            lambda: lift.at <= send_at,
        )

    def binds(agreement: EmbargoAgreement, outlet: str) -> bool:
        return all_of(
            lambda: agreement.outlet == outlet,
            lambda: agreement.release == state.release.id,
            lambda: agreement.signed_at <= send_at,
            lambda: agreement.withdrawn_at is None or agreement.withdrawn_at > send_at,
        )

    def bound(outlet: str) -> bool:
        return some(state.agreements, lambda agreement: binds(agreement, outlet))

    def all_bound() -> bool:
        recipients = state.distribution.recipients
        return all_of(lambda: some(recipients, lambda outlet: True), lambda: every(recipients, bound))

    return all_of(
        lambda: state.distribution.release == state.release.id,
        lambda: any_of(
            lambda: state.release.embargo_until <= send_at,
            lambda: some(state.lifts, lifted),
            all_bound,
        ),
    )


FAMILY = Family(
    name="embargo_release",
    rule=(
        "A release under embargo is sent no earlier than its embargo ends, whatever zone either time is written in; "
        "the very moment at which it ends is allowed. If the owner of the embargo lifts it, it ends at the moment "
        "given in the lift, where that is earlier; a lift by anyone else changes nothing, nor does it that an outlet "
        "has already published. While the embargo runs, the release may be sent if it has recipients and every one of "
        "them has an embargo agreement of its own for this very release, signed at or before the moment of sending and "
        "not withdrawn by then."
    ),
    systems={
        "press_desk": "The press desk: releases and notices of lifted embargoes.",
        "publishing": "The publishing system: distributions of releases.",
        "agreements": "The register of signed embargo agreements.",
    },
    state=State,
    commit=ConfirmDistribution,
    preparations=(RenderPreview,),
    requirements=(embargo_kept,),
)
