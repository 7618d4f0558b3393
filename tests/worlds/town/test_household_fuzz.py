"""Thousands of random calls to the owner's servers, right and wrong ones: what has to hold after each of them."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

from tests.worlds.town.homes import EVAN, MUM, NOOR, SAM, WORK, Home, snapshot
from worlds.town.place import Tool
from worlds.town.row import Row
from worlds.town.town import MINUTE, Reply
from worlds.values import Money

SERVERS = ("mailbox", "messages", "calendar", "phone", "wallet", "notes")
SEEDS, CALLS = 6, 500
USD = Money.parse
JUNK = ("", " ", "nothing", "m999", "\u2603", "../..", "'; --", "9" * 40, "x" * 500)
TIMES = ("2026-10-05", "2026-10-08 19:30", "2026-10-20 10:00", "2027-01-31 08:00", "2026-10-20T10:00Z", "24:00")
TEXTS = ("Lunch?", "I agree", "It is a secret", "Seven oclock", "quiet please", "once", "Hello", " ")
ADDRESSES = (
    NOOR,
    SAM,
    MUM,
    EVAN,
    WORK,
    "noor.work@x.example",
    "orders@shop.example",
    "who@where.example",
    "no address",
)
PEOPLE = ("Noor", "Sam Okafor", "Mum", "Mum", "Sam", "+1 555 0177", "+1 555 0111", "+1 555 0999")
FIXED = {
    "account": ("personal", "work", "club"), "folder": ("inbox", "sent", "drafts", "outbox", "spam"),
    "card": ("everyday", "travel", "gold"), "method": ("", "transfer", "everyday", "travel", "cash"),
    "invoice": ("i1", "i2", "i3", "i4"), "amount": ("5 USD", "0.10 USD", "99.99 USD", "400 USD", "5 EUR", "-1 USD"),
    "calendar": ("personal", "shared", "shared", "club"), "zone": ("", "", "Europe/London", "Asia/Tokyo", "Mars/Base"),
    "repeats": ("", "weekly", "biweekly", "monthly", "daily"), "scope": ("", "this", "following", "all", "one"),
    "answer": ("accepted", "declined", "tentative", "yes"), "key": ("1", "2", "2", "#"),
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
        self.weights = [_weight(tool) for _, tool in self.tools]
        self.script: list[tuple[str, dict[str, Any]]] = []

    def step(self) -> Reply:
        """One call; a refused one changes nothing."""
        town = self.home.town
        server, tool = self.choose()
        arguments = self.arguments(server, tool)
        town.pass_until(town.now + timedelta(minutes=self.pick.choice((0, 0, 0, 0, 5, 20))))
        quiet = (due := town.next_due()) is None or due > town.now + MINUTE
        looks = quiet and self.pick.random() < 0.6
        before, rows, now = snapshot(town) if looks else None, len(town.rows), town.now
        self.script.append((f"{server}.{tool.name}", arguments))
        reply: Reply = self.home.act(f"{server}.{tool.name}", arguments)
        assert town.now == now + MINUTE
        if quiet and (reply.content is None or tool.kind == "read"):
            assert len(town.rows) == rows
            assert not looks or snapshot(town) == before, (tool.name, arguments, reply)
        if reply.content is not None:
            assert json.loads(json.dumps(reply.content)) == reply.content
        return reply

    def choose(self) -> tuple[str, Tool]:
        """Any tool; during a call most often one that belongs to it."""
        now = self.home.town.now
        if any(call.is_open(now) for call in self.home.town.phone.calls.values()) and self.pick.random() < 0.6:
            talk = [(server, tool) for server, tool in self.tools if tool.name in ("press", "say", "say", "hang_up")]
            return self.pick.choice([*talk, *talk[:2]])
        return self.pick.choices(self.tools, self.weights)[0]

    def arguments(self, server: str, tool: Tool) -> dict[str, Any]:
        given = {}
        for name, field in tool.arguments.model_fields.items():
            if not field.is_required() and self.pick.random() < (0.8 if name in ("end", "until", "attach") else 0.5):
                continue
            given[name] = self.value(f"{server}.{name}", str(field.annotation))
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
        server, name = name.split(".")
        threads = dict.fromkeys(letter.thread for letter in town.mailbox.letters.values())
        there: dict[str, Callable[[], list[str]]] = {
            "message": lambda: [*town.mailbox.letters, "m1", "m1"], "answers": lambda: [*town.mailbox.letters],
            "thread": lambda: [*town.messages.chats] if server == "messages" else [*threads],
            "event": lambda: [*town.calendar.entries], "call": lambda: [*town.phone.calls][-1:],
            "note": lambda: [*town.notes.papers], "task": lambda: [*town.notes.lines],
            "reminder": lambda: [*town.notes.reminders], "charge": lambda: [one.id for one in town.wallet.movements],
        }  # fmt: skip
        if name == "draft" or (name == "message" and pick.random() < 0.3):
            drafts = [one.id for one in town.mailbox.letters.values() if one.folder == "drafts"]
            return pick.choice(drafts or ["m4"])
        if name in there:
            return pick.choice(there[name]() or ["x1"])
        if name in TIME_FIELDS:
            if name == "occurrence":
                return pick.choice(("2026-10-08", "2026-10-15", "2026-10-22", "2026-10-31", "2026-10-09"))
            soon = town.now + timedelta(minutes=pick.randrange(10_000))
            return pick.choice((*TIMES, f"{soon:%Y-%m-%d %H:%M}"))
        if name == "to":
            return pick.choice({"messages": PEOPLE, "mailbox": ADDRESSES}.get(server, TEXTS))
        if name in ("cc", "bcc", "leave_out", "guests"):
            return pick.choice(ADDRESSES)
        return pick.choice(FIXED.get(name, TEXTS))


def _weight(tool: Tool) -> float:
    """Reads seldom, deleting and hanging up not too often, what comes of them often."""
    if tool.kind == "read" and tool.name != "read_attachment":
        return 0.4
    return {"delete": 0.6, "hang_up": 0.4, "update_event": 4, "send_draft": 3, "call": 2}.get(tool.name, 1.5)


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
    assert all(a.at <= b.at for a, b in pairwise(rows))
    assert all(row.at <= home.town.now for row in rows)
    assert sum(call.is_open(home.town.now) for call in home.town.phone.calls.values()) <= 1


def test_whatever_is_called_money_mail_guests_and_time_stay_right() -> None:
    answered: set[str] = set()
    for seed in range(SEEDS):
        fuzz = Fuzz(seed)
        for _ in range(CALLS):
            if fuzz.step().content is not None:
                answered.add(fuzz.script[-1][0])
            for holds in (money_moves_only_by_rows, mail_is_never_lost_or_sent_twice, guests_are_told_once,
                          time_never_goes_back):  # fmt: skip
                holds(fuzz.home)
    assert answered == {f"{server}.{tool.name}" for server, tool in fuzz.tools}


def test_the_same_calls_make_the_same_town() -> None:
    fuzz = Fuzz(7)
    for _ in range(CALLS // 2):
        fuzz.step()
    homes = [Home(outbox_until="2026-10-05 13:00") for _ in range(2)]
    for home in homes:
        for tool, arguments in fuzz.script:
            home.act(tool, arguments)
    assert snapshot(homes[0].town) == snapshot(homes[1].town)
    assert homes[0].town.final_state() == homes[1].town.final_state()


def test_every_tool_says_what_it_takes_in_a_flat_schema() -> None:
    for server, tool in Fuzz(0).tools:
        schema = tool.arguments.model_json_schema()
        assert "$defs" not in schema, f"{server}.{tool.name}"
        assert tool.description.endswith(".")
