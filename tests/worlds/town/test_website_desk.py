"""Desks: services, slots, bookings, and what they cost to make, move and cancel."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worlds.town.websites import Visit, desk

TEA = {"id": "tea", "name": "Tea", "price": "3.00 USD"}
MASK = {"id": "mask", "name": "Hair mask", "price": "12.00 USD", "preselected": True}
KNOWN = {"id": "b7", "service": "cut", "start": "2026-10-06 10:00", "name": "Evan Marsh"}


def starts(visit: Visit, service: str, **days: str) -> list[str]:
    return [slot["start"] for slot in visit("list_slots", service=service, **days)["slots"]]


def test_services_tell_prices_and_terms() -> None:
    told = Visit(desk(terms="Please come ten minutes early.", addons=[MASK]))("list_services")
    assert told["terms"] == "Please come ten minutes early."
    assert told["services"][1] == {"service": "dye", "name": "Colour", "price": "90.00 USD", "text": "",
                                   "deposit": "25.00 USD", "refundable": False,
                                   "cancellation_fee": "15.00 USD"}  # fmt: skip
    assert told["addons"][0]["preselected"] is True


def test_only_times_that_are_free_and_to_come_are_listed() -> None:
    visit = Visit(desk())
    assert starts(visit, "cut") == ["2026-10-06 10:00", "2026-10-07 10:00"]
    assert starts(visit, "cut", first_day="2026-10-07") == ["2026-10-07 10:00"]
    assert starts(visit, "cut", first_day="2026-10-05", last_day="2026-10-06") == ["2026-10-06 10:00"]
    assert visit("list_slots", service="cut")["slots"][1] == {
        "slot": "c2", "start": "2026-10-07 10:00", "price": "50.00 USD", "note": "with Ana"}  # fmt: skip
    assert "no service" in visit.refused("list_slots", service="shave")
    assert "is no time" in visit.refused("list_slots", service="cut", first_day="tomorrow")
    assert "is before" in visit.refused("list_slots", service="cut", first_day="2026-10-09", last_day="2026-10-08")


def test_a_booking_takes_its_slot_and_is_listed() -> None:
    visit = Visit(desk())
    made = visit("book", slot="c1", name="Evan Marsh", notes="short, please")
    assert made["message"] == "Your booking is confirmed."
    assert visit.row("booking_made")["notes"] == "short, please"
    assert starts(visit, "cut") == ["2026-10-07 10:00"]
    assert [booking["booking"] for booking in visit("list_bookings")["bookings"]] == [made["booking"]]
    assert visit("view_booking", booking=made["booking"])["status"] == "confirmed"
    assert visit.spent.amount == 0
    assert "is taken" in visit.refused("book", slot="c1", name="Noor")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"slot": "x"}, "no slot 'x'"),
        ({"slot": "c3"}, "is taken"),
        ({"slot": "c0"}, "has passed"),
        ({"slot": "c1", "name": "  "}, "whom the booking is for"),
        ({"slot": "c1", "card": "gold"}, "none of your cards"),
        ({"slot": "d1"}, "choose a card"),
        ({"slot": "c1", "addons": ["bow"]}, "no add-on 'bow'"),
        ({"slot": "c1", "addons": ["mask"], "without": ["mask"]}, "both in and out"),
    ],
)
def test_what_the_desk_does_not_offer_like_that_is_not_booked(wrong: dict[str, Any], why: str) -> None:
    assert why in Visit(desk(addons=[MASK])).refused("book", **{"name": "Evan Marsh", **wrong})


def test_preselected_addons_are_booked_along_unless_left_out() -> None:
    visit = Visit(desk(addons=[TEA, MASK], needs_card=True))
    assert visit("book", slot="c1", name="Evan", card="everyday")["price"] == "52.00 USD"
    second = visit("book", slot="c2", name="Evan", card="everyday", addons=["tea"], without=["mask"])
    assert second["price"] == "53.00 USD"
    assert str(visit.spent) == "105.00 USD"


def test_a_deposit_is_charged_at_booking_and_stays_with_a_business_that_does_not_refund() -> None:
    visit = Visit(desk())
    made = visit("book", slot="d1", name="Evan", card="everyday")
    assert (made["price"], made["paid"], str(visit.spent)) == ("90.00 USD", "25.00 USD", "25.00 USD")
    assert visit.row("booking_made")["deposit"] == "25.00 USD"
    assert visit("cancel_booking", booking=made["booking"]) == {
        "cancelled": made["booking"], "fee": "15.00 USD", "refund": "0.00 USD"}  # fmt: skip
    assert str(visit.spent) == "40.00 USD"
    assert starts(visit, "dye") == ["2026-10-07 14:00", "2026-10-08 14:00"]
    assert "is cancelled" in visit.refused("cancel_booking", booking=made["booking"])


def test_a_refundable_booking_gives_back_all_that_was_paid() -> None:
    visit = Visit(desk(needs_card=True))
    made = visit("book", slot="c2", name="Evan", card="everyday")
    assert str(visit.spent) == "50.00 USD"
    assert visit("cancel_booking", booking=made["booking"])["refund"] == "50.00 USD"
    assert visit.spent.amount == 0


def test_a_fee_for_cancelling_a_booking_without_a_card_needs_one() -> None:
    visit = Visit({**desk(), "bookings": [{**KNOWN, "service": "dye", "start": "2026-10-07 14:00"}]})
    assert "cancelling costs 15.00 USD" in visit.refused("cancel_booking", booking="b7")
    visit("cancel_booking", booking="b7", card="everyday")
    assert str(visit.spent) == "15.00 USD"


def test_bookings_from_before_hold_their_slots_and_refund_what_was_paid() -> None:
    visit = Visit({**desk(), "bookings": [{**KNOWN, "card": "travel", "paid": "40.00 USD"}]})
    assert visit.rows() == []
    assert starts(visit, "cut") == ["2026-10-07 10:00"]
    assert visit("cancel_booking", booking="b7")["refund"] == "40.00 USD"
    assert starts(visit, "cut") == ["2026-10-06 10:00", "2026-10-07 10:00"]


def test_moving_a_booking_costs_or_gives_back_the_difference() -> None:
    visit = Visit(desk(needs_card=True))
    made = visit("book", slot="c1", name="Evan", card="everyday")["booking"]
    assert visit("move_booking", booking=made, slot="c2")["charged"] == "10.00 USD"
    assert str(visit.spent) == "50.00 USD"
    assert starts(visit, "cut") == ["2026-10-06 10:00"]
    assert visit("move_booking", booking=made, slot="c1")["refund"] == "10.00 USD"
    assert str(visit.spent) == "40.00 USD"
    assert "is taken" in visit.refused("move_booking", booking=made, slot="c3")
    assert "is for dye" in visit.refused("move_booking", booking=made, slot="d1")
    assert "no booking" in visit.refused("move_booking", booking="b1", slot="c2")


def test_a_booking_that_has_passed_is_neither_moved_nor_cancelled() -> None:
    visit = Visit({**desk(), "bookings": [{**KNOWN, "start": "2026-10-01 10:00"}]})
    assert "can no longer be changed" in visit.refused("cancel_booking", booking="b7")
    assert "can no longer be changed" in visit.refused("move_booking", booking="b7", slot="c2")


def test_a_desk_that_loses_bookings_says_they_are_made_and_keeps_nothing() -> None:
    visit = Visit(desk(unlisted=True, needs_card=True))
    made = visit("book", slot="c1", name="Evan", card="everyday")
    assert made["message"] == "Your booking is confirmed."
    assert visit("list_bookings")["bookings"] == []
    assert "no booking" in visit.refused("view_booking", booking=made["booking"])
    assert starts(visit, "cut") == ["2026-10-06 10:00", "2026-10-07 10:00"]
    assert visit.spent.amount == 0
    assert [row.kind for row in visit.rows()] == ["booking_lost"]


def test_a_desk_that_is_not_online_says_to_call() -> None:
    phone = {"number": "+1 555 0190", "greeting": "Good day.", "person": "ana"}
    visit = Visit({**desk(online=False), "phone": phone, "people": {"ana": {"name": "Ana", "phone": "+1 555 0190"}}})
    assert "please call +1 555 0190" in visit.refused("book", slot="c1", name="Evan")


def test_the_business_makes_confirms_and_cancels_bookings_in_its_records() -> None:
    visit = Visit(desk())
    visit.happens(booking={"at": "shop", "service": "cut", "start": "2026-10-07 10:00", "status": "requested"})
    (made,) = visit("list_bookings")["bookings"]
    assert (made["name"], made["status"]) == ("Evan Marsh", "requested")
    assert starts(visit, "cut") == ["2026-10-06 10:00"]
    visit.happens(booking={"at": "shop", "booking": made["booking"]})
    assert visit("view_booking", booking=made["booking"])["status"] == "confirmed"
    visit.happens(booking={"at": "shop", "booking": made["booking"], "status": "cancelled"})
    assert starts(visit, "cut") == ["2026-10-06 10:00", "2026-10-07 10:00"]
    assert [(row.kind, row.by) for row in visit.rows()] == [
        ("booking_made", "world"), ("booking_changed", "world"), ("booking_cancelled", "world")]  # fmt: skip


def test_a_slot_is_taken_by_someone_else_and_becomes_free_but_not_the_one_that_is_ours() -> None:
    visit = Visit(desk())
    visit("book", slot="c1", name="Evan")
    for slot, free in (("c1", True), ("c2", False), ("c3", True)):
        visit.happens(slot={"at": "shop", "slot": slot, "free": free})
    assert starts(visit, "cut") == ["2026-10-08 10:00"]


def test_what_waits_for_a_booking_happens_once_it_is_made() -> None:
    later = [{"when": {"booking_at": "shop", "about": ["colour"]}, "slot": {"at": "shop", "slot": "c2", "free": False}}]
    visit = Visit(desk(), later)
    visit("book", slot="c1", name="Evan")
    assert starts(visit, "cut") == ["2026-10-07 10:00"]
    visit("book", slot="d1", name="Evan", card="everyday")
    assert starts(visit, "cut") == []
