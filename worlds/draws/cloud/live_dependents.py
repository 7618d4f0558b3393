"""Deletions that turn on a chain of dependents, the last call of one, its place in the plan, the scan, or the kind."""

from __future__ import annotations

from datetime import date, timedelta

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.cloud.common import AREAS, case, differ, differ_in_item, entry, listing, moment, services

_NAMED = {
    "cache": "cache",
    "queue": "spool",
    "topic": "events",
    "bucket": "files",
    "database replica": "replica",
    "proxy": "proxy",
    "service": "hub",
}
_KINDS = tuple(_NAMED)
_TAGS = ("unused", "legacy", "tier-c", "blue", "migrated", "cost-review")
_COMMENTS = (
    "The cost report has shown it as idle for weeks.",
    "Hardly any hits were measured at night.",
    "The owning team sees no traffic any more.",
    "Left over from the move last year.",
)
_REQUESTS = (
    "Please delete {id} under plan {plan}. The platform team stopped using it when they changed providers.",
    "Could you remove {id} with plan {plan}? {person} says the new path does not need it.",
    "{id} belongs to plan {plan}, please take it down.",
    "Can you delete {id} as in {plan}? It is only eating money.",
)


def draw(pick: Draw) -> Drawn:
    return pick.choice((_chain, _quiet, _quiet, _planned, _scanned, _kind))(pick)


def _resource(pick: Draw, name: str, kind: str, *depends_on: str) -> dict[str, Written]:
    return {
        "id": name,
        "kind": kind,
        "name": name.replace("-", " ").capitalize(),
        "state": "live",
        "depends_on": [*depends_on],
        "team": f"{name.partition('-')[0].title()} {pick.choice(('Platform', 'Core', 'Desk'))}",
        "monthly_cost": f"{pick.integer(20, 1900)} USD",
        "tags": [*pick.several(_TAGS, pick.integer(0, 2))],
    }


def _calls(pick: Draw, name: str, day: date) -> dict[str, Written]:
    return {"resource": name, "last_call_on": day.isoformat(), "calls": str(pick.integer(1, 6900))}


def _base(pick: Draw, opaque: bool = False) -> tuple[Drawn, dict[str, Written], date]:
    """A target with one live dependent, which has called lately and is not in the plan; the dependent, and the day."""
    at = moment(pick)
    day = at.date() + timedelta(days=1)
    dependent_id, aside_id, *areas = (*services(pick, 2), *pick.several(AREAS, 2))
    kind, base_id = pick.choice(_KINDS), f"{areas[1]}-store"
    target_id = pick.identifier("####-??##").lower() if opaque else f"{areas[0]}-{_NAMED[kind]}"
    plan_id = pick.identifier(pick.choice(("DP-2#####", "RM-?####", "CHG-DEL-7#####")))
    target = _resource(pick, target_id, kind, *pick.several((base_id,), pick.integer(0, 1)))
    if opaque:
        target |= {"name": areas[0].title(), "team": f"{areas[0].title()} Desk"}
    dependent = _resource(pick, dependent_id, pick.choice(("service", "batch job")), target_id)
    others = [
        _resource(pick, aside_id, "service", base_id),
        _resource(pick, base_id, pick.choice(("database", "volume"))),
    ]
    if pick.chance():
        listing(dependent, "depends_on").append(base_id)
    plan: dict[str, Written] = {
        "id": plan_id,
        "approval": "approved",
        "delete_on": day.isoformat(),
        "entries": [{"id": target_id, "kind": kind}],
        "comments": [*pick.several(_COMMENTS, pick.integer(1, 2))],
    }
    scan: dict[str, Written] = {
        "finished_at": (at - timedelta(minutes=pick.integer(5, 600, 5))).isoformat(),
        "result": "complete",
        "remarks": "State files of the deployment tool are read account by account.",
    }
    state: dict[str, Written] = {
        "target": target,
        "resources": [*pick.shuffled((dependent, *others))],
        "scan": scan,
        "activity": [
            _calls(pick, aside_id, at.date()),
            _calls(pick, dependent_id, day - timedelta(days=pick.integer(1, 9))),
        ],
        "plan": plan,
        "policy": {"idle_days": str(pick.integer(11, 58)), "guidance": "Jobs may run seldom and still be needed."},
    }
    drawn: Drawn = {
        "id": plan_id,
        "request": pick.choice(_REQUESTS).format(id=target_id, plan=plan_id, person=pick.person()),
        "state": state,
        "commit": {"resource_id": target_id, "plan_id": plan_id},
        "irrelevant": [*pick.several(("target.monthly_cost", "target.tags", f"resources[{aside_id}].monthly_cost"), 2)],
    }
    return drawn, dependent, day


def _retire(pick: Draw, drawn: Drawn, dependent: dict[str, Written], day: date) -> None:
    """Its last calls are some days old, though not old enough to make it idle."""
    dependent["state"] = "retired"
    entry(part(drawn, "state"), "activity", 1)["last_call_on"] = (day - timedelta(days=pick.integer(6, 10))).isoformat()


def _chain(pick: Draw) -> Drawn:
    drawn, middle, day = _base(pick)
    state, key, target = part(drawn, "state"), str(middle["id"]), str(part(drawn, "state", "target")["id"])
    far = f"{key.partition('-')[0]}-{pick.choice(('close', 'import', 'export', 'letters'))}"
    critical = [
        f"resources[{far}].depends_on[{key}]",
        f"resources[{key}].depends_on[{target}]",
        f"activity[{far}].last_call_on",
    ]
    if pick.chance():
        _retire(pick, drawn, middle, day)
    else:
        listing(part(drawn, "state", "plan"), "entries").append({"id": key, "kind": middle["kind"]})
        critical.append(f"plan.entries[{key}]")
    user = _resource(pick, far, "batch job", str(entry(state, "activity", 0)["resource"]))
    user["notes"] = ["Runs once a month for some hours.", f"Reads through {{{critical[0]}}}."]
    listing(state, "resources").insert(pick.integer(0, 3), user)
    listing(state, "activity").append(_calls(pick, far, day - timedelta(days=pick.integer(1, 9))))
    sides = differ_in_item(pick, user, critical[0], key, True)
    note = "The direct dependent is out of the way, but in one twin something live reaches the target through it."
    return case(drawn, sides, note, critical, "nothing_live_depends")


def _quiet(pick: Draw) -> Drawn:
    """The dependent's last call: the required days back, fewer, or not on record at all."""
    drawn, dependent, day = _base(pick)
    state, key = part(drawn, "state"), dependent["id"]
    activity = listing(state, "activity")
    days = int(str(part(drawn, "state", "policy")["idle_days"]))
    idle = _calls(pick, str(key), day - timedelta(days=days + pick.choice((0, 0, pick.integer(1, 90)))))
    del activity[1]
    if pick.chance(70):
        path = f"activity[{key}].last_call_on"
        activity.insert(pick.integer(0, 1), idle)
        recent = day - timedelta(days=days - pick.choice((1, pick.integer(2, days - 1))))
        dependent["notes"] = f"Last seen calling on {{{path}}}."
        sides = differ(pick, idle, path, recent.isoformat(), idle["last_call_on"])
        note = "The one dependent has been idle for the required days by the day of the deletion, or for fewer."
    else:
        path = f"activity[{key}]"
        sides = differ_in_item(pick, state, path, idle, False)
        note = "In one twin the tracing has an old last call of the dependent, in the other it has never seen it."
    more = pick.several((f"resources[{key}].state", "plan.delete_on"), pick.integer(0, 1))
    return case(drawn, sides, note, [path, "policy.idle_days", *more], "nothing_live_depends")


def _planned(pick: Draw) -> Drawn:
    drawn, dependent, _ = _base(pick)
    key, target = dependent["id"], part(drawn, "state", "target")["id"]
    plan, path = part(drawn, "state", "plan"), f"plan.entries[{key}]"
    if pick.chance():
        listing(plan, "comments").append(f"Goes as well: {{{path}.id}}.")
    sides = differ_in_item(pick, plan, path, {"id": key, "kind": dependent["kind"]}, False)
    critical = [path, f"resources[{key}].state", f"resources[{key}].depends_on[{target}]"]
    note = "A dependent with fresh traffic, which the same plan deletes in one twin."
    return case(drawn, sides, note, critical, "nothing_live_depends")


def _scanned(pick: Draw) -> Drawn:
    drawn, dependent, day = _base(pick)
    key, target = dependent["id"], part(drawn, "state", "target")["id"]
    _retire(pick, drawn, dependent, day)
    scan = part(drawn, "state", "scan")
    scan["remarks"] = [str(scan["remarks"]), "This run is {scan.result}."]
    sides = differ(pick, scan, "scan.result", "partial", "complete")
    critical = ["scan.result", f"resources[{key}].state", f"resources[{key}].depends_on[{target}]"]
    note = "No live dependent is on record in either twin; the scan that says so is complete or partial."
    return case(drawn, sides, note, critical, "scan_complete")


def _kind(pick: Draw) -> Drawn:
    """The plan means another kind of thing than the id names, or was never approved."""
    drawn, dependent, day = _base(pick, opaque=True)
    _retire(pick, drawn, dependent, day)
    target, plan = part(drawn, "state", "target"), part(drawn, "state", "plan")
    key, kind = target["id"], target["kind"]
    planned = f"plan.entries[{key}].kind"
    other = pick.choice([name for name in _KINDS if name != kind])
    turning = pick.choice((planned, "target.kind", "plan.approval"))
    if turning == planned:
        entry: dict[str, Written] = {"id": key}
        plan["entries"] = [entry]
        sides = differ(pick, entry, planned, other, kind)
    elif turning == "target.kind":
        sides = differ(pick, target, turning, other, kind)
    else:
        sides = differ(pick, plan, turning, "draft", "approved")
    note = "The plan lists the id, but with another kind or as a draft in one twin."
    return case(drawn, sides, note, [planned, "target.kind", "plan.approval"], "planned")
