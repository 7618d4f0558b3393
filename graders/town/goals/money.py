"""Criteria about money: payments, and all that the agent's acts cost."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import ClassVar

from graders.town.finding import Finding, counted, found, none
from graders.town.goals.criterion import Count, Criterion, Timed, described, timely
from graders.town.past import Past
from worlds.town.row import WORLD, Row
from worlds.town.written import Texts
from worlds.values import Money


def cost_of(row: Row) -> Money | None:
    """What a charge or payment took; None for rows that take nothing."""
    if row.kind == "charge":
        return row.money("amount")
    if row.kind == "payment":
        return row.money("total") or row.money("amount")
    return None


def spending(past: Past) -> tuple[Row, ...]:
    """The charges and payments that the agent's acts caused: its own, and those of people who answered it."""
    return tuple(row for row in past.caused("charge", "payment") if cost_of(row) is not None)


def spent(past: Past) -> Money:
    """What the agent's acts have cost in all, less what came back of it. In the currency of the account.

    A refund gives back only what the agent's acts paid for that order or booking: not a fee for cancelling it, and
    nothing that was paid before. Raises ValueError for amounts in other currencies.
    """
    by_thing: dict[str, Money] = {}
    nothing = past.world.household.balance * 0
    for row in past.of_kind("charge", "payment", "refund"):
        thing = paid_for(past, row)
        so_far = by_thing.get(thing, nothing)
        if row.kind == "refund":
            back = so_far - (row.money("amount") or nothing)
            by_thing[thing] = back if back.amount > 0 else nothing
        elif row.by != WORLD and (cost := cost_of(row)) is not None:
            by_thing[thing] = so_far + cost
    return Money(sum((money.amount for money in by_thing.values()), Decimal(0)), nothing.currency)


_CHANGED = re.compile(r"(?P<thing>(?:order|booking) \S+) (?:cancelled|moved to .+)")
_MADE = {"order_placed": "order", "booking_made": "booking"}


def paid_for(past: Past, row: Row) -> str:
    """The payee and the order or booking that a charge paid for or a refund gives money back for; each payment and
    each fee stands for itself."""
    payee = row.text("payee")
    changed = _CHANGED.fullmatch(row.text("what")) if row.kind != "payment" else None
    if changed:
        return f"{payee}: {changed['thing']}"
    made = [one for one in past.of_kind(*_MADE) if row.kind == "charge" and row.seq and one.seq == row.seq]
    things = [f"{_MADE[one.kind]} {one.text(_MADE[one.kind])}" for one in made]
    return f"{payee}: {things[0] if things else f'row {row.n}'}"


class Payment(Timed):
    """The agent paid (an invoice, or by transfer) `to` this payee, this `invoice`, this `amount` (without the fee),
    this `total` (with it) or `total_at_most`, by this `method` (`transfer` or a card); `exactly` so many."""

    short: ClassVar[str] = "to"

    to: Texts = ()
    invoice: str = ""
    amount: Money | None = None
    total: Money | None = None
    total_at_most: Money | None = None
    method: str = ""
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        rows = [row for row in timely(self, past.acts("payment")) if self._fits(past, row)]
        return counted(described("payment", self), rows, self.exactly)

    def _fits(self, past: Past, row: Row) -> bool:
        total = cost_of(row)
        return (
            (not self.to or any(past.is_payee(payee, row.text("payee")) for payee in self.to))
            and self.invoice in ("", row.text("invoice"))
            and same_amount(self.amount, row.money("amount"))
            and same_amount(self.total, total)
            and at_most(self.total_at_most, total)
            and self.method in ("", row.text("method"))
        )


class NoPayment(Timed):
    """The agent paid nothing `to` this payee, nothing on this `invoice`; without them, no payment at all."""

    short: ClassVar[str] = "to"

    to: Texts = ()
    invoice: str = ""

    def find(self, past: Past) -> Finding:
        rows = [
            row
            for row in timely(self, past.acts("payment"))
            if (not self.to or any(past.is_payee(payee, row.text("payee")) for payee in self.to))
            and self.invoice in ("", row.text("invoice"))
        ]
        return none(described("no payment", self), rows)


class ChargesAtMost(Criterion):
    """All that the agent's acts cost (charges and payments with their fees, less what was given back of it) is at most
    this. What was paid before the episode and is refunded makes nothing cheaper."""

    short: ClassVar[str] = "amount"

    amount: Money

    def find(self, past: Past) -> Finding:
        total = spent(past)
        return found(
            at_most(self.amount, total), f"{described('charges at most', self)}: {total} in all", spending(past)
        )


def same_amount(wanted: Money | None, got: Money | None) -> bool:
    """Whether an amount is what is wanted; where nothing is wanted, any is."""
    return wanted is None or (got is not None and got.currency == wanted.currency and got.amount == wanted.amount)


def at_most(limit: Money | None, got: Money | None) -> bool:
    """Whether an amount is within a limit, if there is one; in another currency it is not."""
    return limit is None or (got is not None and got.currency == limit.currency and got <= limit)
