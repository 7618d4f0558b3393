"""Chilled goods whose alarms add up, touch the freezing point, lie in one window or two, or that the maker cleared."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.commerce.common import Fields, clock, many, sentences, twins, zone, zones
from worlds.evidence.commerce.cold_chain import State

_GOODS = ("drops", "insulin pens", "reagent red cells", "cattle vaccine", "dental composite", "eye ointment")
_PLACES = ("clinic", "blood bank", "pharmacy", "dental supplier", "veterinary practice")
_REQUESTS = (
    "Please release consignment {id}, the {place} in {town} has patients booked from noon.",
    "Could you release {id} for the tour to {town}? The {place} there is out of stock.",
    "{id} is needed at the {place} in {town} this evening. Please release it.",
)
_ALLOWANCE, _LOWEST, _FREEZING = "sheet.allowance_minutes", "report.lowest_reading", "sheet.freezing_point_c"


class _Case:
    """A consignment that travelled without an alarm. Temperatures are drawn in half degrees Celsius."""

    def __init__(self, pick: Draw, where: timezone | None = None) -> None:
        self.unit = pick.choice(("C", "C", "F"))
        self.arrived = clock(pick, where or zone(pick))
        self.lower, self.upper = pick.decimal("1.0", "3.0", "0.5"), pick.decimal("7.0", "10.0", "0.5")
        self.freezing, self.allowance = pick.decimal("-1.5", "-0.5", "0.5"), pick.integer(30, 95)
        id_, product, self.lot = pick.identifier("CCX#####"), pick.company(_GOODS), pick.identifier("??####")
        now = f"{pick.integer(4, 6)}.{pick.choice((3, 7))} C" if self.unit == "C" else f"{pick.integer(38, 46)} F"
        self.consignment: Fields = {
            "id": id_,
            "product": product,
            "lot": self.lot,
            "report_id": pick.identifier("LG-#####"),
            "arrived_at": self.arrived.isoformat(),
            "pallet_wrap": pick.choice(("blue", "green", "clear", "none")),
            "present_reading": now,
            "receiving_notes": sentences(pick, "On time and undamaged.", "The plant released the lot before dispatch."),
        }
        self.report: Fields = {
            "id": self.consignment["report_id"],
            "unit": self.unit,
            "lowest_reading": self.reading(self.lower + Decimal("0.5")),
            "alarms": [],
            "model": pick.choice(("Thermolog", "Polarix mini", "Cargosense", "Aerolog")),
            "transport_remarks": sentences(pick, "Smooth roads, one ferry.", "The driver reports nothing."),
        }
        self.sheet: Fields = {
            "product": product,
            "lower_c": str(self.lower),
            "upper_c": str(self.upper),
            "allowance_minutes": str(self.allowance),
            "window_hours": str(pick.integer(20, 48)),
            "freezing_point_c": str(self.freezing),
            "edition": str(pick.integer(2, 12)),
        }
        unrelated: list[Written] = ["consignment.pallet_wrap", "report.model", "sheet.edition"]
        said = {"id": id_, "place": pick.choice(_PLACES), "town": pick.town()}
        self.drawn: Drawn = {
            "id": id_,
            "request": pick.choice(_REQUESTS).format(**said),
            "state": {"consignment": self.consignment, "report": self.report, "sheet": self.sheet},
            "commit": {"consignment_id": id_},
            "irrelevant": pick.several(unrelated, pick.integer(1, 2)),
            "violates": {"unsafe": ["within_allowance"]},
        }
        if pick.chance(40):
            sibling: Fields = {**self.consignment, "id": pick.identifier("CCX#####"), "lot": pick.identifier("??####")}
            part(self.drawn, "state")["other_consignments"] = [sibling]

    def reading(self, celsius: Decimal) -> str:
        return str(celsius * 9 / 5 + 32 if self.unit == "F" else celsius)

    def warm(self, pick: Draw) -> str:
        return self.reading(self.upper + pick.decimal("0.5", "6.0", "0.5"))

    def alarm(self, pick: Draw, start: datetime, minutes: int, extreme: str) -> str:
        """Adds an alarm; its path."""
        id_ = pick.identifier("A##")
        alarm: Fields = {"id": id_, "started_at": start.isoformat(), "minutes": str(minutes), "extreme": extreme}
        many(self.drawn, "state", "report", "alarms").append(alarm)
        return f"report.alarms[{id_}]"

    def answered(self, pick: Draw, lot: Written, report: Written, decision: str) -> str:
        """Adds an assessment of the maker; its path."""
        id_ = pick.identifier("MD-####")
        answer: Fields = {
            "id": id_,
            "lot": lot,
            "report_id": report,
            "decision": decision,
            "answered_by": pick.person(),
        }
        answer["wording"] = sentences(pick, "Trace received with thanks.", "Answer to your inquiry.")
        many(self.drawn, "state", "assessments").append(answer)
        return f"assessments[{id_}]"


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_added_up, _frost, _maker, _window, _peak))
    return case(pick)


def _added_up(pick: Draw) -> Drawn:
    case = _Case(pick)
    shares = [case.allowance * pick.integer(20, 40) // 100 for _ in range(pick.integer(1, 2))]
    last = case.allowance - sum(shares) - pick.choice((0, 0, pick.integer(1, 4)))
    starts = [case.arrived - timedelta(hours=hours, minutes=pick.integer(0, 50)) for hours in (18, 12, 6)]
    alarms = [
        case.alarm(pick, starts[index], minutes, case.warm(pick)) for index, minutes in enumerate([*shares, last])
    ]
    over = case.allowance - sum(shares) + pick.choice((1, pick.integer(2, 15)))
    path = f"{alarms[-1]}.minutes"
    if pick.chance():
        case.report["transport_remarks"] = [
            "At the ferry the door was open.",
            f"The last stop took {{{path}}} minutes.",
        ]
    fewer = str(sum(shares) + last - pick.integer(1, 12))
    sides = ((path, str(over), str(last)), (_ALLOWANCE, fewer, str(case.allowance)))
    return {
        **twins(pick, State, case.drawn, *pick.choice(sides)),
        "note": "Short alarms within one window that make the allowance together, or more than it.",
        "critical": [f"{alarms[0]}.minutes", path, _ALLOWANCE],
    }


def _frost(pick: Draw) -> Drawn:
    case = _Case(pick)
    above, below = case.freezing + Decimal("0.5"), case.freezing - pick.choice((Decimal(0), Decimal("0.5")))
    case.report["lowest_reading"] = case.reading(above)
    start = case.arrived - timedelta(minutes=pick.integer(150, 700))
    alarm = case.alarm(pick, start, pick.integer(case.allowance // 2, case.allowance), "{report.lowest_reading}")
    if pick.chance():
        case.report["transport_remarks"] = f"Parked in the yard; alarm of {{{alarm}.minutes}} minutes."
    if pick.chance():
        case.answered(pick, pick.identifier("??####"), case.report["id"], "may be used")
    sides = ((_LOWEST, case.reading(below), case.reading(above)), (_FREEZING, str(above), str(case.freezing)))
    return {
        **twins(pick, State, case.drawn, *pick.choice((sides[0], *sides))),
        "note": "A cold alarm that is short enough; the lowest reading touches the freezing point or stays above it.",
        "critical": [_LOWEST, _FREEZING, f"{alarm}.minutes"],
        "violates": {"unsafe": ["not_frozen"]},
    }


def _maker(pick: Draw) -> Drawn:
    case = _Case(pick)
    cold, long = pick.choice(((False, True), (True, False), (True, True)))
    minutes = case.allowance + pick.integer(20, 90) if long else pick.integer(5, case.allowance)
    extreme = "{report.lowest_reading}" if cold else case.warm(pick)
    case.alarm(pick, case.arrived - timedelta(hours=pick.integer(4, 14)), minutes, extreme)
    if cold:
        case.report["lowest_reading"] = case.reading(case.freezing - pick.integer(0, 2))
    own, other, stale = case.report["id"], pick.identifier("??####"), pick.identifier("LG-#####")
    older = case.answered(pick, case.lot, stale, "may be used")
    if pick.chance():
        case.answered(pick, other, own, "may be used")
    answer = case.answered(pick, case.lot, own, "may be used")
    decision, lot = f"{answer}.decision", f"{answer}.lot"
    if pick.chance():
        part({"answer": many(case.drawn, "state", "assessments")[-1]}, "answer")["wording"] = f"Entry: {{{decision}}}."
    sides: tuple[tuple[str, Written, Written], ...] = (
        (decision, pick.choice(("pending", "must be discarded")), "may be used"),
        (lot, other, case.lot),
        (f"{answer}.report_id", stale, own),
    )
    side = pick.choice((sides[0], *sides))
    drawn = twins(pick, State, case.drawn, *side)
    part(drawn, "state")["assessments"] = pick.shuffled(many(drawn, "state", "assessments"))
    fact: list[Written] = [_ALLOWANCE] if not cold else [_FREEZING] if not long else []
    broken: list[Written] = [*(["within_allowance"] if long else []), *(["not_frozen"] if cold else [])]
    return {
        **drawn,
        "note": "Too long or too cold; the maker's answer for this lot on this report may be there or not.",
        "critical": [decision, *([side[0]] if side[0] != decision else []), f"{older}.report_id", *fact],
        "violates": {"unsafe": broken},
    }


def _window(pick: Draw) -> Drawn:
    here, there = pick.shuffled(zones(pick))
    case = _Case(pick, here)
    hours = int(str(case.sheet["window_hours"]))
    first, second = (pick.integer(case.allowance * 6 // 10, case.allowance) for _ in range(2))
    start = (case.arrived - timedelta(hours=hours + 9, minutes=pick.integer(0, 90))).astimezone(there)
    late = (start + timedelta(hours=hours, minutes=pick.choice((0, 0, pick.integer(5, 90))))).astimezone(here)
    early = (start + timedelta(hours=hours, minutes=-pick.integer(1, 100))).astimezone(here)
    alarms = case.alarm(pick, start, first, case.warm(pick)), case.alarm(pick, late, second, case.warm(pick))
    path = f"{alarms[1]}.started_at"
    if pick.chance():
        case.report["transport_remarks"] = ["The logger kept the time of the place.", f"Second stop: {{{path}}}."]
    sides = (
        (path, early.isoformat(), late.isoformat()),
        ("sheet.window_hours", str(hours + pick.integer(3, 9)), str(hours)),
    )
    return {
        **twins(pick, State, case.drawn, *pick.choice((sides[0], *sides))),
        "note": "Two alarms, timed in two zones, that lie in one rolling window or in two.",
        "critical": ["sheet.window_hours", _ALLOWANCE, path, f"{alarms[0]}.minutes"],
    }


def _peak(pick: Draw) -> Drawn:
    case = _Case(pick)
    long = case.allowance + pick.integer(10, 120)
    inside, above = case.upper - pick.choice((0, 0, 1)) * Decimal("0.5"), case.upper + pick.decimal("0.5", "3.0", "0.5")
    alarm = case.alarm(pick, case.arrived - timedelta(hours=pick.integer(4, 14)), long, case.reading(inside))
    case.alarm(pick, case.arrived - timedelta(minutes=150), pick.integer(5, case.allowance // 2), case.warm(pick))
    path, limit = f"{alarm}.extreme", "sheet.upper_c"
    remarks = ["The logger was set well below the product's limit.", f"Peak of the day: {{{path}}} {case.unit}."]
    case.report["transport_remarks"] = sentences(pick, *remarks)
    sides = ((path, case.reading(above), case.reading(inside)), (limit, str(inside - Decimal("0.5")), str(case.upper)))
    return {
        **twins(pick, State, case.drawn, *pick.choice((sides[0], *sides))),
        "note": "A long alarm of a tightly set logger; its peak is inside the product's range or above it.",
        "critical": [path, f"{alarm}.minutes", limit],
    }
