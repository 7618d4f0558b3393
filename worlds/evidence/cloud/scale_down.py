"""What is left after a scale-down must carry the peak even when the largest zone fails.

Behind it: planning for the loss of a zone. The load of this hour says nothing; what counts is the highest load seen and
the highest one that the calendar announces, with headroom on top.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated

from worlds.judging import all_of, every
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement
from worlds.values import Money


class Zone(Value, key="zone"):
    """Nodes of a pool in one zone."""

    zone: str
    nodes: int


class NodePool(Record, system="orchestrator", read="get_node_pool", list="list_node_pools", key="id"):
    """Node pool: service, requests per second that one node carries, nodes in each zone, instance family, notes."""

    id: str
    service: str
    node_rps: int
    zones: Listing[Zone]
    instance_family: str
    notes: Prose = Prose()


class ScaleDown(Record, system="orchestrator", read="get_scale_down", list="list_scale_downs", key="id"):
    """Scale-down change: pool, nodes to be taken out of each zone, first and last day of the smaller size, approval,
    savings per day."""

    id: str
    pool: str
    removals: Listing[Zone]
    first_day: date
    last_day: date
    approval: str
    saves_per_day: Money


class ScalingPolicy(Record, system="orchestrator", read="get_scaling_policy"):
    """Headroom over the peak in per cent, least nodes in each zone, guidance."""

    headroom_percent: Decimal
    min_zone_nodes: int
    guidance: Prose = Prose()


class PartnerRegion(Record, system="orchestrator", list="list_partner_regions", key="region"):
    """Another region with the same service: whether it serves live traffic now, spare requests per second, notes."""

    region: str
    service: str
    serving: bool
    spare_rps: int
    notes: Prose = Prose()


class LoadSummary(Record, system="monitoring", read="get_load_summary"):
    """Load of the service in requests per second: now, and highest in the last thirty days."""

    service: str
    current_rps: int
    peak_rps: int


class PlannedEvent(Record, system="event_calendar", list="list_planned_events", key="id"):
    """Event that brings load: service, first and last day, peak that is forecast in requests per second, text."""

    id: str
    service: str
    starts_on: date
    ends_on: date
    forecast_rps: int
    text: Prose = Prose()


class State(WorldState):
    change: ScaleDown
    pool: NodePool
    other_pools: Listing[NodePool] = Listing()
    policy: ScalingPolicy
    regions: Listing[PartnerRegion] = Listing()
    load: LoadSummary
    events: Listing[PlannedEvent] = Listing()


class ApplyScaleDown(Commit, system="orchestrator"):
    """Take the nodes of a scale-down change out of their pool."""

    change_id: Annotated[str, Names(ScaleDown)]


def left_in(state: State, zone: Zone) -> int:
    """Nodes that stay in a zone."""
    removal = state.change.removals.get(zone.zone)
    return zone.nodes - (removal.nodes if removal is not None else 0)


def capacity(state: State) -> int:
    """What the remaining nodes carry without the largest zone, with the spare capacity of regions that serve."""
    left = [left_in(state, zone) for zone in state.pool.zones]
    spare = sum(region.spare_rps for region in state.regions if region.service == state.pool.service and region.serving)
    return (sum(left) - max(left)) * state.pool.node_rps + spare


def peak(state: State) -> int:
    """The highest load seen, or forecast for an event that falls on a day of the smaller size."""
    announced = [
        event.forecast_rps
        for event in state.events
        if event.service == state.pool.service
        and event.starts_on <= state.change.last_day
        and event.ends_on >= state.change.first_day
    ]
    return max([state.load.peak_rps, *announced])


@requirement("without its largest zone the smaller pool carries the peak and the headroom")
def carries_peak(state: State) -> bool:
    return all_of(
        lambda: state.change.pool == state.pool.id,
        lambda: capacity(state) * 100 >= peak(state) * (100 + state.policy.headroom_percent),
    )


@requirement("every zone keeps the least number of nodes")
def zones_kept(state: State) -> bool:
    return every(state.pool.zones, lambda zone: left_in(state, zone) >= state.policy.min_zone_nodes)


FAMILY = Family(
    name="scale_down",
    rule=(
        "The pool that a change names may be made smaller only if what is left, counted without the zone that then has "
        "most nodes, still carries the peak with the policy's headroom on top, and if every zone keeps at least the "
        "policy's least number of nodes. The peak is the highest of the measured peak and the forecasts for the same "
        "service of events on any day of the smaller size. The spare capacity of a partner region with the same "
        "service counts as well, but only if that region serves live traffic now. Equal is enough."
    ),
    systems={
        "orchestrator": "The orchestrator: node pools, regions, scale-down changes and policy.",
        "monitoring": "The monitoring: measured load.",
        "event_calendar": "The calendar of events that bring load.",
    },
    state=State,
    commit=ApplyScaleDown,
    requirements=(carries_peak, zones_kept),
)
