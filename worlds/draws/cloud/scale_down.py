"""Smaller pools that carry the peak without their largest zone or not: by forecast, partner, headroom, or one zone."""

from __future__ import annotations

from datetime import date, timedelta

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn
from worlds.draws.cloud.common import AREAS, case, differ, entry, sometime

_ZONES = (("a", "b", "c"), ("west-1", "west-2", "west-3"), ("eu-a", "eu-b", "eu-c"), ("north", "mid", "south"))
_PARTNERS = ("nordic", "iberia", "prairie", "lagoon", "rhine", "tasman")
_EVENTS = (
    "Long weekend sale.",
    "Start of term.",
    "Ticket launch.",
    "Open day.",
    "Yearly statement.",
    "Local election.",
)
_REQUESTS = (
    "Please apply {id}. Finance approved the right-sizing of the {area} nodes, and the pool is half asleep.",
    "Could you apply {id}? {person} says the {area} pool has been oversized since the migration.",
    "Please take out the nodes as in {id}.",
    "{id} for the {area} pool is next, please put it through.",
)
_RPS, _HEADROOM, _PEAK, _LEAST = "pool.node_rps", "policy.headroom_percent", "load.peak_rps", "policy.min_zone_nodes"


def draw(pick: Draw) -> Drawn:
    return pick.choice((_forecast, _forecast, _on_the_day, _partner, _measured, _zone))(pick)


class _Base:
    """A pool that carries `bearable` requests, headroom on top, when made smaller; its measured peak is far lower.

    With a node's capacity a multiple of a hundred and the headroom, that number is whole and the boundary can be met.
    """

    def __init__(self, pick: Draw) -> None:
        area, zones, self.least = pick.choice(AREAS), pick.choice(_ZONES), pick.integer(2, 3)
        headroom, times = pick.integer(4, 32), pick.integer(4, 11)
        left = pick.shuffled([self.least, self.least + pick.integer(0, 2), self.least + pick.integer(0, 3)])
        gone = [pick.integer(1, 3), pick.integer(1, 2), pick.integer(0, 2)]
        self.zone, self.times = zones[left.index(min(left))], times
        self.bearable = (sum(left) - max(left)) * times * 100
        self.first = sometime(pick)
        self.last = self.first + timedelta(days=pick.integer(12, 60))
        self.id = pick.identifier(pick.choice(("SD-6#####", "resize-?####", "SCL-8#####")))
        self.pool_id, self.service = f"{area}-{pick.choice(('web', 'main', 'edge'))}", area
        sizes = list(zip(zones, left, gone, strict=True))
        removals: list[Written] = [{"zone": zone, "nodes": str(nodes)} for zone, _, nodes in sizes if nodes]
        today: list[Written] = [{"zone": zone, "nodes": str(kept + nodes)} for zone, kept, nodes in sizes]
        self.change: dict[str, Written] = {
            "id": self.id,
            "pool": self.pool_id,
            "removals": removals,
            "first_day": self.first.isoformat(),
            "last_day": self.last.isoformat(),
            "approval": pick.choice(("approved", "approved by the capacity board")),
            "saves_per_day": f"{pick.integer(31, 98)} EUR",
        }
        self.pool: dict[str, Written] = {
            "id": self.pool_id,
            "service": area,
            "node_rps": str((100 + headroom) * times),
            "zones": today,
            "instance_family": pick.choice(("cpu-heavy", "general-b", "mem-wide")),
        }
        if pick.chance():
            self.pool["notes"] = "Load tests gave {pool.node_rps} requests per second for one node."
        peak = self.bearable * pick.integer(50, 80) // 100
        self.load: dict[str, Written] = {
            "service": area,
            "current_rps": str(peak * pick.integer(20, 60) // 100),
            "peak_rps": str(peak),
        }
        self.policy: dict[str, Written] = {"headroom_percent": str(headroom), "min_zone_nodes": str(self.least)}
        after = self.event(pick, self.bearable * 2, self.last + timedelta(days=pick.integer(4, 30)))
        self.state: dict[str, Written] = {
            "change": self.change,
            "pool": self.pool,
            "policy": self.policy,
            "load": self.load,
            "events": [after],
        }
        if pick.chance():
            other: dict[str, Written] = {
                "id": f"{area}-batch",
                "service": f"{area}-batch",
                "zones": [{"zone": zones[0], "nodes": "2"}],
            }
            self.state["other_pools"] = [{**self.pool, **other, "notes": []}]
        self.drawn: Drawn = {
            "id": self.id,
            "request": pick.choice(_REQUESTS).format(id=self.id, area=area, person=pick.person()),
            "state": self.state,
            "commit": {"change_id": self.id},
            "irrelevant": [*pick.several(("load.current_rps", "pool.instance_family", "change.saves_per_day"), 2)],
        }

    def event(self, pick: Draw, forecast: int, first: date) -> dict[str, Written]:
        return {
            "id": pick.identifier("EV-4###"),
            "service": self.service,
            "starts_on": first.isoformat(),
            "ends_on": (first + timedelta(days=pick.integer(0, 2))).isoformat(),
            "forecast_rps": str(forecast),
            "text": pick.choice(_EVENTS),
        }

    def above(self, pick: Draw) -> int:
        return self.bearable + pick.choice((1, 20, self.bearable * pick.integer(3, 60) // 100))

    def within(self, pick: Draw) -> int:
        return self.bearable - pick.choice((0, 0, self.bearable * pick.integer(1, 15) // 100))


def _forecast(pick: Draw) -> Drawn:
    base = _Base(pick)
    safe = base.within(pick)
    event = base.event(pick, safe, base.first + timedelta(days=pick.integer(1, 10)))
    base.state["events"] = [*pick.shuffled((event, entry(base.state, "events", 0)))]
    path = f"events[{event['id']}].forecast_rps"
    event["text"] = [pick.choice(_EVENTS), f"{{{path}}} requests per second are expected."]
    if pick.chance(70):
        sides = differ(pick, event, path, str(base.above(pick)), str(safe))
    else:
        weaker = int(str(base.pool["node_rps"])) * pick.integer(50, 83) // 100
        sides = differ(pick, base.pool, _RPS, str(weaker), base.pool["node_rps"])
    note = "Enough for the measured peak by far; a forecast for one event decides, and is borne or not."
    return case(base.drawn, sides, note, [path, _RPS, _HEADROOM], "carries_peak")


def _on_the_day(pick: Draw) -> Drawn:
    """An event that is too large touches the first or last day of the smaller size, or does not; or is for another."""
    base = _Base(pick)
    event = entry(base.state, "events", 0)
    key, far, near = (
        event["id"],
        timedelta(days=pick.integer(1, 12)),
        timedelta(days=pick.choice((0, pick.integer(1, 3)))),
    )
    turning = pick.choice(("starts_on", "ends_on", "service"))
    path = f"events[{key}].{turning}"
    if turning == "starts_on":
        event["ends_on"] = (base.last + far + timedelta(days=3)).isoformat()
        sides = differ(pick, event, path, (base.last - near).isoformat(), (base.last + far).isoformat())
        edge = "change.last_day"
    elif turning == "ends_on":
        event["starts_on"] = (base.first - far - timedelta(days=4)).isoformat()
        sides = differ(pick, event, path, (base.first + near).isoformat(), (base.first - far).isoformat())
        edge = "change.first_day"
    else:
        event["starts_on"] = event["ends_on"] = (base.last - near).isoformat()
        sides = differ(pick, event, path, base.service, f"{base.service}-batch")
        edge = f"events[{key}].starts_on"
    event["text"] = "Season campaign."
    note = "An event for which the smaller pool is too weak, on its days and for its service in one twin only."
    return case(base.drawn, sides, note, [path, edge, f"events[{key}].forecast_rps"], "carries_peak")


def _partner(pick: Draw) -> Drawn:
    base = _Base(pick)
    region, aside = pick.several(_PARTNERS, 2)
    lacking = pick.integer(1, 2) * base.times * 100
    headroom = 100 + int(str(base.policy["headroom_percent"]))
    spare = lacking * headroom // 100 + pick.choice((0, pick.integer(10, 400)))
    base.load["peak_rps"] = str(base.bearable + lacking)
    serving, much = f"regions[{region}].serving", f"regions[{region}].spare_rps"
    partner: dict[str, Written] = {
        "region": region,
        "service": base.service,
        "serving": "true",
        "spare_rps": str(spare),
    }
    partner["notes"] = ["Spare capacity was confirmed by test.", f"Serves live traffic: {{{serving}}}."]
    other: dict[str, Written] = {
        "region": aside,
        "service": f"{base.service}-batch",
        "serving": "true",
        "spare_rps": str(spare * 2),
    }
    base.state["regions"] = [*pick.shuffled((partner, other))]
    if pick.chance(70):
        sides = differ(pick, partner, serving, "false", "true")
    else:
        sides = differ(pick, partner, much, str(lacking * headroom // 100 - pick.integer(1, lacking // 2)), str(spare))
    note = "Alone the smaller pool is too weak; a partner region's spare capacity helps in one twin."
    critical = [serving, much, *pick.several((_RPS, _PEAK), pick.integer(0, 1))]
    return case(base.drawn, sides, note, critical, "carries_peak")


def _measured(pick: Draw) -> Drawn:
    base = _Base(pick)
    peak = base.within(pick)
    base.load["peak_rps"] = str(peak)
    if pick.chance():
        sides = differ(pick, base.load, _PEAK, str(base.above(pick)), str(peak))
    else:
        base.load["peak_rps"] = str(base.bearable)
        headroom = int(str(base.policy["headroom_percent"]))
        sides = differ(pick, base.policy, _HEADROOM, str(headroom + pick.choice((1, 5))), str(headroom))
    base.policy["guidance"] = "The load of this hour says nothing."
    note = "The measured peak with the headroom is borne by what is left without the largest zone, or is not."
    return case(base.drawn, sides, note, [_PEAK, _HEADROOM, _RPS], "carries_peak")


def _zone(pick: Draw) -> Drawn:
    base = _Base(pick)
    index = next(place for place in range(3) if entry(base.pool, "zones", place)["zone"] == base.zone)
    zone = entry(base.pool, "zones", index)
    path, now = f"pool.zones[{base.zone}].nodes", int(str(zone["nodes"]))
    base.load["peak_rps"], base.load["current_rps"] = str(base.bearable // 4), str(base.bearable // 9)
    base.pool["notes"] = f"Zone {base.zone} holds {{{path}}} nodes today."
    spare = pick.choice((0, 0, base.least - 2))
    base.policy["min_zone_nodes"] = str(base.least - spare)
    if pick.chance():
        sides = differ(pick, zone, path, str(now - spare - 1), str(now))
    else:
        sides = differ(pick, base.policy, _LEAST, str(base.least + 1), str(base.least - spare))
    note = "Capacity is ample; one zone keeps the least number of nodes or fewer."
    return case(base.drawn, sides, note, [path, _LEAST], "zones_kept")
