"""Two approvals or one: whose accounts they are, when they were given, how much is paid, to whom."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from worlds.drawing import Draw, Drawn, part
from worlds.draws.finance.common import clock, differ, finished, sentences

_KINDS = ("Composites", "Surveyors", "Shipyard", "Crating", "Pension Fund", "Engineering", "Insurance", "Turbines")
_TITLES = ("head of treasury", "project accountant", "estates director", "technical inspector", "finance partner")
_COMMENTS = ("ok", "Fine by me.", "Checked against the contract.", "in order", "Approved on the phone.")
_REQUESTS = (
    "Payment {id} to {payee} is complete in the workflow. Please release it.",
    "Could you send {id} to {payee}? They start tomorrow.",
    "Please release {id}, {payee} wants to close its books this week.",
    "Can {id} go out today? {payee} is waiting for the money.",
)
_TWO, _ONE = "two_above_threshold", "one_approver"


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_person, _amended, _threshold, _trusted, _stand_in))
    return case(pick, *_base(pick, clock(pick)))


def _base(pick: Draw, amended: datetime) -> tuple[Drawn, datetime, list[Drawn], list[Drawn]]:
    """A payment above the threshold with two good approvals; when it was amended, the approvals, the accounts
    of the two who gave them, of the requester and of somebody else."""
    payee, currency = pick.company(_KINDS), pick.choice(("EUR", "USD", "GBP", "CHF", "NOK"))
    id_, threshold = pick.identifier(pick.choice(("WP-######", "PA.######", "52#######"))), pick.integer(20, 400) * 500
    office = pick.town()
    accounts = [_account(pick, office) for _ in range(4)]
    approvals: list[Drawn] = [
        {
            "id": pick.identifier("ST-###"),
            "account": account["login"],
            "at": (_abroad(pick, amended) + timedelta(days=days, minutes=pick.integer(-120, 120))).isoformat(),
            "comment": pick.choice(_COMMENTS),
        }
        for days, account in zip((1, 2), accounts, strict=False)
    ]
    payment: Drawn = {
        "id": id_,
        "payee": payee,
        "amount": f"{threshold + pick.integer(100, 50000, 100)} {currency}",
        "payment_date": (amended.date() + timedelta(days=pick.integer(3, 9))).isoformat(),
        "requested_by": accounts[2]["login"],
        "last_amended_at": amended.isoformat(),
        "approvals": [*approvals],
        "counter": pick.choice(("2 of 2 approvals", "approval complete", "approved")),
        "remarks": pick.choice(("Second tranche.", "As agreed in the contract.", "Read back by telephone.")),
    }
    guidance = pick.choice(("Desk accounts belong to one person.", "Above the threshold two people approve."))
    spare = (f"payment.approvals[{approvals[0]['id']}].comment", f"accounts[{accounts[2]['login']}].office")
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, payee=payee),
        "state": {
            "payment": payment,
            "accounts": pick.shuffled([*accounts]),
            "policy": {"threshold": f"{threshold} {currency}", "guidance": guidance},
        },
        "commit": {"payment_id": id_},
        "irrelevant": [pick.choice(spare)],
    }
    return drawn, amended, approvals, accounts


def _abroad(pick: Draw, moment: datetime) -> datetime:
    return moment.astimezone(timezone(timedelta(hours=pick.choice((0, 1, 2, 2, 3)))))


def _account(pick: Draw, office: str) -> Drawn:
    name, title = pick.person(), pick.choice(_TITLES)
    login, person = name.lower().replace(" ", "."), pick.identifier("E-#####")
    return {"login": login, "display_name": name, "person": person, "title": title, "office": office}


def _person(pick: Draw, drawn: Drawn, _: datetime, approvals: list[Drawn], accounts: list[Drawn]) -> Drawn:
    second = accounts[1]
    if pick.chance():
        second |= {"display_name": pick.choice(("Treasury Desk", "Operations", "Duty Desk")), "title": "desk account"}
    path = f"accounts[{second['login']}].person"
    other = accounts[pick.choice((0, 0, 2))]
    own = accounts[3] if pick.chance() else second
    second["person"], changes = differ(pick, path, str(other["person"]), str(own["person"]))
    note = "Two accounts approved; the second belongs to the first approver or the requester, or to somebody else."
    return finished(drawn, changes, note, [path, "payment.amount", "policy.threshold"], _TWO)


def _amended(pick: Draw, drawn: Drawn, amended: datetime, approvals: list[Drawn], _: list[Drawn]) -> Drawn:
    payment, first = part(drawn, "state", "payment"), approvals[0]
    alone = pick.chance()
    if alone:
        payment["approvals"], payment["amount"] = [first], part(drawn, "state", "policy")["threshold"]
    late = amended + timedelta(minutes=pick.choice((0, 0, pick.integer(1, 600))))
    good = amended + timedelta(minutes=pick.integer(1, 600))
    if pick.chance():
        first["at"], path = amended.isoformat(), "payment.last_amended_at"
        sides = (late.isoformat(), (amended - (good - amended)).isoformat())
        payment["last_amended_at"], changes = differ(pick, path, *sides)
    else:
        path = f"payment.approvals[{first['id']}].at"
        first["at"], changes = differ(pick, path, (amended - (late - amended)).isoformat(), good.isoformat())
    payment["remarks"] = sentences(pick, "Payee corrected.", "Stamped as amended {payment.last_amended_at}.")
    note = "An approval was given later than the last amendment, or not."
    critical = ["payment.last_amended_at", f"payment.approvals[{first['id']}].at"]
    others = ["payment.amount", "policy.threshold", f"payment.approvals[{first['id']}].account"]
    return finished(drawn, changes, note, [*critical, pick.choice(others)], _ONE if alone else _TWO)


def _threshold(pick: Draw, drawn: Drawn, _: datetime, approvals: list[Drawn], accounts: list[Drawn]) -> Drawn:
    payment, policy = part(drawn, "state", "payment"), part(drawn, "state", "policy")
    first, currency = approvals[0], str(payment["amount"])[-3:]
    payment["approvals"] = [first, {**approvals[1], "account": accounts[2]["login"]}] if pick.chance() else [first]
    limit = int(str(policy["threshold"])[:-4])
    under, above = pick.choice((0, 0, pick.integer(1, 900))), pick.choice((1, pick.integer(100, 9000, 50)))
    if pick.chance():
        path, sides = "payment.amount", (limit + above, limit - under)
        payment["amount"], changes = differ(pick, path, *(f"{side} {currency}" for side in sides))
    else:
        path, payment["amount"] = "policy.threshold", f"{limit} {currency}"
        policy["threshold"], changes = differ(pick, path, f"{limit - above} {currency}", f"{limit + under} {currency}")
    payment["remarks"] = sentences(pick, "The counter shows two for every payment.", "Amount {payment.amount}.")
    note = "Only one approval counts, which is enough for an amount up to the threshold."
    account = f"payment.approvals[{first['id']}].account"
    return finished(drawn, changes, note, ["payment.amount", "policy.threshold", account], _TWO)


def _trusted(pick: Draw, drawn: Drawn, amended: datetime, approvals: list[Drawn], _: list[Drawn]) -> Drawn:
    payment, policy = part(drawn, "state", "payment"), part(drawn, "state", "policy")
    day = amended.date() + timedelta(days=5)
    payment["approvals"], payment["payment_date"] = [approvals[0]], day.isoformat()
    amount, currency = int(str(payment["amount"])[:-4]), str(payment["amount"])[-3:]
    cap, last = amount + pick.choice((0, pick.integer(500, 9000, 500))), day + timedelta(days=pick.choice((0, 30, 150)))
    entry: Drawn = {"payee": payment["payee"], "cap": f"{cap} {currency}", "valid_until": last.isoformat()}
    other: Drawn = {**entry, "payee": pick.company(_KINDS), "cap": f"{cap * 2} {currency}"}
    base = f"policy.trusted_payees[{payment['payee']}]"
    if pick.chance():
        path, ended = f"{base}.valid_until", day - timedelta(days=pick.choice((1, 12, 60)))
        entry["valid_until"], changes = differ(pick, path, ended.isoformat(), last.isoformat())
    else:
        path, low = f"{base}.cap", amount - pick.choice((1, pick.integer(50, 100)))
        entry["cap"], changes = differ(pick, path, f"{low} {currency}", f"{cap} {currency}")
    policy["trusted_payees"] = [other, entry]
    policy["guidance"] = sentences(pick, "Renewed every year.", f"One entry runs to {{{base}.valid_until}}.")
    note = "One approval above the threshold; a trusted payee's entry is in force and high enough, or is not."
    return finished(drawn, changes, note, [f"{base}.cap", f"{base}.valid_until", "payment.amount"], _TWO)


def _stand_in(pick: Draw, drawn: Drawn, _: datetime, approvals: list[Drawn], accounts: list[Drawn]) -> Drawn:
    number = pick.integer(0, 1)
    given, (absent, person) = approvals[number], (str(accounts[index]["person"]) for index in (2, number))
    day, key = datetime.fromisoformat(str(given["at"])).date(), pick.identifier("OO-###")
    inside, outside, far = pick.choice((0, 0, 3)), pick.choice((1, 1, 5)), pick.integer(7, 20)
    starts = pick.chance()
    path, sign = (f"stand_ins[{key}].first_day", 1) if starts else (f"stand_ins[{key}].last_day", -1)
    sides = [day + timedelta(days=sign * days) for days in (-inside, outside)]
    end, changes = differ(pick, path, *(side.isoformat() for side in sides))
    fixed = (day + timedelta(days=sign * far)).isoformat()
    entry: Drawn = {"id": key, "absent": absent, "stand_in": person}
    entry |= {"first_day": end, "last_day": fixed} if starts else {"first_day": fixed, "last_day": end}
    before: Drawn = {**entry, "id": pick.identifier("OO-###")}
    before |= {f"{field}_day": (day - timedelta(days=ago)).isoformat() for field, ago in (("first", 41), ("last", 30))}
    part(drawn, "state")["stand_ins"] = [before, entry]
    when = f"payment.approvals[{given['id']}].at"
    part(drawn, "state", "payment")["remarks"] = sentences(pick, "Final rate.", f"Signed at {{{when}}}.")
    note = "An approver stood in for the requester; on the day of the approval, or not on that day."
    return finished(drawn, changes, note, [path, when, pick.choice(("payment.amount", "policy.threshold"))], _TWO)
