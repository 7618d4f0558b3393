"""A session ends with its commit or escalation, or when its calls are used up. Nothing is answered after that."""

from __future__ import annotations

from servers.journal import Journal
from servers.middleware.call import Answer, Call, Layer, Refused
from worlds.episode import CallKind, CallOutcome

_ENDING = (CallKind.COMMIT, CallKind.ESCALATE)


def refusing_after_the_end(journal: Journal, most_calls: int, following: Layer) -> Layer:
    """Refuse every call after the end, and every one above the budget of calls."""

    async def layer(call: Call) -> Answer:
        if await journal.ended():
            return Refused("this session has ended", CallOutcome.OVER)
        if call.seq > most_calls + journal.aside:
            return Refused(f"the {most_calls} calls of this session are used up", CallOutcome.OVER)
        return await following(call)

    return layer


def ending(journal: Journal, following: Layer) -> Layer:
    """Let a commit or an escalation through only if it is the first to end the session."""

    async def layer(call: Call) -> Answer:
        if call.tool is not None and call.tool.kind in _ENDING and not await journal.end(call.seq):
            return Refused("this session has ended", CallOutcome.OVER)
        return await following(call)

    return layer
