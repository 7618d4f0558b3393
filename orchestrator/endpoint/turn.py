"""What a request to a model says, whichever API carries it, and what is answered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

LETTERS_A_TOKEN = 4
"""The counts of tokens that are reported are made up: one for every four letters."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as the model is offered it. `namespace`: the group in which some hosts put a server's tools."""

    name: str
    namespace: str = ""
    description: str = ""
    parameters: Mapping[str, JsonValue] | None = None

    @property
    def whole(self) -> str:
        """Its name with that of its group."""
        return f"{self.namespace}.{self.name}" if self.namespace else self.name


@dataclass(frozen=True, slots=True)
class Result:
    """What a host gives back for a call: its text, whether it is told as an error, and by which id or name."""

    call: str
    name: str
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A request. `history`: a digest of the messages. `begins`: whether it is the first of a conversation: the model
    has neither called nor said anything. `asked`: how many messages of the person there are, `said`: the last of them.

    `results`: of the calls in the model's last message. `schema`: what an answer in JSON must fit, if one is asked for.
    """

    model: str
    offered: tuple[Offered, ...]
    history: str
    begins: bool
    asked: int
    said: str
    results: tuple[Result, ...] = ()
    streams: bool = False
    schema: Mapping[str, Any] | None = None
    letters: int = 0

    @property
    def tokens(self) -> int:
        """Of the request."""
        return tokens(self.letters)


@dataclass(frozen=True, slots=True)
class Calls:
    """The model calls a tool."""

    id: str
    tool: Offered
    arguments: Mapping[str, JsonValue]

    @property
    def written(self) -> str:
        """Its arguments as JSON."""
        return json.dumps(self.arguments, ensure_ascii=False)

    @property
    def tokens(self) -> int:
        return tokens(len(self.written))


@dataclass(frozen=True, slots=True)
class Says:
    """The model ends its turn with this text."""

    id: str
    text: str

    @property
    def tokens(self) -> int:
        return tokens(len(self.text))


Step = Calls | Says


ANY_OBJECT: Mapping[str, Any] = {"type": "object"}
"""The schema where an object is asked for, whatever is in it."""


class BadRequest(ValueError):
    """A request that the API would refuse; the message says what is wrong with it."""


def tokens(letters: int) -> int:
    """At least one."""
    return max(1, letters // LETTERS_A_TOKEN)


def digest(messages: object) -> str:
    """The same for the same messages."""
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()


def listed(body: Mapping[str, Any], field: str) -> list[dict[str, Any]]:
    """A field that holds a list of objects; empty if it is missing. Raises BadRequest."""
    value = body.get(field) or []
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise BadRequest(f"{field}: expected a list of objects, got {value!r}"[:300])
    return value


def text_in(content: object) -> str:
    """The text of a message's content: a text, or blocks that have one."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(str(block.get("text", "")) for block in content if isinstance(block, dict) and "text" in block)
    return "" if content is None else json.dumps(content, ensure_ascii=False)
