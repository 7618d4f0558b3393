"""Turns: an agent that ends with a question gets the owner's answer as its next message, and acts again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from mcp import ClientSession

from orchestrator.agents.agent import Agent
from worlds.episode import Usage

EndTurn = Callable[[str], Awaitable[str | None]]
"""Takes what the agent said at the end of its turn: the owner's next message, or None at the end."""

MOST_TURNS = 20
"""So many turns an agent has at most; the owner's rounds end a conversation long before."""


@dataclass(frozen=True)
class Conversation:
    """An agent together with the owner's side: what it says at the end of a turn goes to `end_turn`."""

    agent: Agent
    end_turn: EndTurn

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        """Act until the owner has nothing more to say; returns the last message."""
        said: str | None = None
        message = request
        for _ in range(MOST_TURNS):
            said = await self.agent.act(message, sessions)
            if said is not None and not isinstance(said, str):  # the episode says what is wrong with that
                return said
            following = await self.end_turn(said or "")
            if following is None:
                return said
            message = following
        return said

    @property
    def usage(self) -> Usage | None:
        """What the agent says of its cost over all turns."""
        return getattr(self.agent, "usage", None)
