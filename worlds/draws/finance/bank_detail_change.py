"""Changed accounts: the number dialled, the time of the call, another spelling, a denial, a second change."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from worlds.drawing import Draw, Drawn, part
from worlds.draws.finance.common import cents, clock, differ, finished, sentences

_KINDS = ("Castings", "Textiles", "Foods", "Instruments", "Packaging", "Joinery", "Transport", "Coatings")
_LANDS = (
    ("NO## #### #### ###", "+47 ## ## ## ##", "NOK"),
    ("NL## ???? #### #### ##", "+31 ## ### ## ##", "EUR"),
    ("GB## ???? #### #### #### ##", "+44 ### ### ####", "GBP"),
    ("DE## #### #### #### #### ##", "+49 ## #### ####", "EUR"),
    ("PL## #### #### #### #### #### ####", "+48 ## ### ## ##", "PLN"),
)
_REQUESTS = (
    "{supplier} is waiting for its money, order {id}. Can you send it?",
    "Please transfer {id} to {supplier}, it is on the list for today.",
    "Could you make the transfer for {id}? The goods from {supplier} have arrived.",
    "Please release {id}; {supplier} needs the money this week.",
)
_CHANNELS = ("e-mail from the supplier's own domain", "registered letter", "supplier portal", "letter with letterhead")
_ATTACHED = ("bank letter (PDF), signed", "bank certificate", "bank statement header", "none")


_Base = tuple[Drawn, datetime, Drawn, Drawn, tuple[Drawn, Drawn]]


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_dialled, _time, _spelling, _denied, _twice))
    return case(pick, *_base(pick))


def _base(pick: Draw) -> _Base:
    """A payment to a new account, when the change was requested, the change, a proper call, and the known numbers."""
    pattern, phone, currency = pick.choice(_LANDS)
    new, number, name = pick.identifier(pattern), pick.identifier("K-#####"), pick.company(_KINDS)
    id_ = pick.identifier(pick.choice(("PY-######", "ZA.######", "61########")))
    asked = clock(pick)
    first, second = (_number(pick, phone, asked) for _ in range(2))
    payment: Drawn = {
        "id": id_,
        "supplier_number": number,
        "supplier": name,
        "account": new,
        "amount": f"{cents(pick, 3000, 400000)} {currency}",
        "due_date": _day(asked, pick.integer(8, 20)),
        "approval": pick.choice(("recorded", "approved twice", "approved by the plant director")),
        "comments": pick.choice(("The change log is closed.", "Delivered in full.", "Test transfer arrived.")),
    }
    supplier: Drawn = {
        "number": number,
        "name": name,
        "account": pick.identifier(pattern),
        "account_since": _day(asked, -pick.integer(900, 3000)),
        "payment_terms": pick.choice(("14 days net", "30 days net", "end of month", "on delivery")),
        "contact_numbers": [first, second],
    }
    change: Drawn = {
        "id": pick.identifier("CG-####"),
        "supplier_number": number,
        "new_account": new,
        "requested_at": asked.isoformat(),
        "channel": pick.choice(_CHANNELS),
        "attachments": pick.choice(_ATTACHED),
    }
    call: Drawn = {
        "id": pick.identifier("RC-####"),
        "supplier_number": number,
        "account": _respelled(pick, new),
        "at": (asked + timedelta(days=1, minutes=pick.integer(-90, 90))).isoformat(),
        "number": first["number"],
        "outcome": "confirmed",
        "caller": pick.person(),
        "notes": pick.choice(("All fine.", "Spoke to their bookkeeper.", "Routine call.")),
    }
    check: Drawn = {"account": new, "exists": "true", "branch": pick.town(), "test_transfer": "settled"}
    state: Drawn = {"payment": payment, "supplier": supplier, "account_check": check, "changes": [change]}
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, supplier=name),
        "state": {**state, "calls": [call]},
        "commit": {"payment_order_id": id_},
        "irrelevant": [pick.choice(("supplier.payment_terms", "account_check.branch", "account_check.test_transfer"))],
    }
    return drawn, asked, change, call, (first, second)


def _number(pick: Draw, phone: str, asked: datetime) -> Drawn:
    desk = pick.choice(("switchboard", "accounting", "credit control", "managing director"))
    key, recorded = pick.identifier("TN-###"), _day(asked, -pick.integer(60, 900))
    return {"id": key, "number": pick.identifier(phone), "desk": desk, "recorded_on": recorded}


def _day(moment: datetime, days: int) -> str:
    return (moment.date() + timedelta(days=days)).isoformat()


def _respelled(pick: Draw, account: str) -> str:
    bare = account.replace(" ", "")
    return pick.choice((account, bare, bare.lower(), account.lower()))


def _nearly(pick: Draw, account: str) -> str:
    return account[:-2] + f"{(int(account[-2:]) + pick.integer(1, 98)) % 100:02}"


def _dialled(
    pick: Draw, drawn: Drawn, asked: datetime, change: Drawn, call: Drawn, numbers: tuple[Drawn, Drawn]
) -> Drawn:
    (known, recent), path, late = numbers, f"calls[{call['id']}]", _day(asked, pick.choice((0, 0, 1)))
    deciding = pick.choice(numbers)
    recorded = f"supplier.contact_numbers[{deciding['id']}].recorded_on"
    if deciding is known:
        recent["recorded_on"] = late
        stranger = pick.choice((str(recent["number"]), str(known["number"])[:-2] + " 04"))
        call["number"], changes = differ(pick, f"{path}.number", stranger, str(known["number"]))
    else:
        call["number"], last = recent["number"], pick.choice((str(recent["recorded_on"]), _day(asked, -1)))
        recent["recorded_on"], changes = differ(pick, recorded, late, last)
    if pick.chance():
        part(drawn, "state", "supplier")["remarks"] = f"One of the numbers was put on file on {{{recorded}}}."
    note = "A call confirmed the change; which number it dialled, and since when that is on file, decides."
    return finished(drawn, changes, note, [f"{path}.number", f"{path}.outcome", recorded], "on_file_or_confirmed")


def _time(pick: Draw, drawn: Drawn, asked: datetime, change: Drawn, call: Drawn, _: object) -> Drawn:
    requested, called = f"changes[{change['id']}].requested_at", f"calls[{call['id']}].at"
    gap, late = (timedelta(minutes=minutes) for minutes in (pick.integer(4, 55), pick.choice((0, pick.integer(1, 55)))))
    there = asked.astimezone(timezone(timedelta(hours=pick.integer(0, 4))))
    if pick.chance():
        call["at"] = there.isoformat()
        sides = ((asked + late).isoformat(), (asked - gap).isoformat())
        change["requested_at"], changes = differ(pick, requested, *sides)
    else:
        call["at"], changes = differ(pick, called, (there - late).isoformat(), (there + gap).isoformat())
    change["remarks"] = sentences(pick, "Handled as usual.", f"Stamped on arrival: {{{requested}}}.")
    note = "The change was confirmed by a call on the same day, later than its request or not."
    return finished(drawn, changes, note, [requested, called, f"calls[{call['id']}].outcome"], "on_file_or_confirmed")


def _spelling(pick: Draw, drawn: Drawn, _: datetime, change: Drawn, call: Drawn, __: object) -> Drawn:
    state, new = part(drawn, "state"), str(change["new_account"])
    part(state, "supplier")["account"] = _respelled(pick, new)
    record = pick.choice(("supplier", "payment"))
    sides = (_respelled(pick, _nearly(pick, new)), _respelled(pick, new))
    part(state, record)["account"], changes = differ(pick, f"{record}.account", *sides)
    part(state, "account_check")["account"] = "{payment.account}"
    change["new_account"] = call["account"] = pick.identifier(new[:2] + "## #### #### #### ##")
    part(state, "payment")["comments"] = sentences(pick, "Keyed by hand.", "Scan reads {payment.account}.")
    note = "The account on the order is the master's in another spelling, or nearly; the call was about a third."
    return finished(drawn, changes, note, ["payment.account", "supplier.account"], "on_file_or_confirmed")


def _denied(
    pick: Draw, drawn: Drawn, asked: datetime, change: Drawn, call: Drawn, numbers: tuple[Drawn, Drawn]
) -> Drawn:
    moment = asked + timedelta(days=pick.choice((0, 2, 3)), minutes=pick.integer(1, 90))
    second: Drawn = {**call, "id": pick.identifier("RC-####"), "at": moment.isoformat(), "number": numbers[1]["number"]}
    one, two = f"calls[{call['id']}]", f"calls[{second['id']}]"
    second["outcome"], changes = differ(pick, f"{two}.outcome", "denied", pick.choice(("not reached", "confirmed")))
    second["notes"] = sentences(pick, "Courtesy call.", f"Logged as {{{two}.outcome}}.")
    part(drawn, "state")["calls"] = [call, second]
    note = "A proper call confirmed the account; in another one the supplier denied it, or did not."
    return finished(
        drawn,
        changes,
        note,
        [f"{two}.outcome", f"{two}.account", f"{one}.{pick.choice(('at', 'outcome'))}"],
        "never_denied",
    )


def _twice(
    pick: Draw, drawn: Drawn, asked: datetime, change: Drawn, call: Drawn, numbers: tuple[Drawn, Drawn]
) -> Drawn:
    new, before = str(change["new_account"]), asked - timedelta(days=pick.integer(1, 5))
    first = _nearly(pick, new)
    earlier = {**change, "id": pick.identifier("CG-####"), "new_account": first, "requested_at": before.isoformat()}
    part(drawn, "state")["changes"] = [earlier, change]
    path = f"calls[{call['id']}]"
    call["account"], changes = differ(pick, f"{path}.account", _respelled(pick, first), _respelled(pick, new))
    call["notes"] = sentences(pick, f"Noted as {{{path}.outcome}}.", f"Read out: {{{path}.account}}.")
    recorded = f"supplier.contact_numbers[{numbers[0]['id']}].recorded_on"
    note = "Two changes within days; the one call read out the account of the first or of the second."
    return finished(
        drawn,
        changes,
        note,
        [f"{path}.account", *pick.several([f"{path}.at", f"{path}.outcome", recorded], 2)],
        "on_file_or_confirmed",
    )
