"""The desk of a business: what can be booked there, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field, JsonValue

from worlds.town.place import Answered, Arguments, NoArguments, Place, Refusal, Tool, clock, parse_time
from worlds.town.website.part import Part
from worlds.town.website.pricing import preselected
from worlds.town.written import AddOn, Business, Service, Slot
from worlds.town.written import Desk as DeskFile
from worlds.values import Money, money_sum


@dataclass
class Time:
    """A slot as it stands."""

    slot: Slot
    free: bool


class ListingSlots(Arguments):
    service: str = Field(description="The service's id.")
    first_day: str = Field("", description="From this day on, as 2026-10-05; empty for today.")
    last_day: str = Field("", description="Up to this day, as 2026-10-09; empty for all that is offered.")


class Desk(Part):
    """What is offered, for how much, and which times are free."""

    def __init__(self, place: Place, business: Business, desk: DeskFile) -> None:
        super().__init__(place, business)
        self.desk = desk
        self.services = {service.id: service for service in desk.services}
        self.times = {slot.id: Time(slot, slot.free) for slot in desk.slots}

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool("list_services", "What can be booked, with prices and terms.", NoArguments, self.list_services),
            Tool("list_slots", "The times at which a service is free.", ListingSlots, self.list_slots),
        )

    def list_services(self, asked: NoArguments) -> Answered:
        shown: Answered = {"services": [_service(service) for service in self.services.values()]}
        if self.desk.addons:
            shown["addons"] = [
                {"id": addon.id, "name": addon.name, "price": str(addon.price), "text": addon.text,
                 "preselected": addon.preselected}
                for addon in self.desk.addons
            ]  # fmt: skip
        if self.desk.terms:
            shown["terms"] = self.desk.terms
        return {**shown, "card_needed": self.desk.needs_card}

    def list_slots(self, asked: ListingSlots) -> Answered:
        service = self.service(asked.service)
        first = parse_time(asked.first_day, "first_day").date() if asked.first_day.strip() else self.town.now.date()
        last = parse_time(asked.last_day, "last_day").date() if asked.last_day.strip() else None
        if last is not None and last < first:
            raise Refusal(f"last_day: {asked.last_day} is before {first}")
        there = [
            time.slot
            for time in self.times.values()
            if time.free and time.slot.service == service.id and time.slot.start > self.town.now
            and first <= time.slot.start.date() and (last is None or time.slot.start.date() <= last)
        ]  # fmt: skip
        shown: list[JsonValue] = [self._slot(slot) for slot in sorted(there, key=lambda slot: (slot.start, slot.id))]
        return {"service": service.id, "slots": shown}

    # --- for bookings

    def service(self, name: str) -> Service:
        if name not in self.services:
            raise Refusal(f"there is no service {name!r}; there is {', '.join(self.services)}")
        return self.services[name]

    def free_slot(self, name: str) -> Slot:
        """Raises Refusal for a time that cannot be had."""
        time = self.times.get(name)
        if time is None:
            raise Refusal(f"there is no slot {name!r}")
        if not time.free:
            raise Refusal(f"slot {name} is taken")
        if time.slot.start <= self.town.now:
            raise Refusal(f"slot {name} has passed: it was on {clock(time.slot.start)}")
        return time.slot

    def slot_at(self, service: str, start: datetime) -> str:
        """The slot of a service at a time, free or not; an empty text if there is none."""
        found = (name for name, time in self.times.items() if (time.slot.service, time.slot.start) == (service, start))
        return next(found, "")

    def take(self, slot: str) -> None:
        if slot in self.times:
            self.times[slot].free = False

    def give_back(self, slot: str) -> None:
        if slot in self.times:
            self.times[slot].free = True

    def price(self, slot: Slot) -> Money:
        """Of the service at this time, without add-ons."""
        return slot.price if slot.price is not None else self.services[slot.service].price

    def addons(self, with_: list[str], without: list[str]) -> tuple[AddOn, ...]:
        """The add-ons of a booking: the preselected ones and those asked for. Raises Refusal."""
        there = {addon.id for addon in self.desk.addons}
        for name in (*with_, *without):
            if name not in there:
                offered = ", ".join(addon.id for addon in self.desk.addons) or "none"
                raise Refusal(f"there is no add-on {name!r}; there is {offered}")
        if both := sorted(set(with_) & set(without)):
            raise Refusal(f"add-on {both[0]} cannot be both in and out")
        chosen = (preselected(self.desk.addons) | set(with_)) - set(without)
        return tuple(addon for addon in self.desk.addons if addon.id in chosen)

    def due(self, slot: Slot, addons: tuple[AddOn, ...]) -> tuple[Money, Money]:
        """What a booking costs in all, and what is charged for it at once: the deposit if there is one, else all of it
        where a card is needed, else nothing."""
        price = self.price(slot)
        price = price + money_sum([addon.price for addon in addons], price.currency)
        deposit = self.services[slot.service].deposit
        if deposit is not None:
            return price, deposit
        return price, price if self.desk.needs_card else price * 0

    def _slot(self, slot: Slot) -> JsonValue:
        shown: Answered = {"slot": slot.id, "start": clock(slot.start), "price": str(self.price(slot))}
        if slot.end is not None:
            shown["end"] = clock(slot.end)
        if slot.note:
            shown["note"] = slot.note
        return shown


def _service(service: Service) -> JsonValue:
    shown: Answered = {"service": service.id, "name": service.name, "price": str(service.price), "text": service.text}
    if service.deposit is not None:
        shown["deposit"] = str(service.deposit)
    return {**shown, **terms(service)}


def terms(service: Service) -> Answered:
    """What cancelling costs."""
    shown: Answered = {"refundable": service.refundable}
    if service.cancel_fee is not None:
        shown["cancellation_fee"] = str(service.cancel_fee)
    return shown
