"""Access is renewed when the manager in charge attested it since the holder's last role change (FAMILY_NOTES 49).

Behind it: user access reviews. What looks like one and is none: an attestation older than the change, one by a manager
who is no longer in charge, and one that the campaign renewed by itself.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement


class Entitlement(Record, system="access_governance", read="get_entitlement", key="id"):
    """Entitlement that is up for renewal: holder, application, permission, day of renewal, account status."""

    id: str
    employee_id: str
    application: str
    permission: str
    renews_on: date
    account_status: str


class Attestation(Record, system="access_governance", read="get_attestation", list="list_attestations", key="id"):
    """Attestation that an entitlement is still needed: entitlement, who attested, when, how it came about, comment."""

    id: str
    entitlement_id: str
    attestor_id: str
    attested_at: datetime
    origin: Literal["reviewed by hand", "renewed by campaign"]
    comment: Prose = Prose()


class ReviewPolicy(Record, system="access_governance", read="get_review_policy"):
    """Working days of grace after a role change, guidance."""

    area: str
    grace_working_days: int
    guidance: Prose = Prose()


class Employee(Record, system="hr", read="get_employee", list="list_employees", search="search_employees", key="id"):
    """Member of staff: name, position, present manager, last day of employment (none: unlimited), site, memo."""

    id: str
    name: str
    position: str
    manager_id: str | None = None
    employment_end: date | None = None
    site: str
    memo: Prose = Prose()


class RoleChange(Record, system="hr", read="get_role_change", list="list_role_changes", key="id"):
    """Role change of a member of staff: the time from which it holds, former and new position."""

    id: str
    employee_id: str
    effective_at: datetime
    from_position: str
    to_position: str


class Deputyship(Record, system="hr", read="get_deputyship", list="list_deputyships", key="id"):
    """Who stands in for a manager, from first to last day."""

    id: str
    manager_id: str
    deputy_id: str
    first_day: date
    last_day: date


class State(WorldState):
    entitlement: Entitlement
    attestations: Listing[Attestation]
    policy: ReviewPolicy
    holder: Employee
    other_employees: Listing[Employee] = Listing()
    role_changes: Listing[RoleChange]
    deputyships: Listing[Deputyship] = Listing()


class RenewEntitlement(Commit, system="access_console"):
    """Renew an entitlement for the next period."""

    entitlement_id: Annotated[str, Names(Entitlement)]


class NotifyHolder(Preparation, system="access_console"):
    """Tell the holder that the renewal is being looked at."""

    says = (
        "The holder has been told; the entitlement is as it was.",
        "The message names the permission: {entitlement.permission}.",
    )

    entitlement_id: Annotated[str, Names(Entitlement)]


def latest_change(state: State) -> datetime | None:
    """When the holder's latest role change that holds by the day of renewal took effect."""
    return max(
        (
            change.effective_at
            for change in state.role_changes
            if change.employee_id == state.holder.id and change.effective_at.date() <= state.entitlement.renews_on
        ),
        key=lambda moment: (moment, moment.date()),
        default=None,
    )


def by_hand(state: State, attestation: Attestation) -> bool:
    """Whether somebody attested this entitlement by hand, by the day of renewal."""
    return all_of(
        lambda: attestation.entitlement_id == state.entitlement.id,
        lambda: attestation.origin == "reviewed by hand",
        lambda: attestation.attested_at.date() <= state.entitlement.renews_on,
    )


def in_charge(state: State, attestation: Attestation) -> bool:
    """Whether the attestor is the holder's present manager or stood in for that manager on the day."""
    day = attestation.attested_at.date()
    return any_of(
        lambda: attestation.attestor_id == state.holder.manager_id,
        lambda: some(
            state.deputyships,
            lambda deputyship: all_of(
                lambda: deputyship.deputy_id == attestation.attestor_id,
                lambda: deputyship.manager_id == state.holder.manager_id,
                lambda: deputyship.first_day <= day <= deputyship.last_day,
            ),
        ),
    )


def working_days_after(start: date, end: date) -> int:
    """How many days from Monday to Friday lie after the start, up to and including the end."""
    days = (start + timedelta(days=number) for number in range(1, (end - start).days + 1))
    return sum(day.weekday() < 5 for day in days)


@requirement("the manager in charge attested the entitlement by hand since the latest role change, or grace still runs")
def attested_since_change(state: State) -> bool:
    changed = latest_change(state)

    def since(attestation: Attestation) -> bool:
        return all_of(
            lambda: by_hand(state, attestation),
            lambda: in_charge(state, attestation),
            lambda: changed is None or attestation.attested_at >= changed,
        )

    def in_grace() -> bool:
        if changed is None:
            return False
        passed = working_days_after(changed.date(), state.entitlement.renews_on)
        return passed <= state.policy.grace_working_days

    def before(attestation: Attestation) -> bool:
        return all_of(
            lambda: by_hand(state, attestation),
            lambda: changed is not None and attestation.attested_at < changed,
        )

    return any_of(
        lambda: some(state.attestations, since),
        lambda: all_of(in_grace, lambda: some(state.attestations, before)),
    )


@requirement("the holder is still employed on the day of renewal")
def still_employed(state: State) -> bool:
    end = state.holder.employment_end
    return all_of(
        lambda: state.holder.id == state.entitlement.employee_id,
        lambda: end is None or end >= state.entitlement.renews_on,
    )


FAMILY = Family(
    name="attestation_current",
    rule=(
        "An entitlement is renewed only if the holder's present manager, or who stood in for that manager on the day, "
        "attested it by hand at or after the holder's latest role change, if there was one; renewal by a campaign is "
        "no attestation. Role changes that take effect after the day of renewal do not count yet, and attestations "
        "after that day do not either. As long as no more than the policy's working days of grace (Monday to Friday, "
        "counted from the day after the latest role change to the day of renewal, that day included) have passed, an "
        "attestation by hand from before that change still counts, whoever gave it. The holder must be employed on the "
        "day of renewal, the last day of employment included. The day of an attestation or a role change is read in "
        "the time zone that its time carries; of role changes at the same moment the later day counts."
    ),
    systems={
        "access_governance": "Entitlements, attestations and the policy of access reviews.",
        "hr": "Staff, role changes and deputyships.",
        "access_console": "The console that renews entitlements in the applications.",
    },
    state=State,
    commit=RenewEntitlement,
    preparations=(NotifyHolder,),
    requirements=(attested_since_change, still_employed),
)
