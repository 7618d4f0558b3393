"""A name is switched only when the old answers have died out and the new target's certificate covers the name.

Behind it: resolvers keep an answer for the lifetime that it had when they fetched it, not for the one shown now; and
the star of a wildcard certificate stands for one label (RFC 9525).
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement


class Cutover(Record, system="change_board", read="get_cutover", list="list_cutovers", key="id"):
    """Cutover: the name that is switched, the new target, time of the switch, health of the target, requester,
    comments."""

    id: str
    name: str
    new_target: str
    switch_at: datetime
    target_health: str = "green"
    requested_by: str
    comments: Prose = Prose()


class RecordSet(Record, system="dns", list="list_record_sets", search="search_record_sets", key="id"):
    """Record set of the zone: name, type, lifetime shown now and lifetime before it was shortened (both in seconds),
    when it was shortened (null: never), day since which it has been published (null: never published), comment."""

    id: str
    name: str
    type: str
    ttl_seconds: int
    previous_ttl_seconds: int
    shortened_at: datetime | None
    published_since: date | None
    comment: Prose = Prose()


class Certificate(Record, system="certificates", list="list_certificates", key="id"):
    """Certificate: the target that serves it, names in it, first and last instant at which it is valid, issuer, status
    of the order, notes."""

    id: str
    served_by: str
    names: Listing[str]
    not_before: datetime
    not_after: datetime
    issuer: str
    status: str = "issued"
    notes: Prose = Prose()


class State(WorldState):
    cutover: Cutover
    other_cutovers: Listing[Cutover] = Listing()
    record_sets: Listing[RecordSet]
    certificates: Listing[Certificate]


class SwitchName(Commit, system="dns"):
    """Point the name of a cutover to its new target at the time of the switch."""

    cutover_id: Annotated[str, Names(Cutover)]


class CheckTarget(Preparation, system="dns"):
    """Call the new target of a cutover by its address, without the name."""

    says = ("The target answers.", "Its health check is {cutover.target_health}.")

    cutover_id: Annotated[str, Names(Cutover)]


def covers(pattern: str, name: str) -> bool:
    """Whether a name in a certificate covers a name; a star stands for exactly the left-most label."""
    first, _, rest = name.partition(".")
    return pattern == name or (first != "" and pattern == f"*.{rest}")


@requirement("for every published record set of the name its previous lifetime has passed since it was shortened")
def old_answers_gone(state: State) -> bool:
    def gone(record_set: RecordSet) -> bool:
        shortened_at = record_set.shortened_at
        lifetime = timedelta(seconds=record_set.previous_ttl_seconds)
        return shortened_at is not None and state.cutover.switch_at - shortened_at >= lifetime

    return every(
        state.record_sets,
        lambda record_set: any_of(
            lambda: record_set.name != state.cutover.name,
            lambda: record_set.published_since is None,
            lambda: gone(record_set),
        ),
    )


@requirement("the new target serves a certificate that covers the name and is valid at the time of the switch")
def certificate_covers(state: State) -> bool:
    return some(
        state.certificates,
        lambda certificate: all_of(
            lambda: certificate.served_by == state.cutover.new_target,
            lambda: some(certificate.names, lambda pattern: covers(pattern, state.cutover.name)),
            lambda: certificate.not_before <= state.cutover.switch_at,
            lambda: state.cutover.switch_at <= certificate.not_after,
        ),
    )


FAMILY = Family(
    name="dns_cutover",
    rule=(
        "A name may be switched to its new target only if, for each of its record sets, at the time of the switch at "
        "least the lifetime that the record set had before it was shortened has passed since it was shortened; exactly "
        "that is enough, one that was never shortened fails, and one that was never published needs no wait. And the "
        "new target must serve a certificate that is valid at that time, its first and last instant included, and has "
        "the name among its names, either as it is or by a wildcard whose star stands for exactly one label, the "
        "left-most."
    ),
    systems={
        "change_board": "The change board: cutovers.",
        "dns": "The DNS provider: record sets of our zones.",
        "certificates": "The certificate manager.",
    },
    state=State,
    commit=SwitchName,
    preparations=(CheckTarget,),
    requirements=(old_answers_gone, certificate_covers),
)
