"""Role changes that turn on a wildcard, a denial of either side, an elevation, or an environment."""

from __future__ import annotations

from datetime import datetime, timedelta

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.cloud.common import AREAS, case, differ, differ_in_item, elsewhere, listing, moment

_KINDS = ("volume", "queue", "table", "bucket", "host", "secret", "registry", "topic", "cluster", "certificate")
_MILD = ("Describe", "List", "Read", "Inspect")
_STRONG = ("Attach", "Copy", "Delete", "Purge", "Restart", "Rotate", "Share", "Terminate", "Update", "Write")
_ROLES = ("readonly", "observer", "helper", "steward", "night-watch", "runner")
_ENVIRONMENTS = ("build", "preview", "staging", "production", "training", "acceptance")
_PURPOSES = (
    "Look after everything from one console.",
    "Clean up after the merger.",
    "Take work off the platform team.",
)
_REASONS = ("Storm front over the northern depots.", "Merger of two schemas.", "Trial of the new console.")
_REQUESTS = (
    "Please apply role change {id} for the {area} team. Their on-call needs it tonight.",
    "Could you put {id} into force before the window at noon?",
    "Please apply {id}, the {area} people cannot go on without it.",
    "{id} is ready for the {area} team, please put it into force. {person} asked for it.",
)


def draw(pick: Draw) -> Drawn:
    return pick.choice((_wildcard, _denied, _own_denial, _elevated, _elevated, _environment))(pick)


def _base(pick: Draw) -> tuple[Drawn, str, list[str]]:
    """A change that grants all of one kind, a boundary that allows just that; the kind and its strong verbs."""
    area, (kind, second, third) = pick.choice(AREAS), pick.several(_KINDS, 3)
    strong = pick.several(_STRONG, 4)
    names: list[str] = []
    for of in (kind, second, third):
        names += [
            f"{of}:{verb}" for verb in (*pick.several(_MILD, 2), *(strong if of == kind else pick.several(_STRONG, 2)))
        ]
    actions = sorted(names)
    environments = pick.several(_ENVIRONMENTS, pick.integer(2, 3))
    id_ = pick.identifier(pick.choice(("RC-5#####", "ROLE-?####", "iam-4#####")))
    change: dict[str, Written] = {
        "id": id_,
        "role": f"{area}-{pick.choice(_ROLES)}",
        "team": area.title(),
        "grants": [f"{kind}:*"],
        "environments": [*environments[1:]],
        "requested_by": pick.person(),
        "purpose": [pick.choice(_PURPOSES)],
    }
    mild: list[Written] = [name for name in actions if name.startswith(f"{kind}:") and name.partition(":")[2] in _MILD]
    boundary: dict[str, Written] = {
        "team": area.title(),
        "allow": mild,
        "deny": [f"{third}:*"],
        "environments": [*pick.shuffled(environments)],
    }
    wider = pick.choice([other for other in AREAS if other != area])
    around: dict[str, Written] = {
        "team": wider.title(),
        "allow": [f"{kind}:*", f"{second}:*"],
        "environments": [*_ENVIRONMENTS],
        "comment": f"Owns every {kind}.",
    }
    if pick.chance():
        listing(change, "grants").append(f"{second}:{pick.choice(('De', 'Li', 'Re', 'In'))}*")
        listing(boundary, "allow").append(f"{second}:*")
    state: dict[str, Written] = {"change": change, "catalog": {"actions": [*actions]}, "boundary": boundary}
    if pick.chance(70):
        state["other_boundaries"] = [around]
    if pick.chance(40):
        again: dict[str, Written] = {"id": pick.identifier("RC-5#####"), "grants": [f"{second}:*"], "purpose": []}
        again |= {"environments": [environments[0]], "role": f"{area}-seniors"}
        state["other_changes"] = [{**change, **again}]
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, area=area, person=pick.person()),
        "state": state,
        "commit": {"change_id": id_},
        "irrelevant": ["change.requested_by"],
    }
    return drawn, kind, strong


def _elevation(pick: Draw, drawn: Drawn, *actions: str) -> dict[str, Written]:
    """An elevation for the role that outlasts the change, and one for another role that lasts for long."""
    change, at = part(drawn, "state", "change"), moment(pick)
    key, other = (pick.identifier("EL-6###") for _ in range(2))
    late = at + timedelta(minutes=pick.choice((0, 0, pick.integer(5, 900, 5))))
    change["ends_at"] = at.isoformat()
    lent: dict[str, Written] = {
        "id": key,
        "role": change["role"],
        "actions": [*actions],
        "valid_until": elsewhere(pick, late).isoformat(),
        "approved_by": pick.choice(("Duty manager", "Access desk, second line")),
        "reason": pick.choice(_REASONS),
    }
    aside: dict[str, Written] = {"id": other, "role": f"{pick.choice(AREAS)}-dispatch"}
    longer = (at + timedelta(days=pick.integer(60, 300))).isoformat()
    part(drawn, "state")["elevations"] = [*pick.shuffled((lent, {**lent, **aside, "valid_until": longer}))]
    drawn["irrelevant"] = ["change.requested_by", f"elevations[{other}].valid_until"]
    return lent


def _wildcard(pick: Draw) -> Drawn:
    drawn, kind, strong = _base(pick)
    boundary = part(drawn, "state", "boundary")
    action = f"{kind}:{strong[0]}"
    listing(boundary, "allow").extend(f"{kind}:{verb}" for verb in strong[1:])
    path = f"boundary.allow[{action}]"
    if pick.chance():
        boundary["comment"] = f"Part of the job here: {{{path}}}."
    sides = differ_in_item(pick, boundary, path, action, False)
    note = "A wildcard in the grants selects one action more than is harmless; the boundary allows it in one twin only."
    critical = [path, f"change.grants[{kind}:*]", f"catalog.actions[{action}]"]
    return case(drawn, sides, note, critical, "within_allowed")


def _denied(pick: Draw) -> Drawn:
    drawn, kind, strong = _base(pick)
    boundary = part(drawn, "state", "boundary")
    boundary["allow"] = [f"{kind}:*", *(item for item in listing(boundary, "allow") if not str(item).startswith(kind))]
    pattern = f"{kind}:{strong[0][: pick.integer(3, 4)]}*"
    path = f"boundary.deny[{pattern}]"
    _elevation(pick, drawn, *(f"{kind}:{verb}" for verb in strong[:2]))
    if pick.chance():
        boundary["comment"] = f"Not for this team: {{{path}}}."
    sides = differ_in_item(pick, boundary, path, pattern, True)
    note = "Allowed and elevated; the boundary's denial wins over both in the twin that has it."
    critical = [path, f"change.grants[{kind}:*]", f"catalog.actions[{kind}:{strong[0]}]"]
    return case(drawn, sides, note, critical, "nothing_denied")


def _own_denial(pick: Draw) -> Drawn:
    drawn, kind, strong = _base(pick)
    change, boundary = part(drawn, "state", "change"), part(drawn, "state", "boundary")
    listing(boundary, "allow").append(f"{kind}:{strong[0]}")
    change["denies"] = [f"{kind}:{verb}" for verb in strong[2:]]
    denied = f"{kind}:{strong[1]}"
    path = f"change.denies[{denied}]"
    if pick.chance():
        listing(change, "purpose").append(f"The role keeps its hands off: {{{path}}}.")
    sides = differ_in_item(pick, change, path, denied, False)
    note = "The grant goes beyond the boundary; the role's own denials take exactly that part out again, in one twin."
    critical = [path, f"change.grants[{kind}:*]", f"boundary.allow[{kind}:{strong[0]}]"]
    return case(drawn, sides, note, critical, "within_allowed")


def _elevated(pick: Draw) -> Drawn:
    drawn, kind, strong = _base(pick)
    change = part(drawn, "state", "change")
    mild = [item for item in listing(part(drawn, "state", "boundary"), "allow") if str(item).startswith(kind)]
    extra = f"{kind}:{strong[0]}"
    change["grants"] = [*mild, extra]
    lent = _elevation(pick, drawn, extra, f"{kind}:{strong[1]}")
    until, role, end = f"elevations[{lent['id']}].valid_until", f"elevations[{lent['id']}].role", "change.ends_at"
    at = change["ends_at"]
    turning = pick.choice((until, role, end))
    if turning == until:
        short = elsewhere(
            pick, datetime.fromisoformat(str(at)) - timedelta(minutes=pick.choice((1, 60, pick.integer(5, 600, 5))))
        )
        sides = differ(pick, lent, until, short.isoformat(), lent["valid_until"])
    elif turning == role:
        sides = differ(pick, lent, role, f"{change['role']}-leads", change["role"])
    else:
        longer = datetime.fromisoformat(str(lent["valid_until"])) + timedelta(
            minutes=pick.choice((1, 60, pick.integer(5, 600, 5)))
        )
        sides = differ(pick, change, end, pick.choice((longer.isoformat(), None)), at)
    note = "Beyond the boundary, with an elevation that fits in role and time in one twin."
    critical = [until, role, end, *pick.several((f"change.grants[{extra}]",), pick.integer(0, 1))]
    return case(drawn, sides, note, critical, "within_allowed")


def _environment(pick: Draw) -> Drawn:
    drawn, kind, strong = _base(pick)
    change, boundary = part(drawn, "state", "change"), part(drawn, "state", "boundary")
    listing(boundary, "allow").extend(f"{kind}:{verb}" for verb in strong)
    allowed = [str(item) for item in listing(boundary, "environments")]
    used = str(listing(change, "environments")[0])
    if pick.chance():
        place = pick.choice([name for name in _ENVIRONMENTS if name not in allowed])
        path = f"change.environments[{place}]"
        listing(change, "purpose").append(f"Applies also in {{{path}}}.")
        sides = differ_in_item(pick, change, path, place, True)
        critical = [path, f"boundary.environments[{used}]", f"boundary.allow[{kind}:{strong[0]}]"]
    else:
        path = f"boundary.environments[{used}]"
        boundary["environments"] = [name for name in allowed if name != used]
        sides = differ_in_item(pick, boundary, path, used, False)
        critical = [path, f"change.environments[{used}]", f"boundary.allow[{kind}:{strong[0]}]"]
    note = "Every action is inside the boundary; one environment of the role is inside it in one twin only."
    return case(drawn, sides, note, critical, "environments_inside")
