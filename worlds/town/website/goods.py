"""What a shop has: products with the price and stock that they have now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import Field, JsonValue

from worlds.town.place import Answered, Arguments, NoArguments, Place, Refusal, Tool
from worlds.town.website.part import Part
from worlds.town.website.pricing import Item, offers
from worlds.town.written import Business, Product, StockEffect
from worlds.values import Money


@dataclass
class Ware:
    """A product as it stands."""

    product: Product
    price: Money
    stock: int

    @property
    def availability(self) -> str:
        return f"{self.stock} in stock" if self.stock else "out of stock"


class OneProduct(Arguments):
    sku: str = Field(description="The product's number.")


class Goods(Part):
    """The shelves of a shop. Stock goes down when an order is placed, and up when it is cancelled."""

    def __init__(self, place: Place, business: Business) -> None:
        super().__init__(place, business)
        self.wares = {product.sku: Ware(product, product.price, product.stock) for product in business.products}

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool("list_products", "All products with their prices.", NoArguments, self.list_products),
            Tool("view_product", "A product: price, availability, options, description.", OneProduct,
                 self.view_product),
        )  # fmt: skip

    def list_products(self, asked: NoArguments) -> Answered:
        listed: list[JsonValue] = [
            {"sku": ware.product.sku, "name": ware.product.name, "price": str(ware.price),
             "availability": ware.availability}
            for ware in self.wares.values()
        ]  # fmt: skip
        return {"products": listed}

    def view_product(self, asked: OneProduct) -> Answered:
        ware = self.ware(asked.sku)
        product, shop = ware.product, self.business.shop
        shown: Answered = {"sku": product.sku, "name": product.name, "price": str(ware.price),
                           "availability": ware.availability, "text": product.text}  # fmt: skip
        if product.options:
            shown["options"] = {name: list(choices) for name, choices in product.options.items()}
        if shop is None:
            return shown
        if told := offers(shop, product.sku, self.town.now):
            shown["offers"] = told
        if shop.buy_now:
            shown["buy_now"] = {"saved_address": shop.buy_now.address}
        return shown

    # --- for the cart and the orders

    def ware(self, sku: str) -> Ware:
        """Raises Refusal for a product that the shop does not have."""
        wanted = sku.strip().upper()
        for ware in self.wares.values():
            if ware.product.sku.upper() == wanted:
                return ware
        raise Refusal(f"there is no product {sku!r} in this shop")

    def item(self, sku: str, quantity: int, options: Mapping[str, str]) -> Item:
        """So many of a product with these options, at today's price. Raises Refusal if it cannot be had."""
        ware = self.ware(sku)
        product = ware.product
        for name, value in options.items():
            if name not in product.options:
                choice = ", ".join(product.options) or "nothing"
                raise Refusal(f"options: {product.name} has no option {name!r}; there is {choice} to choose")
            if value not in product.options[name]:
                choice = ", ".join(product.options[name])
                raise Refusal(f"options: {name}: there is no {value!r}; it is one of {choice}")
        for name, choices in product.options.items():
            if name not in options:
                raise Refusal(f"options: please choose {name}: {', '.join(choices)}")
        chosen = tuple((name, options[name]) for name in product.options)
        item = Item(product.sku, product.name, ware.price, quantity, chosen)
        self.check([item])
        return item

    def check(self, items: Iterable[Item]) -> None:
        """Whether there is enough of everything. Raises Refusal."""
        wanted: dict[str, int] = {}
        for item in items:
            wanted[item.sku] = wanted.get(item.sku, 0) + item.quantity
        for sku, quantity in wanted.items():
            ware = self.ware(sku)
            if not ware.stock:
                raise Refusal(f"{ware.product.name} is out of stock")
            if quantity > ware.stock:
                raise Refusal(f"only {ware.stock} of {ware.product.name} can be ordered; you asked for {quantity}")

    def take(self, items: Iterable[Item]) -> None:
        for item in items:
            self.wares[item.sku].stock -= item.quantity

    def put_back(self, items: Iterable[Item]) -> None:
        for item in items:
            self.wares[item.sku].stock += item.quantity

    def changed(self, change: StockEffect) -> None:
        """Others buy, or the shop is delivered, or asks another price."""
        if change.sku not in self.wares:
            raise LookupError(f"{self.business.server}: an effect changes {change.sku!r}, which is not sold")
        ware = self.wares[change.sku]
        ware.stock = ware.stock if change.stock is None else change.stock
        ware.price = ware.price if change.price is None else change.price
        self.place.record("stock_changed", sku=change.sku, stock=ware.stock, price=str(ware.price))
