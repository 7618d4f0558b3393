"""What only a session for a person has: the request as a prompt, and all its servers as one."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest
from mcp import MCPError
from mcp.server import Server

from orchestrator.serving import served
from servers.prompting import with_request
from servers.session import SessionDirectory, create_session, file_session, memory_session
from servers.transports.era import Era
from servers.transports.http import HEALTH, gateway, over_http
from servers.transports.joined import joined
from servers.transports.memory import in_memory
from tests.worlds.made import made
from worlds.catalogue import task_named
from worlds.episode import Condition
from worlds.model import Setting, Twin

TASK = "finance/payment_authority/PR-58217"
HIDDEN = ("policy.limit",)


def session_of(root: Path, twin: Twin = Twin.UNSAFE) -> SessionDirectory:
    return create_session(root, Condition(TASK, twin, Setting.RECOVERY, HIDDEN))


@pytest.mark.parametrize("era", list(Era))
async def test_the_first_server_offers_the_request_in_its_very_words_and_the_others_offer_nothing(
    era: Era, tmp_path: Path
) -> None:
    session = session_of(tmp_path)
    async with served(session) as addresses, over_http(addresses, era) as clients:
        first, *others = session.servers
        assert [prompt.name for prompt in (await clients[first].list_prompts()).prompts] == ["task"]
        message = (await clients[first].get_prompt("task")).messages[0]
        assert (message.role, message.content.text) == ("user", task_named(TASK).request)
        for name in others:
            with pytest.raises(MCPError, match="Method not found"):
                await clients[name].list_prompts()
        with pytest.raises(MCPError, match="there is no prompt 'twin'; there is task"):
            await clients[first].get_prompt("twin")


async def test_a_prompt_tells_the_same_in_both_twins_and_is_not_in_the_journal(tmp_path: Path) -> None:
    told = []
    for twin in Twin:
        session = session_of(tmp_path, twin)
        async with file_session(session) as opened:
            with_request(session, opened.servers)
            async with in_memory(opened.servers) as clients:
                listed = await clients[session.servers[0]].list_prompts()
                found = await clients[session.servers[0]].get_prompt("task")
                told.append(listed.model_dump_json() + found.model_dump_json())
                assert await opened.journal.lines() == ()
    assert told[0] == told[1]


async def test_the_servers_of_a_run_offer_no_prompt() -> None:
    pair = made()
    condition = Condition(pair.path, Twin.SAFE, Setting.FULL)
    async with memory_session(pair.world(Twin.SAFE), condition) as session, in_memory(session.servers) as clients:
        for client in clients.values():
            with pytest.raises(MCPError, match="Method not found"):
                await client.list_prompts()


async def as_one(servers: dict[str, Server[object]], *calls: tuple[str, dict[str, object]]) -> list[str]:
    async with joined(servers, "desk") as one, in_memory({"desk": one}) as clients:
        answers = [await clients["desk"].call_tool(name, arguments) for name, arguments in calls]
    return [answer.model_dump_json(include={"content", "structured_content", "is_error"}) for answer in answers]


async def test_all_servers_as_one_offer_every_tool_with_its_servers_name_before_its_own(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    async with file_session(session) as opened, in_memory(opened.servers) as apart:
        async with joined(opened.servers, "desk") as one, in_memory({"desk": one}) as clients:
            listed = (await clients["desk"].list_tools()).tools
            about = clients["desk"].instructions or ""
        expected = []
        for name, client in apart.items():
            expected += [(f"{name}__{tool.name}", tool.input_schema) for tool in (await client.list_tools()).tools]
            assert f"{name}: {client.instructions}" in about
    assert [(tool.name, tool.input_schema) for tool in listed] == expected
    assert max(len(f"mcp__desk__{tool.name}") for tool in listed) <= 64


async def test_calls_through_the_one_server_are_answered_and_kept_as_calls_to_their_own(tmp_path: Path) -> None:
    calls: list[tuple[str, str, dict[str, object]]] = [
        ("treasury_policy", "get_authorization_policy", {}),
        ("erp", "get_payment_request", {"id": "nobody"}),
        ("erp", "no_such_tool", {"x": 1}),
        ("bank", "execute_payment", {}),
        ("bank", "execute_payment", {"request_id": "PR-58217"}),
        ("bank", "execute_payment", {"request_id": "PR-58217"}),
    ]
    first, second = session_of(tmp_path), session_of(tmp_path)
    async with file_session(first) as opened, in_memory(opened.servers) as clients:
        answers = [await clients[server].call_tool(tool, arguments) for server, tool, arguments in calls]
        expected = [answer.model_dump_json(include={"content", "structured_content", "is_error"}) for answer in answers]
        kept = [line.model_dump(exclude={"seconds"}) for line in await opened.journal.lines()]
    async with file_session(second) as opened:
        told = await as_one(dict(opened.servers), *((f"{server}__{tool}", given) for server, tool, given in calls))
        assert told == expected
        assert [line.model_dump(exclude={"seconds"}) for line in await opened.journal.lines()] == kept


async def test_a_tool_of_no_server_is_an_error_that_says_how_names_begin(tmp_path: Path) -> None:
    async with file_session(session_of(tmp_path)) as opened:
        (told,) = await as_one(dict(opened.servers), ("execute_payment", {}))
        assert "names begin with erp, treasury_policy, bank, audit, then __" in told
        assert '"is_error":true' in told
        assert await opened.journal.lines() == ()


# --- an address that is known beforehand


async def test_a_server_can_have_a_path_of_its_own_and_a_name_by_which_it_is_called() -> None:
    pair = made()
    condition = Condition(pair.path, Twin.SAFE, Setting.FULL)
    async with (
        memory_session(pair.world(Twin.SAFE), condition) as session,
        gateway(names=("office",)) as at,
        at.mounted({"office": session.servers["office"]}, {"office": "/mcp"}) as addresses,
        httpx2.AsyncClient() as http,
    ):
        assert addresses["office"].startswith("http://office:")
        port = addresses["office"].partition("office:")[2].partition("/")[0]
        here = f"http://127.0.0.1:{port}"
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        accepted = {"accept": "application/json, text/event-stream"}
        for host, misdirected in ((f"office:{port}", False), (f"evil.example:{port}", True)):
            answer = await http.post(f"{here}/mcp", json=ping, headers={**accepted, "host": host})
            assert (host, answer.status_code == 421) == (host, misdirected)
        health = await http.get(here + HEALTH)
        assert (health.status_code, health.text) == (200, "well")


async def test_a_gateway_without_a_server_is_not_well() -> None:
    async with gateway(names=("office",)) as at, at.mounted({}), httpx2.AsyncClient() as http:
        address = at.address.replace("office", "127.0.0.1")
        assert (await http.get(address + HEALTH)).status_code == 503
