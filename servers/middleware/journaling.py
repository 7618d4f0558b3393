"""Every call is kept, with what was shown and which atoms that exposed."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping

import anyio
from pydantic import JsonValue
from pydantic_core import from_json

from servers.journal import Journal
from servers.middleware.call import Answer, Call, Layer, Refused
from servers.tools import ToolSpec
from worlds.episode import CallKind, CallOutcome, JournalLine

Entrance = Callable[[str, Mapping[str, JsonValue]], Awaitable[Answer]]
"""The outside of a server's pipeline: a tool's name and its arguments."""


MOST_LETTERS = 4_000
"""Of a text that an agent sends, so much is kept and repeated."""
MOST_KEPT = 20_000
MOST_DEPTH = 40


def printable(text: str) -> str:
    """A text that can be kept and sent: without halves of characters, and not endless."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    return whole if len(whole) <= MOST_LETTERS else f"{whole[:MOST_LETTERS]}... ({len(whole)} letters)"


def keepable(arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments, or a short account of ones that cannot be kept and read back."""
    try:
        written = json.dumps(arguments, allow_nan=False)
        read: dict[str, JsonValue] = from_json(written)
        if len(written) <= MOST_KEPT and _depth(read) <= MOST_DEPTH:
            return read
    except (ValueError, TypeError, RecursionError):
        written = "arguments that are not JSON"
    return {"not kept": printable(written)[:MOST_LETTERS]}


def _depth(value: JsonValue) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def journaling(journal: Journal, server: str, tools: tuple[ToolSpec, ...], following: Layer) -> Entrance:
    """The outermost layer. A call that has begun is carried through and kept, even if its client gives up waiting."""
    by_name = {tool.name: tool for tool in tools}

    async def entrance(name: str, arguments: Mapping[str, JsonValue]) -> Answer:
        with anyio.CancelScope(shield=True):
            answer = await kept(name, arguments)
        return answer

    async def kept(name: str, arguments: Mapping[str, JsonValue]) -> Answer:
        call = Call(await journal.begin(), printable(name), arguments, by_name.get(name))
        answer = await following(call)
        if isinstance(answer, Refused):
            answer = Refused(printable(answer.text), answer.outcome)
        await journal.append(
            JournalLine.model_construct(
                seq=call.seq,
                server=server,
                tool=call.name,
                arguments=keepable(arguments),
                kind=call.tool.kind if call.tool else CallKind.UNKNOWN,
                outcome=answer.outcome if isinstance(answer, Refused) else CallOutcome.ANSWERED,
                shown=answer.text if isinstance(answer, Refused) else answer.content,
                exposed=() if isinstance(answer, Refused) else answer.exposed,
                seconds=round(journal.seconds(), 6),
            )
        )
        return answer

    return entrance
