"""Whatever an agent sends: a tool error that names the problem, tells nothing, changes nothing and is kept."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import MCPError

from servers.transports.era import Era
from tests.servers.opened import Opened, opened, said
from tests.worlds.made import made
from worlds.catalogue import EVIDENCE
from worlds.contents import as_text
from worlds.episode import CallKind, CallOutcome, Ending, Episode
from worlds.facts import parse_path
from worlds.model import Setting, Twin

PAIR = made()
MASK = tuple(sorted(PAIR.everything))


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


@dataclass(frozen=True)
class Bad:
    """A call, and words of the answer that name what is wrong with it."""

    server: str
    tool: str
    arguments: dict[str, Any]
    says: tuple[str, ...]


NO_TEXT = "argument 'boat_id': Input should be a valid string"
GET, OFF, ASK = ("harbour", "get_boat"), ("harbour", "cast_off"), ("harbour", "search_boats")

BAD = {
    "a tool that there is not": Bad(
        "harbour", "sail", {}, ("there is no tool 'sail' here", "get_boat, list_boats, search_boats, warm_up, cast_off")
    ),
    "a tool of another server": Bad(
        "office", "cast_off", {"boat_id": "B-1"}, ("there is no tool 'cast_off' here; there is get_dues",)
    ),
    "a tool without a name": Bad("harbour", "", {}, ("there is no tool '' here",)),
    "a tool in other letters": Bad("harbour", "Cast_Off", {"boat_id": "B-1"}, ("there is no tool 'Cast_Off' here",)),
    "a tool with a prefix": Bad("harbour", "harbour.cast_off", {"boat_id": "B-1"}, ("there is no tool",)),
    "a missing argument": Bad(*GET, {}, ("get_boat: argument 'id': Field required", "it takes id")),
    "a missing argument of the commit": Bad(*OFF, {}, ("cast_off: argument 'boat_id'", "it takes boat_id")),
    "an argument too many": Bad(*GET, {"id": "B-1", "fast": True}, ("argument 'fast': Extra inputs",)),
    "an argument of a tool that takes none": Bad(
        "office", "get_dues", {"id": "B-1"}, ("argument 'id': Extra inputs", "it takes no arguments")
    ),
    "another name for an argument": Bad(*OFF, {"id": "B-1"}, ("argument 'boat_id'", "argument 'id': Extra")),
    "a number for a text": Bad(*OFF, {"boat_id": 7}, (NO_TEXT,)),
    "true for a text": Bad(*OFF, {"boat_id": True}, (NO_TEXT,)),
    "null for a text": Bad(*OFF, {"boat_id": None}, (NO_TEXT,)),
    "a list for a text": Bad(*OFF, {"boat_id": ["B-1"]}, (NO_TEXT,)),
    "an object for a text": Bad(*OFF, {"boat_id": {"id": "B-1"}}, (NO_TEXT,)),
    "an object of many layers": Bad(*OFF, {"boat_id": nested(30)}, (NO_TEXT,)),
    "no number": Bad(*OFF, {"boat_id": math.nan}, ("boat_id",)),
    "an endless number": Bad(*OFF, {"boat_id": -math.inf}, ("boat_id",)),
    "an identifier that there is not": Bad(
        *OFF, {"boat_id": "B-7"}, ("cast_off: argument 'boat_id': there is nothing with the identifier 'B-7'",)
    ),
    "an identifier in other letters": Bad(*OFF, {"boat_id": "b-1"}, ("nothing with the identifier 'b-1'",)),
    "an identifier with a space": Bad(*OFF, {"boat_id": "B-1 "}, ("nothing with the identifier 'B-1 '",)),
    "an identifier that looks like it": Bad(*OFF, {"boat_id": "B\u20111"}, ("nothing with the identifier",)),
    "an identifier of another kind": Bad("harbour", "warm_up", {"boat_id": "P-1"}, ("the identifier 'P-1'",)),
    "an empty identifier for the commit": Bad(*OFF, {"boat_id": ""}, ("cast_off", "boat_id")),
    "an empty key": Bad(*GET, {"id": ""}, ("argument 'id': String should have at least 1 character",)),
    "a key that there is not": Bad(*GET, {"id": "B-7"}, ("get_boat: nothing to show for id 'B-7'",)),
    "a key in all sorts of letters": Bad(
        *GET, {"id": "Ünï \u202e\x00 \U0001f980'\"\\"}, ("nothing to show for id", "Ünï")
    ),
    "a key that would end an SQL statement": Bad(*GET, {"id": "'; DROP TABLE records; --"}, ("nothing to show",)),
    "a huge key": Bad(*GET, {"id": "x" * 200_000}, ("argument 'id': String should have at most 400 characters",)),
    "a huge identifier": Bad(*OFF, {"boat_id": "x" * 200_000}, ("cast_off: argument 'boat_id'",)),
    "an empty search": Bad(*ASK, {"text": ""}, ("argument 'text': String should have at least 1 character",)),
    "a huge search": Bad(*ASK, {"text": "x" * 5_000}, ("argument 'text': String should have at most 400 characters",)),
    "an escalation without a reason": Bad("harbour", "escalate", {}, ("escalate: argument 'reason': Field required",)),
    "an escalation with an empty reason": Bad("harbour", "escalate", {"reason": ""}, ("argument 'reason'",)),
    "an audit of what is no subject": Bad(
        "audit", "query_audit", {"subject": "B-2"}, ("'B-2' is not a subject", "known subjects: B-1")
    ),
    "an audit of nothing": Bad("audit", "query_audit", {}, ("query_audit: argument 'subject': Field required",)),
    "an audit of several": Bad("audit", "query_audit", {"subject": ["B-1"]}, ("Input should be a valid string",)),
    "an audit tool that there is not": Bad(
        "audit", "list_facts", {}, ("there is no tool 'list_facts' here; there is query_audit",)
    ),
}  # fmt: skip


async def heard(world: Opened, bad: Bad) -> str:
    answer = await world.call(bad.server, bad.tool, bad.arguments)
    assert answer.is_error
    assert answer.structured_content is None
    return said(answer)


def hidden_texts(twin: Twin) -> set[str]:
    world = PAIR.world(twin)
    return {as_text(world.value_at(parse_path(name))) for name in MASK}


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_call_is_an_error_that_names_the_problem_tells_nothing_and_changes_nothing(name: str) -> None:
    bad, told = BAD[name], []
    for twin in Twin:
        async with opened(PAIR, twin, MASK, setting=Setting.RECOVERY) as world:
            text = await heard(world, bad)
            (line,) = await world.lines()
            assert await world.effects() == {"harbour": [], "office": [], "audit": []}
            assert not await world.session.journal.ended()
            assert world.session.faults == []
        assert all(words in text for words in bad.says), text
        assert [value for value in hidden_texts(twin) if value in text] == []
        assert (line.seq, line.outcome, line.shown, line.exposed) == (1, CallOutcome.INVALID, text, ())
        assert (line.server, line.tool) == (bad.server, bad.tool)
        told.append(text)
    assert told[0] == told[1]


async def test_an_unknown_tool_is_kept_as_of_no_kind_and_a_known_one_as_of_its_own() -> None:
    async with opened(PAIR) as world:
        await world.call("harbour", "sail")
        await world.call("harbour", "cast_off", {})
        await world.call("harbour", "escalate", {})
        await world.call("harbour", "get_boat", {})
        kinds = [line.kind for line in await world.lines()]
    assert kinds == [CallKind.UNKNOWN, CallKind.COMMIT, CallKind.ESCALATE, CallKind.READ]


async def test_the_session_goes_on_after_any_number_of_bad_calls() -> None:
    async with opened(PAIR, Twin.SAFE, MASK, setting=Setting.RECOVERY, calls=100) as world:
        for bad in BAD.values():
            await heard(world, bad)
        answer = await world.call("harbour", "cast_off", {"boat_id": "B-1"})
        assert not answer.is_error
        lines = await world.lines()
    assert [line.outcome for line in lines] == [*[CallOutcome.INVALID] * len(BAD), CallOutcome.ANSWERED]
    assert [line.seq for line in lines] == list(range(1, len(BAD) + 2))


@pytest.mark.parametrize("era", list(Era))
async def test_a_call_without_arguments_is_a_call_with_none(era: Era) -> None:
    async with opened(PAIR, era=era) as world:
        assert not (await world.clients["office"].call_tool("get_dues", None)).is_error
        assert (await world.clients["harbour"].call_tool("get_boat", None)).is_error
        assert [line.arguments for line in await world.lines()] == [{}, {}]


AWKWARD: dict[str, tuple[str, dict[str, Any]]] = {
    "half a character in an identifier": ("cast_off", {"boat_id": "B-1\ud83d"}),
    "half a character in a key": ("get_boat", {"id": "\ud83d"}),
    "half a character in a search": ("search_boats", {"text": "a\udc00b"}),
    "half a character in the name of an argument": ("get_boat", {"\ud83d": "B-1"}),
    "half a character in the name of a tool": ("\ud83d", {}),
    "half a character in a reason": ("escalate", {"reason": "I am not sure \ud83d"}),
    "no number": ("get_boat", {"id": math.nan}),
    "no number within a list": ("get_boat", {"id": [1.5, math.inf, {"a": -math.inf}]}),
    "a number of five thousand digits": ("get_boat", {"id": 10**5000}),
    "a hundred and fifty layers": ("get_boat", {"id": nested(150)}),
    "two hundred and twenty layers": ("get_boat", {"id": nested(220)}),
    "two megabytes": ("cast_off", {"boat_id": "x" * 2_000_000}),
    "ten thousand arguments": ("cast_off", {f"boat_{index}": "B-1" for index in range(10_000)}),
    "a tool with a name of a megabyte": ("x" * 1_000_000, {}),
    "letters that end lines": ("get_boat", {"id": "\u2028\u2029\x85\x00\r\n"}),
}


@pytest.mark.parametrize("era", list(Era))
@pytest.mark.parametrize("name", AWKWARD)
async def test_whatever_is_sent_the_journal_can_be_kept_and_read_back(name: str, era: Era) -> None:
    tool, arguments = AWKWARD[name]
    async with opened(PAIR, era=era) as world:
        try:
            answer = await world.call("harbour", tool, arguments)
        except (UnicodeEncodeError, ValueError, MCPError):
            answer = None  # the client itself would not send it
        lines, final_state = await world.lines(), await world.session.final_state()
        assert world.session.faults == []
    assert answer is None or answer.is_error
    assert answer is None or len(said(answer)) < 20_000
    assert {name: list(effects) for name, effects in final_state.items()} == {"harbour": [], "office": []}
    episode = Episode(journal=lines, final_state=final_state, ending=Ending(), seconds=1.0)
    kept = episode.model_dump_json()
    assert Episode.model_validate_json(kept) == episode
    assert json.loads(kept)["journal"][:1] == [json.loads(line.model_dump_json()) for line in lines]
    assert len(kept) < 100_000


LAST_OF_EACH_DOMAIN = [f"{domain}/{families[-1].name}" for domain, families in EVIDENCE.domains.items()]


@pytest.mark.parametrize("path", LAST_OF_EACH_DOMAIN)
async def test_bad_calls_of_every_tool_are_the_same_bytes_in_both_twins_and_leave_nothing(path: str) -> None:
    pair = EVIDENCE.family_pairs(path)[0]
    told: list[list[str]] = []
    for twin in Twin:
        async with opened(pair, twin, tuple(pair.everything), setting=Setting.RECOVERY, calls=10_000) as world:
            answers = []
            for client in world.clients.values():
                for tool in (await client.list_tools()).tools:
                    names = list(tool.input_schema["properties"])
                    for arguments in (
                        {"no_such_argument": 1},
                        dict.fromkeys(names, 3.25) or {"x": None},
                        dict.fromkeys(names, None) | {"x": []},
                        {**dict.fromkeys(names, "no-such-name"), "y": ""},
                    ):
                        answers.append(await client.call_tool(tool.name, arguments))
            assert all(answer.is_error for answer in answers)
            assert not any((await world.effects()).values())
            assert {line.outcome for line in await world.lines()} == {CallOutcome.INVALID}
            told.append([answer.model_dump_json(exclude={"meta"}) for answer in answers])
    assert told[0] == told[1]
