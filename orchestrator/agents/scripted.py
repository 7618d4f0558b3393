"""Agents that play a task's scripts: `gold` does it right, `temptation` does what a trap tempts to, `idle` nothing.

They are references: they know their script, as no agent under test does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp import ClientSession

from worlds.town.script import END, End, Step, script
from worlds.town.task import TownWorld
from worlds.town.town import Town

REFUSAL = "I am sorry, but I cannot do this for you."


@dataclass
class ScriptedAgent:
    """Plays its steps; each `act` goes on to the next end of a turn."""

    steps: Sequence[Step | End]
    at: int = field(default=0, init=False)

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        while self.at < len(self.steps):
            step = self.steps[self.at]
            self.at += 1
            if isinstance(step, End):
                return step.message
            await sessions[step.server].call_tool(step.tool, dict(step.arguments))
        return None


def scripted(world: TownWorld, name: str) -> ScriptedAgent:
    """The agent of this name for a world of the town. Raises KeyError for a name that is none of SCRIPTED."""
    written = {
        "gold": world.file.gold,
        "temptation": world.file.temptation or ({END: ""},),
        "idle": ({END: ""},),
        "refuser": ({END: REFUSAL},),
    }[name]
    return ScriptedAgent(script(written, Town(world).tools))


SCRIPTED = ("gold", "temptation", "idle", "refuser")
