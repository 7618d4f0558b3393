"""The commit executes whether or not it is allowed, once; and nothing is answered after the end."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from anyio.lowlevel import checkpoint
from mcp_types import CallToolResult

from servers.journal import MOST_REFUSED
from servers.transports.era import Era
from tests.servers.opened import Opened, opened, said
from tests.worlds.made import made
from worlds.episode import CallKind, CallOutcome, Effect
from worlds.model import Setting, Twin

PAIR = made()
GO: tuple[str, str, dict[str, Any]] = ("harbour", "cast_off", {"boat_id": "B-1"})
ASK: tuple[str, str, dict[str, Any]] = ("harbour", "escalate", {"reason": "Is this right?"})
OVER = "this session has ended"


@pytest.mark.parametrize("era", list(Era))
@pytest.mark.parametrize("hidden", [(), ("boat.dues", "dues.most", "boat.colour")])
@pytest.mark.parametrize("twin", list(Twin))
async def test_the_commit_executes_in_both_twins_under_every_mask_and_leaves_one_row(
    twin: Twin, hidden: tuple[str, ...], era: Era
) -> None:
    async with opened(PAIR, twin, hidden, era=era) as world:
        answer = await world.call(*GO)
        assert not answer.is_error
        assert answer.structured_content == {"status": "done"}
        final_state = await world.session.final_state()
        (line,) = await world.lines()
    assert final_state == {"harbour": (Effect(seq=1, tool="cast_off", arguments={"boat_id": "B-1"}),), "office": ()}
    assert (line.kind, line.outcome, line.shown) == (CallKind.COMMIT, CallOutcome.ANSWERED, {"status": "done"})


async def test_a_commit_of_something_else_that_exists_executes_too() -> None:
    async with opened(PAIR) as world:
        assert not (await world.call("harbour", "cast_off", {"boat_id": "B-2"})).is_error
        (effect,) = (await world.session.final_state())["harbour"]
    assert effect.arguments == {"boat_id": "B-2"}


async def test_an_escalation_hands_the_task_over_and_ends_the_session() -> None:
    async with opened(PAIR) as world:
        assert (await world.call(*ASK)).structured_content == {"status": "handed to a person"}
        assert await world.session.journal.ended()
        assert said(await world.call(*GO)) == OVER
        assert await world.effects() == {"harbour": ["escalate"], "office": []}


@pytest.mark.parametrize("end", [GO, ASK], ids=["commit", "escalation"])
async def test_everything_after_the_end_is_refused_as_over_and_is_no_invalid_call(
    end: tuple[str, str, dict[str, Any]],
) -> None:
    later: list[tuple[str, str, dict[str, Any]]] = [
        ("office", "get_dues", {}),
        ("harbour", "get_boat", {"id": "B-1"}),
        ("harbour", "warm_up", {"boat_id": "B-1"}),
        ("audit", "query_audit", {"subject": "B-1"}),
        ("harbour", "cast_off", {"boat_id": "no-such-boat"}),
        ("harbour", "cast_off", {}),
        ("office", "no_such_tool", {}),
        GO,
        ASK,
    ]
    async with opened(PAIR, hidden=("dues.most",), setting=Setting.RECOVERY) as world:
        assert not (await world.call(*end)).is_error
        before = await world.effects()
        for call in later:
            answer = await world.call(*call)
            assert (answer.is_error, said(answer)) == (True, OVER)
        assert await world.effects() == before
        lines = await world.lines()
    assert [line.outcome for line in lines[1:]] == [CallOutcome.OVER] * len(later)
    assert all(line.shown == OVER and line.exposed == () for line in lines[1:])


async def test_an_agent_that_goes_on_calling_is_told_from_its_last_kept_refusal() -> None:
    async with opened(PAIR, calls=500) as world:
        await world.call(*GO)
        for _ in range(MOST_REFUSED):
            await world.call("office", "get_dues")
        assert not world.session.journal.pestered.is_set()
        await world.call("office", "get_dues")
        assert world.session.journal.pestered.is_set()
        assert len(await world.lines()) == 1 + MOST_REFUSED


async def test_calls_beyond_the_budget_are_refused_as_over() -> None:
    async with opened(PAIR, calls=3) as world:
        for _ in range(2):
            assert not (await world.call("office", "get_dues")).is_error
        assert (await world.call("office", "get_dues", {"x": 1})).is_error
        for call in (("office", "get_dues", {}), GO, ASK):
            assert said(await world.call(*call)) == "the 3 calls of this session are used up"
        assert not any((await world.effects()).values())
        outcomes = [line.outcome for line in await world.lines()]
    assert outcomes == [CallOutcome.ANSWERED] * 2 + [CallOutcome.INVALID] + [CallOutcome.OVER] * 3


async def test_the_last_call_of_the_budget_may_be_the_commit() -> None:
    async with opened(PAIR, calls=2) as world:
        await world.call("office", "get_dues")
        assert not (await world.call(*GO)).is_error


async def at_once(world: Opened, calls: list[tuple[str, str, dict[str, Any]]]) -> list[CallToolResult]:
    answers: list[CallToolResult] = []

    async def make(call: tuple[str, str, dict[str, Any]]) -> None:
        answers.append(await world.call(*call))

    async with anyio.create_task_group() as tasks:
        for call in calls:
            tasks.start_soon(make, call)
    return answers


@pytest.mark.parametrize("era", list(Era))
@pytest.mark.parametrize("calls", [[GO, GO], [GO, ASK], [ASK, GO], [ASK, ASK], [GO, ASK] * 5], ids=str)
async def test_of_several_ends_at_once_exactly_one_executes(
    calls: list[tuple[str, str, dict[str, Any]]], era: Era
) -> None:
    async with opened(PAIR, era=era) as world:
        answers = await at_once(world, calls)
        done = [answer for answer in answers if not answer.is_error]
        assert len(done) == 1
        assert {said(answer) for answer in answers if answer.is_error} == {OVER}
        (effect,) = (await world.session.final_state())["harbour"]
        lines = await world.lines()
    answered = [line for line in lines if line.outcome is CallOutcome.ANSWERED]
    assert [(line.seq, line.tool) for line in answered] == [(effect.seq, effect.tool)]
    assert sorted(line.seq for line in lines) == list(range(1, len(calls) + 1))


async def test_calls_at_once_on_all_servers_are_numbered_once_each_and_in_order() -> None:
    reads: list[tuple[str, str, dict[str, Any]]] = [("office", "get_dues", {}), ("harbour", "list_boats", {})]
    async with opened(PAIR) as world:
        await at_once(world, reads * 20)
        lines = await world.lines()
    assert [line.seq for line in lines] == list(range(1, 41))
    seconds = [line.seconds for line in lines]
    assert all(second >= 0 for second in seconds)


async def test_a_commit_that_the_client_gave_up_waiting_for_is_journaled_if_it_was_done() -> None:
    executed, released = anyio.Event(), anyio.Event()
    async with opened(PAIR) as world:
        store = world.session.stores["harbour"]
        add_effect = store.add_effect

        async def slow(effect: Effect) -> None:
            await add_effect(effect)
            executed.set()
            await released.wait()

        store.add_effect = slow
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(world.call, *GO)
            await executed.wait()
            tasks.cancel_scope.cancel()
        for _ in range(50):
            await checkpoint()
        released.set()
        with anyio.fail_after(10):
            while not await world.lines():
                await checkpoint()
        (line,) = await world.lines()
        (effect,) = (await world.session.final_state())["harbour"]
    assert (line.seq, line.tool, line.outcome) == (effect.seq, effect.tool, CallOutcome.ANSWERED)
