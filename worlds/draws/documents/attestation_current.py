"""Renewals of access: attested since the change, by whom, how; a later change, days of grace, a leaver."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from typing import NamedTuple

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.documents.twins import differ, edge, finished, iso
from worlds.evidence.documents.attestation_current import State, working_days_after

_ACCESS = (
    ("ledger", "post journals"),
    ("trial database", "read unblinded"),
    ("vendor master", "approve records"),
    ("plant console", "acknowledge alarms"),
    ("freight desk", "release consignments"),
    ("payroll server", "run jobs"),
)
_POSITIONS = ("accountant", "data manager", "buyer", "shift engineer", "planner", "operations analyst", "clerk")
_COMMENTS = ("Needed for the month's end.", "Keep, there is no successor yet.", "Needed in the new team.")
_REQUESTS = (
    "Please renew {id} for {name}, access ends at midnight.",
    "Could you renew {id}? {name} needs it for tonight's run.",
    "{id} is up for {name}. Please renew it.",
    "{name} is being asked about {id} again; can you renew it today?",
)


class _Base(NamedTuple):
    drawn: Drawn
    attestation: dict[str, Written]
    changes: list[Written]
    changed: datetime
    attested: datetime
    renews: date
    path: str
    change: str
    stranger: str


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_since, _deputy, _later_change, _leaver, _grace, _campaign))
    return case(pick)


def _zone(pick: Draw) -> timezone:
    return timezone(timedelta(hours=pick.choice((-8, -5, -4, 0, 1, 2, 8, 9))))


def _base(pick: Draw) -> _Base:
    """An entitlement that the present manager attested by hand after the role change, grace being over long since."""
    id_, change = pick.identifier(pick.choice(("ENT-7####", "grant-#####"))), pick.identifier("RC-####")
    holder, manager, stranger = (pick.identifier("E-####") for _ in range(3))
    key, other = pick.identifier("AT-#####"), pick.identifier("AT-#####")
    renews, name, site = pick.day(date(2026, 3, 2), date(2026, 12, 11)), pick.person(), pick.town()
    changed = datetime.combine(renews - timedelta(days=pick.integer(60, 140)), time(pick.integer(0, 9)), _zone(pick))
    attested = changed + timedelta(minutes=pick.integer(2000, 50000))
    (application, permission), (before, now) = pick.choice(_ACCESS), pick.several(_POSITIONS, 2)
    entitlement: dict[str, Written] = {"id": id_, "employee_id": holder, "application": application}
    entitlement |= {"permission": permission, "renews_on": iso(renews), "account_status": "active"}
    attestation: dict[str, Written] = {"id": key, "entitlement_id": id_, "attestor_id": manager}
    attestation |= {
        "attested_at": attested.isoformat(),
        "origin": "reviewed by hand",
        "comment": pick.choice(_COMMENTS),
    }
    later = (attested + timedelta(minutes=pick.integer(5, 9000))).isoformat()
    decoy: dict[str, Written] = {"id": other, "entitlement_id": pick.identifier("ENT-6####"), "attested_at": later}
    decoy["comment"] = "Of another permission."
    row: dict[str, Written] = {"id": change, "employee_id": holder, "effective_at": changed.isoformat()}
    changes: list[Written] = [{**row, "from_position": before, "to_position": now}]
    head: dict[str, Written] = {"id": manager, "name": pick.person(), "position": "head of department", "site": site}
    state: dict[str, Written] = {
        "entitlement": entitlement,
        "attestations": pick.shuffled([attestation, {**attestation, **decoy}]),
        "policy": {"area": f"{application} and others", "grace_working_days": str(pick.integer(3, 9))},
        "holder": {"id": holder, "name": name, "position": now, "manager_id": manager, "site": site},
        "other_employees": pick.shuffled([head, {**head, "id": stranger, "name": pick.person()}]),
        "role_changes": changes,
    }
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, name=name),
        "state": state,
        "commit": {"entitlement_id": id_},
        "irrelevant": [pick.choice(("holder.site", "policy.area")), f"attestations[{other}].attested_at"],
    }
    return _Base(
        drawn,
        attestation,
        changes,
        changed,
        attested,
        renews,
        f"attestations[{key}]",
        f"role_changes[{change}]",
        stranger,
    )


def _since(pick: Draw) -> Drawn:
    base, abroad = _base(pick), _zone(pick)
    path, minutes = f"{base.path}.attested_at", edge(pick, 0, 900)
    early, late = (base.changed + timedelta(minutes=shift) for shift in (-edge(pick, 1, 900), minutes))
    base.attestation["comment"] = [pick.choice(_COMMENTS), f"Confirmed from abroad at {{{path}}}."]
    differ(pick, State, base.drawn, path, early.astimezone(abroad).isoformat(), late.astimezone(abroad).isoformat())
    note = "In one time zone the attestation comes at or after the role change, or shortly before it."
    critical = [path, f"{base.change}.effective_at", f"{base.path}.attestor_id"]
    return finished(base.drawn, note, critical, "attested_since_change")


def _deputy(pick: Draw) -> Drawn:
    base, key = _base(pick), pick.identifier("DEP-###")
    deputy = base.stranger
    holder, day, row = part(base.drawn, "state", "holder"), base.attested.date(), f"deputyships[{key}]"
    manager = str(holder["manager_id"])
    base.attestation["attestor_id"] = deputy
    base.attestation["comment"] = [f"Attested by {{{base.path}.attestor_id}}.", pick.choice(_COMMENTS)]
    standing: dict[str, Written] = {
        "id": key,
        "manager_id": manager,
        "deputy_id": deputy,
        "first_day": iso(day, -edge(pick, 0, 20)),
        "last_day": iso(day, edge(pick, 0, 20)),
    }
    decoy: dict[str, Written] = {"id": pick.identifier("DEP-###"), "manager_id": pick.identifier("E-####")}
    decoy |= {"first_day": iso(day, -150), "last_day": iso(day, 150)}
    part(base.drawn, "state")["deputyships"] = pick.shuffled([standing, {**standing, **decoy}])
    field = pick.choice(("first_day", "last_day", "manager_id"))
    sign = 1 if field == "first_day" else -1
    if field == "manager_id":
        holder["memo"] = "Reports to {holder.manager_id} since the change."
        differ(pick, State, base.drawn, "holder.manager_id", pick.identifier("E-####"), manager)
    else:
        differ(pick, State, base.drawn, f"{row}.{field}", iso(day, sign * edge(pick, 1, 15)), standing[field])
        standing["first_day" if field == "last_day" else "last_day"] = iso(day, sign * pick.integer(16, 30))
    note = "The attestor is a stand-in; on that day for the holder's present manager, or not."
    critical = [
        "holder.manager_id",
        f"{row}.{'last_day' if field == 'manager_id' else field}",
        f"{base.path}.attestor_id",
    ]
    return finished(base.drawn, note, critical, "attested_since_change")


def _later_change(pick: Draw) -> Drawn:
    base, key = _base(pick), pick.identifier("RC-####")
    path, holder = f"role_changes[{key}].effective_at", part(base.drawn, "state", "holder")
    second: dict[str, Written] = {"id": key, "employee_id": holder["id"], "from_position": holder["position"]}
    base.changes.append({**second, "to_position": "secondment", "effective_at": base.changed.isoformat()})
    holder["memo"] = ["Same manager throughout.", f"The secondment holds from {{{path}}}."]
    midnight = datetime.combine(base.renews, time(0), base.changed.tzinfo)
    early = datetime.combine(base.renews - timedelta(days=pick.integer(15, 20)), time(0), base.changed.tzinfo)
    late = midnight + timedelta(days=edge(pick, 1, 40))
    differ(pick, State, base.drawn, path, early.isoformat(), late.isoformat())
    note = "A second role change has taken effect since the review, or comes after the renewal."
    critical = [path, f"{base.path}.attested_at", f"{base.path}.origin"]
    return finished(base.drawn, note, critical, "attested_since_change")


def _leaver(pick: Draw) -> Drawn:
    base, path = _base(pick), "holder.employment_end"
    part(base.drawn, "state", "holder")["memo"] = f"Fixed term through {{{path}}}; the badge runs on."
    stays = pick.choice((None, iso(base.renews, edge(pick, 0, 60))))
    differ(pick, State, base.drawn, path, iso(base.renews, -edge(pick, 1, 30)), stays)
    note = "The attestation is in order; the holder is employed on the day of renewal, or has left."
    return finished(base.drawn, note, [path, f"{base.path}.attested_at", "holder.manager_id"], "still_employed")


def _grace(pick: Draw) -> Drawn:
    base, path = _base(pick), "policy.grace_working_days"
    changed = datetime.combine(
        base.renews - timedelta(days=pick.integer(6, 20)), time(pick.integer(0, 9)), base.changed.tzinfo
    )
    passed = working_days_after(changed.date(), base.renews)
    for change in base.changes:
        if isinstance(change, dict):
            change["effective_at"] = changed.isoformat()
    base.attestation["attested_at"] = (changed - timedelta(minutes=pick.integer(5, 60000))).isoformat()
    base.attestation["attestor_id"] = base.stranger
    part(base.drawn, "state", "policy")["guidance"] = f"A former attestation carries on for {{{path}}} working days."
    differ(pick, State, base.drawn, path, str(passed - edge(pick, 1, 3)), str(passed + edge(pick, 0, 3)))
    note = "Only an attestation from before the role change; the working days of grace still run, or are over."
    critical = [path, f"{base.change}.effective_at", f"{base.path}.origin"]
    return finished(base.drawn, note, critical, "attested_since_change")


def _campaign(pick: Draw) -> Drawn:
    base = _base(pick)
    path = f"{base.path}.{pick.choice(('origin', 'attestor_id'))}"
    base.attestation["comment"] = [f"As logged: {{{path}}}.", "Closed in time."]
    own = str(part(base.drawn, "state", "holder")["manager_id"])
    if path.endswith("origin"):
        differ(pick, State, base.drawn, path, "renewed by campaign", "reviewed by hand")
    else:
        differ(pick, State, base.drawn, path, base.stranger, own)
    note = "After the change somebody attested; the manager in charge and by hand, or not so."
    critical = [f"{base.path}.origin", f"{base.path}.attestor_id", "holder.manager_id"]
    return finished(base.drawn, note, critical, "attested_since_change")
