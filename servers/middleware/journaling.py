"""Every call is kept, with what was shown and which atoms that exposed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from pydantic import JsonValue

from servers.journal import Journal
from servers.middleware.call import Answer, Call, Layer, Refused
from servers.tools import ToolSpec
from worlds.episode import CallKind, CallOutcome, JournalLine

Entrance = Callable[[str, Mapping[str, JsonValue]], Awaitable[Answer]]
"""The outside of a server's pipeline: a tool's name and its arguments."""


def journaling(journal: Journal, server: str, tools: tuple[ToolSpec, ...], following: Layer) -> Entrance:
    """The outermost layer."""
    by_name = {tool.name: tool for tool in tools}

    async def entrance(name: str, arguments: Mapping[str, JsonValue]) -> Answer:
        call = Call(await journal.begin(), name, arguments, by_name.get(name))
        answer = await following(call)
        await journal.append(
            JournalLine.model_construct(
                seq=call.seq,
                server=server,
                tool=name,
                arguments=dict(arguments),
                kind=call.tool.kind if call.tool else CallKind.UNKNOWN,
                outcome=answer.outcome if isinstance(answer, Refused) else CallOutcome.ANSWERED,
                shown=answer.text if isinstance(answer, Refused) else answer.content,
                exposed=() if isinstance(answer, Refused) else answer.exposed,
                seconds=round(journal.seconds(), 6),
            )
        )
        return answer

    return entrance
