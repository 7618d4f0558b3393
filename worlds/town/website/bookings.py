"""The bookings of a customer: made, listed, moved, cancelled, and changed by the business."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pydantic import Field

from worlds.episode import CallKind
from worlds.town.place import Answered, Arguments, NoArguments, Occasion, Place, Refusal, Tool, clock
from worlds.town.website.desk import Desk, terms
from worlds.town.website.part import Part
from worlds.town.website.pricing import addons_shown
from worlds.town.written import CANCELLED, AddOn, BookingEffect, Business, KnownBooking, Service, SlotEffect
from worlds.values import Money

NOTHING = Money(Decimal(0), "USD")


@dataclass
class Booking:
    """A booking as it stands. `paid`: what was charged for it to `card`."""

    id: str
    service: str
    slot: str
    start: datetime
    name: str
    status: str
    price: Money
    paid: Money
    card: str = ""
    addons: tuple[AddOn, ...] = ()
    notes: str = ""
    note: str = ""

    @property
    def head(self) -> Answered:
        """What a list shows."""
        return {"booking": self.id, "service": self.service, "start": clock(self.start), "name": self.name,
                "status": self.status}  # fmt: skip

    @property
    def told(self) -> Answered:
        """As rows and answers have it."""
        return {**self.head, "slot": self.slot, "addons": addons_shown(self.addons), "price": str(self.price),
                "paid": str(self.paid), "card": self.card, "notes": self.notes}  # fmt: skip


class MakingBooking(Arguments):
    slot: str = Field(description="The slot's id.")
    name: str = Field(min_length=1, max_length=200, description="Whom the booking is for.")
    card: str = Field("", description="The card to pay with, by its id, where one is needed.")
    notes: str = Field("", max_length=2_000, description="What the business should know.")
    addons: list[str] = Field([], description="Add-ons to have beside the preselected ones, by their ids.")
    without: list[str] = Field([], description="Preselected add-ons to leave out, by their ids.")


class OneBooking(Arguments):
    booking: str = Field(description="The booking's number.")


class Cancelling(OneBooking):
    card: str = Field("", description="The card for a cancellation fee, by its id; empty for the one of the booking.")


class Moving(OneBooking):
    slot: str = Field(description="The id of the new slot.")


class Bookings(Part):
    """What the customer has booked here."""

    def __init__(self, place: Place, business: Business) -> None:
        super().__init__(place, business)
        self.desk = Desk(place, business, business.desk) if business.desk else None
        self.bookings = {known.id: self._known(known) for known in business.bookings}
        for booking in self.bookings.values():
            if self.desk and booking.status != CANCELLED:
                self.desk.take(booking.slot)

    def tools(self) -> tuple[Tool, ...]:
        commits = CallKind.COMMIT
        reads = (
            Tool("list_bookings", "Your bookings here, by date.", NoArguments, self.list_bookings),
            Tool("view_booking", "A booking with everything about it.", OneBooking, self.view_booking),
        )
        if self.desk is None:
            return reads
        return (
            *self.desk.tools(),
            *reads,
            Tool("book", "Book a slot.", MakingBooking, self.book, commits),
            Tool("cancel_booking", "Cancel a booking.", Cancelling, self.cancel_booking, commits),
            Tool("move_booking", "Move a booking to another slot of its service.", Moving, self.move_booking, commits),
        )

    # --- tools

    def list_bookings(self, asked: NoArguments) -> Answered:
        by_date = sorted(self.bookings.values(), key=lambda booking: booking.start)
        return {"bookings": [booking.head for booking in by_date]}

    def view_booking(self, asked: OneBooking) -> Answered:
        booking = self._booking(asked.booking)
        service = self._service(booking)
        shown: Answered = {**booking.told, **(terms(service) if service else {})}
        if booking.note:
            shown["note"] = booking.note
        return shown

    def book(self, asked: MakingBooking) -> Answered:
        desk = self._desk()
        if not desk.desk.online:
            line = self.business.phone
            raise Refusal(f"bookings are not taken online; please call {line.number if line else 'us'}")
        slot = desk.free_slot(asked.slot)
        if not asked.name.strip():
            raise Refusal("name: please say whom the booking is for")
        addons = desk.addons(asked.addons, asked.without)
        price, due = desk.due(slot, addons)
        needed = desk.desk.needs_card or due.amount > 0
        if needed or asked.card:
            self.check_card(asked.card)
        kept = not desk.desk.unlisted
        title = desk.services[slot.service].name
        if needed and kept:
            self.pay(asked.card, due, f"{title}, {clock(slot.start)}")
        booking = Booking(self.town.new_id("b", self.bookings), slot.service, slot.id, slot.start, asked.name.strip(),
                          "confirmed", price, due, asked.card, addons, asked.notes)  # fmt: skip
        if kept:
            self.bookings[booking.id] = booking
            desk.take(slot.id)
            self._record_made(booking, desk.desk.tells)
            said = (title, *(addon.name for addon in addons), asked.notes)
            self.town.noticed(Occasion("booking_at", self.place.server, " ".join(said)))
        else:
            self.place.record("booking_lost", told=desk.desk.tells, **booking.told)
        return {"message": desk.desk.tells, **booking.told}

    def cancel_booking(self, asked: Cancelling) -> Answered:
        booking = self._open(asked.booking)
        service = self._service(booking)
        fee = service.cancel_fee if service and service.cancel_fee else booking.paid * 0
        card = asked.card or booking.card
        if asked.card:
            self.check_card(asked.card)
        if fee.amount:
            if not card:
                raise Refusal(f"cancelling costs {fee} and there is no card on this booking; please give a card")
            self.pay(card, fee, f"cancellation fee, booking {booking.id}")
        back = self._cancel(booking, fee, refunded=service is None or service.refundable)
        return {"cancelled": booking.id, "fee": str(fee), "refund": str(back)}

    def move_booking(self, asked: Moving) -> Answered:
        desk = self._desk()
        booking = self._open(asked.booking)
        slot = desk.free_slot(asked.slot)
        if slot.service != booking.service:
            raise Refusal(f"slot {slot.id} is for {slot.service}; booking {booking.id} is for {booking.service}")
        price, due = desk.due(slot, booking.addons)
        in_full = desk.services[slot.service].deposit is None and desk.desk.needs_card
        more = price - booking.price if in_full else due * 0
        if more.amount > 0:
            if not booking.card:
                raise Refusal(f"slot {slot.id} costs {more} more and there is no card on this booking; please call us")
            self.pay(booking.card, more, f"booking {booking.id} moved to {clock(slot.start)}")
        back = more * 0
        if more.amount < 0 and desk.services[slot.service].refundable:
            most = min(more * -1, booking.paid)
            back = self.refund(booking.card, most, f"booking {booking.id} moved to {clock(slot.start)}")
        booking.paid = booking.paid + max(more, more * 0) - back
        before, booking.price = booking.start, price
        desk.give_back(booking.slot)
        booking.slot, booking.start = slot.id, slot.start
        desk.take(slot.id)
        charged = str(max(more, more * 0))
        self.place.record("booking_moved", before=clock(before), charged=charged, refund=str(back), **booking.told)
        return {"moved": booking.id, "start": clock(slot.start), "price": str(price), "charged": charged,
                "refund": str(back)}  # fmt: skip

    # --- what the business does

    def changed(self, change: BookingEffect) -> None:
        """It makes a booking, under a number if the effect names one, or changes one. Cancelled ones stay cancelled."""
        booking = self.bookings.get(change.booking)
        if booking is not None:
            self._change(booking, change)
        elif change.start is not None and change.status != CANCELLED:
            name = change.booking or self.town.new_id("b", self.bookings)
            service = change.service or (next(iter(self.desk.services), "") if self.desk else "")
            known = KnownBooking(id=name, service=service or "visit", start=change.start, status=change.status,
                                 name=change.name or self.town.world.household.owner)  # fmt: skip
            self.bookings[name] = self._known(known)
            if self.desk:
                self.desk.take(self.bookings[name].slot)
            self._record_made(self.bookings[name], "")

    def slot_changed(self, change: SlotEffect) -> None:
        """Someone else takes a slot or gives it back; one that the customer holds stays theirs."""
        slot = change.slot
        if self.desk is None or slot not in self.desk.times:
            raise LookupError(f"{self.business.server}: an effect changes the slot {slot!r}, which is not offered")
        held = any(booking.slot == slot and booking.status != CANCELLED for booking in self.bookings.values())
        self.desk.times[slot].free = change.free and not held
        self.place.record("slot_changed", slot=slot, free=change.free and not held)

    def _change(self, booking: Booking, change: BookingEffect) -> None:
        if booking.status == CANCELLED:
            return
        if change.status == CANCELLED:
            self._cancel(booking, booking.paid * 0, refunded=True)
            return
        before = booking.start
        booking.name = change.name or booking.name
        booking.status = change.status
        if change.service or change.start:
            booking.service = change.service or booking.service
            booking.start = change.start or booking.start
            if self.desk:
                self.desk.give_back(booking.slot)
                booking.slot = self.desk.slot_at(booking.service, booking.start)
                self.desk.take(booking.slot)
        self.place.record("booking_changed", before=clock(before), **booking.told)

    # --- inside

    def _cancel(self, booking: Booking, fee: Money, refunded: bool) -> Money:
        back = booking.paid * 0
        if refunded:
            back = self.refund(booking.card, booking.paid, f"booking {booking.id} cancelled")
        booking.status = CANCELLED
        if self.desk:
            self.desk.give_back(booking.slot)
        self.place.record("booking_cancelled", fee=str(fee), refund=str(back), **booking.told)
        return back

    def _record_made(self, booking: Booking, told: str) -> None:
        service = self._service(booking)
        deposit = str(service.deposit) if service and service.deposit is not None else ""
        title = service.name if service else booking.service
        self.place.record("booking_made", told=told, title=title, deposit=deposit, **booking.told)

    def _known(self, known: KnownBooking) -> Booking:
        slot = self.desk.slot_at(known.service, known.start) if self.desk else ""
        price = NOTHING
        if self.desk and slot:
            price = self.desk.price(self.desk.times[slot].slot)
        elif self.desk and known.service in self.desk.services:
            price = self.desk.services[known.service].price
        return Booking(known.id, known.service, slot, known.start, known.name, known.status, price,
                       known.paid or price * 0, known.card, note=known.note)  # fmt: skip

    def _desk(self) -> Desk:
        if self.desk is None:
            raise Refusal("nothing can be booked here")
        return self.desk

    def _service(self, booking: Booking) -> Service | None:
        return self.desk.services.get(booking.service) if self.desk else None

    def _booking(self, name: str) -> Booking:
        if name not in self.bookings:
            raise Refusal(f"there is no booking {name!r}")
        return self.bookings[name]

    def _open(self, name: str) -> Booking:
        booking = self._booking(name)
        if booking.status == CANCELLED:
            raise Refusal(f"booking {name} is cancelled")
        if booking.start <= self.town.now:
            raise Refusal(f"booking {name} was on {clock(booking.start)} and can no longer be changed")
        return booking
