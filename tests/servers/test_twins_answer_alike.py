"""Under a mask of all facts in which the twins differ, they answer any sequence of calls with the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from servers.tools import Reading, ToolSpec, tools_by_system
from tests.servers.opened import opened
from worlds.catalogue import EVIDENCE
from worlds.contents import as_text, known_names
from worlds.episode import CallKind
from worlds.facts import parse_path
from worlds.model import Setting, Twin
from worlds.task import TaskPair

Call = tuple[str, str, dict[str, Any]]


def telling_texts(pair: TaskPair) -> list[str]:
    """Words by which one could look for the difference: its values in both twins, whole and in parts."""
    values = [pair.world(twin).value_at(parse_path(name)) for name in sorted(pair.differing) for twin in Twin]
    texts = [as_text(value) for value in values if isinstance(value, str | int)]
    return sorted({text for text in texts if text} | {text[:4] for text in texts if text} | {"total", "null", '"', "e"})


def calls_of(pair: TaskPair, system: str, tool: ToolSpec) -> Iterator[Call]:
    """Every call of a tool by every name and telling text; of a commit only what is refused."""
    if tool.reading is Reading.SEARCH:
        yield from ((system, tool.name, {"text": text}) for text in telling_texts(pair))
    elif tool.reading is not None:
        keys = sorted(known_names(pair, tool.record)) if tool.record else []
        fields = list(tool.arguments.model_fields)
        yield from (
            (system, tool.name, dict.fromkeys(fields, key)) for key in [*keys, "no-such-key"][: None if fields else 1]
        )
    elif tool.kind is CallKind.PREPARATION:
        asked = pair.commit.model_dump(mode="json")
        known = [
            sorted(known_names(pair, tool.names[name])) if name in tool.names else [asked.get(name, "1")]
            for name in tool.arguments.model_fields
        ]
        yield from (
            (system, tool.name, dict(zip(tool.arguments.model_fields, chosen, strict=True)))
            for chosen in list(product(*known))[:12]
        )
    if tool.names:
        yield system, tool.name, dict.fromkeys(tool.arguments.model_fields, "no-such-name")
    yield system, tool.name, {"no_such_argument": True}


def sequence(pair: TaskPair) -> list[Call]:
    """All calls, in an order of their own for each pair, and the first of them once more."""
    systems = tools_by_system(pair.family).items()
    calls = [call for system, tools in systems for tool in tools for call in calls_of(pair, system, tool)]
    calls.sort(key=lambda call: hashlib.sha256(f"{pair.path} {call}".encode()).digest())
    return [*calls, *calls[: len(calls) // 3]]


SOME_FAMILIES = [f"{domain}/{family.name}" for domain, found in EVIDENCE.domains.items() for family in found[1::3]]
"""Three of each domain; `twintown check` proves all pairs of all families."""


@pytest.mark.parametrize("path", SOME_FAMILIES)
async def test_the_twins_of_a_pair_cannot_be_told_apart(path: str) -> None:
    pair = EVIDENCE.family_pairs(path)[-1]
    told: list[list[str]] = []
    for twin in Twin:
        async with opened(pair, twin, tuple(pair.differing), setting=Setting.SUPPRESSED, calls=100_000) as world:
            answers = [await world.call(*call) for call in sequence(pair)]
            assert world.session.faults == []
            assert not await world.session.journal.ended()
            exposed = {name for line in await world.lines() for name in line.exposed}
            assert not exposed & pair.differing
            told.append([answer.model_dump_json(exclude={"meta"}) for answer in answers])
    for call, ours, theirs in zip(sequence(pair), *told, strict=True):
        assert ours == theirs, call
    assert sum('"is_error":false' in answer for answer in told[0]) >= len(pair.family.records)
