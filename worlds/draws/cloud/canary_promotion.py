"""Canaries at the edge of error rate, sample or time; with one host left out; or in the hotfix lane."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.cloud.common import case, differ, elsewhere, entry, moment, services

_NOTES = ("The installer ended without an error.", "An old message type is reused.", "Traffic was as on any day.")
_GUIDANCE = ("All canary hosts are added up.", "Slow leaks show late.", "Whoever promotes watches the first hour.")
_REQUESTS = (
    "Please promote {id}. The graphs of the canary are clean all the way.",
    "Could you promote {id} to everyone? {person} has to leave and wants to see it through.",
    "Please promote {id} at the time the rollout gives.",
    "{id} can go to the whole fleet, please promote it before {town} opens.",
)
_RATES = (5, 8, 10, 16, 20, 25, 40, 50)
_STARTED, _PROMOTED, _RATE = "rollout.started_at", "rollout.promote_at", "policy.max_error_percent"


def draw(pick: Draw) -> Drawn:
    return pick.choice((_rate, _sample, _version, _hotfix, _baked))(pick)


def _shared(pick: Draw, total: int, hosts: int) -> list[int]:
    """The total in so many parts of a similar size."""
    parts = [total // hosts * pick.integer(85, 105) // 100 for _ in range(hosts - 1)]
    return [*parts, total - sum(parts)]


def _base(pick: Draw) -> tuple[Drawn, str, int]:
    """A canary with nothing wrong: its errors, all at the last host, are the most that its requests bear.

    Also the path of the last host, and all requests.
    """
    at, (service,), count = moment(pick), services(pick, 1), pick.integer(2, 4)
    rate, errors, bake = pick.choice(_RATES), pick.integer(12, 30), pick.integer(25, 190)
    requests = errors * 10000 // rate
    major, minor = pick.integer(2, 15), pick.integer(3, 40)
    id_ = pick.identifier(pick.choice(("CAN-?####", "RO-?####", "rel-?##?#-canary")))
    rollout: dict[str, Written] = {
        "id": id_,
        "service": service,
        "version": f"{major}.{minor}.0",
        "started_at": (at - timedelta(minutes=bake + pick.choice((0, pick.integer(1, 60))))).isoformat(),
        "promote_at": at.isoformat(),
        "traffic_percent": str(pick.integer(3, 25)),
        "image_mib": str(pick.integer(40, 99)),
        "notes": [pick.choice(_NOTES)],
    }
    spread = [pick.integer(0, errors // count) for _ in range(count - 1)]
    hosts: list[dict[str, Written]] = [
        {
            "host": f"{service}-{letter}",
            "version": f"{major}.{minor}.0",
            "requests": str(served),
            "errors": str(failed),
            "latency_ms": str(pick.integer(4, 95)),
        }
        for letter, served, failed in zip(
            "abcd"[:count], _shared(pick, requests, count), [*spread, errors - sum(spread)], strict=True
        )
    ]
    lead = pick.person()
    policy: dict[str, Written] = {
        "max_error_percent": f"{Decimal(rate) / 100:.2f}",
        "min_requests": str(requests * pick.integer(60, 95) // 100),
        "bake_minutes": str(bake),
        "hotfix_min_requests": str(requests * pick.integer(10, 20) // 100),
        "hotfix_lead": lead,
        "guidance": pick.choice(_GUIDANCE),
    }
    state: dict[str, Written] = {"rollout": rollout, "hosts": [*hosts], "policy": policy}
    if pick.chance():
        earlier = at - timedelta(days=pick.integer(6, 40))
        again: dict[str, Written] = {"id": pick.identifier("RO-?####"), "version": f"{major}.{minor - 1}.4"}
        again |= {"started_at": (earlier - timedelta(hours=4)).isoformat(), "promote_at": earlier.isoformat()}
        state["other_rollouts"] = [{**rollout, **again, "notes": []}]
    if pick.chance():
        state["sign_offs"] = [_sign_off(pick, id_, lead, (at - timedelta(minutes=5)).isoformat())]
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, person=pick.person(), town=pick.town()),
        "state": state,
        "commit": {"rollout_id": id_},
        "irrelevant": [
            *pick.several(("rollout.image_mib", "rollout.traffic_percent", f"hosts[{service}-a].latency_ms"), 2)
        ],
    }
    return drawn, f"hosts[{service}-{'abcd'[count - 1]}]", requests


def _sign_off(pick: Draw, rollout: str, signed_by: str, signed_at: str) -> dict[str, Written]:
    text = pick.choice(("Looks good to me.", "Reviewed the numbers, go ahead.", "Fine to go."))
    return {
        "id": pick.identifier("SO-3####"),
        "rollout": rollout,
        "signed_by": signed_by,
        "signed_at": signed_at,
        "text": text,
    }


def _rate(pick: Draw) -> Drawn:
    drawn, last, _ = _base(pick)
    host, policy = entry(part(drawn, "state"), "hosts", -1), part(drawn, "state", "policy")
    path, most = f"{last}.errors", Decimal(str(policy["max_error_percent"]))
    part(drawn, "state", "rollout")["notes"] = f"The last host counts {{{path}}} errors, mostly one broken client."
    here, fewer = int(str(host["errors"])), pick.choice((0, 0, pick.integer(1, 3)))
    if pick.chance(70):
        sides = differ(pick, host, path, str(here + pick.choice((1, pick.integer(2, 20)))), str(here - fewer))
    else:
        lower = most - pick.choice((Decimal("0.01"), Decimal("0.03")))
        sides = differ(pick, policy, _RATE, f"{lower:.2f}", f"{most:.2f}")
    note = "The last host is above the rate by itself; all together are at it, or beyond."
    return case(drawn, sides, note, [path, f"{last}.requests", _RATE], "rate_within_limit")


def _sample(pick: Draw) -> Drawn:
    drawn, last, requests = _base(pick)
    hosts, policy = part(drawn, "state"), part(drawn, "state", "policy")
    for index in range(2):
        entry(hosts, "hosts", index)["errors"] = "0"
    host = entry(hosts, "hosts", -1)
    host["errors"] = "0"
    here = int(str(host["requests"]))
    path = f"{last}.requests"
    if pick.chance(70):
        short = pick.choice((1, here // 2, here * pick.integer(5, 95) // 100))
        policy["min_requests"] = str(requests - pick.choice((0, short // 3)))
        sides = differ(pick, host, path, str(here - max(short, 1)), str(here))
    else:
        more = pick.choice((1, requests * pick.integer(2, 60) // 100))
        sides = differ(pick, policy, "policy.min_requests", str(requests + more), str(requests))
    first = last[:-2] + "a].requests"
    note = "Hardly an error; the requests of all hosts reach the least number, or fall short of it."
    return case(drawn, sides, note, [path, first, "policy.min_requests"], "sample_large_enough")


def _version(pick: Draw) -> Drawn:
    drawn, last, _ = _base(pick)
    host, rollout = entry(part(drawn, "state"), "hosts", -1), part(drawn, "state", "rollout")
    version = str(rollout["version"])
    old = f"{version.partition('.')[0]}.{int(version.split('.')[1]) - 1}.{pick.integer(1, 9)}"
    sides = differ(pick, host, f"{last}.version", old, version)
    note = "Good numbers, but in one twin one canary host served them with the old version."
    return case(drawn, sides, note, [f"{last}.version", "rollout.version", _RATE], "one_version")


def _hotfix(pick: Draw) -> Drawn:
    """A sample that is large enough for the hotfix lane alone; the sign-off, or the lane, differs."""
    drawn, _, requests = _base(pick)
    state, rollout, policy = part(drawn, "state"), part(drawn, "state", "rollout"), part(drawn, "state", "policy")
    least = requests - pick.choice((0, 0, requests // 9))
    rollout["lane"], policy["hotfix_min_requests"] = "hotfix", str(least)
    policy["min_requests"] = str(requests * pick.integer(2, 7))
    lead, id_ = str(policy["hotfix_lead"]), str(rollout["id"])
    signed = _sign_off(pick, id_, lead, str(rollout["promote_at"]))
    aside = _sign_off(pick, pick.identifier("RO-?####"), lead, str(rollout["started_at"]))
    state["sign_offs"] = [*pick.shuffled((signed, aside))]
    by = f"sign_offs[{signed['id']}].signed_by"
    turning = pick.choice((by, by, "rollout.lane", "policy.hotfix_min_requests"))
    if turning == by:
        sides = differ(pick, signed, by, pick.person(), lead)
    elif turning == "rollout.lane":
        sides = differ(pick, rollout, turning, "standard", "hotfix")
    else:
        sides = differ(pick, policy, turning, str(requests + pick.choice((1, requests // 3))), str(least))
    note = "A small sample that suffices in the hotfix lane with the lead's signature under this very rollout."
    critical = [by, "rollout.lane", "policy.hotfix_min_requests", "policy.hotfix_lead"]
    return case(drawn, sides, note, critical, "sample_large_enough")


def _baked(pick: Draw) -> Drawn:
    drawn, _, _ = _base(pick)
    rollout, policy = part(drawn, "state", "rollout"), part(drawn, "state", "policy")
    at, bake = datetime.fromisoformat(str(rollout["promote_at"])), timedelta(minutes=int(str(policy["bake_minutes"])))
    spare = timedelta(minutes=pick.choice((0, 0, pick.integer(1, 40))))
    short = timedelta(minutes=pick.choice((1, 15, pick.integer(2, 24))))
    started = elsewhere(pick, at - bake - spare).isoformat()
    rollout["started_at"] = started
    policy["guidance"] = "Slow leaks show late, hence {policy.bake_minutes} minutes."
    if pick.chance(70):
        sides = differ(pick, rollout, _STARTED, elsewhere(pick, at - bake + short).isoformat(), started)
    else:
        sides = differ(pick, rollout, _PROMOTED, (at - spare - short).isoformat(), at.isoformat())
    note = "Start and promotion are told in two zones; between them lie the least minutes, or fewer."
    return case(drawn, sides, note, [_STARTED, _PROMOTED, "policy.bake_minutes"], "baked")
