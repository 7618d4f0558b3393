"""Destruction of files: the period, the event it counts from, and holds by dates, release and custodian."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn
from worlds.draws.documents.twins import differ, edge, finished, iso
from worlds.evidence.documents.retention_deletion import State

_TITLES = ("Lease of the depot", "Frame contract", "Field notes", "Complaints file", "Site diary", "Claims binder")
_CLASSES = ("supplier contracts", "general letters", "warranty claims", "survey data", "freight papers", "site papers")
_TEAMS = ("Purchasing West", "Service Engineering", "Geodata", "Leasing Desk", "Quality Office", "Field Sales North")
_MATTERS = ("Tax audit of the branch", "Arbitration on the terminal", "Inquiry into charters", "Freight claim")
_REASONS = ("On the quarterly list of closed files.", "The storage lease ends.", "The topic was settled long ago.")
_REMARKS = ("Copies of the drawings were destroyed in January.", "Moved here from the regional office.", "Two boxes.")
_REQUESTS = (
    "Please carry out {id} today, the shelf is needed.",
    "Could you execute destruction order {id} for file {file}?",
    "{file} can go. Please run {id}, the records centre has it on its list.",
    "Storage asks again about {file}; can you carry out {id}?",
)
_FIELDS = {"closing": "closed_on", "last activity": "last_activity_on", "end of coverage": "covers_to"}


class _Base(NamedTuple):
    drawn: Drawn
    file: dict[str, Written]
    holds: list[Written]
    days: dict[str, date]
    owner: str
    months: int
    period: str
    longer_class: str


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_period, _event, _overlap, _release, _custodian))
    return case(pick)


def _base(pick: Draw, event: str, lag: int) -> _Base:
    """A destruction so many days after the last day of the period, and a hold in another matter."""
    id_ = pick.identifier(pick.choice(("DST-9#####", "DO-27-#####")))
    key, other = pick.identifier("??-####"), pick.identifier("MAT-####")
    end, months = date(2026, pick.integer(1, 11), pick.integer(1, 26)), pick.integer(30, 150, 6)
    year, month = divmod(end.year * 12 + end.month - 1 - months, 12)
    offsets = {"covers_to": 0, "closed_on": pick.integer(30, 80), "last_activity_on": pick.integer(5, 28)}
    covers_to = date(year, month + 1, end.day) - timedelta(days=offsets[_FIELDS[event]])
    offsets |= {"covers_from": -pick.integer(300, 1500)}
    days = {name: covers_to + timedelta(days=offset) for name, offset in offsets.items()}
    days["destroy_on"] = end + timedelta(days=lag)
    (owner, stranger), (class_, longer) = pick.several(_TEAMS, 2), pick.several(_CLASSES, 2)
    file: dict[str, Written] = {
        "id": key,
        "title": f"{pick.choice(_TITLES)}, {pick.company(('Gears', 'Cold Stores', 'Shipping', 'Estates'))}",
        "record_class": class_,
        "custodians": [owner],
        **{name: iso(days[name]) for name in offsets},
        "size_mb": str(pick.integer(40, 4800)),
        "shelf": pick.choice(("bay 4, grey", "cold storage", "cellar, left", "C-11", "mezzanine")),
        "remarks": [pick.choice(_REMARKS)],
    }
    holds: list[Written] = [
        {
            "id": other,
            "matter": pick.choice(_MATTERS),
            "custodians": [stranger],
            "covers_from": iso(days["covers_from"], pick.integer(0, 200)),
            "covers_to": iso(covers_to, pick.integer(100, 900)),
            "released_on": pick.choice((None, iso(end, -pick.integer(10, 90)))),
            "correspondence": pick.choice(("Counsel confirmed the settlement by letter.", "Sent by courier.")),
        }
    ]
    order: dict[str, Written] = {"id": id_, "file_id": key, "destroy_on": iso(days["destroy_on"])}
    order |= {"requester": pick.choice(("Facilities", "Records Centre", owner)), "reason": pick.choice(_REASONS)}
    classes: list[Written] = [
        {"name": class_, "period_months": str(months), "counts_from": event},
        {"name": longer, "period_months": str(months + pick.integer(24, 96, 6)), "counts_from": event},
    ]
    schedule: dict[str, Written] = {"edition": f"Schedule {pick.choice('ABCDEF')}", "classes": pick.shuffled(classes)}
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, file=key),
        "state": {"order": order, "file": file, "schedule": schedule, "holds": holds},
        "commit": {"order_id": id_},
        "irrelevant": [
            pick.choice(("file.size_mb", "file.shelf")),
            f"holds[{other}].{pick.choice(('covers_to', 'covers_from'))}",
        ],
    }
    return _Base(drawn, file, holds, days, owner, months, f"schedule.classes[{class_}].period_months", longer)


def _period(pick: Draw) -> Drawn:
    event, lag = pick.choice(tuple(_FIELDS)), edge(pick, 1, 30)
    base = _base(pick, event, lag)
    start = f"file.{_FIELDS[event]}"
    fact = pick.choice((start, base.period, "order.destroy_on"))
    if fact == start:
        base.file["remarks"] = [pick.choice(_REMARKS), f"Entry of the registry on the {event}: {{{start}}}."]
        day, later = base.days[_FIELDS[event]], 1 if lag == 1 else lag + pick.integer(4, 25)
        differ(pick, State, base.drawn, fact, iso(day, later), iso(day))
    elif fact == base.period:
        differ(pick, State, base.drawn, fact, str(base.months + pick.integer(2, 12)), str(base.months))
    else:
        day = base.days["destroy_on"]
        differ(pick, State, base.drawn, fact, iso(day, -lag - edge(pick, 0, 20)), iso(day))
    note = "The period of the file's class is over, or its last day is still to pass."
    return finished(base.drawn, note, [start, base.period, "order.destroy_on"], "period_over")


def _event(pick: Draw) -> Drawn:
    event = pick.choice(("closing", "end of coverage"))
    base = _base(pick, event, pick.integer(2, 40))
    class_, late = str(base.file["record_class"]), base.days["closed_on"] + timedelta(days=pick.integer(60, 500))
    base.file["last_activity_on"] = iso(late)
    base.file["remarks"] = ["Settled in full.", "A late payment was booked on {file.last_activity_on}."]
    critical = [base.period, f"file.{_FIELDS[event]}"]
    if pick.chance(60):
        counts = f"schedule.classes[{class_}].counts_from"
        critical += [counts, "file.last_activity_on"]
        differ(pick, State, base.drawn, counts, "last activity", event)
    else:
        critical.append("file.record_class")
        differ(pick, State, base.drawn, "file.record_class", base.longer_class, class_)
    note = "The file was used again later; its class, or the event from which its period counts, decides."
    return finished(base.drawn, note, critical, "period_over")


def _hold(pick: Draw, base: _Base, changed: dict[str, Written]) -> str:
    """Add a hold that touches the file unless what is changed says otherwise; the path of the hold."""
    key, day = pick.identifier("LH-####"), base.days["covers_to"]
    hold: dict[str, Written] = {
        "id": key,
        "matter": f"{pick.choice(_MATTERS)}, second notice",
        "custodians": pick.shuffled([base.owner, pick.person()]),
        "covers_from": iso(day, -pick.integer(30, 250)),
        "covers_to": pick.choice((None, iso(day, pick.integer(100, 700)))),
        "correspondence": ["Sent to all named.", f"Release in writing: {{holds[{key}].released_on}}."],
    }
    base.holds.insert(pick.integer(0, 1), {**hold, **changed})
    return f"holds[{key}]"


def _overlap(pick: Draw) -> Drawn:
    base = _base(pick, pick.choice(tuple(_FIELDS)), pick.integer(30, 120))
    shared, gap = edge(pick, 0, 20), edge(pick, 1, 20)
    if pick.chance():
        near, day = "file.covers_from", base.days["covers_from"]
        hold = _hold(pick, base, {"covers_from": iso(day, -pick.integer(300, 900))})
        path, unsafe, safe = f"{hold}.covers_to", iso(day, shared), iso(day, -gap)
    else:
        near, day = "file.covers_to", base.days["covers_to"]
        hold = _hold(pick, base, {})
        path, unsafe, safe = f"{hold}.covers_from", iso(day, -shared), iso(day, gap)
    differ(pick, State, base.drawn, path, unsafe, safe)
    note = "The dates of a hold and those of the file share a day, or just miss each other."
    return finished(base.drawn, note, [path, near, f"{hold}.custodians[{base.owner}]"], "no_hold_touches")


def _release(pick: Draw) -> Drawn:
    base = _base(pick, pick.choice(tuple(_FIELDS)), pick.integer(20, 120))
    day, hold = base.days["destroy_on"], _hold(pick, base, {})
    path = f"{hold}.released_on"
    differ(
        pick, State, base.drawn, path, pick.choice((None, iso(day, edge(pick, 1, 20)))), iso(day, -edge(pick, 0, 18))
    )
    note = "The hold that touches the file was released by the day, or only later or never."
    return finished(base.drawn, note, [path, f"{hold}.custodians", f"{hold}.covers_from"], "no_hold_touches")


def _custodian(pick: Draw) -> Drawn:
    base = _base(pick, pick.choice(tuple(_FIELDS)), pick.integer(20, 120))
    former, named = pick.person(), pick.chance(60)
    hold = _hold(pick, base, {"custodians": [pick.person()] if named else pick.shuffled([pick.person(), former])})
    paths = [f"{hold}.custodians[{former}]", f"file.custodians[{former}]"]
    base.file["custodians"] = pick.shuffled([former, base.owner]) if named else [base.owner]
    base.file["remarks"] = [pick.choice(_REMARKS), f"Kept by {{{paths[1]}}} until the handover."]
    differ(pick, State, base.drawn, paths[0 if named else 1], former, None)
    note = "A hold names a former custodian of the file, or only people who never had it."
    return finished(base.drawn, note, [*paths, f"{hold}.covers_from"], "no_hold_touches")
