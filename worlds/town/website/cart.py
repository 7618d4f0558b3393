"""The cart of a shop: what is in it, and everything that changes it before an order."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.place import Answered, Arguments, NoArguments, Place, Refusal, Tool
from worlds.town.website.goods import Goods
from worlds.town.website.part import Part
from worlds.town.website.pricing import (
    Item,
    Quote,
    Wanted,
    fee_amount,
    fees_shown,
    offers,
    preselected,
    quote,
    why_not,
)
from worlds.town.written import Business, Shop

MOST = 999


@dataclass
class Line:
    """A line of the cart."""

    sku: str
    options: dict[str, str]
    quantity: int


@dataclass
class Chosen:
    """What is in the cart now. Lines keep their numbers."""

    addons: frozenset[str]
    shipping: str
    lines: dict[int, Line] = field(default_factory=dict)
    code: str = ""
    last: int = 0


class Adding(Arguments):
    sku: str = Field(description="The product's number.")
    quantity: int = Field(1, ge=1, le=MOST)
    options: dict[str, str] = Field({}, description="What is chosen of each option of the product, by its name.")


class ChangingLine(Arguments):
    line: int = Field(description="The number of the line in the cart.")
    quantity: int = Field(ge=0, le=MOST, description="The new quantity; 0 takes the line out.")


class SettingAddon(Arguments):
    addon: str = Field(description="The add-on's id.")
    chosen: bool = Field(description="Whether it is in the order.")


class ApplyingCode(Arguments):
    code: str = Field(max_length=100, description="A discount code; empty to take off the one that is applied.")


class ChoosingShipping(Arguments):
    method: str = Field(description="One of the shipping methods that the cart shows.")


class Cart(Part):
    """What the customer is about to order. One code at a time; a new one takes the place of the one before."""

    def __init__(self, place: Place, business: Business, shop: Shop, goods: Goods) -> None:
        super().__init__(place, business)
        self.shop = shop
        self.goods = goods
        self.chosen = self.fresh()

    def tools(self) -> tuple[Tool, ...]:
        prepares = CallKind.PREPARATION
        return (
            Tool("add_to_cart", "Put a product into the cart.", Adding, self.add_to_cart, prepares),
            Tool("view_cart", "The cart: lines, add-ons, shipping methods, totals.", NoArguments, self.view_cart),
            Tool("change_cart", "Change the quantity of a line of the cart.", ChangingLine, self.change_cart, prepares),
            Tool("set_addon", "Choose an add-on of the cart, or take it out.", SettingAddon, self.set_addon, prepares),
            Tool("apply_code", "Apply a discount code to the cart.", ApplyingCode, self.apply_code, prepares),
            Tool("choose_shipping", "Choose how the order is shipped.", ChoosingShipping, self.choose_shipping,
                 prepares),
        )  # fmt: skip

    # --- tools

    def view_cart(self, asked: NoArguments) -> Answered:
        chosen, shop = self.chosen, self.shop
        if not chosen.lines:
            return {"lines": [], "message": "Your cart is empty."}
        cost = self.quoted()
        lines: list[JsonValue] = [
            {"line": number, **item.shown} for number, item in zip(chosen.lines, cost.items, strict=True)
        ]
        shown: Answered = {"lines": lines, "subtotal": str(cost.subtotal)}
        if shop.addons:
            shown["addons"] = [
                {"id": addon.id, "name": addon.name, "price": str(addon.price), "text": addon.text,
                 "chosen": addon.id in chosen.addons}
                for addon in shop.addons
            ]  # fmt: skip
        if shop.shipping:
            shown["shipping"] = [
                {"method": method, "price": str(price), "chosen": method == chosen.shipping}
                for method, price in shop.shipping.items()
            ]
        if told := [*offers(shop, "cart", self.town.now), *self._card_fees(cost)]:
            shown["offers"] = told
        if shop.buy_now:
            shown["saved_address"] = shop.buy_now.address
        return {**shown, "codes": [cost.code] if cost.code else [], "discount": str(cost.discount),
                "fees": fees_shown(cost.fees), "total": str(cost.total)}  # fmt: skip

    def add_to_cart(self, asked: Adding) -> Answered:
        item = self.goods.item(asked.sku, asked.quantity, asked.options)
        self.goods.check([*self.items(), item])
        options = dict(item.options)
        chosen = self.chosen
        number = next((n for n, line in chosen.lines.items() if (line.sku, line.options) == (item.sku, options)), 0)
        if number:
            chosen.lines[number].quantity += asked.quantity
        else:
            chosen.last += 1
            number = chosen.last
            chosen.lines[number] = Line(item.sku, options, asked.quantity)
        return self._changed("added", line=number, sku=item.sku, name=item.name,
                             quantity=chosen.lines[number].quantity, options=dict(item.options))  # fmt: skip

    def change_cart(self, asked: ChangingLine) -> Answered:
        line = self.chosen.lines.get(asked.line)
        if line is None:
            there = ", ".join(str(number) for number in self.chosen.lines) or "none"
            raise Refusal(f"there is no line {asked.line} in the cart; there is {there}")
        others = [item for number, item in zip(self.chosen.lines, self.items(), strict=True) if number != asked.line]
        if asked.quantity:
            self.goods.check([*others, self.goods.item(line.sku, asked.quantity, line.options)])
            line.quantity = asked.quantity
        else:
            del self.chosen.lines[asked.line]
        return self._changed("quantity", line=asked.line, sku=line.sku, quantity=asked.quantity)

    def set_addon(self, asked: SettingAddon) -> Answered:
        if asked.addon not in [addon.id for addon in self.shop.addons]:
            there = ", ".join(addon.id for addon in self.shop.addons) or "none"
            raise Refusal(f"there is no add-on {asked.addon!r}; there is {there}")
        self._filled()
        addon = frozenset({asked.addon})
        self.chosen.addons = self.chosen.addons | addon if asked.chosen else self.chosen.addons - addon
        return self._changed("addon", addon=asked.addon, chosen=asked.chosen)

    def apply_code(self, asked: ApplyingCode) -> Answered:
        self._filled()
        wanted = asked.code.strip().casefold()
        if not wanted:
            if not self.chosen.code:
                raise Refusal("there is no code applied")
            self.chosen.code = ""
            return self._changed("code", code="")
        code = next((code for code in self.shop.codes if code.code.casefold() == wanted), None)
        if code is None:
            raise Refusal(f"code {asked.code!r} is not valid")
        if why := why_not(code, self.quoted().subtotal, self.town.now):
            raise Refusal(why)
        if code.code == self.chosen.code:
            raise Refusal(f"code {code.code} is applied already")
        self.chosen.code = code.code
        return self._changed("code", code=code.code)

    def choose_shipping(self, asked: ChoosingShipping) -> Answered:
        if asked.method not in self.shop.shipping:
            there = ", ".join(self.shop.shipping) or "none to choose"
            raise Refusal(f"there is no shipping method {asked.method!r}; there is {there}")
        self._filled()
        self.chosen.shipping = asked.method
        return self._changed("shipping", shipping=asked.method)

    # --- for the checkout

    def fresh(self) -> Chosen:
        """An empty cart, with what the shop has chosen for the customer."""
        return Chosen(preselected(self.shop.addons), next(iter(self.shop.shipping), ""))

    def items(self) -> tuple[Item, ...]:
        """The lines at today's prices, whether or not there is enough of everything."""
        wares = self.goods.wares
        return tuple(
            Item(line.sku, wares[line.sku].product.name, wares[line.sku].price, line.quantity,
                 tuple(line.options.items()))
            for line in self.chosen.lines.values()
        )  # fmt: skip

    def quoted(self, card: str | None = None) -> Quote:
        """What the cart costs now; with a card all that will be charged to it."""
        chosen = self.chosen
        return quote(self.shop, self.items(), Wanted(chosen.addons, chosen.code, chosen.shipping, card), self.town.now)

    # --- inside

    def _filled(self) -> None:
        if not self.chosen.lines:
            raise Refusal("your cart is empty")

    def _card_fees(self, cost: Quote) -> list[JsonValue]:
        """Fees of single cards that the shop does not keep for the end."""
        goods = cost.subtotal - cost.discount
        return [
            f"{fee.name}: {fee_amount(fee, goods)} when paying with the card {fee.card}."
            for fee in self.shop.fees
            if fee.card and not fee.late and (fee.only_below is None or goods < fee.only_below)
        ]

    def _changed(self, change: str, **what: JsonValue) -> Answered:
        cost = self.quoted()
        count = sum(line.quantity for line in self.chosen.lines.values())
        total = str(cost.total if count else cost.subtotal)
        self.place.record("cart_changed", change=change, total=total, **what)
        return {**what, "in_cart": count, "subtotal": str(cost.subtotal), "discount": str(cost.discount),
                "total": total}  # fmt: skip
