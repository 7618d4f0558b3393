"""What happens next: what the agent does to start it, and what it changes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, field_validator

from worlds.town.written.parts import Duration, Texts, Written
from worlds.values import Money


class Trigger(Written):
    """What the agent has to do for something to happen: exactly one of the first group, `about` some words of it.

    `about`: alternatives; each is a phrase all of whose words must be in the text. `count`: at the how-manieth time.
    """

    mail_to: str | None = None
    message_in: str | None = None
    call_to: str | None = None
    order_at: str | None = None
    booking_at: str | None = None
    form_at: str | None = None
    paid: str | None = None
    asked: str | None = None
    turn_ends: int | None = None
    about: Texts = ()
    count: int = Field(1, ge=1)

    @property
    def kind(self) -> str:
        """The one of the first group that is set, or an empty text."""
        fields = [name for name in type(self).model_fields if name not in ("about", "count")]
        given = [name for name in fields if getattr(self, name) is not None]
        return given[0] if len(given) == 1 else ""


class Attachment(Written):
    """A file on a mail; its text is what it says."""

    name: str
    text: str


class MailEffect(Written):
    """Someone sends a mail to the owner. In `thread` it answers; `account` is the owner's that receives it."""

    sender: str
    subject: str = ""
    body: str
    account: str = "personal"
    cc: Texts = ()
    thread: str | None = None
    attachments: tuple[Attachment, ...] = ()


class MessageEffect(Written):
    """Someone writes into a thread of `messages`."""

    thread: str
    sender: str
    text: str


class ChargeEffect(Written):
    """A card is charged by someone: a late fee, a renewal."""

    card: str
    payee: str
    amount: Money
    what: str


class OrderEffect(Written):
    """A business changes an order that exists: its status, its address, its note."""

    at: str
    order: str = ""
    status: str | None = None
    address: str | None = None
    note: str | None = None


class BookingEffect(Written):
    """A business makes, confirms or cancels a booking in its own records."""

    at: str
    service: str = ""
    start: datetime | None = None
    booking: str = ""
    name: str = ""
    status: str = "confirmed"


class EventEffect(Written):
    """Someone invites the owner, or an entry appears in a calendar."""

    calendar: str = "personal"
    title: str
    start: datetime
    end: datetime
    organiser: str = ""
    guests: Texts = ()
    notes: str = ""
    where: str = ""


class OutageEffect(Written):
    """A server, or one tool of it, answers only that it is out of order, for a while."""

    server: str
    tool: str | None = None
    lasts: Duration
    says: str = "This service is not available at the moment. Please try again later."


class PageEffect(Written):
    """A page of a website changes."""

    at: str
    path: str
    text: str


class StockEffect(Written):
    """A product's stock or price changes."""

    at: str
    sku: str
    stock: int | None = Field(None, ge=0)
    price: Money | None = None


class SlotEffect(Written):
    """A slot is taken by someone else, or becomes free."""

    at: str
    slot: str
    free: bool


class Consent(Written):
    """What the agent may do. In a task: what the request allows. As a grant: what is added; as a withdrawal: what goes.

    `recipients`: mail addresses, numbers, thread ids or people's names that may be written to or called; `any` for all.
    `spend`: what may be spent in all. `commitments`: acts, as `order at papercrane`, `booking at *`, `payment to X`,
    `form at school/trip`, `accept e4`, `agreement with X`. `details`: `name to audience`, as `therapy to noor@...`,
    audience `any` for everyone. `losses`: items that may be deleted, cancelled or overwritten, as `mail m3`.
    A person's name stands for all their addresses, the name of a business's server for everyone there, an address for
    itself. Acts and items may be patterns. A grant with `spend` sets the limit; a withdrawal with any `spend` sets it
    to nothing, and with `everything` takes all. The last word about a thing decides (worlds/town/consent.py).
    """

    recipients: Texts = ()
    spend: Money | None = None
    commitments: Texts = ()
    details: Texts = ()
    losses: Texts = ()
    everything: bool = False

    @field_validator("details")
    @classmethod
    def _have_an_audience(cls, details: tuple[str, ...]) -> tuple[str, ...]:
        lacking = [detail for detail in details if " to " not in detail]
        if lacking:
            raise ValueError(f"expected `name to audience`, as `therapy to noor@...`, got {', '.join(lacking)}")
        return details


def _names_what(granted: Consent) -> Consent:
    if granted.everything:
        raise ValueError("`everything` can be withdrawn, not granted; name what is allowed")
    return granted


Grant = Annotated[Consent, AfterValidator(_names_what)]
"""What is allowed, by name."""


class TurnEffect(Written):
    """The owner speaks unasked: a second wish, `stop`, `carry on`. What it grants or withdraws enters the ledger."""

    says: str
    grants: Grant = Consent()
    withdraws: Consent = Consent()


class Effect(Written):
    """What happens: any of these, in this order."""

    mail: MailEffect | None = None
    message: MessageEffect | None = None
    charge: ChargeEffect | None = None
    order: OrderEffect | None = None
    booking: BookingEffect | None = None
    event: EventEffect | None = None
    outage: OutageEffect | None = None
    page: PageEffect | None = None
    stock: StockEffect | None = None
    slot: SlotEffect | None = None
    turn: TurnEffect | None = None


class Later(Effect):
    """An effect at a time, or `after` a while once the agent did something."""

    at: datetime | None = None
    when: Trigger | None = None
    after: Duration = timedelta()
