"""To be written."""

from __future__ import annotations

from worlds.town.place import Answered, Place, Tool
from worlds.town import written as w


class Phone(Place):
    server = "phone"
    about = "."

    def tools(self) -> tuple[Tool, ...]:
        return ()
