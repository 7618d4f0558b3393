"""Which offered tool is which: hosts join the names of server and tool in their own ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from orchestrator.endpoint.turn import Offered

Place = tuple[str, str]
"""A server and one of its tools."""


def matched(offered: Iterable[Offered], servers: Mapping[str, Sequence[str]]) -> dict[Place, tuple[Offered, ...]]:
    """By server and tool, the offered names that mean it: those that end with the tool's name after the server's.

    Where several would fit one name, as with the servers `bank` and `data_bank`, the longest does.
    """
    known = [((server, tool), _plain(server), _plain(tool)) for server, tools in servers.items() for tool in tools]
    found: dict[Place, tuple[Offered, ...]] = {}
    for each in offered:
        name = _plain(each.whole)
        fitting = [
            (len(server) + len(tool), place)
            for place, server, tool in known
            if name.endswith(tool) and name.removesuffix(tool).endswith(server)
        ]
        if fitting:
            _, place = max(fitting)
            found[place] = (*found.get(place, ()), each)
    return found


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())
