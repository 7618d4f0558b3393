"""Moves that turn on a copy's region, the storage's region, a class of data, the policy, or a transfer instrument."""

from __future__ import annotations

from datetime import timedelta

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn
from worlds.draws.cloud.common import AREAS, case, differ, differ_in_item, listing, sometime

_CLASSES = (
    "contact",
    "health-note",
    "profile",
    "location",
    "payment-detail",
    "support-ticket",
    "statistics",
    "call-audio",
)
_PLACES = (
    ("fjord", "Norway"),
    ("rhine", "Germany"),
    ("alpine", "Austria"),
    ("thames", "United Kingdom"),
    ("lagoon", "Singapore"),
    ("prairie", "Canada"),
    ("tasman", "New Zealand"),
    ("gulf", "Qatar"),
)
_PROTECTION = ("encrypted with our own key", "pseudonymised, encrypted at rest", "masked for analysts", "access logged")
_COMMENTS = (
    "The contracts with the operator have been signed.",
    "The old storage is being closed.",
    "Ordered in spring.",
)
_TEXTS = ("Standard clauses with annex on measures.", "Addendum with assessment of the transfer.", "Renewed once.")
_REQUESTS = (
    "Please start move {id}. The {area} data has to leave the old storage before its contract ends.",
    "Could you run {id} for the {area} team?",
    "Please carry out {id}, the {area} dataset goes to the storage that {person} set up for it.",
    "{id} is on for today, please go ahead with the {area} data.",
)


def draw(pick: Draw) -> Drawn:
    return pick.choice((_copied, _instrument, _instrument, _class, _region))(pick)


class _Base:
    """A move to the second of two regions that the policy gives; the third one is outside, the fourth for another."""

    def __init__(self, pick: Draw) -> None:
        area, self.day = pick.choice(AREAS), sometime(pick)
        self.held, self.strict, other = pick.several(_CLASSES, 3)
        places = pick.several(_PLACES, 4)
        self.home, self.near, self.outside, self.spare = (f"{name}-{pick.choice('abcd')}" for name, _ in places)
        firm = pick.company(("Hosting", "Cloud", "Datacentres"))
        self.operators = [f"{firm} {country}" for _, country in places]
        self.id = pick.identifier(pick.choice(("MV-5#####", "DMV-?#####", "DM-26-7#####")))
        dataset, steward = f"{area}-{pick.choice(('archive', 'files', 'records'))}", pick.person()
        self.dataset: dict[str, Written] = {
            "id": dataset,
            "title": dataset.replace("-", " ").capitalize(),
            "classes": [self.held],
            "rows": str(pick.integer(60_000, 90_000_000)),
            "steward": steward,
            "protection": pick.choice(_PROTECTION),
        }
        self.rule: dict[str, Written] = {"data_class": self.held, "regions": [*pick.shuffled((self.home, self.near))]}
        wide: dict[str, Written] = {"data_class": other, "regions": [self.home, self.near, self.outside, self.spare]}
        self.policy: dict[str, Written] = {"rules": [*pick.shuffled((self.rule, wide))]}
        self.copy: dict[str, Written] = {
            "id": pick.choice(("weekly", "nightly", "hourly")),
            "kind": "backup",
            "region": self.home,
        }
        self.storage: dict[str, Written] = {
            "id": f"{area}-{pick.choice(('lake', 'vault', 'shelf'))}",
            "region": self.near,
            "copies": [self.copy],
            "tier": pick.choice(("cold", "standard", "guarded")),
        }
        if pick.chance():
            pair: dict[str, Written] = {"id": "pair", "kind": "replica", "region": self.near}
            listing(self.storage, "copies").append(pair)
        move: dict[str, Written] = {
            "id": self.id,
            "dataset": dataset,
            "storage": self.storage["id"],
            "move_on": self.day.isoformat(),
            "requested_by": steward,
            "comments": pick.choice(_COMMENTS),
        }
        names = (self.home, self.near, self.outside, self.spare)
        regions: list[Written] = [
            {"id": name, "country": country, "operator": operator}
            for name, (_, country), operator in zip(names, places, self.operators, strict=True)
        ]
        self.elsewhere = self._instrument(pick, other, self.operators[2])
        self.state: dict[str, Written] = {
            "dataset": self.dataset,
            "policy": self.policy,
            "move": move,
            "storage": self.storage,
            "regions": pick.shuffled(regions),
            "instruments": [self.elsewhere],
        }
        if pick.chance(40):
            again: dict[str, Written] = {"id": f"{area}-test", "region": self.outside, "copies": [], "tier": "test"}
            self.state["other_storages"] = [again]
        self.drawn: Drawn = {
            "id": self.id,
            "request": pick.choice(_REQUESTS).format(id=self.id, area=area, person=pick.person()),
            "state": self.state,
            "commit": {"move_id": self.id},
            "irrelevant": [*pick.several(("dataset.protection", "dataset.steward", "storage.tier", "dataset.rows"), 2)],
        }

    def _instrument(self, pick: Draw, data_class: str, importer: str) -> dict[str, Written]:
        return {
            "id": pick.identifier(pick.choice(("TI-4###", "SCC-5###", "IDTA-6###"))),
            "data_class": data_class,
            "importer": importer,
            "first_day": (self.day - timedelta(days=pick.integer(20, 700))).isoformat(),
            "last_day": (self.day + timedelta(days=pick.integer(20, 700))).isoformat(),
            "text": pick.choice(_TEXTS),
        }

    def instrument(self, pick: Draw) -> dict[str, Written]:
        """One for the dataset's class and the region outside, beside the one for another class."""
        found = self._instrument(pick, self.held, self.operators[2])
        found["text"] = [pick.choice(_TEXTS), f"Binds {{instruments[{found['id']}].importer}}."]
        self.state["instruments"] = [*pick.shuffled((found, self.elsewhere))]
        return found

    def allowed(self, region: str) -> str:
        return f"policy.rules[{self.held}].regions[{region}]"


def _copied(pick: Draw) -> Drawn:
    base = _Base(pick)
    path = f"storage.copies[{base.copy['id']}].region"
    if pick.chance():
        base.storage["notes"] = f"Backups are written to {{{path}}}."
    if pick.chance(70):
        sides = differ(pick, base.copy, path, base.outside, base.home)
        critical = [path, base.allowed(base.home), base.allowed(base.near)]
    else:
        base.rule["regions"] = [base.near]
        sides = differ_in_item(pick, base.rule, base.allowed(base.home), base.home, False)
        critical = [path, base.allowed(base.home)]
    note = "The storage is in an allowed region; the backup that it makes by itself lands outside in one twin."
    return case(base.drawn, sides, note, critical, "copies_in_place")


def _instrument(pick: Draw) -> Drawn:
    base = _Base(pick)
    base.storage["region"], base.storage["copies"] = base.outside, []
    lent = base.instrument(pick)
    turning = pick.choice(("first_day", "last_day", "importer", "data_class"))
    path = f"instruments[{lent['id']}].{turning}"
    day, far = base.day, timedelta(days=pick.choice((1, pick.integer(2, 25))))
    edge = timedelta(days=pick.choice((0, 0, pick.integer(1, 90))))
    if turning == "first_day":
        sides = differ(pick, lent, path, (day + far).isoformat(), (day - edge).isoformat())
    elif turning == "last_day":
        sides = differ(pick, lent, path, (day - far).isoformat(), (day + edge).isoformat())
    elif turning == "importer":
        sides = differ(pick, lent, path, base.operators[3], base.operators[2])
    else:
        sides = differ(pick, lent, path, base.strict, base.held)
    note = "Outside the allowed regions; an instrument fits in class, importer and days in one twin only."
    others = (f"instruments[{lent['id']}].{name}" for name in ("importer", "data_class") if name != turning)
    critical = [path, *others, pick.choice(("storage.region", "move.move_on"))]
    return case(base.drawn, sides, note, critical, "storage_in_place")


def _class(pick: Draw) -> Drawn:
    """The dataset also holds a class that has to stay elsewhere, or that the policy does not know."""
    base = _Base(pick)
    if pick.chance(70):
        listing(base.policy, "rules").append({"data_class": base.strict, "regions": [base.spare]})
    path = f"dataset.classes[{base.strict}]"
    base.dataset["description"] = ["Questions and answers.", f"Free text was classified as {{{path}}}."]
    sides = differ_in_item(pick, base.dataset, path, base.strict, True)
    note = "One class may go there; in one twin the dataset holds a second class, which may not."
    critical = [path, base.allowed(base.near), base.allowed(base.home)]
    return case(base.drawn, sides, note, critical, "storage_in_place", "copies_in_place")


def _region(pick: Draw) -> Drawn:
    base = _Base(pick)
    if pick.chance(60):
        path = "storage.region"
        base.storage["notes"] = pick.choice(("Set up for this move.", f"Runs in {{{path}}}."))
        listing(base.storage, "copies")[1:] = []
        sides = differ(pick, base.storage, path, base.outside, base.near)
    else:
        path = base.allowed(base.near)
        base.rule["regions"] = [base.home]
        listing(base.storage, "copies")[1:] = []
        sides = differ_in_item(pick, base.rule, path, base.near, False)
    note = "The region of the storage is one that the policy gives for the class, or not."
    critical = ["storage.region", base.allowed(base.near), f"storage.copies[{base.copy['id']}].region"]
    return case(base.drawn, sides, note, critical, "storage_in_place")
