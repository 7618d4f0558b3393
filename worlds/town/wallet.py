"""To be written."""

from __future__ import annotations

from worlds.town.place import Answered, Place, Tool
from worlds.town import written as w


class Wallet(Place):
    server = "wallet"
    about = "."

    def tools(self) -> tuple[Tool, ...]:
        return ()

    def charged(self, charge: w.ChargeEffect) -> None: ...
