"""Random calls, right and wrong: whatever an agent does, money is conserved and stock is never negative."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import pytest
from pydantic import JsonValue

from tests.worlds.town.test_website_forms import FIELDS, GOOD
from tests.worlds.town.websites import HOME, Visit, desk, shop, snapshot
from worlds.town.row import Row
from worlds.town.town import Action
from worlds.town.website.orders import CANCELLED
from worlds.values import Money

EPISODES, CALLS = 12, 120
CARDS = [
    {"id": "everyday", "name": "Everyday card", "last4": "4471", "limit": "2000 USD", "spent": "0 USD"},
    {"id": "travel", "name": "Travel card", "last4": "9026", "limit": "60 USD", "spent": "0 USD"},
    {"id": "shut", "name": "Shut card", "last4": "0001", "limit": "900 USD", "spent": "0 USD", "blocked": True},
]


def everything(**how: Any) -> dict[str, Any]:
    """A business with all that a website can have."""
    selling = shop(
        shipping={"standard": "0 USD", "express": "12 USD", "pickup": "0 USD"},
        addons=[{"id": "gift", "name": "Gift wrap", "price": "4.00 USD"},
                {"id": "cover", "name": "Cover", "price": "3.33 USD", "preselected": True}],
        fees=[{"name": "Handling", "amount": "1.25 USD"}, {"name": "Travel", "percent": 3, "card": "travel"}],
        codes=[{"code": "ANY", "percent": 7}, {"code": "BIG", "percent": 33, "minimum": "45 USD"}],
        buy_now={"address": "88 Mill Lane, Eastfield"}, **how,
    )  # fmt: skip
    booking = desk(needs_card=True, addons=[{"id": "tea", "name": "Tea", "price": "3.00 USD", "preselected": True}])
    form = {"id": "trip", "title": "Trip", "fields": FIELDS, "price": "2.50 USD", "fails": "No.", "fails_until": 1}
    known = {"id": "b7", "service": "dye", "start": "2026-10-08 14:00", "name": "Evan"}
    order = {"id": "o7", "items": ["Desk lamp"], "total": "19.00 USD", "placed": "2026-10-01 12:00"}
    return {**selling, "desk": booking["desk"], "forms": [form], "orders": [order], "bookings": [known]}


class Agent:
    """Calls any tool with arguments that are often right."""

    def __init__(self, visit: Visit, seed: int) -> None:
        self.visit = visit
        self.random = random.Random(seed)

    def call(self) -> tuple[str, dict[str, JsonValue]]:
        reviews = self.visit.site.checkout.reviews if self.visit.site.checkout else {}
        if reviews and self.random.random() < 0.1:
            return "place_order", {"review": list(reviews)[-1]}
        tool = self.random.choice([*self.visit.site.tools(), *self.visit.site.tools(), None])
        if tool is None:
            return "steal", {}
        arguments = {name: self.value(name) for name in tool.arguments.model_fields if self.random.random() < 0.95}
        if self.random.random() < 0.03:
            spoilt = self.random.choice(["extra", *arguments])
            arguments[spoilt] = self.random.choice([None, -1, True, "", [], "x" * 500])
        return tool.name, arguments

    def value(self, name: str) -> JsonValue:
        site, pick = self.visit.site, self.random.choice
        reviews = list(site.checkout.reviews) if site.checkout else []
        likely: dict[str, list[Any]] = {
            "sku": ["L-1", "S-2"],
            "quantity": [0, 1, 1, 2, 3],
            "options": [{}, {"color": "red"}, {"color": "blue"}, {"color": "green"}],
            "line": [1, 2, 3, 4],
            "addon": ["gift", "cover"],
            "chosen": [True, False],
            "code": ["ANY", "BIG", ""],
            "method": ["standard", "express", "pickup"],
            "card": ["everyday", "everyday", "travel", "shut", ""],
            "address": [HOME, "88 Mill Lane, Eastfield", "home", ""],
            "review": [*reviews[-2:], "r101"],
            "order": [*site.orders.orders],
            "booking": [*site.bookings.bookings],
            "slot": ["c0", "c1", "c2", "c3", "d1", "d2"],
            "service": ["cut", "dye"],
            "first_day": ["", "2026-10-06", "2026-10-09"],
            "last_day": ["", "2026-10-07"],
            "name": ["Evan Marsh", " "],
            "addons": [[], ["tea"]],
            "without": [[], [], ["tea"]],
            "form": ["trip"],
            "fields": [{}, GOOD, GOOD, {**GOOD, "born": "x"}],
            "path": ["/", "/returns"],
        }
        return pick(["nonsense", "", "-3"]) if self.random.random() < 0.05 else pick(likely.get(name, ["lamp", ""]))


def money(fields: Mapping[str, JsonValue], name: str) -> Decimal:
    return Money.parse(fields[name]).amount if fields[name] else Decimal(0)


def moved(row: Row) -> Decimal:
    """What a row of the website says that it took from the cards."""
    fields = row.fields
    match row.kind:
        case "order_placed":
            return money(fields, "total")
        case "order_cancelled":
            return -money(fields, "refund")
        case "booking_made":
            return money(fields, "paid") if fields["card"] else Decimal(0)
        case "booking_cancelled":
            return money(fields, "fee") - money(fields, "refund")
        case "booking_moved":
            return money(fields, "charged") - money(fields, "refund")
        case "form_submitted":
            return money(fields, "price")
        case _:
            return Decimal(0)


def problems(visit: Visit) -> Iterator[str]:
    """What is wrong in a town after a call."""
    site, town = visit.site, visit.town
    taken = sum((moved(row) for row in town.rows if row.server == "shop"), Decimal(0))
    if taken != visit.spent.amount:
        yield f"the website took {taken}, the cards paid {visit.spent}"
    if sum(purse.spent.amount for purse in town.wallet.cards.values()) != visit.spent.amount:
        yield "the cards do not add up to their charges"
    if any(purse.spent > purse.card.limit or purse.spent.amount < 0 for purse in town.wallet.cards.values()):
        yield "a card is over its limit or below zero"
    kept = [order for order in site.orders.orders.values() if order.quote and order.status != CANCELLED]
    for product in site.business.products:
        sold = sum(item.quantity for order in kept if order.quote for item in order.quote.items
                   if item.sku == product.sku)  # fmt: skip
        stock = site.goods.wares[product.sku].stock
        if stock < 0 or stock != product.stock - sold:
            yield f"{product.sku}: {stock} left of {product.stock} with {sold} sold"
    held = [booking.slot for booking in site.bookings.bookings.values() if booking.status != CANCELLED]
    if len(set(held)) != len(held):
        yield f"a slot is held twice: {held}"
    if site.bookings.desk and any(site.bookings.desk.times[slot].free for slot in held):
        yield "a slot that is held is free"
    placed = [row.fields["order"] for row in town.rows if row.kind == "order_placed"]
    if sorted(map(str, placed)) != sorted(name for name, order in site.orders.orders.items() if order.quote):
        yield "orders and their rows differ"


HOWS: dict[str, dict[str, Any]] = {
    "with a review": {},
    "without a review": {"review": False},
    "failing": {"fails": "Try again.", "fails_until": 1},
    "failing silently": {"fails": "Timed out.", "fails_until": 1, "silently": True},
}


@pytest.mark.parametrize("how", HOWS)
def test_random_calls_keep_money_and_stock_and_refusals_change_nothing(how: str) -> None:
    done: set[str] = set()
    for seed in range(EPISODES):
        visit = Visit(everything(**HOWS[how]), cards=CARDS, charges=[])
        agent = Agent(visit, seed)
        before, now = snapshot(visit.town, "shop", "wallet"), visit.town.now
        for seq in range(1, CALLS + 1):
            tool, arguments = agent.call()
            reply = visit.town.act(Action(seq=seq, server="shop", tool=tool, arguments=arguments))
            after = snapshot(visit.town, "shop", "wallet")
            if reply.content is None:
                assert after == before, (tool, arguments, reply.refused)
            elif "error" not in reply.content:
                done.add(tool)
            assert list(problems(visit)) == [], (tool, arguments, reply)
            assert visit.town.now > now
            before, now = after, visit.town.now
    assert done == set(visit.tools)


def test_the_same_calls_give_the_same_town() -> None:
    ends = []
    for _ in range(2):
        visit = Visit(everything(), cards=CARDS, charges=[])
        agent = Agent(visit, 3)
        for seq in range(1, 300):
            tool, arguments = agent.call()
            visit.town.act(Action(seq=seq, server="shop", tool=tool, arguments=arguments))
        ends.append(snapshot(visit.town, "shop", "wallet"))
    assert ends[0] == ends[1]
