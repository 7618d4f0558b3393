"""Orders, bookings and events as they stand at the end: what was known at the start, and what rows made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from graders.town.past import Past
from worlds.town.row import Row
from worlds.town.written import CANCELLED, STAGES


@dataclass(frozen=True, slots=True)
class Order:
    """An order at a business. `fields`: what the row of its placing said, with later changes; `row`: the placing, by
    the agent or by a clerk who was asked for it; None if it was there at the start."""

    at: str
    id: str
    status: str
    fields: Mapping[str, JsonValue]
    row: Row | None = None
    rows: tuple[Row, ...] = ()

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return "" if value is None else str(value)


Booking = Order
"""A booking has the same form: `service`, `start`, `name`, ... in its fields."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of a calendar. `gone`: deleted whole; `parted`: the parts of a series that were deleted, or became an
    event of their own: `this` or `following`, and the day of the occurrence."""

    id: str
    fields: Mapping[str, JsonValue]
    created_by: str = ""
    gone: bool = False
    parted: tuple[tuple[str, str], ...] = ()
    rows: tuple[Row, ...] = ()

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return "" if value is None else str(value)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.fields.get(name)
        return tuple(str(item) for item in value) if isinstance(value, list) else ()


def orders(past: Past) -> dict[tuple[str, str], Order]:
    """All orders by business and id."""
    there = {
        (server, known.id): Order(server, known.id, known.status, known.model_dump(mode="json"))
        for server, business in past.world.businesses.items()
        for known in business.orders
    }
    return _folded(past, there, "order", "order_placed", ("order_changed",), "order_cancelled")


def bookings(past: Past) -> dict[tuple[str, str], Booking]:
    """All bookings by business and id."""
    there = {
        (server, known.id): Booking(
            server, known.id, known.status, {**known.model_dump(mode="json"), "start": f"{known.start:%Y-%m-%d %H:%M}"}
        )
        for server, business in past.world.businesses.items()
        for known in business.bookings
    }
    return _folded(past, there, "booking", "booking_made", ("booking_moved", "booking_changed"), "booking_cancelled")


def _folded(
    past: Past,
    there: dict[tuple[str, str], Order],
    name: str,
    made: str,
    changed: tuple[str, ...],
    cancelled: str,
) -> dict[tuple[str, str], Order]:
    for row in past.of_kind(made, *changed, cancelled):
        key = (row.server, row.text(name))
        known = there.get(key) or Order(row.server, row.text(name), "", {})
        if row.kind == made:
            there[key] = Order(row.server, key[1], row.text("status") or STAGES[0], row.fields, row, (row,))
            continue
        if row.kind == cancelled:
            there[key] = replace(known, status=CANCELLED, rows=(*known.rows, row))
            continue
        told = {field: value for field, value in row.fields.items() if value not in (None, "")}
        status = row.text("status") or known.status
        there[key] = replace(known, status=status, fields={**known.fields, **told}, rows=(*known.rows, row))
    return there


def entries(past: Past) -> dict[str, Entry]:
    """All events of all calendars by id."""
    there = {
        event.id: Entry(
            event.id,
            {
                **event.model_dump(mode="json"),
                "event": event.id,
                "start": f"{event.start:%Y-%m-%d %H:%M}",
                "end": f"{event.end:%Y-%m-%d %H:%M}",
                "guests": list(event.guests),
            },
        )
        for event in past.world.household.events
    }
    for row in past.of_kind("event_created", "event_arrived", "event_changed", "event_deleted"):
        name = row.text("event")
        known = there.get(name) or Entry(name, {}, row.by)
        known = replace(known, rows=(*known.rows, row))
        part = row.text("scope") in ("this", "following")
        if part:
            known = replace(known, parted=(*known.parted, (row.text("scope"), row.text("occurrence"))))
        elif row.kind == "event_deleted":
            known = replace(known, gone=True)
        there[name] = known
        if row.kind != "event_deleted":
            changed = row.text("entry") or name
            other = there.get(changed) or Entry(changed, {}, row.by, rows=(row,))
            there[changed] = replace(other, fields={**other.fields, **row.fields, "event": changed})
    return there
