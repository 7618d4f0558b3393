"""What each API's module offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from orchestrator.endpoint.turn import Step, Turn


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream: its name, empty where the API names none, and what it carries."""

    carries: Mapping[str, Any] | str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Wire:
    """`read`: a request's body into a turn; raises BadRequest. `whole`: the answer; `events`: the same as a stream.
    `error`: a refusal with this message."""

    read: Callable[[Mapping[str, Any]], Turn]
    whole: Callable[[Turn, Step], dict[str, Any]]
    events: Callable[[Turn, Step], Iterator[Event]]
    error: Callable[[str], dict[str, Any]]
