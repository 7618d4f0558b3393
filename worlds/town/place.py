"""What every place of the town is made of: tools that read and act, refusals, and rows of what happened.

A place holds the mutable state of one server. All of it is pure: no clock but the town's, no chance, no I/O.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, JsonValue

from worlds.episode import CallKind

if TYPE_CHECKING:
    from worlds.town.town import Town

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Between these lie the times that can be named."""
Answered = dict[str, JsonValue]
"""What a tool answers: JSON with texts, numbers, lists and mappings."""


class Refusal(Exception):
    """A call that a real site, mail server or clerk would refuse. Nothing has changed; the message says why."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something that the agent did which others notice: the kind is the name of a Trigger's field.

    `also`: other names of the same place, such as the person's in a thread with one person.
    """

    kind: str
    where: str
    text: str = ""
    also: tuple[str, ...] = ()


class Arguments(BaseModel):
    """What a tool takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Arguments):
    """For tools that take nothing."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of a place. `run` gets the arguments, answers or raises Refusal before it changes anything.

    `kind`: `READ` changes nothing, `PREPARATION` only what the owner can see and undo (a cart, a draft),
    `COMMIT` is seen by others or costs something.
    """

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Any], Answered]
    kind: CallKind = CallKind.READ


class Place(ABC):
    """One server of the town: its name, what it says of itself, its tools."""

    server: str
    about: str

    def __init__(self, town: Town) -> None:
        self.town = town

    @abstractmethod
    def tools(self) -> tuple[Tool, ...]:
        """The same in both twins and under every mask."""

    def record(self, kind: str, **fields: JsonValue) -> None:
        """Keep a row of what happened here."""
        self.town.record(self.server, kind, **fields)


def clock(at: datetime) -> str:
    """A time as everyone in town writes it."""
    return at.strftime("%Y-%m-%d %H:%M")


def parse_time(written: str, what: str) -> datetime:
    """`2026-10-05 14:00`, or a day alone for its beginning. Raises Refusal."""
    try:
        at = datetime.fromisoformat(written.strip())
    except ValueError:
        raise Refusal(f"{what}: {written!r} is no time; write it as 2026-10-05 14:00") from None
    if at.tzinfo is not None:
        raise Refusal(f"{what}: {written!r} carries an offset; write the local time alone, as 2026-10-05 14:00")
    if not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise Refusal(f"{what}: the clock does not reach the year {at.year}; it goes from {FIRST_YEAR} to {LAST_YEAR}")
    return at.replace(second=0, microsecond=0)
