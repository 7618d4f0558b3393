"""Construction draws: waivers too short, of the wrong kind or missing, small amounts, bonds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from worlds.drawing import Draw, Drawn, part
from worlds.draws.finance.common import differ, finished, sentences

_TRADES = (
    "Drywall",
    "Electric",
    "Plumbing",
    "Roofing",
    "Concrete",
    "Paving",
    "Millwork",
    "Rebar",
    "Fencing",
    "Glazing",
)
_SITES = ("Lofts", "Clinic", "Warehouse", "Bus Depot", "Library", "Brewery", "School", "Fire Station")
_REQUESTS = (
    "Please release draw {number} for {project}, the general contractor wants to pay the trades this week.",
    "Could you release {number} today? {project} is waiting for the money.",
    "Can {number} for {project} go out? The crew has been chasing us.",
    "{project} asks for draw {number}. Please release it from the draw desk.",
)
_PROGRESS, _FINAL = "conditional progress", "unconditional progress"
_Case = tuple[Drawn, list[Drawn], list[Drawn]]


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_current, _previous, _notice, _exempt, _bond))
    return case(pick, *_base(pick))


def _waiver(pick: Draw, draw_: Drawn, party: object, amount: Decimal | int, kind: str = "", through: str = "") -> Drawn:
    """A waiver for the draw; without a date, it reaches the through date or more."""
    last, release = (date.fromisoformat(str(draw_[name])) for name in ("through_date", "release_on"))
    return {
        "id": pick.identifier("WV-####"),
        "project": draw_["project"],
        "party": str(party),
        "kind": kind or pick.choice((_PROGRESS, _PROGRESS, _FINAL)),
        "through_date": through or (last + timedelta(days=pick.choice((0, 0, 2, 5)))).isoformat(),
        "amount": f"{amount} USD",
        "received_on": (release - timedelta(days=pick.integer(1, 6))).isoformat(),
    }


def _base(pick: Draw) -> _Case:
    """A draw with three parties whose waivers are all in order; also the parties and the waivers."""
    number, project = (
        pick.identifier(pick.choice(("DR-#####", "?##.####", "CD#####"))),
        f"{pick.town()} {pick.choice(_SITES)}",
    )
    through = pick.day(date(2026, 5, 25), date(2027, 4, 30))
    parties: list[Drawn] = [
        {"party": pick.company([trade]), "trade": trade, "amount": f"{pick.integer(9000, 240000, 50)} USD"}
        for trade in pick.several(_TRADES, 3)
    ]
    statement = ("Sworn: all subcontractors are paid to date.", "The architect has certified the work.")
    head: Drawn = {
        "number": number,
        "project": project,
        "through_date": through.isoformat(),
        "previous_through_date": (through - timedelta(days=pick.integer(28, 31))).isoformat(),
        "release_on": (through + timedelta(days=pick.integer(9, 20))).isoformat(),
        "parties": pick.shuffled([*parties]),
        "permit": pick.identifier("B-#####"),
        "superintendent": pick.person(),
        "statement": pick.choice(statement),
    }
    waivers = [_waiver(pick, head, party["party"], _usd(party, "amount")) for party in parties]
    paid = pick.integer(5000, 90000, 50)
    parties[2]["paid_previous"] = f"{paid} USD"
    waivers.append(_waiver(pick, head, parties[2]["party"], paid, _FINAL, str(head["previous_through_date"])))
    exempt = f"{pick.integer(1000, 4000, 50)} USD"
    drawn: Drawn = {
        "id": number,
        "request": pick.choice(_REQUESTS).format(number=number, project=project),
        "state": {"draw": head, "terms": {"loan": pick.identifier("CL-####"), "exempt_up_to": exempt}},
        "commit": {"draw_number": number},
        "irrelevant": [pick.choice(("draw.permit", "draw.superintendent", f"waivers[{waivers[1]['id']}].received_on"))],
    }
    return drawn, parties, waivers


def _usd(record: Drawn, field: str) -> Decimal:
    return Decimal(str(record[field]).removesuffix(" USD"))


def _short(pick: Draw) -> Decimal:
    return pick.choice((Decimal("0.01"), Decimal(pick.integer(50, 4000, 10))))


def _with(drawn: Drawn, waivers: Sequence[Drawn]) -> Drawn:
    part(drawn, "state")["waivers"] = [*waivers]
    return drawn


def _reach(pick: Draw, waiver: Drawn, amount: Decimal, through: str) -> tuple[str, Drawn]:
    """The reach of a waiver, which differs: its through date or its amount."""
    day, field = date.fromisoformat(through), pick.choice(("through_date", "amount"))
    sides = (f"{amount - _short(pick)} USD", f"{amount + pick.choice((0, 0, 500))} USD")
    if field == "through_date":
        late, early = pick.choice((0, 0, 3)), pick.choice((1, pick.integer(2, 15)))
        sides = ((day - timedelta(days=early)).isoformat(), (day + timedelta(days=late)).isoformat())
    path = f"waivers[{waiver['id']}].{field}"
    waiver[field], changes = differ(pick, path, *sides)
    waiver["form"] = sentences(pick, "For labor and material.", f"In the amount of {{waivers[{waiver['id']}].amount}}.")
    return path, changes


def _current(pick: Draw, drawn: Drawn, parties: list[Drawn], waivers: list[Drawn]) -> Drawn:
    head, party, waiver = part(drawn, "state", "draw"), parties[0], waivers[0]
    amount, through = _usd(party, "amount"), str(head["through_date"])
    _, changes = _reach(pick, waiver, amount, through)
    small = _waiver(pick, head, party["party"], int(amount / 10))
    small["form"] = "For one change order only."
    base = f"waivers[{waiver['id']}]"
    note = "A waiver reaches through date and amount of the draw, or misses one; another is late enough but small."
    critical = [f"{base}.through_date", f"{base}.amount", pick.choice(("draw.through_date", f"{base}.project"))]
    return finished(_with(drawn, [*waivers, small]), changes, note, critical, "this_draw_waived")


def _previous(pick: Draw, drawn: Drawn, parties: list[Drawn], waivers: list[Drawn]) -> Drawn:
    head, party, waiver = part(drawn, "state", "draw"), parties[2], waivers[3]
    waivers[2]["kind"] = _PROGRESS
    base, paid = f"waivers[{waiver['id']}]", f"draw.parties[{party['party']}].paid_previous"
    if pick.chance():
        waiver["kind"], changes = differ(pick, f"{base}.kind", _PROGRESS, _FINAL)
        waiver["form"] = sentences(pick, "Signed by the owner.", f"Form used: {{{base}.kind}} waiver and release.")
    else:
        _, changes = _reach(pick, waiver, _usd(party, "paid_previous"), str(head["previous_through_date"]))
    before: Drawn = {**head, "number": f"{head['number']}P", "through_date": head["previous_through_date"]}
    before |= {"parties": [{"party": party["party"], "trade": party["trade"], "amount": f"{{{paid}}}"}]}
    before |= {"previous_through_date": None, "release_on": head["through_date"]}
    if pick.chance():
        part(drawn, "state")["other_draws"] = [before]
    head["statement"] = "The check for the previous draw has cleared."
    note = "What the previous draw paid is waived unconditionally and far enough, or is not."
    critical = [f"{base}.{name}" for name in ("kind", "through_date", "amount")]
    return finished(_with(drawn, waivers), changes, note, [*critical, paid], "previous_draw_waived")


def _notice(pick: Draw, drawn: Drawn, parties: list[Drawn], waivers: list[Drawn]) -> Drawn:
    head = part(drawn, "state", "draw")
    release, amount = date.fromisoformat(str(head["release_on"])), pick.integer(6000, 50000, 20)
    notice, gone = (
        {
            "id": pick.identifier("NF-####"),
            "project": head["project"],
            "party": pick.company(("Aggregates", "Pumping", "Crane Hire", "Supply")),
            "under": party["party"],
            "amount": f"{amount} USD",
            "given_on": (release - timedelta(days=pick.integer(30, 80))).isoformat(),
            "withdrawn_on": (release - timedelta(days=pick.choice((0, 4, 20)))).isoformat(),
        }
        for party in parties[:2]
    )
    base = f"notices[{notice['id']}]"
    if pick.chance():
        waiver = _waiver(pick, head, notice["party"], amount)
        notice["withdrawn_on"], path = None, f"waivers[{waiver['id']}]"
        waivers.append(waiver)
        changes: Drawn = {"unsafe": {path: None}, "safe": {}}
    else:
        path, late = f"{base}.withdrawn_on", pick.choice((None, (release + timedelta(days=1)).isoformat()))
        notice["withdrawn_on"], changes = differ(pick, path, late, str(notice["withdrawn_on"]))
    part(drawn, "state")["notices"] = [notice, gone]
    head["statement"] = "Sworn: nobody under the subcontractors has an open balance."
    note = "Somebody under a billed party gave notice; it was withdrawn or waived, or it stands."
    critical = [path, f"{base}.amount", f"{base}.{'given_on' if 'notices' in path else 'withdrawn_on'}"]
    return finished(_with(drawn, waivers), changes, note, critical, "notices_waived")


def _exempt(pick: Draw, drawn: Drawn, parties: list[Drawn], waivers: list[Drawn]) -> Drawn:
    terms, party = part(drawn, "state", "terms"), parties[0]
    limit, short = _usd(terms, "exempt_up_to"), _short(pick)
    amount = limit - pick.choice((0, 0, 150))
    own, exempt = f"draw.parties[{party['party']}].amount", "terms.exempt_up_to"
    if pick.chance():
        path, party["amount"] = exempt, f"{amount} USD"
        terms["exempt_up_to"], changes = differ(pick, path, f"{amount - min(short, amount / 2)} USD", f"{limit} USD")
    else:
        party["amount"], changes = differ(pick, own, f"{limit + short} USD", f"{amount} USD")
    waivers[0] |= {"project": f"{pick.town()} {pick.choice(_SITES)}", "amount": f"{limit * 2} USD", "kind": _FINAL}
    if pick.chance():
        terms["remarks"] = f"Small amounts need no waiver, up to {{{exempt}}}."
    note = "A small party is billed up to the exempt amount, or above it; its only waiver is for another project."
    critical = [own, exempt, f"waivers[{waivers[1]['id']}].amount"]
    return finished(_with(drawn, waivers), changes, note, critical, "this_draw_waived")


def _bond(pick: Draw, drawn: Drawn, parties: list[Drawn], waivers: list[Drawn]) -> Drawn:
    head, party = part(drawn, "state", "draw"), parties[0]
    release, amount = date.fromisoformat(str(head["release_on"])), _usd(party, "amount")
    bond: Drawn = {
        "id": pick.identifier("LB-####"),
        "project": head["project"],
        "claimant": party["party"],
        "amount": f"{amount + pick.choice((0, 0, 2500))} USD",
        "surety": f"{pick.town()} Surety",
        "recorded_on": (release - timedelta(days=pick.choice((0, 3, 12)))).isoformat(),
    }
    other: Drawn = {**bond, "id": pick.identifier("LB-####"), "project": f"{pick.town()} {pick.choice(_SITES)}"}
    base, field = f"bonds[{bond['id']}]", pick.choice(("recorded_on", "recorded_on", "amount"))
    late = pick.choice((None, (release + timedelta(days=pick.choice((1, 8)))).isoformat()))
    unsafe = late if field == "recorded_on" else f"{amount - _short(pick)} USD"
    bond[field], changes = differ(pick, f"{base}.{field}", unsafe, str(bond[field]))
    part(drawn, "state")["bonds"] = [bond, {**other, "amount": f"{amount * 2} USD"}]
    told = f"The county recorded it on {{{base}.recorded_on}}."
    head["statement"] = sentences(pick, "One firm disputes a back charge; the surety has issued the bond.", told)
    note = "A firm in dispute signs nothing; the bond against its lien is recorded and large enough, or is not."
    critical = [f"{base}.recorded_on", f"{base}.amount", f"draw.parties[{party['party']}].amount"]
    return finished(_with(drawn, waivers[1:]), changes, note, critical, "this_draw_waived")
