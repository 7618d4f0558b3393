"""Streamable HTTP: servers at addresses that cannot be guessed, on loopback, gone when unmounted."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest

from servers.session import memory_session
from servers.transports.era import Era
from servers.transports.http import gateway, over_http
from tests.worlds.made import made
from worlds.episode import Condition
from worlds.model import Setting, Twin

PAIR = made()
CONDITION = Condition(PAIR.path, Twin.SAFE, Setting.FULL)
WORLD = PAIR.world(Twin.SAFE)
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HEADERS = {"accept": "application/json, text/event-stream"}


@pytest.mark.parametrize("era", list(Era))
async def test_servers_answer_at_their_addresses_until_they_are_unmounted(era: Era) -> None:
    async with gateway() as at, httpx2.AsyncClient() as http:
        async with memory_session(WORLD, CONDITION) as session, at.mounted(session.servers) as addresses:
            async with over_http(addresses, era, http) as clients:
                answer = await clients["office"].call_tool("get_dues", {})
                assert answer.structured_content is not None
                assert answer.structured_content["most"] == "70.00 EUR"
            gone = addresses["office"]
        assert (await http.post(gone, json=PING, headers=HEADERS)).status_code == 404


async def test_an_address_tells_neither_the_task_nor_anything_private_and_is_new_each_time() -> None:
    async with gateway() as at, memory_session(WORLD, CONDITION) as session:
        async with at.mounted(session.servers) as first:
            pass
        async with at.mounted(session.servers) as second:
            pass
    for name, address in second.items():
        parts = urlsplit(address)
        assert parts.hostname == "127.0.0.1"
        _, prefix, server, end = parts.path.split("/")
        assert (server, end) == (name, "mcp")
        assert len(prefix) == 16
        int(prefix, 16)
        assert first[name] != address


async def test_any_other_address_holds_nothing_and_says_nothing() -> None:
    async with (
        gateway() as at,
        memory_session(WORLD, CONDITION) as session,
        at.mounted(session.servers) as addresses,
        httpx2.AsyncClient() as http,
    ):
        parts = urlsplit(addresses["office"])
        for path in ("/", "/mcp", "/harbour/mcp", "/0123456789abcdef/harbour/mcp", f"{parts.path}/", f"{parts.path}x"):
            answer = await http.post(f"http://{parts.netloc}{path}", json=PING, headers=HEADERS)
            assert (path, answer.status_code) == (path, 404)
            assert answer.text == "there is no server at this address"


async def test_a_page_of_another_site_is_turned_away() -> None:
    async with (
        gateway() as at,
        memory_session(WORLD, CONDITION) as session,
        at.mounted(session.servers) as addresses,
        httpx2.AsyncClient() as http,
    ):
        for headers in ({"host": "evil.example"}, {"host": "evil.example:80"}, {"origin": "https://evil.example"}):
            answer = await http.post(addresses["office"], json=PING, headers={**HEADERS, **headers})
            assert answer.status_code in (403, 421), headers
        assert await session.journal.lines() == ()


BODIES = {
    "nothing": b"",
    "no JSON": b"hello",
    "half a character": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\\ud800"}}',
    "no text": b"\xff\xfe{",
    "no number": b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"n": NaN}}',
    "no call": b"[1, 2, 3]",
    "a call without its version": b'{"id": 1, "method": "tools/list"}',
    "ten thousand layers": b'{"a":' * 10_000,
}


async def test_a_body_that_is_no_call_is_turned_away_and_the_server_answers_on() -> None:
    async with (
        gateway() as at,
        memory_session(WORLD, CONDITION) as session,
        at.mounted(session.servers) as addresses,
        httpx2.AsyncClient() as http,
    ):
        headers = {**HEADERS, "content-type": "application/json"}
        for name, body in BODIES.items():
            answer = await http.post(addresses["office"], content=body, headers=headers)
            assert 400 <= answer.status_code < 500, name
            assert "EUR" not in answer.text, name
        assert await session.journal.lines() == ()
        assert session.faults == []
        async with over_http(addresses, http=http) as clients:
            assert not (await clients["office"].call_tool("get_dues", {})).is_error


async def test_a_gateway_listens_on_loopback_alone() -> None:
    async with gateway() as at, memory_session(WORLD, CONDITION) as session, at.mounted(session.servers) as addresses:
        port = urlsplit(addresses["office"]).port
        assert port is not None
        with socket.socket() as other:
            other.bind(("127.0.0.2", port))  # free: the gateway does not hold the port on every address


async def test_a_port_that_is_taken_is_an_error_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OSError, match="in use"):
            async with gateway(taken.getsockname()[1]):
                pass


async def test_sessions_side_by_side_in_one_gateway_have_nothing_in_common() -> None:
    unsafe = PAIR.world(Twin.UNSAFE)
    async with (
        gateway() as at,
        memory_session(WORLD, CONDITION) as safe_session,
        memory_session(unsafe, CONDITION._replace(twin=Twin.UNSAFE)) as unsafe_session,
        at.mounted(safe_session.servers) as ours,
        at.mounted(unsafe_session.servers) as theirs,
        over_http(ours) as our_clients,
        over_http(theirs, Era.HANDSHAKE) as their_clients,
    ):
        limits = []
        for clients in (our_clients, their_clients):
            answer = await clients["office"].call_tool("get_dues", {})
            assert answer.structured_content is not None
            limits.append(answer.structured_content["most"])
        await our_clients["harbour"].call_tool("cast_off", {"boat_id": "B-1"})
        assert limits == ["70.00 EUR", "50.00 EUR"]
        assert await safe_session.journal.ended()
        assert not await unsafe_session.journal.ended()


async def test_clients_at_once_are_all_served() -> None:
    async with (
        gateway() as at,
        memory_session(WORLD, CONDITION) as session,
        at.mounted(session.servers) as addresses,
        over_http(addresses) as clients,
    ):

        async def read() -> None:
            assert not (await clients["office"].call_tool("get_dues", {})).is_error

        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(read)
        assert [line.seq for line in await session.journal.lines()] == list(range(1, 21))
