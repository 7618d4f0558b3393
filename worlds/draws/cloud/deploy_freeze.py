"""Deployments at the edge of a freeze, newly covered by one, under an emergency approval, or against a hard freeze."""

from __future__ import annotations

from datetime import datetime, timedelta

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.cloud.common import case, differ, differ_in_item, elsewhere, listing, moment, services

_GROUPS = ("storefront", "dispatch", "rating", "back-office", "partner-desk", "claims-floor", "self-service")
_FREEZES = ("Quarter close.", "Festival weekend.", "Stocktaking.", "Peak trading days.", "Move of the branch network.")
_COMMENTS = ("All checks passed twice.", "Reviewed by the owning team.", "Second build of the day.", "Tables only.")
_TROUBLE = ("Letters go out with wrong sums.", "Orders vanish when reopened.", "Drivers are sent the wrong way.")
_APPROVERS = ("Duty director", "Head of Operations", "Duty manager", "Vice president service")
_REQUESTS = (
    "Please start {id} at the time it is scheduled for.",
    "Can you start {id}? The colleagues in {town} are waiting for it.",
    "{id} is in the queue. Please let it run.",
    "Could you kick off {id} so that {person} can go home?",
)
_SCHEDULED = "deployment.scheduled_at"


def draw(pick: Draw) -> Drawn:
    return pick.choice((_edge, _covered, _emergency, _emergency, _hard))(pick)


def _base(pick: Draw) -> tuple[Drawn, dict[str, Written], datetime]:
    """A deployment inside a freeze that names its service; the freeze, and the time of the deployment."""
    at = moment(pick)
    service, neighbour, third = services(pick, 3)
    group, other_group = pick.several(_GROUPS, 2)
    id_ = pick.identifier(pick.choice(("RLS-####-?", "DEPL-3#####", "ship-7#####")))
    deployment: dict[str, Written] = {
        "id": id_,
        "service": service,
        "service_group": group,
        "version": f"{pick.integer(1, 19)}.{pick.integer(0, 40)}.{pick.integer(0, 9)}",
        "scheduled_at": at.isoformat(),
        "reviews": str(pick.integer(1, 4)),
        "author": pick.person(),
        "runner": pick.identifier("runner-??#-##").lower(),
        "comments": [*pick.several(_COMMENTS, pick.integer(1, 2))],
    }
    key, other = (pick.identifier(pick.choice(("FRZ-4###", "CAL-5###"))) for _ in range(2))
    freeze: dict[str, Written] = {
        "id": key,
        "kind": "standard",
        "covers": pick.shuffled((service, third)),
        "starts": elsewhere(pick, at - timedelta(minutes=pick.integer(60, 4320, 30))).isoformat(),
        "ends": elsewhere(pick, at + timedelta(minutes=pick.integer(60, 4320, 30))).isoformat(),
        "announcement": [pick.choice(_FREEZES), f"Runs until {{freezes[{key}].ends}}."],
    }
    if pick.chance():
        past: dict[str, Written] = {
            "covers": [service, group],
            "starts": (at - timedelta(days=pick.integer(80, 95))).isoformat(),
            "ends": (at - timedelta(days=pick.integer(70, 78))).isoformat(),
        }
    else:
        past = {
            "covers": [neighbour, other_group],
            "starts": (at - timedelta(days=pick.integer(1, 4))).isoformat(),
            "ends": (at + timedelta(days=pick.integer(1, 4))).isoformat(),
        }
    aside: dict[str, Written] = {**freeze, "id": other, "kind": pick.choice(("standard", "hard")), **past}
    state: dict[str, Written] = {
        "deployment": deployment,
        "freezes": [*pick.shuffled((freeze, {**aside, "announcement": pick.choice(_FREEZES)}))],
    }
    if pick.chance(40):
        earlier = (at - timedelta(hours=pick.integer(3, 9))).isoformat()
        again: dict[str, Written] = {"id": pick.identifier("RLS-####-?"), "version": f"{deployment['version']}-rc"}
        state["other_deployments"] = [
            {**deployment, **again, "scheduled_at": earlier, "checks": "one failed", "comments": []}
        ]
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, town=pick.town(), person=pick.person()),
        "state": state,
        "commit": {"deployment_id": id_},
        "irrelevant": [*pick.several(("deployment.runner", "deployment.author", "deployment.reviews"), 2)],
    }
    return drawn, freeze, at


def _add_approval(pick: Draw, drawn: Drawn, at: datetime) -> tuple[dict[str, Written], dict[str, Written]]:
    """An approval that holds, with its incident; and one for the same incident and the service next door."""
    state, deployment = part(drawn, "state"), part(drawn, "state", "deployment")
    incident, closed = (pick.identifier(pick.choice(("INC-2####", "IN-6####"))) for _ in range(2))
    key, other = (pick.identifier("EA-5###") for _ in range(2))
    late = at + timedelta(minutes=pick.choice((0, 0, pick.integer(10, 600, 5))))
    summary: list[Written] = [pick.choice(_TROUBLE), f"The incident is {{incidents[{incident}].status}}."]
    found: dict[str, Written] = {"id": incident, "severity": "SEV-1", "status": "open", "summary": summary}
    old: dict[str, Written] = {"id": closed, "severity": "SEV-3", "status": "closed", "summary": pick.choice(_TROUBLE)}
    approval: dict[str, Written] = {
        "id": key,
        "service": deployment["service"],
        "incident": incident,
        "approved_by": pick.choice(_APPROVERS),
        "expires_at": elsewhere(pick, late).isoformat(),
        "text": [f"Go ahead with {{approvals[{key}].service}}."],
    }
    near = f"{str(deployment['service']).partition('-')[0]}-{pick.choice(('web', 'store', 'feed'))}"
    aside: dict[str, Written] = {"id": other, "service": near, "text": []}
    longer = (at + timedelta(hours=pick.integer(2, 30))).isoformat()
    state["incidents"] = [*pick.shuffled((found, old))]
    state["approvals"] = [*pick.shuffled((approval, {**approval, **aside, "expires_at": longer}))]
    return approval, found


def _edge(pick: Draw) -> Drawn:
    drawn, freeze, at = _base(pick)
    ends = pick.chance()
    path = f"freezes[{freeze['id']}].{'ends' if ends else 'starts'}"
    late = timedelta(minutes=pick.choice((0, 0, 1, pick.integer(5, 120, 5))))
    beyond = timedelta(minutes=pick.choice((1, 30, 60, pick.integer(5, 480, 5))))
    inside, outside = (at + beyond, at - late) if ends else (at - late, at + beyond)
    sides = differ(pick, freeze, path, elsewhere(pick, inside).isoformat(), elsewhere(pick, outside).isoformat())
    note = "A freeze told in another zone ends or starts near the time of the deployment."
    covers = f"freezes[{freeze['id']}].covers[{part(drawn, 'state', 'deployment')['service']}]"
    return case(drawn, sides, note, [path, _SCHEDULED, covers], "standard_freeze_respected")


def _covered(pick: Draw) -> Drawn:
    drawn, freeze, at = _base(pick)
    deployment = part(drawn, "state", "deployment")
    item = deployment[pick.choice(("service", "service_group"))]
    freeze["covers"] = [name for name in services(pick, 3) if name != deployment["service"]]
    freeze["kind"] = kind = pick.choice(("standard", "hard"))
    if pick.chance():
        freeze["starts"] = elsewhere(pick, at).isoformat()
    path, starts = f"freezes[{freeze['id']}].covers[{item}]", f"freezes[{freeze['id']}].starts"
    listing(freeze, "announcement").append(f"Added later: {{{path}}}.")
    note = "A running freeze, which was widened to the service or its group in one twin."
    sides = differ_in_item(pick, freeze, path, item, True)
    return case(drawn, sides, note, [path, starts, _SCHEDULED], f"{kind}_freeze_respected")


def _emergency(pick: Draw) -> Drawn:
    drawn, freeze, at = _base(pick)
    approval, incident = _add_approval(pick, drawn, at)
    service, expiry = (f"approvals[{approval['id']}].{name}" for name in ("service", "expires_at"))
    status = f"incidents[{incident['id']}].status"
    turning = pick.choice((service, expiry, status))
    if turning == service:
        near = f"{str(approval['service']).partition('-')[0]}-{pick.choice(('web', 'store', 'feed'))}"
        sides = differ(pick, approval, service, near, approval["service"])
    elif turning == expiry:
        expired = at - timedelta(minutes=pick.choice((1, 30, pick.integer(5, 300, 5))))
        sides = differ(pick, approval, expiry, elsewhere(pick, expired).isoformat(), approval["expires_at"])
    else:
        sides = differ(pick, incident, status, "closed", "open")
    note = "A standard freeze with an emergency approval that turns on its service, its expiry or its incident."
    critical = [service, expiry, status, *pick.several((f"freezes[{freeze['id']}].ends",), pick.integer(0, 1))]
    return case(drawn, sides, note, critical, "standard_freeze_respected")


def _hard(pick: Draw) -> Drawn:
    drawn, freeze, at = _base(pick)
    approval, _ = _add_approval(pick, drawn, at)
    path, expiry = f"freezes[{freeze['id']}].kind", f"approvals[{approval['id']}].expires_at"
    listing(freeze, "announcement").append(f"This is a {{{path}}} freeze.")
    sides = differ(pick, freeze, path, "hard", "standard")
    note = "An emergency approval that holds, in a freeze that is hard or standard."
    ends = f"freezes[{freeze['id']}].ends"
    return case(drawn, sides, note, [path, expiry, pick.choice((ends, _SCHEDULED))], "hard_freeze_respected")
