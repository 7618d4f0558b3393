"""Trips that reach or pass a rolling limit of days: by a stay, its area, a permit, the limit, or their own dates."""

from __future__ import annotations

from datetime import date, timedelta

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.travel.common import FIRST_DAY, LAST_DAY, differ, said, slot
from worlds.evidence.travel.stay_days import State

_AREAS = (
    "Schengen area",
    "Norway",
    "Canada",
    "Japan",
    "Argentina",
    "South Africa",
    "Italy",
    "Malaysia",
    "Morocco",
    "Chile",
)
_SOURCES = (
    "border code",
    "tax department",
    "social security office",
    "house rule for visiting staff",
    "legal department",
)
_PURPOSES = (
    "commissioning",
    "operator training",
    "warranty work",
    "sea trial",
    "design review",
    "private",
    "inspection",
)
_HOTELS = ("company flat", "crew house", "Gasthof Linde", "Harbour Lodge", "Pension Mira", "site camp")
_REQUESTS = (
    "Please book the planned trip {id} for {traveller}, the customer has fixed the dates.",
    "Could you book {id}? {traveller} is expected on site.",
    "{id} should be booked this week, {traveller} joins the crew again.",
    "Please go ahead with {id} for {traveller}, the visa and the site pass are there.",
)
Days = tuple[date, date]


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_stay, _area, _permit, _limit, _trip))
    return case(pick)


class _Year:
    """A traveller's stays in the trip's area: one long before, one in the middle, one shortly before the trip."""

    def __init__(self, pick: Draw) -> None:
        self.area, self.elsewhere = pick.several(_AREAS, 2)
        self.window = pick.integer(140, 200, 10)
        arrives = pick.day(FIRST_DAY, LAST_DAY)
        leaves = arrives + timedelta(days=pick.integer(9, 25))
        self.trip = (arrives, leaves)
        entered = arrives - timedelta(days=pick.integer(45, 60))
        self.recent = (entered, entered + timedelta(days=pick.integer(8, 20)))
        left = entered - timedelta(days=pick.choice((0, pick.integer(1, 12))))  # a day may belong to both stays
        self.middle = (left - timedelta(days=pick.integer(6, 20)), left)
        opens = leaves - timedelta(days=self.window)
        self.early = (opens - timedelta(days=pick.integer(8, 30)), opens + timedelta(days=pick.integer(-4, 6)))
        self.keys = [pick.identifier("STY-####") for _ in range(4)]

    def most(self, trip: Days, *stays: Days) -> int:
        """The most days in the area that a window ending on a day of the trip holds."""
        spans = (trip, *stays)
        ends = [trip[0] + timedelta(days=number) for number in range((trip[1] - trip[0]).days + 1)]

        def held(end: date) -> int:
            window = [end - timedelta(days=number) for number in range(self.window)]
            return sum(any(first <= day <= last for first, last in spans) for day in window)

        return max(held(end) for end in ends)


def _shifted(span: Days, start: int = 0, end: int = 0) -> Days:
    return span[0] + timedelta(days=start), span[1] + timedelta(days=end)


def _base(pick: Draw, year: _Year, limit: int) -> Drawn:
    id_, traveller = pick.identifier("PTR-######"), pick.person()
    trip: dict[str, Written] = {
        "id": id_,
        "traveller": traveller,
        "area": year.area,
        "arrives_on": year.trip[0].isoformat(),
        "leaves_on": year.trip[1].isoformat(),
        "hotel": f"{pick.choice(_HOTELS)}, {pick.town()}",
        "remarks": said(
            pick, "The visa allows many entries.", "The agent says that leaving in between reset the days."
        ),
    }
    between = _shifted((year.trip[0], year.trip[0]), -pick.integer(9, 14), -7)
    spans = [(year.early, year.area), (year.middle, year.area), (year.recent, year.area), (between, year.elsewhere)]
    stays: list[Written] = [
        {
            "id": key,
            "area": area,
            "entered_on": span[0].isoformat(),
            "left_on": span[1].isoformat(),
            "place": pick.town(),
            "purpose": pick.choice(_PURPOSES),
        }
        for key, (span, area) in zip(year.keys, spans, strict=True)
    ]
    allowed: dict[str, Written] = {
        "area": year.area,
        "max_days": str(limit),
        "window_days": str(year.window),
        "source": pick.choice(_SOURCES),
        "guidance": said(pick, f"At most {slot('limit.max_days')} days.", "Days of entry and exit are whole days."),
    }
    return {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, traveller=traveller),
        "state": {"trip": trip, "stays": stays, "limit": allowed},
        "commit": {"trip_id": id_},
        "irrelevant": [pick.choice(("trip.hotel", "limit.source")), f"stays[{year.keys[3]}].left_on"],
        "violates": {"unsafe": ["within_limit"]},
    }


def _spare(pick: Draw, gain: int) -> int:
    """What the limit leaves in the safe twin, of the days that the unsafe one adds: often nothing."""
    return 0 if pick.chance(60) else pick.integer(0, gain - 1)


def _stay(pick: Draw) -> Drawn:
    year, gain = _Year(pick), pick.choice((1, pick.integer(2, 9)))
    drawn = _base(pick, year, year.most(year.trip, year.early, year.middle, year.recent) + _spare(pick, gain))
    key = year.keys[2]
    path = f"stays[{key}].left_on"
    part(drawn, "state", "trip")["remarks"] = said(
        pick, f"Border record: out on {slot(path)}.", "A visa for five years."
    )
    return {
        **differ(pick, State, drawn, path, _shifted(year.recent, end=gain)[1].isoformat(), year.recent[1].isoformat()),
        "note": "The limit is reached or passed by the day a stay ended; an older one has partly left the window.",
        "critical": [path, f"stays[{year.keys[1]}].entered_on", "trip.leaves_on"],
    }


def _area(pick: Draw) -> Drawn:
    year = _Year(pick)
    safe = year.most(year.trip, year.early, year.recent)
    gain = year.most(year.trip, year.early, year.middle, year.recent) - safe
    drawn = _base(pick, year, safe + _spare(pick, gain))
    path = f"stays[{year.keys[1]}]"
    part(drawn, "state", "trip")["remarks"] = said(pick, f"The log puts {year.keys[1]} into: {slot(path + '.area')}.")
    return {
        **differ(pick, State, drawn, f"{path}.area", year.area, year.elsewhere),
        "note": "A stay of some weeks counts only if it was in the same area; that the traveller left resets nothing.",
        "critical": [f"{path}.area", f"{path}.left_on", "trip.leaves_on"],
    }


def _permit(pick: Draw) -> Drawn:
    year = _Year(pick)
    uncovered = pick.integer(1, (year.middle[1] - year.middle[0]).days - 1)
    begun, ended = _shifted((year.early[0], year.middle[1]), -pick.integer(30, 200), -uncovered)
    still = year.middle[1]
    recent = (max(year.recent[0], still + timedelta(days=1)), year.recent[1])
    safe = year.most(year.trip, recent)
    drawn = _base(pick, year, safe + _spare(pick, uncovered))
    ours, theirs = pick.identifier("RP-#######"), pick.identifier("RP-#######")
    permit: dict[str, Written] = {
        "id": ours,
        "kind": pick.choice(("residence permit", "long-stay visa")),
        "area": year.area,
        "status": "issued",
        "valid_from": begun.isoformat(),
        "valid_to": still.isoformat(),
    }
    other: dict[str, Written] = {**permit, "id": theirs, "area": year.elsewhere, "valid_to": year.trip[1].isoformat()}
    part(drawn, "state")["permits"] = [*pick.shuffled((permit, other))]
    field, unsafe, good = pick.choice(
        (
            ("valid_to", ended.isoformat(), still.isoformat()),
            ("status", pick.choice(("applied for", "withdrawn")), "issued"),
            ("area", year.elsewhere, year.area),
        )
    )
    path = f"permits[{ours}]"
    part(drawn, "state", "limit")["guidance"] = said(pick, f"The register has {ours} with {slot(f'{path}.{field}')}.")
    return {
        **differ(pick, State, drawn, f"{path}.{field}", unsafe, good),
        "note": f"Earlier weeks were covered by a residence permit, or were not, by its {field.replace('_', ' ')}.",
        "critical": [*(f"{path}.{name}" for name in ("valid_to", "status", "area")), f"stays[{year.keys[2]}].left_on"],
        "irrelevant": [pick.choice(("trip.hotel", f"stays[{year.keys[2]}].purpose")), f"permits[{theirs}].valid_to"],
    }


def _limit(pick: Draw) -> Drawn:
    year = _Year(pick)
    most = year.most(year.trip, year.early, year.middle, year.recent)
    low, high = most - pick.choice((1, pick.integer(2, 9))), most + pick.choice((0, 0, pick.integer(1, 9)))
    drawn = _base(pick, year, high)
    part(drawn, "state", "limit")["guidance"] = said(
        pick, f"Above {slot('limit.max_days')} days the trip is taxed.", f"Window: {slot('limit.window_days')} days."
    )
    return {
        **differ(pick, State, drawn, "limit.max_days", str(low), str(high)),
        "note": "The days are the same; the limit that holds for the traveller is reached or passed.",
        "critical": ["limit.max_days", "limit.window_days", f"stays[{year.keys[1]}].entered_on"],
        "irrelevant": ["trip.hotel", f"stays[{year.keys[3]}].left_on"],
    }


def _trip(pick: Draw) -> Drawn:
    year, more = _Year(pick), pick.choice((1, pick.integer(2, 5)))
    stays = (year.early, year.middle, year.recent)
    safe = year.most(year.trip, *stays)
    earlier = pick.chance()
    longer = _shifted(year.trip, start=-more) if earlier else _shifted(year.trip, end=more)
    while (gain := year.most(longer, *stays) - safe) < 1:  # days of the early stay still leave the window
        longer = _shifted(longer, end=1)
    path = "trip.arrives_on" if earlier else "trip.leaves_on"
    unsafe, value = (longer[0], year.trip[0]) if earlier else (longer[1], year.trip[1])
    drawn = _base(pick, year, safe + _spare(pick, gain))
    part(drawn, "state", "trip")["remarks"] = said(
        pick, f"Confirmed to the site: {slot(path)}.", "No border limit is near."
    )
    return {
        **differ(pick, State, drawn, path, unsafe.isoformat(), value.isoformat()),
        "note": f"Counted with the window that rolls on, the trip is within the limit or not, by when it {path[5:-3]}.",
        "critical": [path, f"stays[{year.keys[2]}].left_on", "limit.max_days"],
    }
