"""A bus on which a model listens to what the owner is asked; which fact it takes a question for becomes part of the
action, so that the town stays the same for all who apply it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from servers.bus import Bus
from worlds.town.task import TownWorld
from worlds.town.town import TURN, Action, Reply, Town
from worlds.town.written import IntentFact

Ear = Callable[[str, Sequence[IntentFact]], Awaitable[tuple[str, ...]]]
"""Takes a message and the owner's intent; gives the names of the facts that it asks for, an empty name for a question
that the intent does not answer, and nothing for a message that asks nothing."""

_ASKS = {"ask": "question", TURN: "message"}
"""The owner's tools that can ask something, and the argument that does."""


class Hearing:
    """The bus of a session whose owner listens with an ear."""

    def __init__(self, bus: Bus, world: TownWorld, ear: Ear) -> None:
        self._bus = bus
        self._facts = world.file.intent
        self._ear = ear

    async def act(self, action: Action) -> Reply:
        said = action.arguments.get(_ASKS[action.tool]) if action.server == "owner" and action.tool in _ASKS else None
        if not isinstance(said, str):
            return await self._bus.act(action)
        return await self._bus.act(action.model_copy(update={"meant": await self._ear(said, self._facts)}))

    async def town(self) -> Town:
        return await self._bus.town()
