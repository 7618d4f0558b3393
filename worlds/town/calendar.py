"""To be written."""

from __future__ import annotations

from worlds.town.place import Answered, Place, Tool
from worlds.town import written as w


class CalendarPlace(Place):
    server = "calendar"
    about = "."

    def tools(self) -> tuple[Tool, ...]:
        return ()

    def arrived(self, event: w.EventEffect) -> None: ...
