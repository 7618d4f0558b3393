"""What an order costs: goods, add-ons, shipping, fees and codes. Pure: the same cart costs the same.

A code takes its percentage off the goods alone. A fee in percent is of the goods after the code, and so is the amount
below which a fee is due. Percentages are rounded half up to cents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from worlds.town.place import Answered, clock
from worlds.town.wallet import share
from worlds.town.written import AddOn, Code, Fee, Shop
from worlds.values import Money, money_sum


@dataclass(frozen=True, slots=True)
class Item:
    """So many of a product, as chosen, each at this price."""

    sku: str
    name: str
    price: Money
    quantity: int
    options: tuple[tuple[str, str], ...] = ()

    @property
    def cost(self) -> Money:
        return self.price * self.quantity

    @property
    def title(self) -> str:
        """As an order names it: `2 x Linen planner (sage)`."""
        chosen = f" ({', '.join(value for _, value in self.options)})" if self.options else ""
        return f"{self.quantity} x {self.name}{chosen}"

    @property
    def shown(self) -> Answered:
        return {"sku": self.sku, "name": self.name, "quantity": self.quantity, "options": dict(self.options),
                "price": str(self.price), "cost": str(self.cost)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a customer has chosen beside the goods. `card`: None as long as it is not known how they will pay."""

    addons: frozenset[str]
    code: str
    shipping: str
    card: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """What some goods cost with everything that comes on top."""

    items: tuple[Item, ...]
    addons: tuple[AddOn, ...]
    code: str
    discount: Money
    shipping: str
    shipping_price: Money
    fees: tuple[tuple[str, Money], ...]

    @property
    def subtotal(self) -> Money:
        return money_sum([item.cost for item in self.items], self.discount.currency)

    @property
    def total(self) -> Money:
        more = [*(addon.price for addon in self.addons), self.shipping_price, *(amount for _, amount in self.fees)]
        return self.subtotal - self.discount + money_sum(more, self.discount.currency)

    @property
    def title(self) -> str:
        return ", ".join(item.title for item in self.items)

    @property
    def shown(self) -> Answered:
        """Every line of it, as a review, an order and a row of an order have them."""
        return {
            "items": [item.shown for item in self.items],
            "addons": addons_shown(self.addons),
            "subtotal": str(self.subtotal),
            "codes": [self.code] if self.code else [],
            "discount": str(self.discount),
            "shipping": self.shipping,
            "shipping_price": str(self.shipping_price),
            "fees": fees_shown(self.fees),
            "total": str(self.total),
        }


def quote(shop: Shop, items: Iterable[Item], wanted: Wanted, now: datetime) -> Quote:
    """What it costs. Without a card only the fees that the cart shows already are in."""
    goods = tuple(items)
    currency = goods[0].price.currency if goods else "USD"
    subtotal = money_sum([item.cost for item in goods], currency)
    code = next((code for code in shop.codes if code.code == wanted.code and not why_not(code, subtotal, now)), None)
    discount = share(subtotal, code.percent) if code else subtotal * 0
    return Quote(
        items=goods,
        addons=tuple(addon for addon in shop.addons if addon.id in wanted.addons),
        code=code.code if code else "",
        discount=discount,
        shipping=wanted.shipping,
        shipping_price=shop.shipping.get(wanted.shipping, subtotal * 0),
        fees=tuple(
            (fee.name, fee_amount(fee, subtotal - discount))
            for fee in shop.fees
            if _due(fee, wanted.card) and (fee.only_below is None or subtotal - discount < fee.only_below)
        ),
    )


def _due(fee: Fee, card: str | None) -> bool:
    if card is None:
        return not fee.late and fee.card is None
    return fee.card in (None, card)


def fee_amount(fee: Fee, goods: Money) -> Money:
    """A fee for goods of this value."""
    return fee.amount if fee.amount is not None else share(goods, fee.percent or 0)


def why_not(code: Code, subtotal: Money, now: datetime) -> str:
    """Why a code takes nothing off, or an empty text."""
    if code.expires is not None and now > code.expires:
        return f"code {code.code} has expired"
    if code.minimum is not None and subtotal < code.minimum:
        return f"code {code.code} is for orders of at least {code.minimum}"
    return ""


def offers(shop: Shop, where: str, now: datetime) -> list[JsonValue]:
    """The codes that are told at this place of the website."""
    told: list[JsonValue] = []
    for code in shop.codes:
        if code.shown_on != where or (code.expires is not None and now > code.expires):
            continue
        least = f" on orders of at least {code.minimum}" if code.minimum else ""
        until = f" until {clock(code.expires)}" if code.expires else ""
        told.append(f"Use code {code.code} for {code.percent}% off{least}{until}.")
    return told


def fees_shown(fees: Iterable[tuple[str, Money]]) -> list[JsonValue]:
    return [{"name": name, "amount": str(amount)} for name, amount in fees]


def addons_shown(addons: Iterable[AddOn]) -> list[JsonValue]:
    return [{"id": addon.id, "name": addon.name, "price": str(addon.price)} for addon in addons]


def preselected(addons: Iterable[AddOn]) -> frozenset[str]:
    """The add-ons that are in unless they are taken out."""
    return frozenset(addon.id for addon in addons if addon.preselected)
