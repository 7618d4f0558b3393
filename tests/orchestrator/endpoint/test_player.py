"""What the scripted model does about the ways of hosts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import httpx2
import jsonschema
import pytest

from orchestrator.endpoint.fitting import fitting
from orchestrator.endpoint.naming import matched
from orchestrator.endpoint.player import ASIDE, NOTHING, Player
from orchestrator.endpoint.serving import scripted_model
from orchestrator.endpoint.structured import CutShort, structured
from orchestrator.endpoint.turn import Calls, Offered, Result, Says, Step, Turn
from orchestrator.endpoint.wires.gemini import GEMINI
from orchestrator.endpoint.wires.responses import RESPONSES
from tests.orchestrator.endpoint.policies import FOUND, SERVERS, Buyer, Silent

TOOLS = (Offered("shop__find"), Offered("shop__buy"), Offered("data_shop__find"))
FIRST = Turn("any", TOOLS, "1", begins=True, asked=1, said="Buy a lamp.")


def then(history: str, step: Step, text: str, failed: bool = False, asked: int = 1) -> Turn:
    """The request that brings the result of a call."""
    results = (Result(step.id, "", text, failed),)
    return replace(FIRST, history=history, begins=False, asked=asked, results=results)


@pytest.fixture
def player() -> Player:
    return Player(Buyer, SERVERS)


async def test_a_request_that_is_sent_twice_gets_the_same_answer_and_the_policy_goes_on_once(player: Player) -> None:
    first = await player.step(FIRST)
    assert await player.step(FIRST) is first
    assert player.asked == [("shop", "find")]
    await player.close()


async def test_a_result_that_comes_again_in_another_request_gets_the_call_that_followed_it(player: Player) -> None:
    found = await player.step(FIRST)
    buys = await player.step(then("2", found, json.dumps(FOUND)))
    assert await player.step(then("2 with a reminder", found, json.dumps(FOUND))) is buys
    assert player.trouble == ""
    await player.close()


@pytest.mark.parametrize(
    "aside",
    [replace(FIRST, offered=()), replace(FIRST, offered=(Offered("shell"),))],
    ids=["without tools", "with tools of the host alone"],
)
async def test_a_request_on_the_side_gets_harmless_words_and_does_not_touch_the_policy(
    player: Player, aside: Turn
) -> None:
    step = await player.step(aside)
    assert isinstance(step, Says)
    assert step.text == ASIDE
    assert player.asked == []


async def test_a_request_on_the_side_for_an_object_gets_one_that_fits(player: Player) -> None:
    speaks_next = {
        "type": "OBJECT",
        "properties": {"reasoning": {"type": "STRING"}, "next_speaker": {"type": "STRING", "enum": ["user", "model"]}},
        "required": ["reasoning", "next_speaker"],
    }
    step = await player.step(replace(FIRST, schema=speaks_next))
    assert isinstance(step, Says)
    assert json.loads(step.text) == {"reasoning": "", "next_speaker": "user"}
    assert player.asked == []


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "array", "items": {"type": "integer"}, "minItems": 1},
        {"anyOf": [{"type": "null"}, {"type": "string"}]},
        {"type": ["boolean", "null"]},
        {
            "type": "object",
            "properties": {"kind": {"const": "note"}, "child": {"$ref": "#/$defs/Child"}},
            "required": ["kind", "child"],
            "$defs": {"Child": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}},
        },
    ],
)
def test_the_least_that_fits_a_schema_is_valid_by_it(schema: dict[str, Any]) -> None:
    jsonschema.validate(fitting(schema), schema)


def test_a_schema_that_demands_itself_without_end_has_an_answer() -> None:
    assert fitting({"$ref": "#"}) is None


async def test_a_new_conversation_begins_the_policy_anew_even_if_it_begins_with_the_same_words(player: Player) -> None:
    for price in ("31.00 USD", "29.00 USD"):
        step = await player.step(FIRST)
        step = await player.step(then(f"found at {price}", step, json.dumps({"price": price})))
        assert isinstance(step, Calls)
        assert step.arguments == {"price": price}
        step = await player.step(then(f"bought for {price}", step, "{}"))
        assert isinstance(step, Says)
        assert step.text == f"Bought for {price}."
    assert (player.conversations, player.messages) == (2, 2)


async def test_it_is_counted_how_many_messages_the_policy_was_told(player: Player) -> None:
    step = await player.step(FIRST)
    step = await player.step(then("2", step, json.dumps(FOUND)))
    step = await player.step(then("3", step, "{}"))
    await player.step(replace(FIRST, history="4", begins=False, asked=2, said="Well done."))
    assert (player.conversations, player.messages) == (1, 2)


async def test_an_answer_that_came_back_cut_short_is_trouble(player: Player) -> None:
    step = await player.step(FIRST)
    step = await player.step(then("2", step, '{"items": [{"price": "31.00 USD"}, {"pri ... truncated'))
    assert player.trouble == "the answer of shop__find came back cut short"
    again = await player.step(then("3", step, "{}", asked=2))
    assert isinstance(again, Says)
    assert player.messages == 1
    await player.close()


async def test_a_server_that_the_session_may_be_without_is_there_if_it_is_offered() -> None:
    there: list[set[str]] = []

    class Looks:
        async def act(self, request: str, sessions: Mapping[str, Any]) -> str:
            there.append(set(sessions))
            return "Seen."

    player = Player(Looks, SERVERS, optional={"data_shop"})
    await player.step(replace(FIRST, offered=TOOLS[:2]))
    await player.step(replace(FIRST, history="another"))
    assert there == [{"shop"}, {"shop", "data_shop"}]


async def test_each_trouble_is_told_of_when_it_happens() -> None:
    told: list[str] = []
    player = Player(Buyer, SERVERS, warn=told.append)
    await player.step(replace(FIRST, offered=TOOLS[1:2]))
    assert told == [player.trouble]
    await player.close()


async def test_a_further_message_of_the_person_is_the_policys_next_turn(player: Player) -> None:
    step = await player.step(FIRST)
    step = await player.step(then("2", step, json.dumps(FOUND)))
    step = await player.step(then("3", step, json.dumps({"order": "o1"})))
    assert isinstance(step, Says)
    assert step.text == "Bought for 31.00 USD."
    step = await player.step(replace(FIRST, history="4", begins=False, asked=2, said="Well done."))
    assert isinstance(step, Says)
    assert step.text == "Thanks."


async def test_a_host_that_asks_again_without_a_new_message_gets_the_last_words_again(player: Player) -> None:
    step = await player.step(FIRST)
    step = await player.step(then("2", step, json.dumps(FOUND)))
    step = await player.step(then("3", step, "{}"))
    again = await player.step(replace(FIRST, history="5", begins=False))
    assert isinstance(again, Says)
    assert again.text == "Bought for 31.00 USD."
    assert len(player.asked) == 2


async def test_a_tools_error_reaches_the_policy_as_one(player: Player) -> None:
    step = await player.step(FIRST)
    step = await player.step(then("2", step, json.dumps(FOUND)))
    step = await player.step(then("3", step, "sold out", failed=True))
    assert isinstance(step, Says)
    assert step.text == "Refused: sold out"


async def test_a_call_that_is_never_answered_is_trouble(player: Player) -> None:
    await player.step(FIRST)
    await player.step(replace(FIRST, history="2", begins=False, asked=2))
    assert player.trouble == "the call of shop__find was never answered"
    await player.close()


async def test_a_tool_that_the_host_did_not_offer_is_trouble() -> None:
    player = Player(Buyer, SERVERS)
    await player.step(replace(FIRST, offered=TOOLS[1:2]))
    assert player.trouble == "shop.find was to be called, but the model was offered no tool of that name"
    await player.close()


async def test_two_tools_of_one_name_are_trouble() -> None:
    player = Player(Buyer, SERVERS)
    await player.step(replace(FIRST, offered=(*TOOLS, Offered("mcp__shop__find"))))
    assert player.trouble == "shop.find was to be called, but the model was offered shop__find, mcp__shop__find"
    await player.close()


async def test_nothing_said_is_a_dot_because_no_api_carries_nothing() -> None:
    step = await Player(Silent, SERVERS).step(FIRST)
    assert isinstance(step, Says)
    assert step.text == NOTHING


@pytest.mark.parametrize(
    "named",
    ["{server}__{tool}", "mcp__{server}__{tool}", "mcp_{server}_{tool}", "{server}-{tool}", "{server}.{tool}"],
)
def test_a_server_whose_name_ends_like_another_is_not_taken_for_it(named: str) -> None:
    offered = [Offered(named.format(server=server, tool=tool)) for server, tools in SERVERS.items() for tool in tools]
    found = matched(offered, SERVERS)
    assert {place: [each.name for each in of] for place, of in found.items()} == {
        (server, tool): [named.format(server=server, tool=tool)] for server, tools in SERVERS.items() for tool in tools
    }


def test_a_call_into_a_group_of_tools_names_the_group_and_the_short_name() -> None:
    group = {"type": "namespace", "name": "mcp__shop", "tools": [{"type": "function", "name": "find"}]}
    turn = RESPONSES.read({"input": "Buy.", "tools": [group]})
    (offered,) = matched(turn.offered, SERVERS)["shop", "find"]
    (item,) = RESPONSES.whole(turn, Calls("c1", offered, {}))["output"]
    assert (item["namespace"], item["name"]) == ("mcp__shop", "find")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(FOUND),
        f"Wall time: 0.1 s\nOutput:\n{json.dumps(FOUND)}",
        f"{json.dumps(FOUND)}\n{json.dumps(FOUND)}",
        json.dumps({"output": f"[untrusted {{ ] {json.dumps(FOUND)}"}),
        json.dumps({"content": [{"type": "text", "text": json.dumps(FOUND)}], "isError": False}),
        json.dumps({"content": [{"type": "text", "text": "x"}], "structuredContent": FOUND}),
        json.dumps([{"type": "text", "text": json.dumps(FOUND)}]),
        json.dumps({"result": {"content": [], "structuredContent": FOUND}}),
    ],
)
def test_the_structure_of_an_answer_is_found_in_what_hosts_make_of_it(text: str) -> None:
    assert structured(text) == FOUND


def test_an_answer_without_structure_has_none() -> None:
    assert structured("nothing to show for {this}") is None


@pytest.mark.parametrize("record", [{"id": "C-1", "result": "clear"}, {"result": "clear"}, {"content": ["a"]}])
def test_a_record_with_a_field_named_like_a_hosts_envelope_stays_as_it_is(record: dict[str, Any]) -> None:
    assert structured(json.dumps(record)) == record
    given = {"functionResponse": {"name": "shop__find", "response": record}}
    (result,) = GEMINI.read({"contents": [{"role": "user", "parts": [given]}]}).results
    assert structured(result.text) == record
    assert not result.failed


def test_a_part_of_an_answer_is_never_taken_for_the_whole() -> None:
    whole = json.dumps({"items": [{"price": "31.00 USD"}, {"price": "29.00 USD"}]})
    with pytest.raises(CutShort):
        structured(f"Output:\n{whole[:-10]} (truncated)")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/messages", "{"),
        ("/v1/messages", json.dumps({"messages": "hello"})),
        ("/v1/chat/completions", "[]"),
        ("/v1/chat/completions", json.dumps({"messages": [1]})),
        ("/v1/responses", "{}"),
        ("/v1/responses", json.dumps({"input": "Go on.", "previous_response_id": "resp_1"})),
        ("/v1/messages", "[" * 100_000),
        ("/v1beta/models/any:generateContent", json.dumps({"contents": [3]})),
    ],
)
async def test_a_request_that_cannot_be_read_is_refused_in_the_apis_own_form(path: str, body: str) -> None:
    async with scripted_model(Buyer, SERVERS) as endpoint, httpx2.AsyncClient() as client:
        answer = await client.post(endpoint.address + path, content=body)
    told: dict[str, Any] = answer.json()
    assert answer.status_code == 400
    assert "the request cannot be read" in told["error"]["message"]
    assert endpoint.requests == 0
