"""What a role may do stays inside its team's boundary, after wildcards and denials.

Behind it: permission boundaries. What counts is not the name of a role or the patterns as written, but the actions that
they select in the catalog; a denial in the boundary wins over everything, an elevation opens only what is not denied.
"""

from __future__ import annotations

from datetime import datetime
from fnmatch import fnmatchcase
from typing import Annotated

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, WorldState, requirement


class RoleChange(Record, system="iam", read="get_role_change", list="list_role_changes", key="id"):
    """Proposed change of a role: role, team, patterns of actions that it grants, patterns that the role itself denies,
    environments in which it applies, end of the change (null: it stays), requester, purpose."""

    id: str
    role: str
    team: str
    grants: Listing[str]
    denies: Listing[str] = Listing()
    environments: Listing[str]
    ends_at: datetime | None = None
    requested_by: str
    purpose: Prose = Prose()


class ActionCatalog(Record, system="iam", read="get_action_catalog"):
    """All actions that exist in the platform. In a pattern, * stands for any letters, or none."""

    actions: Listing[str]


class Boundary(Record, system="policy_repo", read="get_boundary", list="list_boundaries", key="team"):
    """Permission boundary of a team: patterns of actions that it allows, patterns that it denies, environments,
    comment."""

    team: str
    allow: Listing[str]
    deny: Listing[str] = Listing()
    environments: Listing[str]
    comment: Prose = Prose()


class Elevation(Record, system="access_desk", list="list_elevations", key="id"):
    """Elevation granted by the access desk: role, patterns of actions, last instant, approver, reason."""

    id: str
    role: str
    actions: Listing[str]
    valid_until: datetime
    approved_by: str
    reason: Prose = Prose()


class State(WorldState):
    change: RoleChange
    other_changes: Listing[RoleChange] = Listing()
    catalog: ActionCatalog
    boundary: Boundary
    other_boundaries: Listing[Boundary] = Listing()
    elevations: Listing[Elevation] = Listing()


class ApplyRoleChange(Commit, system="iam"):
    """Put a proposed role change into force."""

    change_id: Annotated[str, Names(RoleChange)]


def selected(patterns: Listing[str], action: str) -> bool:
    return some(patterns, lambda pattern: fnmatchcase(action, pattern))


def effective(state: State, action: str) -> bool:
    """Whether the role would be able to do this: granted, and not denied by the role itself."""
    return all_of(
        lambda: selected(state.change.grants, action),
        lambda: not selected(state.change.denies, action),
    )


def elevated(state: State, action: str) -> bool:
    """Whether an elevation of this role selects the action and lasts as long as the change."""

    def lasts(elevation: Elevation) -> bool:
        return state.change.ends_at is not None and state.change.ends_at <= elevation.valid_until

    return some(
        state.elevations,
        lambda elevation: all_of(
            lambda: elevation.role == state.change.role,
            lambda: selected(elevation.actions, action),
            lambda: lasts(elevation),
        ),
    )


@requirement("every action that the role would have is allowed by the team's boundary or by an elevation")
def within_allowed(state: State) -> bool:
    return every(
        state.catalog.actions,
        lambda action: any_of(
            lambda: selected(state.boundary.allow, action),
            lambda: not effective(state, action),
            lambda: elevated(state, action),
        ),
    )


@requirement("no action that the role would have is denied by the team's boundary")
def nothing_denied(state: State) -> bool:
    return not some(
        state.catalog.actions,
        lambda action: all_of(lambda: selected(state.boundary.deny, action), lambda: effective(state, action)),
    )


@requirement("the role applies only in environments of the team's boundary")
def environments_inside(state: State) -> bool:
    return all_of(
        lambda: state.boundary.team == state.change.team,
        lambda: every(state.change.environments, lambda wanted: wanted in state.boundary.environments),
    )


FAMILY = Family(
    name="role_boundary",
    rule=(
        "A role change may be applied only if every action that the role would then have is inside its team's "
        "boundary. The role has those actions of the catalog that one of its grants selects and none of its own "
        "denials does. Each must be selected by a pattern that the boundary allows and by none that it denies, and "
        "each environment of the role must be one of the boundary's. An elevation of the access desk for this very "
        "role stands in for a missing allowance if it selects the action and lasts at least until the change ends (the "
        "same instant is enough; a change without an end outlasts it), but it never lifts a denial."
    ),
    systems={
        "iam": "Identity and access management: role changes and the catalog of actions.",
        "policy_repo": "The policy repository: permission boundaries of the teams.",
        "access_desk": "The access desk: elevations.",
    },
    state=State,
    commit=ApplyRoleChange,
    requirements=(within_allowed, nothing_denied, environments_inside),
)
