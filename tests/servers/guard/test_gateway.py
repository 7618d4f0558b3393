"""The gateway: the same server to its clients, and between them what the consent does not cover is held."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
import pytest
from mcp import MCPError
from mcp.server import Server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, Tool

from servers.guard.account import MemoryAccount
from servers.guard.gateway import Answer, Guard, guarded
from servers.guard.upstream import Connected
from servers.transports.memory import in_memory
from tests.servers.guard.standing_in import (
    ANY,
    Context,
    Said,
    Shop,
    behind,
    in_the_modern_era,
    on_the_wire,
    rules,
    text_of,
)
from worlds.town.written import Consent

BUY = {
    "tool": "buy",
    "reads": {"goods": {"tool": "price", "arguments": {"of": "thing"}}},
    "commits": "'order at ' ~ server",
    "spends": "goods.price",
    "fails": "answer.error is defined",
    "paid": "answer.total",
    "thing": "answer.order",
    "asks": "buy {{ thing }} for {{ goods.price }}",
}
BACK = {"tool": "give_back", "back": "answer.refund", "thing": "order"}
MAIL = {"tool": "send", "contacts": "to", "asks": "write to {{ to | join(', ') }}"}


def shop(**answers: Any) -> Shop:
    return Shop({"price": {"price": "30 USD"}, "buy": {"order": "o1", "total": "30 USD"}, "look": {"n": 1}, **answers})


def limit(spend: str) -> Consent:
    return Consent.model_validate({"commitments": ["order at shop"], "spend": spend})


REQUESTS: tuple[dict[str, Any], ...] = (
    {"method": "tools/list"},
    {"method": "tools/call", "params": {"name": "look", "arguments": {"a": ["\u00e9", 1.50, None]}}},
    {"method": "tools/call", "params": {"name": "broken", "arguments": {}}},
    {"method": "tools/call", "params": {"name": "buy", "arguments": {"thing": "pen"}}},
    {"method": "prompts/list"},
    {"method": "prompts/get", "params": {"name": "greet", "arguments": {"who": "you"}}},
    {"method": "resources/list"},
    {"method": "resources/read", "params": {"uri": "shop://terms"}},
)


@pytest.mark.parametrize("talk", [on_the_wire, in_the_modern_era])
async def test_to_its_client_a_guarded_server_is_the_same_byte_for_byte(
    talk: Callable[[Server[Any], Sequence[Mapping[str, Any]]], Awaitable[list[str]]],
) -> None:
    there = shop(broken="out of order")
    alone = await talk(there.server(), REQUESTS)
    async with in_memory({"shop": there.server()}) as sessions:
        upstreams = {name: Connected(session) for name, session in sessions.items()}
        guard = Guard(rules(BUY), Said(limit("30 USD")), MemoryAccount(), upstreams)
        guarded_too = await talk(guarded(guard, upstreams)["shop"], REQUESTS)
    assert guarded_too == alone
    assert "It sells things." in "".join(alone)
    assert "out of order" in "".join(alone)
    assert "No returns." in alone[-1]


async def test_what_the_consent_covers_goes_through() -> None:
    there, owner = shop(), Said(limit("30 USD"))
    async with behind(rules(BUY), owner, shop=there.server()) as clients:
        answer = await clients["shop"].call_tool("buy", {"thing": "pen"})
    assert answer.structured_content == {"order": "o1", "total": "30 USD"}
    assert there.calls == [("price", {"of": "pen"}), ("buy", {"thing": "pen"})]
    assert owner.asked == []


async def test_what_it_does_not_cover_is_not_done_and_the_refusal_says_why() -> None:
    there, owner = shop(), Said(limit("20 USD"), Answer("rather not"))
    async with behind(rules(BUY), owner, shop=there.server()) as clients:
        answer = await clients["shop"].call_tool("buy", {"thing": "pen"})
    assert answer.is_error
    assert text_of(answer) == (
        "buy: held by the guard, nothing was done. 30.00 USD makes 30.00 USD in all; allowed is 20.00 USD. The "
        "owner was asked 'May I buy pen for 30 USD?' and answered: rather not"
    )
    assert there.done("buy") == 0
    assert owner.refusals == [text_of(answer)]


async def test_an_owner_who_approves_lets_this_one_call_through() -> None:
    there, owner = shop(), Said(answer=Answer("yes", approved=True))
    async with behind(rules(BUY), owner, shop=there.server()) as clients:
        assert not (await clients["shop"].call_tool("buy", {"thing": "pen"})).is_error
    assert there.done("buy") == 1


async def test_an_owner_who_grants_what_was_lacking_lets_it_through() -> None:
    there, owner = shop(), Said(grants=limit("40 USD"), answer=Answer("up to 40"))
    async with behind(rules(BUY), owner, shop=there.server()) as clients:
        assert not (await clients["shop"].call_tool("buy", {"thing": "pen"})).is_error
    assert there.done("price") == 1


async def test_spending_adds_up_over_calls() -> None:
    there, owner = shop(), Said(limit("70 USD"))
    async with behind(rules(BUY), owner, shop=there.server()) as clients:
        failed = [(await clients["shop"].call_tool("buy", {"thing": "pen"})).is_error for _ in range(3)]
    assert failed == [False, False, True]
    assert "makes 90.00 USD in all" in owner.refusals[0]


async def test_a_purchase_that_failed_cost_nothing() -> None:
    there, owner = shop(buy={"error": "sold out"}), Said(limit("30 USD"))
    async with behind(rules(BUY), owner, shop=there.server()) as clients:
        for _ in range(3):
            assert (await clients["shop"].call_tool("buy", {"thing": "pen"})).structured_content == {
                "error": "sold out"
            }
    assert owner.asked == []


async def test_what_was_given_back_can_be_spent_again() -> None:
    there, owner = shop(give_back={"refund": "30 USD"}), Said(limit("30 USD"))
    async with behind(rules(BUY, BACK), owner, shop=there.server()) as clients:
        await clients["shop"].call_tool("buy", {"thing": "pen"})
        await clients["shop"].call_tool("give_back", {"order": "o1"})
        assert not (await clients["shop"].call_tool("buy", {"thing": "pen"})).is_error
        assert (await clients["shop"].call_tool("buy", {"thing": "pen"})).is_error


async def test_nothing_more_counts_as_given_back_than_was_spent() -> None:
    there, owner = shop(give_back={"refund": "900 USD"}), Said(limit("30 USD"))
    async with behind(rules(BUY, BACK), owner, shop=there.server()) as clients:
        for tool in ("buy", "give_back", "give_back", "buy"):
            await clients["shop"].call_tool(tool, {"thing": "pen", "order": "o1"})
        assert (await clients["shop"].call_tool("buy", {"thing": "pen"})).is_error


async def test_where_the_price_cannot_be_read_nothing_is_bought_and_nobody_asked() -> None:
    there, owner = shop(price="the shop is closed"), Said(limit("99 USD"))
    async with behind(rules(BUY), owner, shop=there.server()) as clients:
        answer = await clients["shop"].call_tool("buy", {"thing": "pen"})
    assert "the shop is closed" in text_of(answer)
    assert (there.done("buy"), owner.asked) == (0, [])


async def test_a_call_with_arguments_that_make_no_sense_is_not_passed_on() -> None:
    there, owner = Shop({"send": {}}), Said(Consent.model_validate({"recipients": "any"}))
    async with behind(rules(MAIL), owner, mail=there.server()) as clients:
        for arguments in ({}, {"to": 7}, {"to": [["a@x.example"]]}):
            assert (await clients["mail"].call_tool("send", arguments)).is_error
    assert there.calls == []


async def test_what_an_answer_told_is_kept_for_the_act_that_follows() -> None:
    review = {"tool": "review", "keeps": {"key": "answer.id", "value": "answer.total"}}
    order = {"tool": "order", "spends": "kept[id]", "unclear": "review it first"}
    there = Shop({"review": {"id": "r1", "total": "30 USD"}, "order": {}})
    owner = Said(Consent.model_validate({"spend": "30 USD"}))
    async with behind(rules(review, order), owner, shop=there.server()) as clients:
        early = await clients["shop"].call_tool("order", {"id": "r1"})
        await clients["shop"].call_tool("review")
        assert not (await clients["shop"].call_tool("order", {"id": "r1"})).is_error
    assert "review it first" in text_of(early)


async def test_a_list_is_read_item_by_item() -> None:
    rule = {
        "tool": "book",
        "reads": {
            "kinds": {"tool": "kinds"},
            "times": {"tool": "times", "each": "kinds.all", "arguments": {"kind": "item"}},
        },
        "spends": "times | map(attribute='price') | total",
    }
    there = Shop({"kinds": {"all": ["a", "b"]}, "times": {"price": "5 USD"}, "book": {}})
    owner = Said(Consent.model_validate({"spend": "9 USD"}))
    async with behind(rules(rule), owner, shop=there.server()) as clients:
        assert "10.00 USD" in text_of(await clients["shop"].call_tool("book"))
    assert there.calls[1:] == [("times", {"kind": "a"}), ("times", {"kind": "b"})]


async def test_a_rule_may_hold_only_for_some_arguments() -> None:
    rule = {"tool": "answer", "when": "says == 'yes'", "commits": "'accept'"}
    there = Shop({"answer": {}})
    async with behind(rules(rule), Said(), calendar=there.server()) as clients:
        assert not (await clients["calendar"].call_tool("answer", {"says": "no"})).is_error
        assert (await clients["calendar"].call_tool("answer", {"says": "yes"})).is_error
        assert (await clients["calendar"].call_tool("answer", {})).is_error
    assert there.done("answer") == 1


@pytest.mark.parametrize(("unknown", "done"), [("pass", 1), ("hold", 0)])
async def test_tools_that_no_rule_names_pass_unless_they_are_to_be_held(unknown: str, done: int) -> None:
    there = shop()
    async with behind(rules(BUY, unknown=unknown), Said(), shop=there.server()) as clients:
        await clients["shop"].call_tool("look")
    assert there.done("look") == done


async def test_a_tool_that_says_it_only_reads_passes_even_where_unknown_ones_are_held() -> None:
    async def tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        tool = {"name": "look", "inputSchema": ANY, "annotations": {"readOnlyHint": True}}
        return ListToolsResult(tools=[Tool.model_validate(tool)])

    async def call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return CallToolResult(content=[])

    server: Server[Any] = Server("s", on_list_tools=tools, on_call_tool=call)
    async with behind(rules(unknown="hold"), Said(), s=server) as clients:
        assert not (await clients["s"].call_tool("look")).is_error


@pytest.mark.parametrize("name", ["goods", "kept", "binding", "server", "self"])
async def test_no_argument_can_pass_itself_off_as_what_the_guard_knows(name: str) -> None:
    rule = {
        "tool": "buy",
        "reads": {"goods": {"tool": "price"}},
        "commits": "'order at ' ~ server if server in binding else []",
        "spends": "kept[thing] if thing in kept else goods.price",
    }
    there = shop(price="the shop is closed")
    async with behind(rules(rule, known={"binding": ["shop"]}), Said(), shop=there.server()) as clients:
        for value in ({"price": "0 USD"}, {"pen": "0 USD"}, [], "another"):
            assert (await clients["shop"].call_tool("buy", {"thing": "pen", name: value})).is_error
    assert there.done("buy") == 0


async def test_an_error_of_the_server_is_its_own_error_to_the_client() -> None:
    async def call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        raise MCPError(-32042, "try later", {"seconds": 5})

    async def tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name="look", input_schema=ANY)])

    server: Server[Any] = Server("s", on_list_tools=tools, on_call_tool=call)
    async with behind(rules(BUY), Said(), s=server) as clients:
        with pytest.raises(MCPError, match="try later") as raised:
            await clients["s"].call_tool("look")
    assert (raised.value.error.code, raised.value.error.data) == (-32042, {"seconds": 5})


async def test_two_purchases_at_once_do_not_both_pass_a_limit_that_holds_one() -> None:
    there, owner = shop(), Said(limit("30 USD"))
    failed: list[bool | None] = []
    async with behind(rules(BUY), owner, shop=there.server()) as clients:

        async def buys() -> None:
            failed.append((await clients["shop"].call_tool("buy", {"thing": "pen"})).is_error)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(buys)
            tasks.start_soon(buys)
    assert sorted(map(bool, failed)) == [False, True]


async def test_while_the_owner_is_asked_other_acts_go_on() -> None:
    """The owner answers only when another purchase has been made meanwhile."""
    meanwhile = anyio.Event()

    class Slow(Said):
        async def ask(self, held: Any, context: Context) -> Answer:
            await meanwhile.wait()
            return Answer("no")

    there = shop(send={})
    owner = Slow(limit("30 USD"))
    async with behind(rules(BUY, MAIL), owner, shop=there.server()) as clients:

        async def writes() -> None:
            assert (await clients["shop"].call_tool("send", {"to": ["who@x.example"]})).is_error

        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(writes)
                assert not (await clients["shop"].call_tool("buy", {"thing": "pen"})).is_error
                meanwhile.set()
