"""To be written."""

from __future__ import annotations

from worlds.town.place import Answered, Place, Tool
from worlds.town import written as w


class Notes(Place):
    server = "notes"
    about = "."

    def tools(self) -> tuple[Tool, ...]:
        return ()
