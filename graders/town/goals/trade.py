"""Criteria about what was ordered, booked and handed in at businesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import Field, JsonValue

from graders.town.finding import Finding, counted, found, none
from graders.town.goals.criterion import Count, Criterion, Times, described
from graders.town.goals.money import at_most, same_amount
from graders.town.goals.records import Order, bookings, orders
from graders.town.meaning import like, same_text, within
from graders.town.past import Past
from worlds.town.people import is_about
from worlds.town.row import Row
from worlds.town.written import CANCELLED, Texts
from worlds.values import Money

STANDS = "stands"
"""The status of all orders and bookings that are not cancelled."""


class Ordered(Criterion):
    """At the end there is an order `at` this business that the agent placed (or the known one with this `id`): it has
    `sku` in this `quantity` with these `options`, costs this `total` or `total_at_most` in all, goes to this `address`
    (or one of the owner's by name), used this `code`, has the add-ons `with_addon` and none of `without_addon`, was
    paid with this `card`. `status`: as the business has it; without one, anything but cancelled. `exactly` so many
    such orders."""

    short: ClassVar[str] = "at"

    at: str = Field(min_length=1)
    id: str = ""
    sku: Texts = ()
    quantity: int | None = Field(None, ge=1)
    options: Mapping[str, str] = Field(default_factory=dict)
    total: Money | None = None
    total_at_most: Money | None = None
    address: str = ""
    code: str = ""
    with_addon: Texts = ()
    without_addon: Texts = ()
    card: str = ""
    note: Texts = ()
    status: str = STANDS
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        fit = [order for order in orders(past).values() if self._meant(order) and self._fits(past, order)]
        if not self.id:
            return counted(described("order", self), _rows(fit), self.exactly)
        rows = [row for order in fit for row in order.rows]
        return found(bool(fit), f"{described('order', self)}: {'it is so' if fit else 'it is not so'}", rows)

    def _meant(self, order: Order) -> bool:
        return order.at == self.at and (order.id == self.id if self.id else order.row is not None)

    def _fits(self, past: Past, order: Order) -> bool:
        total = _money(order.fields.get("total"))
        return (
            _has_status(order, self.status)
            and all(self._has(order, sku) for sku in self.sku)
            and same_amount(self.total, total)
            and at_most(self.total_at_most, total)
            and same_address(past, self.address, order.text("address"))
            and (not self.code or any(same_text(self.code, code) for code in names_in(order.fields.get("codes"))))
            and _has_addons(order, self.with_addon, self.without_addon)
            and self.card in ("", order.text("card"))
            and is_about(order.text("note"), self.note)
        )

    def _has(self, order: Order, sku: str) -> bool:
        lines = [line for line in _lines(order.fields.get("items")) if same_text(str(line.get("sku", "")), sku)]
        chosen = [line for line in lines if all(_option(line, name, value) for name, value in self.options.items())]
        amount = sum(int(str(line.get("quantity", 1))) for line in chosen)
        return bool(chosen) and (self.quantity is None or amount == self.quantity)


class NoOrder(Criterion):
    """The agent placed no order `at` this business (of this `sku`), also none that it cancelled afterwards; without
    `at`, none anywhere."""

    short: ClassVar[str] = "at"

    at: str = ""
    sku: Texts = ()

    def find(self, past: Past) -> Finding:
        rows = [
            row
            for row in past.acts("order_placed")
            if self.at in ("", row.server)
            and (not self.sku or any(str(line.get("sku")) in self.sku for line in _lines(row.fields.get("items"))))
        ]
        return none(described("no order", self), rows)


class Booked(Criterion):
    """At the end there is a booking `at` this business that was made in the episode, on the website or by a clerk (or
    the known one with this `id`): of this `service`, `start`ing at one of these times or on this `day`, in this `name`,
    with and without these add-ons, with a `note` about one of these phrases. `status`: as the business has it; without
    one, anything but cancelled. `exactly` so many such bookings."""

    short: ClassVar[str] = "at"

    at: str = Field(min_length=1)
    id: str = ""
    service: str = ""
    start: Times = ()
    day: Times = ()
    name: str = ""
    with_addon: Texts = ()
    without_addon: Texts = ()
    note: Texts = ()
    status: str = STANDS
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        fit = [
            booking
            for booking in bookings(past).values()
            if booking.at == self.at
            and (booking.id == self.id if self.id else booking.row is not None)
            and self._fits(booking)
        ]
        if not self.id:
            return counted(described("booking", self), _rows(fit), self.exactly)
        rows = [row for booking in fit for row in booking.rows]
        return found(bool(fit), f"{described('booking', self)}: {'it is so' if fit else 'it is not so'}", rows)

    def _fits(self, booking: Order) -> bool:
        return (
            _has_status(booking, self.status)
            and self.service in ("", booking.text("service"))
            and within(booking.text("start"), (*self.start, *self.day))
            and (not self.name or like(self.name, booking.text("name")))
            and _has_addons(booking, self.with_addon, self.without_addon)
            and is_about(f"{booking.text('notes')}\n{booking.text('note')}", self.note)
        )


class NoBooking(Criterion):
    """The agent made no booking `at` this business (of this `service`), also none that it cancelled afterwards; without
    `at`, none anywhere."""

    short: ClassVar[str] = "at"

    at: str = ""
    service: str = ""

    def find(self, past: Past) -> Finding:
        rows = [
            row
            for row in past.caused("booking_made")
            if self.at in ("", row.server) and self.service in ("", row.text("service"))
        ]
        return none(described("no booking", self), rows)


class FormIn(Criterion):
    """The agent handed in this `form` `at` this business: every one of `fields` fits its pattern (`*`: anything but
    nothing; several by ` | `), and none of `without` was filled in. `exactly` so many such forms."""

    at: str = Field(min_length=1)
    form: str = ""
    fields: Mapping[str, str] = Field(default_factory=dict)
    without: Texts = ()
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        rows = [row for row in past.acts("form_submitted") if self._fits(row)]
        return counted(described("form", self), rows, self.exactly)

    def _fits(self, row: Row) -> bool:
        filled = {name: str(value) for name, value in _mapping(row.fields.get("fields")).items() if value}
        return (
            row.server == self.at
            and self.form in ("", row.text("form"))
            and all(_fits_pattern(pattern, filled.get(name, "")) for name, pattern in self.fields.items())
            and not any(filled.get(name) for name in self.without)
        )


class NoForm(Criterion):
    """The agent handed in no such `form` `at` this business; without them, none anywhere."""

    short: ClassVar[str] = "at"

    at: str = ""
    form: str = ""

    def find(self, past: Past) -> Finding:
        rows = [
            row
            for row in past.acts("form_submitted")
            if self.at in ("", row.server) and self.form in ("", row.text("form"))
        ]
        return none(described("no form", self), rows)


def same_address(past: Past, wanted: str, got: str) -> bool:
    """Whether an order goes to this postal address, or to the owner's of this name. An address may have more to it, as
    a name before it, but no word of the wanted one may be missing."""
    address = past.world.household.addresses.get(wanted, wanted)
    return not wanted or like(wanted, got) or ("*" not in address and is_about(got, [address]))


def names_in(value: JsonValue) -> Iterator[str]:
    """What the entries of a list are called: texts, or mappings by `id`, `code` or `name`."""
    for item in value if isinstance(value, list) else [value] if value else []:
        if isinstance(item, dict):
            yield from (str(item[key]) for key in ("id", "code", "name") if item.get(key))
        else:
            yield str(item)


def _rows(fit: list[Order]) -> list[Row]:
    return [order.row for order in fit if order.row is not None]


def _has_status(order: Order, status: str) -> bool:
    return order.status != CANCELLED if status == STANDS else same_text(order.status, status)


def _has_addons(order: Order, wanted: tuple[str, ...], unwanted: tuple[str, ...]) -> bool:
    """Whether an order or booking has all of the first add-ons and none of the second."""
    there = tuple(names_in(order.fields.get("addons")))
    has_all = all(any(same_text(one, addon) for addon in there) for one in wanted)
    return has_all and not any(same_text(one, addon) for addon in there for one in unwanted)


def _money(value: JsonValue) -> Money | None:
    try:
        return Money.parse(value)
    except ValueError:
        return None


def _lines(value: JsonValue) -> list[Mapping[str, JsonValue]]:
    return [item if isinstance(item, dict) else {"sku": item} for item in (value if isinstance(value, list) else [])]


def _option(line: Mapping[str, JsonValue], name: str, value: str) -> bool:
    options = _mapping(line.get("options"))
    return any(same_text(str(options.get(name, "")), one) for one in value.split("|"))


def _mapping(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _fits_pattern(pattern: str, text: str) -> bool:
    return bool(text.strip()) and any(like(one.strip(), text) for one in pattern.split(" | "))
