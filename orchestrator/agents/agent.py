"""What an agent is: an object with one method that gets the request and the open MCP sessions, and nothing else."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

from mcp import ClientSession

from servers.journal import Journal
from worlds.catalogue import Task
from worlds.episode import Condition


class Agent(Protocol):
    """Acts in one episode. May have an attribute `usage` (worlds.episode.Usage), read afterwards."""

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        """Do what is asked with the tools of these servers; return a closing message or None.

        In the town it is called again on the same object, with the owner's answer, when the message asked something.
        Raise Infrastructure if something that is not the agent failed, such as a model's provider.
        """


HOST = "host:"
"""How the names of agents begin that are external hosts."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What an agent that connects by itself is given: the address and the tools of each server; and the journal, by
    which it can be told whether its session has ended."""

    addresses: Mapping[str, str]
    tools: Mapping[str, tuple[str, ...]]
    journal: Journal


@runtime_checkable
class Outside(Protocol):
    """An agent that opens its own connections over HTTP, as an external host does. Its `act` gets no sessions.

    It may have the attributes `seen`, the names of the tools that its model was offered (None: not known), and
    `host_seconds`, the wall time of its own process; both are read afterwards.
    """

    def connected(self, reach: Reach) -> AbstractAsyncContextManager[None]:
        """In this context it acts."""


class Infrastructure(Exception):
    """Something that is not the agent failed. The episode is not graded, but tried again."""


class Unavailable(Infrastructure):
    """The agent cannot be had at all, as with a wrong key. It is no use to go on: the run stops."""


class UnknownAgent(LookupError):
    """No such agent; the message says what there is."""


Maker = Callable[[Task, Condition], Agent]
"""Makes the agent of one episode. Only the reference agents look at what it is given."""


def imported(reference: str) -> Maker:
    """The maker for `package.module:object`: an agent, or a class or function that makes one without arguments.

    Raises UnknownAgent with the reason.
    """
    module_name, _, name = reference.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what a module prints is not a result
            found = getattr(importlib.import_module(module_name), name)
    except Exception as error:
        raise UnknownAgent(
            f"agent {reference!r} cannot be imported from {here}: {type(error).__name__}: {error}"
        ) from None
    if isinstance(found, type) or not hasattr(found, "act"):
        if not callable(found):
            raise UnknownAgent(
                f"agent {reference!r} is a {type(found).__name__}; expected an object with a method `act`"
            )
        return lambda pair, condition: _made(reference, found)
    return lambda pair, condition: _checked(reference, found)


def _made(reference: str, make: Callable[[], object]) -> Agent:
    return _checked(reference, make())


def _checked(reference: str, agent: object) -> Agent:
    if not callable(getattr(agent, "act", None)):
        raise UnknownAgent(f"agent {reference!r} made a {type(agent).__name__} without a method `act`")
    return cast(Agent, agent)
