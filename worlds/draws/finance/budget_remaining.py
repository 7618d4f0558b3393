"""Requisitions that use up what a budget line has left: sums, transfers, orders, tolerance, another currency."""

from __future__ import annotations

from decimal import Decimal

from worlds.drawing import Draw, Drawn, part
from worlds.draws.finance.common import differ, finished, sentences

_KINDS = ("Shelving", "Pumps", "Tooling", "Laboratory Supply", "Lighting", "Cranes", "Software", "Signs")
_GROUPS = ("plant upkeep", "research equipment", "site works", "tooling", "office and travel", "library fittings")
_NAMES = ("reading room", "basins", "press shop", "dry room", "north quay", "canteen", "test hall", "depot")
_CURRENCIES = ("EUR", "USD", "GBP", "CHF")
_REQUESTS = (
    "Please release {id}, {supplier} holds the price until Friday.",
    "Could you release {id}? {supplier} has kept us a slot next week.",
    "We need the delivery from {supplier}. Can you release requisition {id}?",
    "{id} is the last thing missing. Please release it to {supplier}.",
)


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_sum, _transfer, _order, _tolerance, _currency))
    return case(pick)


def _spare(pick: Draw) -> int:
    """What is left over in the safe twin; often nothing."""
    return pick.choice((0, pick.integer(10, 900, 10)))


def _base(pick: Draw, needed: int, room: int, currency: str) -> tuple[Drawn, Drawn, list[Drawn]]:
    """A requisition and a line that it overdraws by `room`; also the line and the orders, two of them open on it."""
    id_, supplier, group = pick.identifier("RQ-######"), pick.company(_KINDS), pick.choice(_GROUPS)
    code = pick.identifier("B?###")
    line, other = f"{code}.26", f"{code}.27"
    budget, carried = pick.integer(8, 30) * (needed // 1000) * 1000, pick.choice((0, pick.integer(500, 9000, 100)))
    orders = [_open(pick, line, currency, needed) for _ in range(2)]
    bound = sum(_amount(order, "ordered") - _amount(order, "invoiced") for order in orders)
    gone = pick.choice(("closed", "cancelled"))
    orders += [{**_open(pick, line, currency, needed), "status": gone}, _open(pick, other, currency, needed)]
    money: Drawn = {
        "line": line,
        "annual_budget": f"{budget} {currency}",
        "carried_over": f"{carried} {currency}",
        "actuals": f"{budget + carried - bound - needed + room} {currency}",
        "account_group": group,
        "manager": pick.person(),
        "nickname": pick.choice(_NAMES),
        "remarks": sentences(pick, "The forecast sees it end below budget.", f"Spent: {{lines[{line}].actuals}}."),
    }
    following: Drawn = {**money, "line": other, "actuals": f"0 {currency}", "remarks": "Approved by the board."}
    requisition: Drawn = {
        "id": id_,
        "amount": f"{needed} {currency}",
        "line": line,
        "requester": pick.person(),
        "supplier": supplier,
        "approval": pick.choice(("budget owner approved", "approved by head of operations", "recorded")),
        "remarks": pick.choice(("Within the plan for the year.", "Both managers have agreed.", "Urgent.")),
    }
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, supplier=supplier),
        "state": {
            "requisition": requisition,
            "lines": [money, following],
            "orders": [*orders],
            "groups": [{"name": group, "tolerance_percent": "0"}],
        },
        "commit": {"requisition_id": id_},
        "irrelevant": [pick.choice((f"lines[{line}].manager", f"lines[{line}].nickname", "requisition.requester"))],
    }
    return drawn, money, orders


def _open(pick: Draw, line: str, currency: str, needed: int) -> Drawn:
    ordered = needed * pick.integer(60, 200) // 1000 * 10
    return {
        "number": pick.identifier("PO######"),
        "supplier": pick.company(_KINDS),
        "line": line,
        "ordered": f"{ordered} {currency}",
        "invoiced": f"{pick.choice((0, ordered * pick.integer(20, 80) // 1000 * 10))} {currency}",
        "status": "open",
    }


def _amount(record: Drawn, field: str) -> int:
    return int(str(record[field]).split()[0])


def _moved(pick: Draw, source: object, target: object, amount: str) -> Drawn:
    reason = pick.choice(("Both managers signed.", "Agreed in the monthly meeting.", "For the new season."))
    key = pick.identifier("BT-####")
    return {"id": key, "from_line": str(source), "to_line": str(target), "amount": amount, "reason": reason}


def _needed(pick: Draw) -> tuple[int, int, str]:
    """The requisition's amount, what is spare in the safe twin, a currency."""
    return pick.integer(6000, 90000, pick.choice((10, 100, 500))), _spare(pick), pick.choice(_CURRENCIES)


def _sum(pick: Draw) -> Drawn:
    needed, spare, currency = _needed(pick)
    drawn, line, (one, two, *_) = _base(pick, needed, -spare, currency)
    short = spare + pick.choice((10, pick.integer(100, 3000, 10)))
    ordered = f"orders[{one['number']}].ordered"
    records = {
        "requisition.amount": (part(drawn, "state", "requisition"), short),
        f"lines[{line['line']}].actuals": (line, short),
        f"lines[{line['line']}].annual_budget": (line, -short),
        ordered: (one, short),
    }
    path = pick.choice(tuple(records))
    record, more = records[path]
    field = path.rsplit(".", 1)[1]
    safe = _amount(record, field)
    record[field], changes = differ(pick, path, f"{safe + more} {currency}", f"{safe} {currency}")
    one["remarks"] = sentences(pick, "Delivery next quarter.", f"In all {{{ordered}}}.")
    note = "Actuals, the rest of open orders and the requisition use up the budget line, or more."
    others = [name for name in [*records, f"orders[{two['number']}].ordered"] if name != path]
    return finished(drawn, changes, note, [path, *pick.several(others, pick.integer(1, 3))], "fits_the_line")


def _transfer(pick: Draw) -> Drawn:
    needed, spare, currency = _needed(pick)
    amount, arrives = spare + pick.integer(1000, 9000, 100), pick.chance()
    drawn, line, orders = _base(pick, needed, amount - spare if arrives else -spare, currency)
    away, home = pick.identifier("B?###.26"), line["line"]
    source, target = (away, home) if arrives else (home, away)
    moved = _moved(pick, source, target, f"{amount} {currency}")
    refused = {**_moved(pick, away, home, f"{needed} {currency}"), "status": pick.choice(("refused", "requested"))}
    path = f"transfers[{moved['id']}]"
    waiting = pick.choice(("requested", "requested", "refused"))
    moved["status"], changes = differ(
        pick, f"{path}.status", *((waiting, "posted") if arrives else ("posted", waiting))
    )
    if pick.chance():
        part(drawn, "state", "requisition")["remarks"] = f"A transfer of {{{path}.amount}} is meant for this year."
    part(drawn, "state")["transfers"] = [moved, refused]
    spent = pick.choice((f"lines[{home}].actuals", f"orders[{orders[0]['number']}].ordered", "requisition.amount"))
    note = "A transfer to or from the line is posted, or only requested or refused."
    return finished(drawn, changes, note, [f"{path}.status", f"{path}.amount", spent], "fits_the_line")


def _order(pick: Draw) -> Drawn:
    needed, spare, currency = _needed(pick)
    drawn, line, orders = _base(pick, needed, -spare, currency)
    number = pick.identifier("PO######")
    ordered = spare + pick.integer(2000, 30000, 100)
    order: Drawn = {
        "number": number,
        "supplier": pick.company(_KINDS),
        "line": line["line"],
        "ordered": f"{ordered} {currency}",
        "invoiced": f"{pick.choice((0, (ordered - spare - 100) // 200 * 100))} {currency}",
        "status": "open",
        "remarks": "Nothing has come since June.",
    }
    path = f"orders[{number}]"
    if pick.chance(60):
        order["status"], changes = differ(pick, f"{path}.status", "open", pick.choice(("closed", "cancelled")))
    else:
        next_year = f"{line['line']}".replace(".26", ".27")
        order["line"], changes = differ(pick, f"{path}.line", str(line["line"]), next_year)
        order["remarks"] = sentences(pick, "Delivery in winter.", f"Charged to {{{path}.line}}.")
    part(drawn, "state")["orders"] = [*orders, order]
    others = (f"lines[{line['line']}].actuals", f"orders[{orders[0]['number']}].ordered", f"{path}.ordered")
    note = "One more order binds the line only while it is open and charged to this very line."
    critical = [f"{path}.status", f"{path}.line", pick.choice(others)]
    return finished(drawn, changes, note, critical, "fits_the_line")


def _tolerance(pick: Draw) -> Drawn:
    needed, spare, currency = _needed(pick)
    drawn, line, _ = _base(pick, needed, 0, currency)
    budget, percent = _amount(line, "annual_budget"), pick.integer(4, 10)
    line["actuals"] = f"{_amount(line, 'actuals') + budget * percent // 200 - spare} {currency}"
    short = spare * 200 // budget + pick.choice((1, 1, percent))
    sides = (f"{Decimal(max(percent - short, 0)) / 2}", f"{Decimal(percent) / 2}")
    path = f"groups[{line['account_group']}]"
    written, changes = differ(pick, f"{path}.tolerance_percent", *sides)
    told = f"Overdrafts up to {{{path}.tolerance_percent}} per cent go into the next year."
    group: Drawn = {"name": line["account_group"], "tolerance_percent": written}
    other = pick.choice([name for name in _GROUPS if name != line["account_group"]])
    group["remarks"] = sentences(pick, "Voted by the board.", told)
    part(drawn, "state")["groups"] = [group, {"name": other, "tolerance_percent": f"{pick.integer(1, 9)}"}]
    fields = [f"lines[{line['line']}].{field}" for field in ("annual_budget", "actuals", "account_group")]
    note = "The line has too little left, but its account group may be overdrawn, by enough or not."
    return finished(drawn, changes, note, [f"{path}.tolerance_percent", *pick.several(fields, 2)], "fits_the_line")


def _currency(pick: Draw) -> Drawn:
    currency, foreign, third = pick.several(_CURRENCIES, 3)
    amount, rate, spare = pick.integer(5000, 60000, 500), pick.integer(75, 135), _spare(pick)
    drawn, line, _ = _base(pick, amount * rate // 100, -spare, currency)
    more = spare * 100 // amount + pick.integer(1, 4)
    part(drawn, "state", "requisition")["amount"] = f"{amount} {foreign}"
    path = f"rates[{foreign}].rate"
    written, changes = differ(pick, path, f"{Decimal(rate + more) / 100}", f"{Decimal(rate) / 100}")
    other: Drawn = {"currency": third, "rate": f"{pick.decimal('0.75', '1.35', '0.01')}"}
    part(drawn, "state")["rates"] = [{"currency": foreign, "rate": written}, other]
    part(drawn, "state", "requisition")["remarks"] = sentences(pick, "Quoted abroad.", f"Planned at {{{path}}}.")
    spent = f"lines[{line['line']}].{pick.choice(('actuals', 'annual_budget'))}"
    note = "A purchase in another currency against the line, at the planning rate of the year."
    return finished(drawn, changes, note, [path, "requisition.amount", spent], "fits_the_line")
