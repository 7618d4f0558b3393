"""Small worlds around a business, and an agent that calls its website."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import JsonValue

import worlds.town
from worlds.documents import read_document
from worlds.model import Twin
from worlds.task import Source
from worlds.town.place import Place
from worlds.town.row import Row
from worlds.town.task import TownTask, TownWorld
from worlds.town.town import Action, Town
from worlds.town.website import Website
from worlds.town.website.part import Part
from worlds.town.written import Business, Effect, Household, TaskFile
from worlds.values import Money

TOWN = Path(worlds.town.__file__).parent
HOME = "12 Alder Court, Apt 4, Northgate"

TINY: dict[str, Any] = {
    "name": "The Shop",
    "server": "shop",
    "about": "The website of a shop.",
    "pages": {
        "/": {"title": "The Shop", "text": "Lamps and shades. Open on weekdays.", "links": ["/returns"]},
        "/returns": {"title": "Returns", "text": "Lamps can be sent back within 30 days. Shades cannot."},
    },
}
LAMP = {"sku": "L-1", "name": "Lamp", "price": "20.00 USD", "stock": 5, "text": "A reading lamp."}
SHADE = {"sku": "S-2", "name": "Shade", "price": "9.99 USD", "stock": 3, "options": {"color": ["red", "blue"]}}


def papercrane() -> dict[str, Any]:
    """The stationer as the town has it."""
    content = read_document(TOWN / "businesses" / "papercrane.yaml").content
    assert isinstance(content, dict)
    return dict(content)


def shop(**parts: Any) -> dict[str, Any]:
    """A shop with a lamp and a shade."""
    return {**TINY, "products": [LAMP, SHADE], "shop": parts}


def desk(**parts: Any) -> dict[str, Any]:
    """A desk with a cut and a colour, at three times."""
    written = {
        "services": [
            {"id": "cut", "name": "Haircut", "price": "40.00 USD"},
            {"id": "dye", "name": "Colour", "price": "90.00 USD", "deposit": "25.00 USD", "cancel_fee": "15.00 USD",
             "refundable": False},
        ],
        "slots": [
            {"id": "c1", "service": "cut", "start": "2026-10-06 10:00", "end": "2026-10-06 10:45"},
            {"id": "c2", "service": "cut", "start": "2026-10-07 10:00", "price": "50.00 USD", "note": "with Ana"},
            {"id": "c3", "service": "cut", "start": "2026-10-08 10:00", "free": False},
            {"id": "c0", "service": "cut", "start": "2026-10-01 10:00"},
            {"id": "d1", "service": "dye", "start": "2026-10-07 14:00"},
            {"id": "d2", "service": "dye", "start": "2026-10-08 14:00"},
        ],
    }  # fmt: skip
    return {**TINY, "desk": {**written, **parts}}


class Visit:
    """An agent at the website of one business, in a town with nothing else open."""

    def __init__(self, business: Mapping[str, Any], later: Sequence[Any] = (), **household: Any) -> None:
        self.town = Town(_world(business, later, household))
        self.site: Website = self.town.websites[business["server"]]
        self.seq = 0

    @property
    def tools(self) -> list[str]:
        return [tool.name for tool in self.site.tools()]

    def rows(self, kind: str = "") -> list[Row]:
        return [row for row in self.town.rows if kind in ("", row.kind)]

    def row(self, kind: str) -> Mapping[str, JsonValue]:
        """The fields of the only row of this kind."""
        (row,) = self.rows(kind)
        return row.fields

    def __call__(self, tool: str, **arguments: JsonValue) -> Any:
        """What a tool answers."""
        self.seq += 1
        reply = self.town.act(Action(seq=self.seq, server=self.site.server, tool=tool, arguments=arguments))
        assert reply.content is not None, reply.refused
        return reply.content

    def refused(self, tool: str, **arguments: JsonValue) -> str:
        """Why a tool refuses, which leaves everything as it was."""
        self.seq += 1
        before = snapshot(self.town)
        reply = self.town.act(Action(seq=self.seq, server=self.site.server, tool=tool, arguments=arguments))
        assert reply.content is None, reply.content
        assert snapshot(self.town) == before
        return reply.refused

    def happens(self, **effect: Any) -> None:
        self.town.happen(Effect.model_validate(effect))

    @property
    def spent(self) -> Money:
        """What the agent's calls have cost, on all cards, less what came back."""
        total = Money(Decimal(0), "USD")
        for row in self.town.rows:
            if row.kind in ("charge", "refund"):
                amount = Money.parse(row.fields["amount"])
                total = total + amount if row.kind == "charge" else total - amount
        return total


def snapshot(town: Town, *servers: str) -> object:
    """All that is mutable in a town but its time, copied; with servers only of these. Rows are only ever added."""
    places = {name: place for name, place in town.places.items() if name in servers or not servers}
    return dict(vars(town)["_ids"]), len(town.rows), {name: _state(place) for name, place in places.items()}


def _state(thing: object) -> object:
    """A copy of what can change, down to values that cannot."""
    if isinstance(thing, Place | Part):
        kept = {name: value for name, value in vars(thing).items() if name not in ("town", "place", "business")}
        return {name: _state(value) for name, value in kept.items()}
    if is_dataclass(thing) and not vars(type(thing))["__dataclass_params__"].frozen:
        return type(thing), [_state(getattr(thing, field.name)) for field in fields(thing)]
    if isinstance(thing, dict):
        return [(key, _state(value)) for key, value in thing.items()]
    if isinstance(thing, set):
        return frozenset(thing)
    if isinstance(thing, list):
        return [_state(one) for one in thing]
    return thing


def _world(business: Mapping[str, Any], later: Sequence[Any], household: Mapping[str, Any]) -> TownWorld:
    base = read_document(TOWN / "household.yaml").content
    assert isinstance(base, dict)
    file = TaskFile.model_validate({
        "id": "visit", "note": "A visit.", "request": "Please see to this.", "consent": {},
        "scenario": {"now": "2026-10-05 09:00", "later": later}, "goal": [], "gold": [],
    })  # fmt: skip
    worlds_: dict[Twin, TownWorld] = {}
    task = TownTask("errands", "shopping", "visit", {}, worlds_, Source(Path("visit.yaml"), {}))
    made = Business.model_validate(business)
    worlds_[Twin.SAFE] = TownWorld(
        task, Twin.SAFE, file, Household.model_validate({**base, **household}), {made.server: made}
    )
    return worlds_[Twin.SAFE]
