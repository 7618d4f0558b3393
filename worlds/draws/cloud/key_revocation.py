"""Revocations that turn on a consumer left behind, a late request, the promised overlap, or a security order."""

from __future__ import annotations

from datetime import datetime, timedelta

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.cloud.common import AREAS, case, differ, elsewhere, listing, moment, services

_USES = ("sign", "read", "write", "webhook", "export", "upload")
_ASIDE = {"production": "acceptance", "live": "lab", "prod": "staging", "customer": "rehearsal"}
_VERSIONS = (("v4", "v5"), ("k-07", "k-08"), ("five", "six"), ("r11", "r12"), ("2025-b", "2026-a"), ("blue", "green"))
_NOTES = (
    "The rotation job has written the new version to both environments.",
    "Partners check our signatures with the version that we tell them.",
    "Second rotation of this key.",
)
_REASONS = ("Private part found in a build log.", "Seen in a ticket of a supplier.", "A laptop was stolen.")
_REQUESTS = (
    "Please revoke the old version for rotation {id}. The {area} team says they are done.",
    "Could you finish {id} and revoke the previous version?",
    "{id} is due, please revoke the old version of the {area} key.",
    "Please complete {id} by revoking the old version at the time it is set for. {person} wants it off the list.",
)
_AT, _OVERLAP = "rotation.revoke_at", "rotation.overlap_until"


def draw(pick: Draw) -> Drawn:
    return pick.choice((_left_behind, _used, _overlap, _ordered))(pick)


def _base(pick: Draw) -> tuple[Drawn, dict[str, Written], datetime]:
    """A rotation whose old version may go; one of its consumers, and the time of the revocation."""
    at, area = moment(pick), pick.choice(AREAS)
    key = f"{area}-{pick.choice(_USES)}"
    environment, (old, new) = pick.choice(tuple(_ASIDE)), pick.choice(_VERSIONS)
    other = _ASIDE[environment]
    id_ = pick.identifier(pick.choice(("ROT-8#####", "KR-?####", "rotate-2#####")))
    quiet = pick.integer(26, 94)
    rotation: dict[str, Written] = {
        "id": id_,
        "key_name": key,
        "environment": environment,
        "old_version": old,
        "new_version": new,
        "overlap_until": elsewhere(pick, at - timedelta(hours=pick.integer(1, 60))).isoformat(),
        "revoke_at": at.isoformat(),
        "owner": f"{area.title()} {pick.choice(('Platform', 'Gateway', 'Desk'))}",
        "notes": pick.choice(_NOTES),
    }
    names = services(pick, pick.integer(2, 3))
    deployed = at - timedelta(hours=quiet + pick.integer(30, 200))
    consumers: list[dict[str, Written]] = [
        {
            "id": f"{name}-{place}",
            "service": name,
            "environment": place,
            "key_version": new,
            "deployed_at": (deployed + timedelta(minutes=7 * index)).isoformat(),
        }
        for index, (name, place) in enumerate([*((name, environment) for name in names), (names[0], other)])
    ]
    consumers[-1]["key_version"] = pick.choice((old, new))
    before, since = deployed - timedelta(minutes=pick.integer(1, 50)), at - timedelta(minutes=pick.integer(5, 300))
    seen = [*((name, old, before) for name in names), *((name, new, since) for name in names[1:])]
    uses: list[dict[str, Written]] = [
        {
            "id": pick.identifier("acc-#####"),
            "version": version,
            "caller": name,
            "kind": "request",
            "at": (at_ - timedelta(minutes=3 * index)).isoformat(),
        }
        for index, (name, version, at_) in enumerate(seen)
    ]
    state: dict[str, Written] = {
        "rotation": rotation,
        "policy": {"quiet_hours": str(quiet), "guidance": "Whoever revokes names the rotation."},
        "consumers": [*pick.shuffled(consumers)],
        "uses": [*pick.shuffled(uses)],
    }
    if pick.chance(40):
        again: dict[str, Written] = {
            "id": pick.identifier("ROT-8#####"),
            "key_name": f"{key}-test",
            "environment": other,
        }
        state["other_rotations"] = [{**rotation, **again, "notes": []}]
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, area=area, person=pick.person()),
        "state": state,
        "commit": {"rotation_id": id_},
        "irrelevant": [
            *pick.several(("rotation.owner", f"consumers[{consumers[1]['id']}].deployed_at"), pick.integer(1, 2))
        ],
    }
    return drawn, consumers[0], at


def _left_behind(pick: Draw) -> Drawn:
    drawn, consumer, _ = _base(pick)
    rotation = part(drawn, "state", "rotation")
    version, place = (f"consumers[{consumer['id']}].{name}" for name in ("key_version", "environment"))
    consumer["remarks"] = pick.choice((f"Holds {{{version}}} in memory from start to stop.", "Deployed by hand."))
    if pick.chance(70):
        sides = differ(pick, consumer, version, rotation["old_version"], rotation["new_version"])
    else:
        consumer["id"] = consumer["service"]
        version, place = (f"consumers[{consumer['id']}].{name}" for name in ("key_version", "environment"))
        consumer["remarks"] = "Started from the shared job list."
        consumer["key_version"] = rotation["old_version"]
        sides = differ(pick, consumer, place, rotation["environment"], _ASIDE[str(rotation["environment"])])
    note = "The rotation looks done, but one consumer in the key's environment runs with the old version in one twin."
    return case(drawn, sides, note, [version, place, "rotation.new_version"], "consumers_moved")


def _used(pick: Draw) -> Drawn:
    """The last use of the old version: a request too late or just early enough, or a probe."""
    drawn, _, at = _base(pick)
    rotation, quiet = part(drawn, "state", "rotation"), int(str(part(drawn, "state", "policy")["quiet_hours"]))
    early = at - timedelta(hours=quiet) - timedelta(minutes=pick.choice((0, 0, pick.integer(1, 90))))
    late = at - timedelta(hours=quiet) + timedelta(minutes=pick.choice((1, 60, pick.integer(5, 900, 5))))
    use: dict[str, Written] = {
        "id": pick.identifier("acc-#####"),
        "version": rotation["old_version"],
        "caller": pick.choice(("nightly job", "partner link", "unnamed client")),
        "kind": "request",
        "at": elsewhere(pick, early).isoformat(),
    }
    moment_, kind = (f"uses[{use['id']}].{name}" for name in ("at", "kind"))
    if pick.chance(60):
        sides = differ(pick, use, moment_, elsewhere(pick, late).isoformat(), use["at"])
        note = "The last request with the old version lies the quiet hours before the revocation, or less."
    else:
        use["at"] = elsewhere(pick, at - timedelta(minutes=pick.integer(10, 600, 5))).isoformat()
        use["caller"] = pick.choice(("internal address", "address of the platform"))
        rotation["notes"] = f"The newest use of the old version is a {{{kind}}}."
        sides = differ(pick, use, kind, "request", "probe")
        note = "The old version was used shortly before: by the secret manager's own probe, or by a request."
    listing(part(drawn, "state"), "uses").insert(pick.integer(0, 4), use)
    critical = [moment_, kind, "policy.quiet_hours", *pick.several((_AT,), pick.integer(0, 1))]
    return case(drawn, sides, note, critical, "long_unused")


def _overlap(pick: Draw) -> Drawn:
    drawn, consumer, at = _base(pick)
    rotation = part(drawn, "state", "rotation")
    over = at - timedelta(minutes=pick.choice((0, 0, pick.integer(1, 900))))
    lasting = at + timedelta(minutes=pick.choice((1, 60, 1440, pick.integer(5, 3000, 5))))
    if pick.chance(70):
        sides = differ(
            pick, rotation, _OVERLAP, elsewhere(pick, lasting).isoformat(), elsewhere(pick, over).isoformat()
        )
    else:
        rotation["overlap_until"] = elsewhere(pick, over).isoformat()
        too_early = elsewhere(pick, over) - timedelta(minutes=pick.choice((1, 30, pick.integer(5, 300, 5))))
        sides = differ(pick, rotation, _AT, too_early.isoformat(), at.isoformat())
    note = "Everything inside has moved; the promised overlap ends with the revocation, or after it."
    return case(drawn, sides, note, [_OVERLAP, _AT, f"consumers[{consumer['id']}].key_version"], "overlap_over")


def _ordered(pick: Draw) -> Drawn:
    drawn, consumer, _ = _base(pick)
    state, rotation = part(drawn, "state"), part(drawn, "state", "rotation")
    consumer["key_version"] = rotation["old_version"]
    id_, housekeeping = (pick.identifier("RO-4###") for _ in range(2))
    name, reason, status = (f"orders[{id_}].{field}" for field in ("key_name", "reason", "status"))
    order: dict[str, Written] = {
        "id": id_,
        "key_name": rotation["key_name"],
        "reason": "compromise",
        "status": "in force",
        "text": [pick.choice(_REASONS), f"To be revoked without waiting: {{{name}}}."],
    }
    kept: dict[str, Written] = {**order, "id": housekeeping, "reason": "housekeeping", "text": "Due by autumn."}
    state["orders"] = [*pick.shuffled((order, kept))]
    turning = pick.choice((name, reason, status))
    if turning == name:
        sides = differ(pick, order, name, f"{rotation['key_name']}-test", rotation["key_name"])
    elif turning == reason:
        order["text"] = f"To be revoked without waiting: {{{name}}}."
        sides = differ(pick, order, reason, "housekeeping", "compromise")
    else:
        sides = differ(pick, order, status, "withdrawn", "in force")
    note = "One service runs with the old version; an order lifts that if it is in force, for this key, for compromise."
    critical = [name, reason, status, *pick.several((f"consumers[{consumer['id']}].key_version",), pick.integer(0, 1))]
    return case(drawn, sides, note, critical, "consumers_moved")
