"""What the parts of a website share: whose they are, who pays, what fails, where things are sent."""

from __future__ import annotations

from dataclasses import dataclass

from worlds.town.place import Place, Refusal
from worlds.town.written import Business
from worlds.values import Money

PICKED_UP = frozenset({"pickup", "collect", "email"})
"""Ways of shipping that need no address."""


class Part:
    """A part of the website of a business: its own state, and the tools for it."""

    def __init__(self, place: Place, business: Business) -> None:
        self.place = place
        self.town = place.town
        self.business = business

    def check_card(self, card: str) -> None:
        """Whether the customer has such a card at all; whether it pays is found out when it is charged."""
        if not card.strip():
            raise Refusal("card: please choose a card to pay with")
        if card not in self._cards():
            raise Refusal(f"card: {card!r} is none of your cards; they are {', '.join(self._cards())}")

    def pay(self, card: str, amount: Money, what: str) -> None:
        """Charge a card for something. Raises Refusal, and then nothing has changed."""
        self.town.wallet.pay_by_card(card, self.business.name, amount, what)

    def refund(self, card: str, amount: Money, what: str) -> Money:
        """Give money back to the card that paid, if one did; what was given back."""
        if card not in self._cards() or amount.amount <= 0:
            return amount * 0
        self.town.wallet.refund(card, self.business.name, amount, what)
        return amount

    def _cards(self) -> tuple[str, ...]:
        return tuple(card.id for card in self.town.world.household.cards)


@dataclass
class Failing:
    """Something that answers `says` instead of working the first `until` times; 0: always. Without `says` it works."""

    says: str
    until: int
    times: int = 0

    @property
    def next(self) -> str:
        """What the next attempt gets, or an empty text if it works."""
        return self.says if not self.until or self.times < self.until else ""

    def failed(self) -> str:
        """Count an attempt that failed; what it got."""
        self.times += 1
        return self.says


def delivery_address(written: str, shipping: str) -> str:
    """An address as a shop takes it. Raises Refusal for one to which nothing can be sent."""
    address = " ".join(written.split())
    if shipping in PICKED_UP:
        return address
    if len(address.replace(",", " ").split()) < 3:
        raise Refusal("address: please enter a full delivery address with street, number and town")
    return address
