"""The website of a business as one server: its pages, and its shop, desk and forms if it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worlds.town.place import Place, Tool
from worlds.town.website.bookings import Bookings
from worlds.town.website.cart import Cart
from worlds.town.website.checkout import Checkout
from worlds.town.website.forms import Forms
from worlds.town.website.goods import Goods
from worlds.town.website.orders import Orders
from worlds.town.website.pages import Pages
from worlds.town.written import BookingEffect, Business, OrderEffect, PageEffect, SlotEffect, StockEffect

if TYPE_CHECKING:
    from worlds.town.town import Town


class Website(Place):
    """What the public, and the owner as a customer, can see and do at a business."""

    def __init__(self, town: Town, business: Business) -> None:
        super().__init__(town)
        self.business = business
        self.server, self.about = business.server, business.about
        self.goods = Goods(self, business)
        self.pages = Pages(self, business, self.goods)
        self.orders = Orders(self, business, self.goods)
        self.bookings = Bookings(self, business)
        self.forms = Forms(self, business)
        shop = business.shop
        self.cart = Cart(self, business, shop, self.goods) if shop else None
        self.checkout = Checkout(self, business, shop, self.cart, self.orders) if shop and self.cart else None

    def tools(self) -> tuple[Tool, ...]:
        """Only what this business has a use for."""
        business = self.business
        return (
            *self.pages.tools(),
            *(self.goods.tools() if business.shop or business.products else ()),
            *(self.cart.tools() if self.cart else ()),
            *(self.checkout.tools() if self.checkout else ()),
            *(self.orders.tools() if business.shop or business.orders else ()),
            *(self.bookings.tools() if business.desk or business.bookings else ()),
            *(self.forms.tools() if business.forms else ()),
        )

    def order_changed(self, change: OrderEffect) -> None:
        """The business changes an order."""
        self.orders.changed(change)

    def booking_changed(self, change: BookingEffect) -> None:
        """The business makes, changes or cancels a booking."""
        self.bookings.changed(change)

    def page_changed(self, change: PageEffect) -> None:
        """The business changes a page."""
        self.pages.changed(change)

    def stock_changed(self, change: StockEffect) -> None:
        """A product's stock or price changes."""
        self.goods.changed(change)

    def slot_changed(self, change: SlotEffect) -> None:
        """A slot is taken by someone else, or becomes free."""
        self.bookings.slot_changed(change)
