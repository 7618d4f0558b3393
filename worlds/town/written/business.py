"""Businesses: all that the public and a customer can see and do."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field, model_validator

from worlds.town.written.happenings import Effect
from worlds.town.written.parts import Name, Texts, Written
from worlds.town.written.people import Person
from worlds.values import Money


class Page(Written):
    """A page of a website."""

    title: str
    text: str
    links: Texts = ()


class Product(Written):
    """Something that is sold. `options`: a choice that has to be made, by name."""

    sku: str
    name: str
    price: Money
    stock: int = Field(10, ge=0)
    text: str = ""
    options: dict[str, tuple[str, ...]] = Field({})


class Code(Written):
    """A discount code. `shown_on`: where the website tells it (`cart`, a product's sku), or empty for nowhere."""

    code: str
    percent: int = Field(ge=1, le=90)
    shown_on: str = ""
    minimum: Money | None = None
    expires: datetime | None = None


class AddOn(Written):
    """Something extra in a cart or booking; `preselected` ones are in unless taken out."""

    id: Name
    name: str
    price: Money
    preselected: bool = False
    text: str = ""


class Fee(Written):
    """A fee that the shop adds at the review (`late: true`) or shows in the cart already. `card`: only with this
    card. `percent` of the goods, or a fixed `amount`. `only_below`: while the goods cost less; both after a code."""

    name: str
    amount: Money | None = None
    percent: int | None = Field(None, ge=1, le=50)
    card: str | None = None
    late: bool = True
    only_below: Money | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Fee:
        if (self.amount is None) == (self.percent is None):
            raise ValueError("expected either `amount` or `percent`")
        return self


class BuyNow(Written):
    """One-click ordering: no review, and it ships to `address`."""

    address: str


STAGES = ("processing", "packed", "shipped", "delivered")
"""What an order goes through, in order. Any other status is one of an order that has not left."""
CANCELLED = "cancelled"
"""The status of orders and bookings that are off; it is the last one that they have."""


class Shop(Written):
    """How a website sells. `review`: a checkout shows all before the order is placed; without, checkout orders.

    `shipping`: the first method is chosen unless the customer chooses; `pickup`, `collect` and `email` need no address.
    `fails`: what placing an order answers, the first `fails_until` times (0: always); nothing is placed then, but with
    `silently` it is all the same. `cancel_until`: the stage from which an order can no longer be cancelled.
    """

    shipping: dict[str, Money] = Field({})
    addons: tuple[AddOn, ...] = ()
    fees: tuple[Fee, ...] = ()
    codes: tuple[Code, ...] = ()
    review: bool = True
    buy_now: BuyNow | None = None
    tells: str = "Thank you. Your order has been placed."
    fails: str = ""
    fails_until: int = Field(0, ge=0)
    silently: bool = False
    cancel_until: str = Field("shipped", pattern=f"^({'|'.join(STAGES)})$")


class Service(Written):
    """Something that can be booked. `deposit`: charged at booking, the rest is paid on the spot; without one the whole
    price is charged at booking if the desk needs a card, and else nothing. `cancel_fee`: what cancelling costs.
    `refundable`: whether cancelling gives back what was charged."""

    id: Name
    name: str
    price: Money
    deposit: Money | None = None
    cancel_fee: Money | None = None
    refundable: bool = True
    text: str = ""


class Slot(Written):
    """A time at which a service can be had."""

    id: str
    service: Name
    start: datetime
    end: datetime | None = None
    free: bool = True
    price: Money | None = None
    note: str = ""


class Desk(Written):
    """What can be booked on the website. `tells`: what a booking answers. `unlisted`: bookings say so but are not kept
    (a false success that `list_bookings` shows)."""

    services: tuple[Service, ...]
    slots: tuple[Slot, ...] = ()
    addons: tuple[AddOn, ...] = ()
    needs_card: bool = False
    tells: str = "Your booking is confirmed."
    unlisted: bool = False
    online: bool = True
    terms: str = ""


class FormField(Written):
    """A field of a form."""

    name: Name
    label: str
    required: bool = False
    pattern: str = ""
    options: Texts = ()
    prefilled: str = ""


class Form(Written):
    """A form on a website. `fails`: what it answers instead of taking anything, the first `fails_until` times (0 with a
    `fails`: always). `commits`: handing it in binds the owner."""

    id: Name
    title: str
    fields: tuple[FormField, ...]
    text: str = ""
    tells: str = "Thank you. We have received your form."
    fails: str = ""
    fails_until: int = Field(0, ge=0)
    commits: bool = False
    price: Money | None = None
    does: Effect = Effect()


class MenuEntry(Written):
    """What a key of a phone menu does: it says something, or puts through to a person."""

    label: str
    says: str = ""
    person: str = ""


class Line(Written):
    """A phone line. Without a menu the call goes to `person`. Outside `hours` (`09:00-17:00`) it is voicemail."""

    number: str
    greeting: str
    menu: dict[str, MenuEntry] = Field({})
    person: str = ""
    hours: str = ""
    closed: str = "You have reached us outside our hours. Please leave a message after the tone."


class KnownOrder(Written):
    """An order that exists before the agent comes."""

    id: str
    items: tuple[str, ...]
    total: Money
    placed: datetime
    status: str = "processing"
    address: str = ""
    card: str = ""
    note: str = ""


class KnownBooking(Written):
    """A booking that exists before the agent comes. `paid`: what was charged for it to `card`."""

    id: str
    service: Name
    start: datetime
    name: str
    status: str = "confirmed"
    note: str = ""
    card: str = ""
    paid: Money | None = None


class Business(Written):
    """Everything that the public, and the owner as a customer, can see and do; one MCP server."""

    name: str
    server: Name
    about: str
    pages: dict[str, Page]
    products: tuple[Product, ...] = ()
    shop: Shop | None = None
    desk: Desk | None = None
    forms: tuple[Form, ...] = ()
    phone: Line | None = None
    people: dict[str, Person] = Field({})
    orders: tuple[KnownOrder, ...] = ()
    bookings: tuple[KnownBooking, ...] = ()
