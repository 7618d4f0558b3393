"""To be written."""

from __future__ import annotations

from worlds.town.place import Answered, Place, Tool
from worlds.town import written as w


class Messages(Place):
    server = "messages"
    about = "."

    def tools(self) -> tuple[Tool, ...]:
        return ()

    def arrived(self, message: w.MessageEffect) -> None: ...
