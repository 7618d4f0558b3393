"""Every call is kept, with what was shown and which atoms that exposed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import anyio
from pydantic import JsonValue

from servers.bounds import keepable, printable
from servers.journal import Journal
from servers.middleware.call import Answer, Call, Layer, Refused
from servers.tools import ToolSpec
from worlds.episode import CallKind, CallOutcome, JournalLine

Entrance = Callable[[str, Mapping[str, JsonValue]], Awaitable[Answer]]
"""The outside of a server's pipeline: a tool's name and its arguments."""


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
