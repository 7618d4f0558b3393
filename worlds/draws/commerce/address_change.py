"""Changed addresses: checked in time or not, known from earlier deliveries, across a customs border, after picking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.commerce.common import Fields, clock, many, sentences, twins, zone, zones
from worlds.evidence.commerce.address_change import State

_STREETS = (
    "Mill Pond Road",
    "Old Dairy Lane",
    "Weir Street",
    "Chapel Steps",
    "Foundry Yard",
    "Quay Side",
    "Larch Avenue",
)
_TERRITORIES = ("France", "Ireland", "Great Britain", "Canary Islands", "Spain mainland", "Norway", "Switzerland")
_GOODS = ("espresso machine", "telescope", "stroller", "violin", "centrifuge", "bench saw")
_METHODS = ("one-time code", "document upload", "call-back to number on file", "bank login")
_REQUESTS = (
    "{person} has moved. Please apply address change {id} to the {goods} order.",
    "Can you apply {id} so that {person}'s {goods} goes to the right door?",
    "Please apply change {id}, the customer wants the {goods} sent to the other address.",
)
_ENTERED, _STARTED = "change.entered_at", "pick_job.started_at"


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_checked_after, _checked_before_picking, _known, _border, _picked))
    return case(pick)


def _address(pick: Draw) -> str:
    return f"{pick.integer(2, 98)} {pick.choice(_STREETS)}, {pick.town()}"


def _base(pick: Draw, where: timezone) -> Drawn:
    """A change entered before picking, which has not begun; what proves the customer is added by the case."""
    id_, order, customer = pick.identifier("ACX#####"), pick.identifier("OX#####"), pick.identifier("K#####")
    goods, territory = pick.choice(_GOODS), pick.choice(_TERRITORIES)
    entered = clock(pick, where) + timedelta(seconds=pick.integer(0, 55, 5))
    change: Fields = {
        "id": id_,
        "order_id": order,
        "customer": customer,
        "entered_at": entered.isoformat(),
        "old_address": _address(pick),
        "new_address": _address(pick),
        "new_territory": territory,
        "entered_by": pick.choice(("logged-in account", "telephone agent", "business portal", "shop assistant")),
        "format_check": pick.choice(("valid", "valid, postcode matches town")),
        "delivery_slot": pick.choice(("morning", "afternoon", "any", "signature, evening")),
        "chat": sentences(pick, "The keys were handed over yesterday.", "The customer confirmed by mail."),
    }
    job: Fields = {
        "order_id": order,
        "wave": pick.choice(("morning two", "night", "heavy goods", pick.identifier("W-##"))),
        "started_at": None,
        "picker": pick.choice(("robot aisle 3", pick.person())),
        "label": "not printed",
        "floor_note": sentences(pick, "Wave on the board.", "No remarks of the floor."),
    }
    declaration: Fields = {"territory": territory, "reference": pick.identifier("DUX-######"), "goods": goods}
    unrelated: list[Written] = ["change.delivery_slot", "change.format_check", "pick_job.picker", "pick_job.wave"]
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, person=pick.person(), goods=goods),
        "state": {"change": change, "pick_job": job, "declaration": declaration},
        "commit": {"change_id": id_},
        "irrelevant": pick.several(unrelated, pick.integer(1, 2)),
    }
    if pick.chance():
        _delivered(pick, drawn, "accepted", address=change["old_address"])
    if pick.chance():
        _checked(pick, drawn, entered - timedelta(days=pick.integer(1, 200)), "passed")
    return drawn


def _entered(drawn: Drawn) -> datetime:
    return datetime.fromisoformat(str(part(drawn, "state", "change")["entered_at"]))


def _delivered(pick: Draw, drawn: Drawn, outcome: str, **different: Written) -> str:
    """Adds an earlier delivery to the new address, unless told otherwise; its path."""
    change, order = part(drawn, "state", "change"), pick.identifier("OX#####")
    delivery: Fields = {
        "order_id": order,
        "customer": change["customer"],
        "address": change["new_address"],
        "delivered_on": (_entered(drawn).date() - timedelta(days=pick.integer(40, 400))).isoformat(),
        "outcome": outcome,
        "value_class": pick.choice(("small", "medium", "large")),
        **different,
    }
    many(drawn, "state", "earlier_deliveries").append(delivery)
    return f"earlier_deliveries[{order}]"


def _checked(pick: Draw, drawn: Drawn, at: datetime, result: str, customer: Written = None) -> str:
    """Adds an identity check of the customer, or of another; its path."""
    id_, method = pick.identifier("IDX-####"), pick.choice(_METHODS)
    check: Fields = {
        "id": id_,
        "customer": customer or part(drawn, "state", "change")["customer"],
        "at": at.isoformat(),
    }
    device, remark = pick.choice(("phone on file", "tablet", "landline")), f"Closed at {{checks[{id_}].at}}."
    check |= {"result": result, "method": method, "device": device, "remarks": [remark] if pick.chance() else []}
    many(drawn, "state", "checks").append(check)
    return f"checks[{id_}]"


def _finished(pick: Draw, drawn: Drawn, note: str, critical: list[Written], broken: str) -> Drawn:
    for name in ("checks", "earlier_deliveries"):
        part(drawn, "state")[name] = pick.shuffled(many(drawn, "state", name))
    return {**drawn, "note": note, "critical": critical, "violates": {"unsafe": [broken]}}


def _checked_after(pick: Draw) -> Drawn:
    drawn = _base(pick, zone(pick))
    entered = _entered(drawn)
    after, before = pick.integer(5, 180, 5), pick.choice((0, pick.integer(5, 180, 5)))
    late, early = entered + timedelta(seconds=after), entered - timedelta(seconds=before)
    check = _checked(pick, drawn, late, "passed")
    if pick.chance():
        part(drawn, "state", "change")["chat"] = "Entered at {change.entered_at} by the customer."
    if pick.chance():
        part(drawn, "state", "pick_job")["started_at"] = (late + timedelta(minutes=pick.integer(20, 900))).isoformat()
    sides: tuple[tuple[str, Written, Written], ...] = (
        (f"{check}.at", early.isoformat(), late.isoformat()),
        (_ENTERED, (late + timedelta(seconds=before)).isoformat(), entered.isoformat()),
        (f"{check}.result", pick.choice(("failed", "abandoned")), "passed"),
    )
    drawn = twins(pick, State, drawn, *pick.choice(sides))
    note = "A check within minutes of the change; it comes after the change and was passed, or not."
    return _finished(pick, drawn, note, [_ENTERED, f"{check}.at", f"{check}.result"], "customer_proven")


def _checked_before_picking(pick: Draw) -> Drawn:
    here, there = pick.shuffled(zones(pick))
    drawn = _base(pick, here)
    at = _entered(drawn) + timedelta(minutes=pick.integer(10, 60))
    check = _checked(pick, drawn, at.astimezone(pick.choice((here, UTC))), "passed")
    if pick.chance():
        _checked(pick, drawn, at + timedelta(minutes=pick.integer(1, 9)), "passed", pick.identifier("K#####"))
    early = at - timedelta(minutes=pick.choice((0, pick.integer(1, 9))))
    late = (at + timedelta(minutes=pick.integer(1, 40))).astimezone(there).isoformat()
    if pick.chance():
        part(drawn, "state", "pick_job")["floor_note"] = "Wave begun at {pick_job.started_at}."
    drawn = twins(pick, State, drawn, _STARTED, early.astimezone(there).isoformat(), pick.choice((late, late, None)))
    note = "The check was passed after the change; picking, booked in another zone, began before it or not."
    return _finished(pick, drawn, note, [_ENTERED, f"{check}.at", _STARTED], "customer_proven")


def _known(pick: Draw) -> Drawn:
    drawn = _base(pick, zone(pick))
    change, result = part(drawn, "state", "change"), pick.choice(("abandoned", "failed"))
    check = _checked(pick, drawn, _entered(drawn) + timedelta(minutes=pick.integer(2, 40)), result)
    delivery = _delivered(pick, drawn, "accepted")
    if pick.chance():
        _delivered(pick, drawn, "accepted", customer=pick.identifier("K#####"))
    outcome, address = f"{delivery}.outcome", f"{delivery}.address"
    number, street = str(change["new_address"]).split(" ", 1)
    sides: tuple[tuple[str, Written, Written], ...] = (
        (outcome, "disputed", "accepted"),
        (address, pick.choice((_address(pick), f"{int(number) + 100} {street}")), change["new_address"]),
    )
    drawn = twins(pick, State, drawn, *pick.choice(sides))
    note = "No check was passed; an earlier order of the customer was accepted at the very address, or not."
    drawn = _finished(pick, drawn, note, [outcome, address, f"{check}.result"], "customer_proven")
    return {**drawn, "irrelevant": [f"{delivery}.value_class", f"{check}.method"]}


def _border(pick: Draw) -> Drawn:
    drawn = _base(pick, zone(pick))
    check = _checked(pick, drawn, _entered(drawn) + timedelta(minutes=pick.integer(2, 40)), "passed")
    own = part(drawn, "state", "change")["new_territory"]
    other = pick.choice([name for name in _TERRITORIES if name != own])
    path = pick.choice(("declaration.territory", "change.new_territory"))
    drawn = twins(pick, State, drawn, path, other, own)
    note = "The customer is proven; the declaration may name a customs territory that the new address is not in."
    return _finished(pick, drawn, note, [path, f"{check}.result", f"{check}.at"], "same_territory")


def _picked(pick: Draw) -> Drawn:
    drawn = _base(pick, zone(pick))
    entered, delivery = _entered(drawn), _delivered(pick, drawn, "accepted")
    begun = entered - timedelta(seconds=pick.choice((0, 0, pick.integer(5, 3000, 5))))
    later = (entered + timedelta(seconds=pick.integer(5, 3000, 5))).isoformat()
    drawn = twins(pick, State, drawn, _STARTED, begun.isoformat(), pick.choice((None, later)))
    note = "The address is known from an accepted order; picking may have begun at the instant of the change."
    return _finished(pick, drawn, note, [_STARTED, _ENTERED, f"{delivery}.outcome"], "entered_before_picking")
