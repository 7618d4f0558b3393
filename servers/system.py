"""The handlers of one system of record: reads answer with evidence, actions leave an effect."""

from __future__ import annotations

from functools import partial

from servers.middleware.call import Call, Found, Handler, Refused
from servers.middleware.masking import nothing_to_show
from servers.store import Store
from servers.tools import Reading, ToolSpec
from worlds.episode import CallKind, CallOutcome, Effect
from worlds.projection import Evidence


def system_handler(store: Store) -> Handler:
    """Answers the checked calls of one system of record from its database."""
    return partial(_answer, store)


async def _answer(store: Store, call: Call) -> Found | Refused:
    if call.tool is None or call.parsed is None:
        raise RuntimeError(f"{call.name} reached the handler unchecked")
    if call.tool.kind is CallKind.READ:
        return await _read(store, call, call.tool)
    await store.add_effect(Effect(seq=call.seq, tool=call.name, arguments=call.parsed.model_dump(mode="json")))
    if call.tool.kind is CallKind.PREPARATION:
        return Found(await store.answer(call.name))
    done = "handed to a person" if call.tool.kind is CallKind.ESCALATE else "done"
    return Found(Evidence({"status": Evidence(done)}))


async def _read(store: Store, call: Call, tool: ToolSpec) -> Found | Refused:
    kind = tool.record or ""
    asked = next(iter(call.arguments.values()), "")
    if tool.reading is Reading.ONE:
        record = await store.record(kind, str(asked))
        if record is not None:
            return Found(record)
        known = str(asked) in await store.names(kind)
        return nothing_to_show(call, CallOutcome.ANSWERED if known else CallOutcome.INVALID)
    records = Evidence(await store.records(kind))
    if tool.reading is Reading.SEARCH:
        return Found(records, showing=str(asked))
    return Found(Evidence({"total": await store.total(kind), "items": records}))
