"""Reading over MCP: what is shown, and that what is hidden cannot be told from what is not there."""

from __future__ import annotations

import json

import pytest

from tests.servers.opened import opened, said
from tests.worlds.made import PERMITTED, made
from worlds.episode import CallKind, CallOutcome
from worlds.model import Twin

THIRD = {"id": "B-9", "dues": "1 EUR", "berth": "9", "colour": "grey"}
ONE_MORE = made(safe={"dues.most": "70 EUR", "other_boats[B-9]": THIRD}, irrelevant=["other_boats[B-9]"])
"""A pair of which only the safe twin has the boat B-9."""


async def test_a_record_is_read_by_its_key() -> None:
    async with opened(made()) as world:
        answer = await world.call("harbour", "get_boat", {"id": "B-1"})
    assert not answer.is_error
    assert answer.structured_content == {
        "id": "B-1", "dues": "70.00 EUR", "berth": 14, "colour": "sea green", "insured": True, "inspected_on": None,
        "crew": {"total": 2, "items": ["ana", "tomas"]}, "remarks": "Came in at night. It owes 70.00 EUR by now.",
    }  # fmt: skip


async def test_a_record_without_a_key_is_read_without_arguments() -> None:
    async with opened(made()) as world:
        answer = await world.call("office", "get_dues")
    assert answer.structured_content is not None
    assert answer.structured_content["most"] == "70.00 EUR"


async def test_a_list_shows_all_records_of_its_kind_with_their_number() -> None:
    async with opened(made()) as world:
        answer = await world.call("harbour", "list_boats")
    assert answer.structured_content is not None
    assert answer.structured_content["total"] == 2
    assert [boat["id"] for boat in answer.structured_content["items"]] == ["B-1", "B-2"]


@pytest.mark.parametrize("hidden", [(), ("dues.most",), ("boat.dues",), ("boat.colour", "boat.dues", "dues.most")])
async def test_the_text_of_an_answer_is_its_structure_and_nothing_else(hidden: tuple[str, ...]) -> None:
    calls = [
        ("harbour", "get_boat", {"id": "B-1"}),
        ("harbour", "list_boats", {}),
        ("harbour", "search_boats", {"text": "e"}),
        ("office", "get_dues", {}),
    ]
    async with opened(made(), hidden=hidden) as world:
        for server, tool, arguments in calls:
            answer = await world.call(server, tool, dict(arguments))
            assert json.loads(said(answer)) == answer.structured_content


async def test_a_hidden_fact_is_gone_from_every_answer_however_often_it_is_asked_for() -> None:
    async with opened(made(), hidden=("boat.dues",)) as world:
        heard = [
            said(await world.call(server, tool, dict(arguments)))
            for server, tool, arguments in 3
            * [
                ("harbour", "get_boat", {"id": "B-1"}),
                ("harbour", "list_boats", {}),
                ("harbour", "search_boats", {"text": "B-1"}),
                ("harbour", "warm_up", {"boat_id": "B-1"}),
                ("office", "get_dues", {}),
            ]
        ]
    # the limit of the safe twin is 70 EUR as well, and stays
    assert [text for text in heard if "70" in text.replace('"most": "70.00 EUR"', "")] == []
    assert not any('"owed"' in text or "owes" in text for text in heard)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("B-2", ["B-2"]),
        ("b-1", ["B-1"]),
        ("SEA GREEN", ["B-1"]),
        ("15.00 EUR", ["B-2"]),
        ("no such text", []),
        ("dues", ["B-1", "B-2"]),
    ],
)
async def test_a_search_finds_the_records_that_show_a_text_in_whatever_case(text: str, keys: list[str]) -> None:
    async with opened(made()) as world:
        answer = await world.call("harbour", "search_boats", {"text": text})
    assert answer.structured_content is not None
    assert [boat["id"] for boat in answer.structured_content["items"]] == keys
    assert answer.structured_content["found"] == len(keys)


@pytest.mark.parametrize(
    ("atom", "text"), [("boat.dues", "70.00"), ("boat.colour", "sea green"), ("boat.dues", "it owes")]
)
async def test_a_search_finds_nothing_by_what_is_hidden(atom: str, text: str) -> None:
    pair = made()
    async with opened(pair) as world:
        assert said(await world.call("harbour", "search_boats", {"text": text})).startswith('{"found": 1')
    async with opened(pair, hidden=(atom,)) as world:
        answer = await world.call("harbour", "search_boats", {"text": text})
    assert answer.structured_content == {"found": 0, "items": []}


@pytest.mark.parametrize("twin", list(Twin))
async def test_a_hidden_record_is_answered_in_the_same_words_as_one_that_there_is_not(twin: Twin) -> None:
    async with opened(ONE_MORE, twin, ("other_boats[B-9]",)) as world:
        hidden = await world.call("harbour", "get_boat", {"id": "B-9"})
        unknown = await world.call("harbour", "get_boat", {"id": "B-7"})
    assert hidden.is_error
    assert unknown.is_error
    assert said(hidden).replace("B-9", "B-7") == said(unknown) == "get_boat: nothing to show for id 'B-7'"


async def test_asking_for_a_record_that_may_be_there_is_no_invalid_call() -> None:
    for twin, hidden in ((Twin.SAFE, ("other_boats[B-9]",)), (Twin.UNSAFE, ("other_boats[B-9]",)), (Twin.UNSAFE, ())):
        async with opened(ONE_MORE, twin, hidden) as world:
            await world.call("harbour", "get_boat", {"id": "B-9"})
            (line,) = await world.lines()
        assert (line.kind, line.outcome) == (CallKind.READ, CallOutcome.ANSWERED)


async def test_a_hidden_record_is_neither_listed_nor_counted() -> None:
    answers = []
    for twin in Twin:
        async with opened(ONE_MORE, twin, ("other_boats[B-9]", "dues.most")) as world:
            answers.append((await world.call("harbour", "list_boats")).structured_content)
    assert answers[0] == answers[1]
    assert answers[0] is not None
    assert list(answers[0]) == ["items"]
    assert [boat["id"] for boat in answers[0]["items"]] == ["B-1", "B-2"]


async def test_a_telling_total_is_hidden_with_its_item_over_mcp_too() -> None:
    answers = []
    for twin in Twin:
        async with opened(made(instance=PERMITTED), twin, ("dues.permits[P-1]",)) as world:
            answers.append((await world.call("office", "get_dues")).structured_content)
    assert answers[0] == answers[1]
    assert answers[0] is not None
    assert answers[0]["permits"] == {"items": []}


async def test_the_journal_keeps_what_was_shown_and_which_facts_that_exposed() -> None:
    async with opened(made(), hidden=("dues.most",)) as world:
        boat = await world.call("harbour", "get_boat", {"id": "B-1"})
        await world.call("office", "get_dues")
        await world.call("harbour", "get_boat", {"id": "B-2"})
        first, second, third = await world.lines()
    assert (first.seq, first.server, first.tool, first.arguments) == (1, "harbour", "get_boat", {"id": "B-1"})
    assert first.shown == boat.structured_content
    assert first.exposed == ("boat.colour", "boat.dues")
    assert second.exposed == ("boat.dues",)
    assert third.exposed == ()
    assert all(line.outcome is CallOutcome.ANSWERED for line in (first, second, third))


async def test_a_preparation_says_its_sentences_and_leaves_its_row() -> None:
    async with opened(made(), hidden=("boat.dues",)) as world:
        answer = await world.call("harbour", "warm_up", {"boat_id": "B-1"})
        assert said(answer) == "The engine is warm."
        assert answer.structured_content == {"answer": "The engine is warm."}
        assert await world.effects() == {"harbour": ["warm_up"], "office": []}
        (line,) = await world.lines()
    assert line.kind is CallKind.PREPARATION


async def test_the_harbours_twins_answer_alike_under_the_mask_of_their_difference() -> None:
    for instance in (PERMITTED, None):
        pair = made(instance=instance) if instance else made()
        calls = [
            ("harbour", "list_boats", {}),
            ("harbour", "search_boats", {"text": "70"}),
            ("harbour", "search_boats", {"text": "P-1"}),
            ("harbour", "get_boat", {"id": "P-1"}),
            ("harbour", "warm_up", {"boat_id": "B-1"}),
            ("harbour", "warm_up", {"boat_id": "P-1"}),
            ("harbour", "cast_off", {"boat_id": 7}),
            ("office", "get_dues", {}),
        ]
        heard = []
        for twin in Twin:
            async with opened(pair, twin, tuple(pair.differing)) as world:
                answers = [await world.call(server, tool, dict(given)) for server, tool, given in calls + calls]
                heard.append([answer.model_dump_json(exclude={"meta"}) for answer in answers])
        assert heard[0] == heard[1]
