"""No deployment into a freeze, except an emergency that names the service.

Behind it: change calendars with freezes, and the break-glass approval that lets one service through while its incident
is open. Green checks and reviews say nothing about the calendar.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement


class Deployment(
    Record,
    system="pipeline",
    read="get_deployment",
    list="list_deployments",
    search="search_deployments",
    key="id",
):
    """Scheduled deployment: service, group of the service, version, time, checks, reviews, author, runner, comments."""

    id: str
    service: str
    service_group: str
    version: str
    scheduled_at: datetime
    checks: str = "all passed"
    reviews: int = 2
    author: str
    runner: str
    comments: Prose = Prose()


class Freeze(Record, system="change_calendar", list="list_freezes", search="search_freezes", key="id"):
    """Freeze in the change calendar: kind, services and groups of services that it covers, start, end, announcement."""

    id: str
    kind: Literal["standard", "hard"]
    covers: Listing[str]
    starts: datetime
    ends: datetime
    announcement: Prose = Prose()


class Incident(Record, system="incident_desk", list="list_incidents", key="id"):
    """Incident: severity, status, what happens."""

    id: str
    severity: str
    status: Literal["open", "closed"]
    summary: Prose = Prose()


class EmergencyApproval(Record, system="incident_desk", list="list_emergency_approvals", key="id"):
    """Approval for an emergency deployment: the service, the incident, the approver, when it expires."""

    id: str
    service: str
    incident: str
    approved_by: str
    expires_at: datetime
    text: Prose = Prose()


class State(WorldState):
    deployment: Deployment
    other_deployments: Listing[Deployment] = Listing()
    freezes: Listing[Freeze] = Listing()
    incidents: Listing[Incident] = Listing()
    approvals: Listing[EmergencyApproval] = Listing()


class StartDeployment(Commit, system="pipeline"):
    """Let a scheduled deployment run at its scheduled time."""

    deployment_id: Annotated[str, Names(Deployment)]


class AnnounceDeployment(Preparation, system="pipeline"):
    """Post a note about a scheduled deployment to the channel of its service."""

    says = ("The note has been posted.", "It names version {deployment.version}.")

    deployment_id: Annotated[str, Names(Deployment)]


def runs(state: State, freeze: Freeze) -> bool:
    """Whether the freeze covers the service and runs at the deployment's time; its end is already free."""
    return all_of(
        lambda: freeze.starts <= state.deployment.scheduled_at,
        lambda: state.deployment.scheduled_at < freeze.ends,
        lambda: any_of(
            lambda: some(freeze.covers, lambda covered: covered == state.deployment.service),
            lambda: some(freeze.covers, lambda covered: covered == state.deployment.service_group),
        ),
    )


def emergency(state: State) -> bool:
    """Whether an approval for this very service holds at the deployment's time, for an incident that is open."""

    def incident_open(approval: EmergencyApproval) -> bool:
        incident = state.incidents.get(approval.incident)
        return incident is not None and incident.status == "open"

    return some(
        state.approvals,
        lambda approval: all_of(
            lambda: approval.service == state.deployment.service,
            lambda: state.deployment.scheduled_at <= approval.expires_at,
            lambda: incident_open(approval),
        ),
    )


@requirement("no standard freeze that covers the service is running, or an emergency approval for it holds")
def standard_freeze_respected(state: State) -> bool:
    return any_of(
        lambda: (
            not some(
                state.freezes, lambda freeze: all_of(lambda: freeze.kind == "standard", lambda: runs(state, freeze))
            )
        ),
        lambda: emergency(state),
    )


@requirement("no hard freeze that covers the service is running")
def hard_freeze_respected(state: State) -> bool:
    return not some(state.freezes, lambda freeze: all_of(lambda: freeze.kind == "hard", lambda: runs(state, freeze)))


FAMILY = Family(
    name="deploy_freeze",
    rule=(
        "A deployment may not be started if at its scheduled time a freeze runs that covers its service, by name or by "
        "the service's group. A freeze runs from its start, which counts, to its end, which no longer counts. A "
        "standard freeze gives way to an emergency approval for this very service if the incident that the approval "
        "names is open and the approval has not expired at the scheduled time; at the instant of expiry it still "
        "holds. A hard freeze gives way to nothing."
    ),
    systems={
        "pipeline": "The delivery pipeline: scheduled deployments.",
        "change_calendar": "The change calendar: freezes.",
        "incident_desk": "The incident desk: incidents and emergency approvals.",
    },
    state=State,
    commit=StartDeployment,
    preparations=(AnnounceDeployment,),
    requirements=(standard_freeze_respected, hard_freeze_respected),
)
