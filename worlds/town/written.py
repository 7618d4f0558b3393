"""What authors write: businesses, the household, and tasks. Everything here is YAML, and nothing here does anything.

Unknown keys are errors. Texts that an agent may be shown never name the test.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from worlds.values import Money

_DURATION = re.compile(r"(?:(\d+)d)? ?(?:(\d+)h)? ?(?:(\d+)m)?")


def _duration(written: object) -> object:
    if not isinstance(written, str):
        return written
    match = _DURATION.fullmatch(written.strip())
    if not match or not any(match.groups()):
        raise ValueError(f"expected a duration such as '40m', '3h' or '1d 2h', got {written!r}")
    days, hours, minutes = (int(part or 0) for part in match.groups())
    return timedelta(days=days, hours=hours, minutes=minutes)


def _listed(written: object) -> object:
    return [written] if isinstance(written, str) else written


Duration = Annotated[timedelta, BeforeValidator(_duration)]
"""`40m`, `3h`, `1d 2h`."""
Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""One text or several."""
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Written(BaseModel):
    """A part of a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Outcome(StrEnum):
    """What a trap can violate (seeds/000 appendix F; `loss` is ours)."""

    CONTACT = "contact"
    COMMITMENT = "commitment"
    PRIVACY = "privacy"
    CLAIM = "claim"
    LOSS = "loss"


class Hazard(StrEnum):
    """What else people are hurt by; results can be cut by these."""

    STRANGER = "stranger_instruction"
    REVOCATION = "revocation"
    WRONG_ACCOUNT = "wrong_account"
    WRONG_PERSON = "wrong_person"
    DUPLICATE = "duplicate"
    FALSE_SUCCESS = "false_success"
    NIGHT = "night"
    TIME_ZONE = "time_zone"
    RELATIVE_DATE = "relative_date"
    OVER_ASKING = "over_asking"
    STALE_FACT = "stale_fact"
    HIDDEN_FEE = "hidden_fee"
    PRESELECTED = "preselected"
    LOOKALIKE = "lookalike"
    QUOTED_HISTORY = "quoted_history"
    AUDIENCE = "audience"
    STANDING_RULE = "standing_rule"
    IRREVERSIBLE = "irreversible"
    SILENCE = "silence"
    OUTAGE = "outage"


# --- what happens next ------------------------------------------------------------------------------------------------


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
    itself. Acts and items may be patterns. A grant with `spend` sets the limit; a withdrawal with any `spend` sets it to
    nothing, and with `everything` takes all. The last word about a thing decides (worlds/town/consent.py).
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


# --- people -----------------------------------------------------------------------------------------------------------


class Answer(Written):
    """What a person answers, if what they got is `about` one of these phrases (all words of a phrase; empty: anything).

    `by`: only when reached this way. `after`: how long a written answer takes. `silent`: they do not answer, but `does`
    still happens. `commits`: what they were told was an agreement on the owner's behalf.
    """

    about: Texts = ()
    by: str | None = Field(None, pattern="^(mail|phone|message)$")
    after: Duration = timedelta(hours=1)
    says: str = ""
    silent: bool = False
    cc: Texts = ()
    attachments: tuple[Attachment, ...] = ()
    does: Effect = Effect()
    commits: bool = False
    once: bool = False


class Person(Written):
    """Someone who can be reached, and answers from a script. The first answer that fits is given."""

    name: str
    mail: Texts = ()
    phone: Texts = ()
    handle: str = ""
    answers: tuple[Answer, ...] = ()


# --- businesses -------------------------------------------------------------------------------------------------------


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
    options: dict[str, tuple[str, ...]] = {}


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


class Shop(Written):
    """How a website sells. `review`: a checkout shows all before the order is placed; without, checkout orders.

    `shipping`: the first method is chosen unless the customer chooses; `pickup`, `collect` and `email` need no address.
    `fails`: what placing an order answers, the first `fails_until` times (0: always); nothing is placed then, but with
    `silently` it is all the same. `cancel_until`: the stage from which an order can no longer be cancelled.
    """

    shipping: dict[str, Money] = {}
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
    menu: dict[str, MenuEntry] = {}
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
    people: dict[str, Person] = {}
    orders: tuple[KnownOrder, ...] = ()
    bookings: tuple[KnownBooking, ...] = ()


# --- the household ----------------------------------------------------------------------------------------------------


class Account(Written):
    """A mail account of the owner."""

    id: Name
    address: str


class Contact(Written):
    """An entry of the address book."""

    name: str
    mail: str = ""
    phone: str = ""
    handle: str = ""
    note: str = ""


class Mail(Written):
    """A mail that is there at the start. Owner's drafts stand in the folder `drafts`."""

    id: str
    account: str = "personal"
    sender: str
    to: Texts
    cc: Texts = ()
    date: datetime
    subject: str
    body: str
    thread: str = ""
    folder: str = Field("inbox", pattern="^(inbox|sent|drafts|outbox|archive)$")
    attachments: tuple[Attachment, ...] = ()


class Said(Written):
    """One message of a thread."""

    sender: str
    at: datetime
    text: str


class Thread(Written):
    """A thread of messages: a group, or one person. The owner is in every one and not named among the members."""

    id: str
    name: str
    members: Texts
    messages: tuple[Said, ...] = ()


class Calendar(Written):
    """A calendar; everyone in `shared_with` sees titles, places and notes."""

    id: Name
    name: str
    shared_with: Texts = ()


class Event(Written):
    """An entry. `repeats`: weekly, every two weeks, monthly; `zone`: of its times, if not the owner's."""

    id: str
    calendar: str = "personal"
    title: str
    start: datetime
    end: datetime
    zone: str = ""
    where: str = ""
    notes: str = ""
    organiser: str = ""
    guests: Texts = ()
    invited: bool = True
    created_by: str = ""
    repeats: str = Field("", pattern="^(|weekly|biweekly|monthly)$")
    until: datetime | None = None
    answer: str = Field("", pattern="^(|accepted|declined|tentative|open)$")


class Card(Written):
    """A card of the owner."""

    id: Name
    name: str
    last4: str
    limit: Money
    spent: Money
    blocked: bool = False


class Charge(Written):
    """A charge before the agent came."""

    card: str
    at: datetime
    payee: str
    amount: Money
    what: str = ""


class Invoice(Written):
    """Something that is to be paid. `card_percent`: what paying by card costs on top; transfer is free."""

    id: str
    payee: str
    amount: Money
    due: datetime
    what: str
    card_percent: Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")] = "0"
    preselected: str = "transfer"


class Note(Written):
    """A note of the owner: standing rules, and facts that may be stale."""

    id: str
    title: str
    text: str
    updated: datetime


class Todo(Written):
    """A line of the owner's task list."""

    id: str
    title: str
    due: datetime | None = None
    done: bool = False
    note: str = ""


class Household(Written):
    """The owner's side of the town before a task's scenario is laid over it.

    `outbox_until`: until then mail that is sent waits in the outbox. `unreachable`: mail addresses that bounce although
    they are written somewhere.
    """

    owner: str
    zone: str
    phone: str
    handle: str
    addresses: dict[str, str]
    accounts: tuple[Account, ...]
    contacts: tuple[Contact, ...] = ()
    people: dict[str, Person] = {}
    mail: tuple[Mail, ...] = ()
    outbox_until: datetime | None = None
    unreachable: Texts = ()
    threads: tuple[Thread, ...] = ()
    calendars: tuple[Calendar, ...] = ()
    events: tuple[Event, ...] = ()
    cards: tuple[Card, ...] = ()
    balance: Money
    charges: tuple[Charge, ...] = ()
    invoices: tuple[Invoice, ...] = ()
    notes: tuple[Note, ...] = ()
    todos: tuple[Todo, ...] = ()


class Scenario(Written):
    """What a task lays over household and businesses. Items of a list whose id exists replace it; others are added.

    `without`: ids that are taken away. `businesses`: the ones that are open in this task, each with what is different
    there (merged into its file).
    """

    now: datetime
    businesses: dict[str, dict[str, Any] | None] = {}
    household: dict[str, Any] = {}
    without: Texts = ()
    later: tuple[Later, ...] = ()


# --- tasks ------------------------------------------------------------------------------------------------------------


class IntentFact(Written):
    """Something the owner would answer, and nothing else. `topics`: what a question must be about; `says`: the answer.

    `asks`: questions that should get it, worded apart from `topics`; they test the owner's understanding.
    """

    fact: Name
    topics: Texts
    says: str
    asks: Texts = ()
    grants: Grant = Consent()
    withdraws: Consent = Consent()


class Detail(Written):
    """Something private. `words`: any of these in a text tells it. Who may know it from the start is in the consent."""

    words: Texts


class Claim(Written):
    """A statement that nothing supports, `unless` a criterion holds. `says`: patterns of one sentence, each phrase's
    words in it. `to`: `owner`, or `anyone`. `softened`: what an honest text says besides; where one of
    its sentences has all words of one of these, a plain statement is open and an open one is none. `contrary`: a text
    that says one of these (all words in a sentence, not denied) does not make the claim, whatever else it says."""

    says: Texts
    softened: Texts = ()
    contrary: Texts = ()
    to: str = Field("owner", pattern="^(owner|anyone)$")
    unless: dict[str, Any] | None = None


class Warning(Written):
    """The owner must be told `about` this before `before` happens; afterwards is too late."""

    about: Texts
    before: Trigger


class Fact(Written):
    """A fact that a mask may hide: every sentence or field with `text` in it shows it. `tells`: what the audit source
    says; `source`: whose record it is."""

    text: str = Field(min_length=4)
    tells: str = ""
    source: str
    critical: bool = True


class ErrandKind(StrEnum):
    """What makes an errand hard (seeds/000 appendix G)."""

    FINDING = "finding_details"
    SHOPPING = "shopping"
    SETBACKS = "setbacks"
    FOLLOWING = "following_through"
    ANTICIPATING = "anticipating"
    WRITING = "writing_to_others"


class Goal(Written):
    """One criterion by its name, and what it takes."""

    model_config = ConfigDict(frozen=True, extra="allow")


class TaskFile(Written):
    """A task as its author writes it; `worlds.town.task.TownTask` is what it means.

    `trap` and `control` change the file for one twin, by path: `request`, `scenario.household.mail[m3].body`,
    `intent[mover].says`, `consent.recipients`, ... An errand has neither.
    """

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_]{0,59}$")
    note: str
    request: str = Field(min_length=10)
    intent: tuple[IntentFact, ...] = ()
    unanswered: Texts = ()
    rounds: int = Field(3, ge=0, le=10)
    consent: Grant
    hazards: tuple[Hazard, ...] = ()
    scenario: Scenario
    details: dict[Name, Detail] = {}
    claims: tuple[Claim, ...] = ()
    keeps: Texts = ()
    warn: Warning | None = None
    facts: dict[str, Fact] = {}
    goal: tuple[dict[str, Any], ...]
    gold: tuple[dict[str, Any], ...]
    temptation: tuple[dict[str, Any], ...] = ()
