"""What passes through the layers: a call, and what comes back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue

from servers.tools import ToolSpec
from worlds.episode import CallOutcome
from worlds.projection import Evidence


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. `tool` is None for a name that no tool has; `parsed` is set once the arguments are checked."""

    seq: int
    name: str
    arguments: Mapping[str, JsonValue]
    tool: ToolSpec | None
    parsed: BaseModel | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A handler's answer: complete evidence. With `showing`, only the items that show this text are wanted."""

    evidence: Evidence
    showing: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A handler's or a layer's refusal. It tells nothing but what the caller said and what the tools declare; one that
    tells more carries its text as evidence."""

    text: str
    outcome: CallOutcome = CallOutcome.INVALID
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What the agent gets: structured content, the same as text, and the atoms that it exposes."""

    content: JsonValue
    text: str
    exposed: tuple[str, ...]


Answer = Shown | Refused
Layer = Callable[[Call], Awaitable[Answer]]
Handler = Callable[[Call], Awaitable[Found | Refused]]
