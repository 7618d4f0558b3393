"""The owner's side of the town, and what a task lays over it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from worlds.town.written.happenings import Attachment, Later
from worlds.town.written.parts import Name, Texts, Written
from worlds.town.written.people import Person
from worlds.values import Money


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
    people: dict[str, Person] = Field({})
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
    businesses: dict[str, dict[str, Any] | None] = Field({})
    household: dict[str, Any] = Field({})
    without: Texts = ()
    later: tuple[Later, ...] = ()
