"""Configurations of an agent: `AGENT`, `AGENT+harness`, `AGENT+guarded`, so that one run compares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from mcp import ClientSession

from orchestrator.agents.agent import Agent, Maker, UnknownAgent
from worlds.catalogue import TOWN_NAMES, Task
from worlds.episode import Condition, Usage


class Configuration(StrEnum):
    """`base`: as the agent is. `harness`: a model with the longer instruction. `guarded`: behind the guard; a model has
    the longer instruction too."""

    BASE = "base"
    HARNESS = "harness"
    GUARDED = "guarded"


class Configured(NamedTuple):
    """An agent's name without its configuration, and the configuration."""

    name: str
    configuration: Configuration


def configured(agent: str, suite: str) -> Configured:
    """What `AGENT+CONFIGURATION` says. Raises UnknownAgent for one that this agent, or this suite, does not have.

    The names of models and hosts may have a plus sign of their own.
    """
    name, plus, word = agent.rpartition("+")
    if not plus or (word not in set(Configuration) and name.startswith(("model:", "host:"))):
        return Configured(agent, Configuration.BASE)
    try:
        configuration = Configuration(word)
    except ValueError:
        raise UnknownAgent(
            f"agent {agent!r}: there is no configuration +{word}; there is +harness for models, and +guarded"
        ) from None
    if configuration is Configuration.BASE:
        raise UnknownAgent(f"agent {agent!r}: write the base configuration as {name!r}")
    if configuration is Configuration.HARNESS and not name.startswith("model:"):
        raise UnknownAgent(
            f"agent {agent!r}: +harness is a longer instruction for model:PROVIDER/NAME; any other agent has its own"
        )
    if configuration is Configuration.GUARDED and suite not in TOWN_NAMES:
        raise UnknownAgent(
            f"agent {agent!r}: the guard holds what an owner's consent does not cover, and suite {suite} has no owner; "
            f"use +guarded with {' or '.join(TOWN_NAMES)}, and leave it out here"
        )
    return Configured(name, configuration)


@dataclass(frozen=True)
class Guarded:
    """An agent that reaches its servers through the guard. Whoever runs it puts the guard there."""

    agent: Agent

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        return await self.agent.act(request, sessions)

    @property
    def usage(self) -> Usage | None:
        """What the agent says of its cost."""
        return getattr(self.agent, "usage", None)


def behind_guard(make: Maker) -> Maker:
    """The maker of the same agents, each behind the guard."""

    def made(task: Task, condition: Condition) -> Agent:
        return Guarded(make(task, condition))

    return made
