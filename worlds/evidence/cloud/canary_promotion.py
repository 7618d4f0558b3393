"""A canary is promoted on its error rate, over enough requests and time, on hosts that really run the release.

Behind it: progressive delivery. No errors in a handful of requests prove nothing, nor does a host on the old version;
a hotfix may go with a smaller sample if the named lead signs for it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement


class Rollout(Record, system="rollout_controller", read="get_rollout", list="list_rollouts", key="id"):
    """Rollout of a release: service, version, lane, start of the canary, time at which it is to be promoted, share of
    the traffic in per cent, size of the image in MiB, notes."""

    id: str
    service: str
    version: str
    lane: Literal["standard", "hotfix"] = "standard"
    started_at: datetime
    promote_at: datetime
    traffic_percent: Decimal
    image_mib: int
    notes: Prose = Prose()


class CanaryHost(Record, system="metrics", list="list_canary_hosts", search="search_canary_hosts", key="host"):
    """Host of the canary: version that it reports, and since the canary's start its requests, its errors and its median
    latency in milliseconds."""

    host: str
    version: str
    requests: int
    errors: int
    latency_ms: int


class PromotionPolicy(Record, system="release_board", read="get_promotion_policy"):
    """When the service's canaries are promoted: maximum error rate in per cent, least requests, least minutes, least
    requests in the hotfix lane, the lead who signs for that lane, guidance."""

    max_error_percent: Decimal
    min_requests: int
    bake_minutes: int
    hotfix_min_requests: int
    hotfix_lead: str
    guidance: Prose = Prose()


class SignOff(Record, system="release_board", list="list_sign_offs", key="id"):
    """Signature under a rollout: the rollout, who signed, when, text."""

    id: str
    rollout: str
    signed_by: str
    signed_at: datetime
    text: Prose = Prose()


class State(WorldState):
    rollout: Rollout
    other_rollouts: Listing[Rollout] = Listing()
    hosts: Listing[CanaryHost]
    policy: PromotionPolicy
    sign_offs: Listing[SignOff] = Listing()


class PromoteCanary(Commit, system="rollout_controller"):
    """Promote a canary to the whole fleet at the time that its rollout gives."""

    rollout_id: Annotated[str, Names(Rollout)]


class WarmCaches(Preparation, system="rollout_controller"):
    """Warm the caches of the hosts that are next in a rollout, without sending them traffic."""

    says = ("Caches are being warmed.", "Service: {rollout.service}.")

    rollout_id: Annotated[str, Names(Rollout)]


def requests(state: State) -> int:
    return sum(host.requests for host in state.hosts)


@requirement("the errors of all canary hosts are within the maximum rate of their requests")
def rate_within_limit(state: State) -> bool:
    return sum(host.errors for host in state.hosts) * 100 <= requests(state) * state.policy.max_error_percent


@requirement("the canary hosts have served enough requests for the lane")
def sample_large_enough(state: State) -> bool:
    def signed(sign_off: SignOff) -> bool:
        return all_of(
            lambda: sign_off.rollout == state.rollout.id, lambda: sign_off.signed_by == state.policy.hotfix_lead
        )

    return any_of(
        lambda: requests(state) >= state.policy.min_requests,
        lambda: all_of(
            lambda: state.rollout.lane == "hotfix",
            lambda: requests(state) >= state.policy.hotfix_min_requests,
            lambda: some(state.sign_offs, signed),
        ),
    )


@requirement("the canary has run for the least number of minutes")
def baked(state: State) -> bool:
    return state.rollout.promote_at - state.rollout.started_at >= timedelta(minutes=state.policy.bake_minutes)


@requirement("every canary host runs the version of the rollout")
def one_version(state: State) -> bool:
    return every(state.hosts, lambda host: host.version == state.rollout.version)


FAMILY = Family(
    name="canary_promotion",
    rule=(
        "A canary may be promoted only if every canary host reports the rollout's version, the errors of all canary "
        "hosts together are at most the policy's maximum rate of their requests together, those requests are at least "
        "the policy's least number, and at the time of the promotion the canary has run for at least the policy's "
        "minutes. Equal is enough each time. In the hotfix lane the smaller number of requests that the policy gives "
        "for that lane suffices if the lead whom the policy names has signed off this very rollout; the rest stays."
    ),
    systems={
        "rollout_controller": "The rollout controller: canaries and promotions.",
        "metrics": "The metrics store: what each canary host reports.",
        "release_board": "The release board: promotion policy and sign-offs.",
    },
    state=State,
    commit=PromoteCanary,
    preparations=(WarmCaches,),
    requirements=(rate_within_limit, sample_large_enough, baked, one_version),
)
