"""The handlers of one system of record: reads answer with evidence, actions leave an effect."""

from __future__ import annotations

from functools import partial

from servers.middleware.call import Call, Found, Handler, Refused
from servers.middleware.masking import nothing_to_show
from servers.store import Store
from servers.tools import Reading, ToolSpec
from worlds.contents import SystemContents, known_names
from worlds.episode import CallKind, CallOutcome, Effect
from worlds.projection import Evidence
from worlds.task import TaskPair


def system_handler(pair: TaskPair, store: Store) -> Handler:
    """Answers the checked calls of one system of record from its database."""
    return partial(_answer, pair, store)


async def _answer(pair: TaskPair, store: Store, call: Call) -> Found | Refused:
    if call.tool is None or call.parsed is None:
        raise RuntimeError(f"{call.name} reached the handler unchecked")
    if call.tool.kind is CallKind.READ:
        return _read(pair, store.held, call, call.tool)
    await store.add_effect(Effect(seq=call.seq, tool=call.name, arguments=call.parsed.model_dump(mode="json")))
    if call.tool.kind is CallKind.PREPARATION:
        return Found(store.held.answers[call.name])
    done = "handed to a person" if call.tool.kind is CallKind.ESCALATE else "done"
    return Found(Evidence({"status": Evidence(done)}))


def _read(pair: TaskPair, held: SystemContents, call: Call, tool: ToolSpec) -> Found | Refused:
    if tool.record is None:
        raise RuntimeError(f"{tool.name} reads no kind of record")
    table = held.records[tool.record.__name__]
    asked = next((str(value) for value in call.arguments.values()), "")
    if tool.reading is Reading.ALL:
        return Found(table.answer)
    if tool.reading is Reading.SEARCH:
        return Found(Evidence(tuple(record for _, record in table.records)), showing=asked)
    for key, record in table.records:
        if key == asked:
            return Found(record)
    known = asked in known_names(pair, tool.record)
    return nothing_to_show(call, CallOutcome.ANSWERED if known else CallOutcome.INVALID)
