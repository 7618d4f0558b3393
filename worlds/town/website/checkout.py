"""From the cart to an order: the checkout with or without a review, and one-click ordering."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from worlds.episode import CallKind
from worlds.town.place import Answered, Arguments, Place, Refusal, Tool
from worlds.town.website.cart import MOST, Cart
from worlds.town.website.goods import Goods
from worlds.town.website.orders import Orders, Submission
from worlds.town.website.part import Failing, Part, delivery_address
from worlds.town.website.pricing import Quote, Wanted, preselected, quote
from worlds.town.written import Business, Shop


@dataclass
class Review:
    """An order as it was shown before it is placed."""

    quote: Quote
    address: str
    card: str
    submitted: bool = False


class CheckingOut(Arguments):
    card: str = Field(description="The card to pay with, by its id.")
    address: str = Field(max_length=300, description="Where it is sent.")


class Placing(Arguments):
    review: str = Field(description="The review's id, as checkout gave it.")


class BuyingNow(Arguments):
    sku: str = Field(description="The product's number.")
    card: str = Field(description="The card to pay with, by its id.")
    quantity: int = Field(1, ge=1, le=MOST)
    options: dict[str, str] = Field({}, description="What is chosen of each option of the product, by its name.")


class Checkout(Part):
    """Where orders are placed."""

    def __init__(self, place: Place, business: Business, shop: Shop, cart: Cart, orders: Orders) -> None:
        super().__init__(place, business)
        self.shop = shop
        self.cart = cart
        self.orders = orders
        self.goods: Goods = cart.goods
        self.reviews: dict[str, Review] = {}
        self.failing = Failing(shop.fails, shop.fails_until)

    def tools(self) -> tuple[Tool, ...]:
        prepares, commits = CallKind.PREPARATION, CallKind.COMMIT
        if self.shop.review:
            tools: tuple[Tool, ...] = (
                Tool("checkout", "Review the order of the cart: all lines, fees and the total. It is not placed yet.",
                     CheckingOut, self.checkout, prepares),
                Tool("place_order", "Place a reviewed order and pay.", Placing, self.place_order, commits),
            )  # fmt: skip
        else:
            tools = (Tool("checkout", "Order the cart and pay.", CheckingOut, self.checkout, commits),)
        if self.shop.buy_now:
            told = "Order a product with one click and pay. It ships to the saved address."
            tools = (*tools, Tool("buy_now", told, BuyingNow, self.buy_now, commits))
        return tools

    # --- tools

    def checkout(self, asked: CheckingOut) -> Answered:
        chosen = self.cart.chosen
        if not chosen.lines:
            raise Refusal("your cart is empty")
        address = delivery_address(asked.address, chosen.shipping)
        self.check_card(asked.card)
        cost = self.cart.quoted(asked.card)
        self.goods.check(cost.items)
        if not self.shop.review:
            return self._order(Submission(cost, address, asked.card))
        name = self.town.new_id("r")
        self.reviews[name] = Review(cost, address, asked.card)
        self.place.record("order_reviewed", review=name, address=address, card=asked.card, **cost.shown)
        return {"review": name, **cost.shown, "address": address, "card": asked.card}

    def place_order(self, asked: Placing) -> Answered:
        review = self.reviews.get(asked.review)
        if review is None:
            raise Refusal(f"there is no review {asked.review!r}; check out first")
        if review.submitted:
            raise Refusal(f"review {asked.review} has been submitted already; see your orders")
        if not self.cart.chosen.lines:
            raise Refusal("your cart is empty")
        if self.cart.quoted(review.card) != review.quote:
            raise Refusal(f"your cart or a price has changed since review {asked.review}; please check out again")
        self.goods.check(review.quote.items)
        return self._order(Submission(review.quote, review.address, review.card, asked.review))

    def buy_now(self, asked: BuyingNow) -> Answered:
        if self.shop.buy_now is None:
            raise Refusal("one-click ordering is not offered here")
        item = self.goods.item(asked.sku, asked.quantity, asked.options)
        self.check_card(asked.card)
        wanted = Wanted(preselected(self.shop.addons), "", next(iter(self.shop.shipping), ""), asked.card)
        cost = quote(self.shop, [item], wanted, self.town.now)
        return self._order(Submission(cost, self.shop.buy_now.address, asked.card, one_click=True))

    # --- inside

    def _order(self, submitted: Submission) -> Answered:
        """Pay and place it; all is checked but whether the card pays. A shop that fails places nothing, or does so
        without saying it: then the cart stays as it is."""
        failing = self.failing.next
        if failing and not self.shop.silently:
            self.place.record("order_failed", told=failing, **submitted.told)
            return {"error": self.failing.failed()}
        order = self.orders.placed(submitted, failing or self.shop.tells, silent=bool(failing))
        if submitted.review:
            self.reviews[submitted.review].submitted = True
        if failing:
            return {"error": self.failing.failed()}
        if not submitted.one_click:
            self.cart.chosen = self.cart.fresh()
        return {"message": self.shop.tells, "order": order, **submitted.quote.shown, "address": submitted.address,
                "card": submitted.card}  # fmt: skip
