"""Invoices in foreign currency: what they cost at the booked rate, which way it runs, the line, the deal itself."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from worlds.drawing import Draw, Drawn, part
from worlds.draws.finance.common import differ, finished, sentences

_KINDS = ("Pumps", "Survey", "Shipyard", "Laser Systems", "Optics", "Cranes", "Turbines", "Foundry")
# bought currency, the account's, the one whose unit is priced, lowest and highest rate, lowest amount
_PAIRS = (
    ("EUR", "USD", "EUR", "1.0300", "1.1900", 20000),
    ("USD", "EUR", "EUR", "1.0300", "1.1900", 20000),
    ("NOK", "GBP", "GBP", "12.9000", "14.2000", 300000),
    ("PLN", "EUR", "EUR", "4.1500", "4.4000", 90000),
    ("SEK", "DKK", "SEK", "0.6200", "0.7100", 200000),
)
_NEAR = (
    ("AUD", "CAD", "AUD", "0.9100", "0.9850", 40000),
    ("CAD", "AUD", "CAD", "0.9300", "0.9900", 40000),
    ("CHF", "EUR", "EUR", "1.0200", "1.0900", 40000),
    ("EUR", "CHF", "EUR", "0.9200", "0.9700", 40000),
)
_REQUESTS = (
    "Please settle {id} for {supplier}, it is on the list for today.",
    "Can you get {id} to {supplier} paid? The deal is done.",
    "{supplier} is asking about {id}. Please settle it with the currency we lined up.",
    "Could you settle {id} before the cut-off? {supplier} starts tomorrow.",
)
_AVAILABLE = "within_available"


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_cost, _direction, _credit_line, _firm, _drawings))
    return case(pick)


def _converted(amount: int, rate: Decimal, per_bought: bool) -> Decimal:
    return (amount * (rate if per_bought else 1 / rate)).quantize(Decimal("0.01"), ROUND_HALF_UP)


def _base(pick: Draw, pair: tuple[str, str, str, str, str, int], spare: Decimal) -> tuple[Drawn, Drawn, int, Decimal]:
    """An invoice whose cost leaves `spare` of the account; also one of the holds, the amount and the rate."""
    bought, own, per, low, high, least = pair
    amount, rate = pick.integer(least, 9 * least, least // 200), pick.decimal(low, high, "0.0005")
    id_, supplier, number = pick.identifier("FI-######"), pick.company(_KINDS), pick.identifier("AC-###-######")
    key, day = pick.identifier("DL-#####"), pick.day(date(2026, 2, 2), date(2026, 11, 27)).isoformat()
    reasons = ("Card settlement", "Customs guarantee", "Cheque in clearing", "Direct debit announced", "Harbour dues")
    holds: list[Drawn] = [
        {"ref": pick.identifier("HO-###"), "amount": f"{pick.integer(800, 9000, 10)} {own}", "reason": reason}
        for reason in pick.several(reasons, 2)
    ]
    held = sum(int(str(hold["amount"])[:-4]) for hold in holds)
    invoice: Drawn = {
        "id": id_,
        "supplier": supplier,
        "amount": f"{amount} {bought}",
        "deal": key,
        "debit_account": number,
        "settle_on": day,
        "approval": pick.choice(("approved for payment", "approved by the fleet director", "approved twice")),
        "cost_center": pick.choice(
            ("Water treatment", "Exploration", "Vessel refit", "Laser cell", "Detector program")
        ),
        "remarks": pick.choice(("Discount is lost if it goes out later.", "Fixed price.", "First stage.")),
    }
    deal: Drawn = {
        "id": key,
        "status": "booked",
        "buys": f"{amount + pick.choice((0, 0, least // 5))} {bought}",
        "against": own,
        "rate": f"{rate}",
        "quoted_per": per,
        "value_date": day,
        "desk": pick.choice(("Spot desk", "Pacific desk", "London desk", "Vienna desk", "Forwards")),
        "confirmation": sentences(pick, "Done as you asked.", "Dealt at {deal.rate}."),
    }
    account: Drawn = {
        "number": number,
        "currency": own,
        "ledger": f"{_converted(amount, rate, per == bought) + held + spare} {own}",
        "holds": [*holds],
        "branch": pick.town(),
    }
    screens: list[Drawn] = [
        {"pair": name, "rate": f"{pick.decimal(lowest, highest, '0.0001')}", "taken_at": f"08:30 {account['branch']}"}
        for name, lowest, highest in (
            (f"{bought}{own}" if per == bought else f"{own}{bought}", low, high),
            ("USDJPY", "147", "153"),
        )
    ]
    reserve: Drawn = {**account, "number": pick.identifier("AC-###-######"), "ledger": f"2500000 {own}", "holds": []}
    spare_atoms = ("invoice.cost_center", "deal.desk", "account.branch", f"screen_rates[{screens[0]['pair']}].rate")
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, supplier=supplier),
        "state": {
            "invoice": invoice,
            "deal": deal,
            "screen_rates": [*screens],
            "account": account,
            "other_accounts": [{**reserve, "remarks": "Reserve, not for payments."}],
        },
        "commit": {"invoice_id": id_},
        "irrelevant": [pick.choice(spare_atoms)],
    }
    return drawn, holds[0], amount, rate


def _cost(pick: Draw) -> Drawn:
    pair, spare = pick.choice(_PAIRS), pick.choice((Decimal(0), pick.decimal("0.01", "150", "0.01")))
    drawn, hold, _, rate = _base(pick, pair, spare)
    account, held = part(drawn, "state", "account"), f"account.holds[{hold['ref']}].amount"
    short = spare + pick.choice((Decimal("0.01"), Decimal(pick.integer(20, 2000, 10))))
    kind = pick.choice(("hold", "ledger", "rate"))
    if kind == "hold":
        blocked = Decimal(str(hold["amount"])[:-4])
        path, sides = held, (f"{blocked + short} {pair[1]}", f"{blocked} {pair[1]}")
        hold["amount"], changes = differ(pick, path, *sides)
    elif kind == "ledger":
        path, ledger = "account.ledger", Decimal(str(account["ledger"])[:-4])
        account["ledger"], changes = differ(pick, path, f"{ledger - short} {pair[1]}", f"{ledger} {pair[1]}")
    else:
        path, factor = "deal.rate", Decimal(pick.integer(2, 6)) / 100 * (1 if pair[2] == pair[0] else -1)
        worse = (rate * (1 + factor)).quantize(Decimal("0.0001"))
        part(drawn, "state", "deal")["rate"], changes = differ(pick, path, f"{worse}", f"{rate}")
    note = "At the booked rate the invoice costs what the account has free, or more."
    return finished(drawn, changes, note, ["deal.rate", "account.ledger", held], _AVAILABLE)


def _direction(pick: Draw) -> Drawn:
    pair = pick.choice(_NEAR)
    spare = pick.choice((Decimal(0), pick.decimal("20", "350", "10")))
    drawn, _, _, _ = _base(pick, pair, spare)
    deal = part(drawn, "state", "deal")
    deal["quoted_per"], changes = differ(pick, "deal.quoted_per", pair[1] if pair[2] == pair[0] else pair[0], pair[2])
    deal["confirmation"] = sentences(pick, "Done with a margin.", "The price is for one {deal.quoted_per}.")
    note = "Near parity one rate fits both ways round; which currency it prices decides."
    critical = ["deal.quoted_per", "deal.rate", pick.choice(("invoice.amount", "account.ledger"))]
    return finished(drawn, changes, note, critical, _AVAILABLE)


def _credit_line(pick: Draw) -> Drawn:
    pair, gap = pick.choice(_PAIRS + _NEAR), Decimal(pick.integer(1000, 12000, 10))
    drawn, _, _, _ = _base(pick, pair, -gap)
    undrawn, used = gap + pick.choice((0, 0, pick.integer(10, 3000, 10))), pick.integer(500, 20000, 10)
    short, base = undrawn - gap + pick.choice((10, pick.integer(20, 900, 10))), "account.credit_line"
    sides = {
        "committed": ("false", "true"),
        "limit": (f"{undrawn + used - short} {pair[1]}", f"{undrawn + used} {pair[1]}"),
        "drawn": (f"{used + short} {pair[1]}", f"{used} {pair[1]}"),
    }
    field = pick.choice(("committed", "committed", "limit", "drawn"))
    line: Drawn = {name: safe for name, (_, safe) in sides.items()}
    line[field], changes = differ(pick, f"{base}.{field}", *sides[field])
    account = part(drawn, "state", "account")
    account["credit_line"] = line
    account["remarks"] = ["Facility sheet on file.", f"Limit {{{base}.limit}}, of which {{{base}.drawn}} drawn."]
    note = "The balance alone is short; the undrawn credit line covers the rest, if it is committed and large enough."
    return finished(drawn, changes, note, [f"{base}.{name}" for name in sides], _AVAILABLE)


def _firm(pick: Draw) -> Drawn:
    drawn, _, _, _ = _base(pick, pick.choice(_PAIRS + _NEAR), Decimal(pick.integer(0, 9000, 100)))
    invoice, deal = part(drawn, "state", "invoice"), part(drawn, "state", "deal")
    day = date.fromisoformat(str(invoice["settle_on"]))
    other: Drawn = {**deal, "id": pick.identifier("DL-#####"), "confirmation": "Bought for another invoice."}
    other["value_date"] = (day + timedelta(days=pick.choice((0, 7, 14)))).isoformat()
    if pick.chance():
        status = pick.choice(("indicative", "indicative", "cancelled"))
        deal["status"], changes = differ(pick, "deal.status", status, "booked")
        deal["confirmation"] = sentences(pick, "Read back by telephone.", "Blotter says {deal.status}.")
    else:
        path, record = pick.choice((("deal.value_date", deal), ("invoice.settle_on", invoice)))
        wrong = day + timedelta(days=pick.choice((-2, -1, 1, 1, 2, 7)))
        record[path.split(".")[1]], changes = differ(pick, path, wrong.isoformat(), day.isoformat())
    part(drawn, "state")["other_deals"] = [other]
    note = "The invoice's own deal is booked for the settlement day, or only quoted or for another day."
    return finished(drawn, changes, note, ["deal.status", "deal.value_date", "invoice.settle_on"], "deal_is_firm")


def _drawings(pick: Draw) -> Drawn:
    pair = pick.choice(_PAIRS + _NEAR)
    drawn, _, amount, _ = _base(pick, pair, Decimal(pick.integer(0, 9000, 100)))
    invoice, deal = part(drawn, "state", "invoice"), part(drawn, "state", "deal")
    earlier: list[Drawn] = [{**invoice, "id": pick.identifier("FI-######"), "approval": "settled"} for _ in "12"]
    used = [pick.integer(pair[5], 4 * pair[5], pair[5] // 200) for _ in earlier]
    left = amount + pick.choice((0, 0, pair[5] // 10))
    short = left - amount + pick.choice((pair[5] // 200, pair[5] // 20))
    keys = [str(one["id"]) for one in earlier]
    own = f"deal.drawings[{keys[0]}].amount"
    drawings: list[Drawn] = [
        {"invoice": key, "amount": f"{one} {pair[0]}"} for key, one in zip(keys, used, strict=True)
    ]
    for one, key in zip(earlier, keys, strict=True):
        one["amount"] = f"{{deal.drawings[{key}].amount}}"
    deal["buys"], deal["drawings"] = f"{left + sum(used)} {pair[0]}", [*drawings]
    if pick.chance():
        drawings[0]["amount"], changes = differ(pick, own, f"{used[0] + short} {pair[0]}", f"{used[0]} {pair[0]}")
    else:
        sides = (f"{left + sum(used) - short} {pair[0]}", f"{left + sum(used)} {pair[0]}")
        deal["buys"], changes = differ(pick, "deal.buys", *sides)
    deal["confirmation"] = sentences(pick, "To be drawn by invoice.", "Forward over {deal.buys}.")
    part(drawn, "state")["other_invoices"] = [*earlier]
    note = "One deal for several invoices; what the earlier drawings left is enough, or too little."
    return finished(drawn, changes, note, ["deal.buys", own, "invoice.amount"], "deal_is_enough")
