"""The orders of a customer: placed, listed, cancelled, sent elsewhere, and changed by the business."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.place import Answered, Arguments, NoArguments, Occasion, Place, Refusal, Tool, clock
from worlds.town.website.goods import Goods
from worlds.town.website.part import Part, delivery_address
from worlds.town.website.pricing import Quote
from worlds.town.written import CANCELLED, STAGES, Business, KnownOrder, OrderEffect
from worlds.values import Money


@dataclass(frozen=True, slots=True)
class Submission:
    """An order that is about to be placed."""

    quote: Quote
    address: str
    card: str
    review: str = ""
    one_click: bool = False

    @property
    def told(self) -> Answered:
        """As rows have it."""
        return {**self.quote.shown, "address": self.address, "card": self.card, "review": self.review,
                "one_click": self.one_click}  # fmt: skip


@dataclass
class Order:
    """An order as it stands. `quote`: None for one from before, of which only the names are known."""

    id: str
    items: tuple[str, ...]
    total: Money
    placed: datetime
    status: str
    address: str
    card: str
    note: str = ""
    quote: Quote | None = None

    @property
    def head(self) -> Answered:
        """What a list shows."""
        return {"order": self.id, "placed": clock(self.placed), "items": list(self.items), "total": str(self.total),
                "status": self.status}  # fmt: skip

    @property
    def open(self) -> bool:
        return self.status not in (CANCELLED, STAGES[-1])

    def before(self, stage: str) -> bool:
        """Whether it has not come so far; a status that is no stage is of one that has not left."""
        at = STAGES.index(self.status) if self.status in STAGES else 0
        return self.status != CANCELLED and at < STAGES.index(stage)


class OneOrder(Arguments):
    order: str = Field(description="The order's number.")


class Readdressing(Arguments):
    order: str = Field(description="The order's number.")
    address: str = Field(max_length=300, description="Where it is to be sent instead.")


class Orders(Part):
    """What the customer has ordered here."""

    def __init__(self, place: Place, business: Business, goods: Goods) -> None:
        super().__init__(place, business)
        self.goods = goods
        self.orders = {known.id: _order(known) for known in business.orders}

    def tools(self) -> tuple[Tool, ...]:
        commits = CallKind.COMMIT
        reads = (
            Tool("list_orders", "Your orders here, newest first.", NoArguments, self.list_orders),
            Tool("view_order", "An order with everything about it.", OneOrder, self.view_order),
        )
        if self.business.shop is None:
            return reads
        return (
            *reads,
            Tool("cancel_order", "Cancel an order.", OneOrder, self.cancel_order, commits),
            Tool("change_order_address", "Have an order sent to another address.", Readdressing,
                 self.change_order_address, commits),
        )  # fmt: skip

    # --- tools

    def list_orders(self, asked: NoArguments) -> Answered:
        newest = sorted(self.orders.values(), key=lambda order: order.placed, reverse=True)
        return {"orders": [order.head for order in newest]}

    def view_order(self, asked: OneOrder) -> Answered:
        order = self._order(asked.order)
        shown: Answered = {**order.head, "address": order.address, "card": order.card}
        if order.quote:
            shown = {**shown, **order.quote.shown}
        if order.note:
            shown["note"] = order.note
        if self.business.shop:
            shown["can_be_cancelled"] = order.before(self.business.shop.cancel_until)
        return shown

    def cancel_order(self, asked: OneOrder) -> Answered:
        order = self._order(asked.order)
        if order.status == CANCELLED:
            raise Refusal(f"order {order.id} is cancelled already")
        if self.business.shop is None or not order.before(self.business.shop.cancel_until):
            raise Refusal(f"order {order.id} is {order.status} and can no longer be cancelled")
        back = self._cancel(order)
        return {"cancelled": order.id, "refund": str(back), "card": order.card}

    def change_order_address(self, asked: Readdressing) -> Answered:
        order = self._order(asked.order)
        if order.status != STAGES[0]:
            raise Refusal(f"order {order.id} is {order.status}; its address can no longer be changed")
        address = delivery_address(asked.address, "")
        if address == order.address:
            raise Refusal(f"order {order.id} goes to this address already")
        before, order.address = order.address, address
        self._record_change(order, before)
        return {"order": order.id, "address": address}

    # --- for the checkout and the world

    def placed(self, submitted: Submission, told: str, silent: bool) -> str:
        """Charge the card and keep the order; its number. Raises Refusal if the card does not pay."""
        cost = submitted.quote
        self.pay(submitted.card, cost.total, cost.title)
        name = self.town.new_id("o", self.orders)
        titles = tuple(item.title for item in cost.items)
        self.orders[name] = Order(name, titles, cost.total, self.town.now, STAGES[0], submitted.address,
                                  submitted.card, quote=cost)  # fmt: skip
        self.goods.take(cost.items)
        self.place.record("order_placed", order=name, told=told, silent=silent, **submitted.told)
        self.town.noticed(Occasion("order_at", self.place.server, " ".join(item.name for item in cost.items)))
        return name

    def changed(self, change: OrderEffect) -> None:
        """The business changes an order, without a number the newest that is open. A cancelled one stays cancelled."""
        if change.order:
            order = self.orders.get(change.order)
        else:
            there = [order for order in self.orders.values() if order.open]
            order = max(there, key=lambda one: one.placed, default=None)
        if order is None or order.status == CANCELLED:
            return
        before = order.address
        order.address = order.address if change.address is None else change.address
        order.note = order.note if change.note is None else change.note
        if change.status == CANCELLED:
            self._cancel(order)
            return
        order.status = order.status if change.status is None else change.status
        self._record_change(order, before)

    # --- inside

    def _cancel(self, order: Order) -> Money:
        back = self.refund(order.card, order.total, f"order {order.id} cancelled")
        order.status = CANCELLED
        items: list[JsonValue] = list(order.items)
        if order.quote:
            self.goods.put_back(order.quote.items)
        self.place.record("order_cancelled", order=order.id, items=items, total=str(order.total), refund=str(back),
                          card=order.card, note=order.note)  # fmt: skip
        return back

    def _record_change(self, order: Order, before: str) -> None:
        self.place.record("order_changed", order=order.id, status=order.status, address=order.address, before=before,
                          note=order.note)  # fmt: skip

    def _order(self, name: str) -> Order:
        if name not in self.orders:
            raise Refusal(f"there is no order {name!r}")
        return self.orders[name]


def _order(known: KnownOrder) -> Order:
    return Order(known.id, known.items, known.total, known.placed, known.status, known.address, known.card, known.note)
