"""To be written."""
from __future__ import annotations
from typing import TYPE_CHECKING
from worlds.town.place import Place, Tool
from worlds.town import written as w
if TYPE_CHECKING:
    from worlds.town.town import Town


class Website(Place):
    def __init__(self, town: Town, business: w.Business) -> None:
        super().__init__(town)
        self.business = business
        self.server, self.about = business.server, business.about

    def tools(self) -> tuple[Tool, ...]:
        return ()

    def order_changed(self, change: w.OrderEffect) -> None: ...
    def booking_changed(self, change: w.BookingEffect) -> None: ...
    def page_changed(self, change: w.PageEffect) -> None: ...
    def stock_changed(self, change: w.StockEffect) -> None: ...
    def slot_changed(self, change: w.SlotEffect) -> None: ...
