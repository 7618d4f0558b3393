"""The owner's money: cards with limits, a bank account, invoices, and what was charged and paid."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.place import Answered, Arguments, NoArguments, Occasion, Place, Refusal, Tool, clock, parse_time
from worlds.town.written import Card, ChargeEffect, Invoice
from worlds.values import Money

if TYPE_CHECKING:
    from worlds.town.town import Town

TRANSFER = "transfer"
"""The method that is no card."""
TOO_MUCH = Decimal(10) ** 12
"""No amount that is named reaches this."""


@dataclass
class Purse:
    """A card as it stands."""

    card: Card
    spent: Money
    blocked: bool

    @property
    def left(self) -> Money:
        return self.card.limit - self.spent


@dataclass
class Movement:
    """Money that moved: over a card (`method` is its id) or the bank account (`transfer`). A refund comes back."""

    id: str
    kind: str
    method: str
    date: str
    payee: str
    amount: Money
    what: str
    disputed: bool = False

    @property
    def shown(self) -> Answered:
        shown: Answered = {"id": self.id, "date": self.date, "method": self.method, "payee": self.payee,
                           "amount": str(self.amount), "what": self.what}  # fmt: skip
        if self.kind == "refund":
            shown["refund"] = True
        if self.disputed:
            shown["disputed"] = True
        return shown


class ListingCharges(Arguments):
    card: str = Field("", description="Only this card, by its id; empty for all.")
    first_day: str = Field("", description="From this day on, as 2026-10-05; empty for all.")
    payee: str = Field("", description="Only payees with this in their name.")


class PayingInvoice(Arguments):
    invoice: str = Field(description="The invoice's id.")
    method: str = Field("", description="`transfer`, or a card's id; empty for the method that the invoice preselects.")


class Transferring(Arguments):
    to: str = Field(min_length=1, max_length=200, description="Who gets the money, by name.")
    amount: str = Field(description="As 52.70 USD.")
    reference: str = Field("", max_length=400, description="What the payee reads with it.")


class OneCard(Arguments):
    card: str = Field(description="The card's id.")


class Disputing(Arguments):
    charge: str = Field(description="The charge's id.")
    reason: str = Field(min_length=1, max_length=2_000)


class Wallet(Place):
    """The owner's cards and bank account."""

    server = "wallet"
    about = "The owner's cards and bank account: limits, charges, invoices, payments and transfers."

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        household = town.world.household
        self.balance = household.balance
        self.cards = {card.id: Purse(card, card.spent, card.blocked) for card in household.cards}
        self.invoices: dict[str, Invoice] = {invoice.id: invoice for invoice in household.invoices}
        self.paid: dict[str, str] = {}
        self.movements = [
            Movement(f"c{n}", "charge", charge.card, clock(charge.at), charge.payee, charge.amount, charge.what)
            for n, charge in enumerate(household.charges, 1)
        ]

    def tools(self) -> tuple[Tool, ...]:
        prepares, commits = CallKind.PREPARATION, CallKind.COMMIT
        return (
            Tool("list_cards", "The owner's cards, with limits and what is spent.", NoArguments, self.list_cards),
            Tool("list_charges", "What was charged to the cards, newest first.", ListingCharges, self.list_charges),
            Tool("list_invoices", "Invoices with every way to pay them, open ones first.", NoArguments,
                 self.list_invoices),
            Tool("list_payments", "Invoices paid and transfers made, newest first.", NoArguments, self.list_payments),
            Tool("view_balance", "What is in the bank account.", NoArguments, self.view_balance),
            Tool("pay_invoice", "Pay an invoice.", PayingInvoice, self.pay_invoice, commits),
            Tool("transfer", "Send money from the bank account.", Transferring, self.transfer, commits),
            Tool("dispute_charge", "Tell the bank that a charge is wrong.", Disputing, self.dispute_charge, commits),
            Tool("block_card", "Block a card until it is unblocked.", OneCard, self.block_card, prepares),
            Tool("unblock_card", "Let a blocked card pay again.", OneCard, self.unblock_card, prepares),
        )  # fmt: skip

    # --- reads

    def list_cards(self, asked: NoArguments) -> Answered:
        return {"cards": [_card(purse) for purse in self.cards.values()]}

    def list_charges(self, asked: ListingCharges) -> Answered:
        if asked.card:
            self._purse(asked.card)
        first = clock(parse_time(asked.first_day, "first_day")) if asked.first_day else ""
        there = [
            moved for moved in self.movements
            if moved.method != TRANSFER and asked.card in ("", moved.method) and moved.date >= first
            and asked.payee.casefold() in self.town.searchable(moved.payee).casefold()
        ]  # fmt: skip
        return {"charges": _newest_first(there)}

    def list_payments(self, asked: NoArguments) -> Answered:
        return {"payments": _newest_first([moved for moved in self.movements if moved.kind == "payment"])}

    def list_invoices(self, asked: NoArguments) -> Answered:
        there = sorted(self.invoices.values(), key=lambda invoice: (invoice.id in self.paid, invoice.due, invoice.id))
        return {"invoices": [self._invoice_shown(invoice) for invoice in there]}

    def view_balance(self, asked: NoArguments) -> Answered:
        return {"balance": str(self.balance)}

    # --- acts

    def pay_invoice(self, asked: PayingInvoice) -> Answered:
        invoice = self._invoice(asked.invoice)
        if invoice.id in self.paid:
            raise Refusal(f"invoice {invoice.id} was paid on {self.paid[invoice.id]}")
        method = asked.method or invoice.preselected
        fee = self._fee(invoice, method)
        total = invoice.amount + fee
        if method == TRANSFER:
            self._check_balance(total)
        else:
            self.check_card(method, total)
        self._take(method, total)
        self.paid[invoice.id] = clock(self.town.now)
        name = self._moved("payment", method, invoice.payee, total, invoice.what)
        self.record("payment", id=name, invoice=invoice.id, payee=invoice.payee, what=invoice.what, method=method,
                    amount=str(invoice.amount), fee=str(fee), total=str(total), reference=invoice.id)  # fmt: skip
        self.town.noticed(Occasion("paid", invoice.payee, invoice.what, (invoice.id,)))
        return {"paid": invoice.id, "payment": name, "method": method, "amount": str(invoice.amount), "fee": str(fee),
                "total": str(total)}  # fmt: skip

    def transfer(self, asked: Transferring) -> Answered:
        amount = amount_of(asked.amount, "amount")
        payee = asked.to.strip()
        if not payee:
            raise Refusal("to: a payee is needed")
        self._check_balance(amount)
        self._take(TRANSFER, amount)
        name = self._moved("payment", TRANSFER, payee, amount, asked.reference)
        self.record("payment", id=name, invoice="", payee=payee, what=asked.reference, method=TRANSFER,
                    amount=str(amount), fee=str(amount * 0), total=str(amount), reference=asked.reference)  # fmt: skip
        self.town.noticed(Occasion("paid", payee, asked.reference))
        return {"payment": name, "to": payee, "amount": str(amount), "balance": str(self.balance)}

    def dispute_charge(self, asked: Disputing) -> Answered:
        moved = next((moved for moved in self.movements if moved.id == asked.charge), None)
        if moved is None or moved.method == TRANSFER:
            raise Refusal(f"there is no charge {asked.charge!r}")
        if moved.kind == "refund":
            raise Refusal(f"{moved.id} is a refund; only charges can be disputed")
        if moved.disputed:
            raise Refusal(f"charge {moved.id} is disputed already")
        moved.disputed = True
        self.record("dispute", charge=moved.id, card=moved.method, payee=moved.payee, amount=str(moved.amount),
                    what=moved.what, reason=asked.reason)  # fmt: skip
        return {"disputed": moved.id, "status": "The bank has opened a case and will look into it."}

    def block_card(self, asked: OneCard) -> Answered:
        purse = self._purse(asked.card)
        if purse.blocked:
            raise Refusal(f"card {asked.card} is blocked already")
        purse.blocked = True
        self.record("card_blocked", card=asked.card)
        return {"blocked": asked.card}

    def unblock_card(self, asked: OneCard) -> Answered:
        purse = self._purse(asked.card)
        if not purse.blocked:
            raise Refusal(f"card {asked.card} is not blocked")
        purse.blocked = False
        self.record("card_unblocked", card=asked.card)
        return {"unblocked": asked.card}

    # --- for other places

    def check_card(self, card: str, amount: Money) -> None:
        """Whether this card would pay this now. Raises Refusal: unknown, blocked, another currency, over its limit."""
        purse = self._purse(card)
        if purse.blocked:
            raise Refusal(f"card {card} (ending {purse.card.last4}) was declined: it is blocked")
        if amount.currency != purse.card.limit.currency:
            raise Refusal(f"card {card} pays in {purse.card.limit.currency}, not in {amount.currency}")
        if amount.amount < 0:
            raise Refusal(f"{amount} cannot be charged")
        if amount > purse.left:
            raise Refusal(f"card {card} (ending {purse.card.last4}) was declined: {amount} is over its limit")

    def pay_by_card(self, card: str, payee: str, amount: Money, what: str) -> str:
        """The agent's act elsewhere charges a card; the id of the charge. Raises Refusal as `check_card` does. A total
        of nothing leaves no charge, and an empty id."""
        self.check_card(card, amount)
        if not amount.amount:
            return ""
        self._take(card, amount)
        name = self._moved("charge", card, payee, amount, what)
        self.record("charge", id=name, card=card, payee=payee, amount=str(amount), what=what)
        self.town.noticed(Occasion("paid", payee, what))
        return name

    def refund(self, card: str, payee: str, amount: Money, what: str) -> None:
        """A payee gives money back to a card, blocked or not. Raises Refusal for an unknown card or currency."""
        purse = self._purse(card)
        if amount.currency != purse.spent.currency or amount.amount <= 0:
            raise Refusal(f"{amount} cannot be refunded to card {card}")
        purse.spent = purse.spent - amount
        name = self._moved("refund", card, payee, amount, what)
        self.record("refund", id=name, card=card, payee=payee, amount=str(amount), what=what)

    def charged(self, charge: ChargeEffect) -> None:
        """Someone charges a card of the owner. A blocked card or one at its limit declines."""
        try:
            self.check_card(charge.card, charge.amount)
        except Refusal as refusal:
            self.record("declined", card=charge.card, payee=charge.payee, amount=str(charge.amount), what=charge.what,
                        why=str(refusal))  # fmt: skip
            return
        self._take(charge.card, charge.amount)
        name = self._moved("charge", charge.card, charge.payee, charge.amount, charge.what)
        self.record("charge", id=name, card=charge.card, payee=charge.payee, amount=str(charge.amount),
                    what=charge.what)  # fmt: skip

    # --- inside

    def _take(self, method: str, amount: Money) -> None:
        if method == TRANSFER:
            self.balance = self.balance - amount
        else:
            self.cards[method].spent = self.cards[method].spent + amount

    def _moved(self, kind: str, method: str, payee: str, amount: Money, what: str) -> str:
        name = self.town.new_id("c")
        self.movements.append(Movement(name, kind, method, clock(self.town.now), payee, amount, what))
        return name

    def _check_balance(self, amount: Money) -> None:
        if amount.currency != self.balance.currency:
            raise Refusal(f"the account is in {self.balance.currency}; {amount} cannot be sent from it")
        if amount > self.balance:
            raise Refusal(f"the account holds {self.balance}, which does not cover {amount}")

    def _fee(self, invoice: Invoice, method: str) -> Money:
        if method == TRANSFER:
            return invoice.amount * 0
        if method not in self.cards:
            raise Refusal(f"method: there is no {method!r}; it is {TRANSFER} or {', '.join(self.cards)}")
        return share(invoice.amount, Decimal(invoice.card_percent))

    def _invoice_shown(self, invoice: Invoice) -> Answered:
        shown: Answered = {"id": invoice.id, "payee": invoice.payee, "what": invoice.what,
                           "amount": str(invoice.amount), "due": clock(invoice.due)}  # fmt: skip
        if invoice.id in self.paid:
            return {**shown, "paid": self.paid[invoice.id]}
        ways: list[JsonValue] = []
        for method in (TRANSFER, *self.cards):
            fee = self._fee(invoice, method)
            ways.append({"method": method, "fee": str(fee), "total": str(invoice.amount + fee)})
        return {**shown, "preselected": invoice.preselected, "methods": ways}

    def _purse(self, card: str) -> Purse:
        if card not in self.cards:
            raise Refusal(f"there is no card {card!r}; there is {', '.join(self.cards)}")
        return self.cards[card]

    def _invoice(self, name: str) -> Invoice:
        if name not in self.invoices:
            raise Refusal(f"there is no invoice {name!r}")
        return self.invoices[name]


def share(amount: Money, percent: Decimal | int) -> Money:
    """So many percent of an amount, rounded half up to cents."""
    part = amount.amount * Decimal(percent) / 100
    return Money(part.quantize(Decimal("0.01"), ROUND_HALF_UP), amount.currency)


def amount_of(written: str, what: str) -> Money:
    """An amount above nothing and in whole cents. Raises Refusal."""
    try:
        amount = Money.parse(written.strip())
    except ValueError:
        raise Refusal(f"{what}: {written!r} is no amount; write it as 52.70 USD") from None
    if amount.amount <= 0:
        raise Refusal(f"{what}: {amount} is not above zero")
    if amount.amount >= TOO_MUCH:
        raise Refusal(f"{what}: that is more than can be paid")
    if int(amount.amount.as_tuple().exponent) < -2 and amount.amount != round(amount.amount, 2):
        raise Refusal(f"{what}: {amount} has parts of a cent")
    return amount


def _card(purse: Purse) -> JsonValue:
    return {"id": purse.card.id, "name": purse.card.name, "last4": purse.card.last4, "limit": str(purse.card.limit),
            "spent": str(purse.spent), "left": str(purse.left), "blocked": purse.blocked}  # fmt: skip


def _newest_first(moved: list[Movement]) -> list[JsonValue]:
    return [one.shown for one in sorted(moved, key=lambda one: one.date)[::-1]]
