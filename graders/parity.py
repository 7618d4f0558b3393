"""Equal access: what an agent could reach in an episode, and what of it was used, as a few counts."""

from __future__ import annotations

from typing import NamedTuple

from worlds.episode import CallKind, Episode

_NOT_CALLED = (CallKind.TURN, CallKind.GUARD, CallKind.UNKNOWN)


class Parity(NamedTuple):
    """How many servers were at hand and tools they offered, on how many servers tools were listed, how many tools the
    agent's model was offered, and how many different tools of the servers were called. None is unknown."""

    servers: int | None
    tools: int | None
    listed: int | None
    seen: int | None
    called: int


def parity_of(episode: Episode) -> Parity:
    """The counts of one episode."""
    called = len({(line.server, line.tool) for line in episode.journal if line.kind not in _NOT_CALLED})
    access = episode.access
    if access is None:
        return Parity(None, None, None, None, called)
    return Parity(
        servers=len(access.offered),
        tools=sum(map(len, access.offered.values())),
        listed=len(access.listed),
        seen=None if access.seen is None else len(access.seen),
        called=called,
    )
