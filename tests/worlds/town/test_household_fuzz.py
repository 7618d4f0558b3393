"""Thousands of random calls to the owner's servers, right and wrong ones: what has to hold after each of them."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.worlds.town.homes import EVAN, MUM, NOOR, SAM, WORK, Home, snapshot
from worlds.town.place import Tool
from worlds.town.town import MINUTE, Reply, Row
from worlds.values import Money

SERVERS = ("mailbox", "messages", "calendar", "phone", "wallet", "notes")
CALLS = 600
USD = Money.parse
JUNK = ("", " ", "nothing", "m999", "\u2603", "../..", "'; --", "9" * 40, "x" * 500)
TIMES = ("2026-10-05", "2026-10-08", "2026-10-08 19:30", "2026-10-15", "2026-10-20 10:00", "2026-10-20 11:30",
         "2027-01-31 08:00", "1999-01-01", "2026-10-20T10:00Z", "24:00")  # fmt: skip
TEXTS = ("Lunch?", "I agree", "It is a secret", "Seven oclock", "quiet please", "once", "Hello")
ADDRESSES = (NOOR, SAM, MUM, EVAN, WORK, "noor.work@x.example", "orders@shop.example", "who@where.example", "no address")
PEOPLE = ("Noor", "Sam Okafor", "Mum", "Sam", "+1 555 0177", "+1 555 0111", "+1 555 0999")
FIXED = {
    "account": ("personal", "work", "club"), "folder": ("inbox", "sent", "drafts", "outbox", "spam"),
    "card": ("everyday", "travel", "gold"), "method": ("", "transfer", "everyday", "travel", "cash"),
    "invoice": ("i1", "i2", "i3", "i4"), "amount": ("5 USD", "0.10 USD", "99.99 USD", "400 USD", "5 EUR", "-1 USD"),
    "calendar": ("personal", "shared", "club"), "zone": ("", "", "Europe/London", "Asia/Tokyo", "Mars/Base"),
    "repeats": ("", "weekly", "biweekly", "monthly", "daily"), "scope": ("", "this", "following", "all", "one"),
    "answer": ("accepted", "declined", "tentative", "yes"), "key": ("1", "2", "3", "#"),
    "number": ("+1 555 0142", "+1 555 0142", "5550111", "+1 555 0113", "+1 555 0999", "12", "Noor"),
    "attach": ("m1/offer.pdf", "m2/none.pdf"), "name": ("offer.pdf", "Plans", "sam"), "title": ("Tea", "Board", "Note"),
}  # fmt: skip
TIME_FIELDS = ("start", "end", "at", "due", "until", "first_day", "last_day", "occurrence")


class Fuzz:
    """An agent that calls whatever there is, from a seed."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.home = Home(outbox_until="2026-10-05 13:00" if seed % 2 else None)
        self.tools = [(server, tool) for server in SERVERS for tool in self.home.town.places[server].tools()]
        self.script: list[tuple[str, dict[str, Any]]] = []
        self.outcomes: Counter[bool] = Counter()

    def step(self) -> Reply:
        """One call; a refused one changes nothing."""
        town = self.home.town
        server, tool = self.pick.choice(self.tools)
        arguments = self.arguments(tool)
        town.pass_until(town.now + timedelta(minutes=self.pick.choice((0, 0, 0, 5, 45))))
        quiet = (due := town.next_due()) is None or due > town.now + MINUTE
        before, rows, now = snapshot(town), len(town.rows), town.now
        self.script.append((f"{server}.{tool.name}", arguments))
        reply: Reply = self.home.act(f"{server}.{tool.name}", arguments)
        assert town.now == now + MINUTE
        self.outcomes[reply.content is None] += 1
        if quiet and (reply.content is None or tool.kind == "read"):
            assert len(town.rows) == rows
            assert snapshot(town) == before, (tool.name, arguments, reply)
        if reply.content is not None:
            assert json.loads(json.dumps(reply.content)) == reply.content
        return reply

    def arguments(self, tool: Tool) -> dict[str, Any]:
        given = {}
        for name, field in tool.arguments.model_fields.items():
            if not field.is_required() and self.pick.random() < 0.5:
                continue
            given[name] = self.value(name, str(field.annotation))
        if self.pick.random() < 0.03:
            given[self.pick.choice(("text", "id", "extra"))] = self.pick.choice((None, 3, "x", []))
        return given

    def value(self, name: str, kind: str) -> Any:
        if self.pick.random() < 0.04:
            return self.pick.choice((*JUNK, None, 7, True, ["a"], {}))
        if "bool" in kind:
            return self.pick.random() < 0.5
        if "list" in kind:
            return [self.word(name) for _ in range(self.pick.choice((0, 1, 1, 2, 3)))]
        return self.word(name)

    def word(self, name: str) -> str:
        town, pick = self.home.town, self.pick
        there: dict[str, Callable[[], list[str]]] = {
            "message": lambda: [*town.mailbox.letters], "draft": lambda: [*town.mailbox.letters],
            "answers": lambda: [*town.mailbox.letters],
            "thread": lambda: [*town.messages.chats, *(one.thread for one in town.mailbox.letters.values())],
            "event": lambda: [*town.calendar.entries], "call": lambda: [*town.phone.calls][-1:],
            "note": lambda: [*town.notes.papers], "task": lambda: [*town.notes.lines],
            "reminder": lambda: [*town.notes.reminders], "charge": lambda: [one.id for one in town.wallet.movements],
        }  # fmt: skip
        if name in there:
            return pick.choice(there[name]() or ["x1"])
        if name in TIME_FIELDS:
            soon = town.now + timedelta(minutes=pick.randrange(10_000))
            return pick.choice((*TIMES, f"{soon:%Y-%m-%d %H:%M}"))
        if name == "to":
            return pick.choice((*ADDRESSES, *PEOPLE))
        if name in ("cc", "bcc", "leave_out", "guests"):
            return pick.choice(ADDRESSES)
        return pick.choice(FIXED.get(name, TEXTS))


def money_moves_only_by_rows(home: Home) -> None:
    household, wallet = home.town.world.household, home.town.wallet
    balance = household.balance
    spent = {card.id: card.spent for card in household.cards}
    for row in home.all():
        told = row.fields
        if row.kind == "payment" and told["method"] == "transfer":
            balance = balance - USD(told["total"])
        elif row.kind == "payment":
            spent[str(told["method"])] += USD(told["total"])
        elif row.kind in ("charge", "refund"):
            sign = 1 if row.kind == "charge" else -1
            spent[str(told["card"])] += USD(told["amount"]) * sign
    assert wallet.balance == balance
    assert balance.amount >= 0
    assert {name: purse.spent for name, purse in wallet.cards.items()} == spent
    assert all(purse.spent <= purse.card.limit for purse in wallet.cards.values())
    paid = [row.fields["invoice"] for row in home.all("payment") if row.fields["invoice"]]
    assert len(paid) == len(set(paid))


def mail_is_never_lost_or_sent_twice(home: Home) -> None:
    known = {mail.id for mail in home.town.world.household.mail}
    sent: set[Any] = set()
    for row in home.all():
        name = row.fields.get("id")
        if row.kind in ("mail_arrived", "draft_saved", "mail_queued"):
            known.add(str(name))
        elif row.kind == "mail_sent":
            assert name not in sent
            sent.add(name)
            known.add(str(name))
        elif row.kind == "mail_deleted":
            known.remove(str(name))
    letters = home.town.mailbox.letters
    assert set(letters) == known
    for name in sent & known:
        assert letters[name].folder == "sent"
    waiting = {letter.id for letter in letters.values() if letter.folder in ("drafts", "outbox")}
    assert not waiting & sent
    assert not any(letter.folder == "outbox" for letter in letters.values()) or home.town.mailbox.post.down


def guests_are_told_once(home: Home) -> None:
    acts: Counter[tuple[Any, ...]] = Counter()
    knows: Counter[tuple[Any, ...]] = Counter()
    for row in home.all():
        if row.kind in ("invitation_sent", "update_sent", "cancellation_sent", "answer_sent"):
            acts[(row.seq, row.kind, row.fields["to"])] += 1
        if row.kind == "invitation_sent":
            knows[(row.fields["event"], row.fields["to"])] += 1
        if row.kind == "cancellation_sent":
            knows[(row.fields["event"], row.fields["to"])] -= 1
    assert all(times == 1 for times in acts.values())
    assert all(times <= 1 for times in knows.values())


def time_never_goes_back(home: Home) -> None:
    rows: list[Row] = home.all()
    assert [row.n for row in rows] == list(range(1, len(rows) + 1))
    assert all(a.at <= b.at for a, b in zip(rows, rows[1:], strict=False))
    assert all(row.at <= home.town.now for row in rows)
    assert sum(call.is_open(home.town.now) for call in home.town.phone.calls.values()) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_called_money_mail_guests_and_time_stay_right(seed: int) -> None:
    fuzz = Fuzz(seed)
    for number in range(CALLS):
        fuzz.step()
        money_moves_only_by_rows(fuzz.home)
        time_never_goes_back(fuzz.home)
        if number % 5 == 0:
            mail_is_never_lost_or_sent_twice(fuzz.home)
            guests_are_told_once(fuzz.home)
    assert min(fuzz.outcomes[False], fuzz.outcomes[True]) > CALLS // 5
    kinds = {row.kind for row in fuzz.home.all()}
    assert {"mail_sent", "message_sent", "payment", "event_created", "call_placed", "note_written"} <= kinds


def test_the_same_calls_make_the_same_town() -> None:
    fuzz = Fuzz(7)
    for _ in range(CALLS // 2):
        fuzz.step()
    towns = [Home(), Home()]
    for home in towns:
        for tool, arguments in fuzz.script:
            home.act(tool, arguments)
    assert snapshot(towns[0].town) == snapshot(towns[1].town)
    assert towns[0].town.final_state() == towns[1].town.final_state()


def test_every_tool_says_what_it_takes_in_a_flat_schema() -> None:
    for server, tool in Fuzz(0).tools:
        schema = tool.arguments.model_json_schema()
        assert "$defs" not in schema, f"{server}.{tool.name}"
        assert tool.description.endswith(".")
