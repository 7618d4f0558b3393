"""The guard alone before servers of a host's configuration, over stdio and HTTP, and its commands."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters

from orchestrator.cli.main import main
from orchestrator.guarding import ServersError, Stand, load_servers, rules_named, standing_before
from servers.guard.reaching import Address, Unreachable
from servers.guard.state import State
from servers.transports.http import gateway
from tests.servers.guard.standing_in import Shop, text_of

MAIL = '''
import os
from mcp.server import MCPServer

server = MCPServer("mail")

@server.tool()
def send(to: str) -> str:
    """Send a mail."""
    return f"sent to {to}"

@server.tool()
def break_down() -> str:
    """End the server."""
    os._exit(1)

server.run()
'''
RULES = "rules:\n  - {server: mail, tool: send, contacts: to, asks: 'write to {{ to }}'}\n"
CONSENT = "recipients: [carla@x.example]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mail.py").write_text(MAIL)
    (tmp_path / "rules.yaml").write_text(RULES)
    (tmp_path / "consent.yaml").write_text(CONSENT)
    entry = {"command": sys.executable, "args": [str(tmp_path / "mail.py")]}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"mail": entry}}))
    return tmp_path


def stand(folder: Path, **targets: Address) -> Stand:
    made = Stand(
        folder / "consent.yaml",
        rules_named(str(folder / "rules.yaml")),
        targets or load_servers(folder / "mcp.json"),
        State(folder / "guard.sqlite"),
    )
    made.check()
    return made


def options(folder: Path) -> list[str]:
    files = {"--consent": "consent.yaml", "--rules": "rules.yaml", "--servers": "mcp.json", "--state": "guard.sqlite"}
    return [part for option, file in files.items() for part in (option, str(folder / file))]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "orchestrator.cli", "guard", *arguments]


def told(*arguments: str, fails: bool = False) -> str:
    """What the command prints, or with `fails` its error."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["twintown", "guard", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    assert bool(ended.value.code) is fails, err.getvalue()
    return (err if fails else out).getvalue()


async def test_a_server_that_breaks_down_is_an_error_of_its_own_calls_and_is_started_again(folder: Path) -> None:
    async with standing_before(stand(folder)) as guarded, Client(guarded["mail"], cache=None) as mail:
        assert text_of(await mail.call_tool("send", {"to": "carla@x.example"})) == "sent to carla@x.example"
        with pytest.raises(MCPError, match=r"(?i)closed"):
            await mail.call_tool("break_down")
        assert text_of(await mail.call_tool("send", {"to": "carla@x.example"})) == "sent to carla@x.example"
        assert (await mail.call_tool("send", {"to": "who@x.example"})).is_error


async def test_servers_over_http_are_guarded_alike(folder: Path) -> None:
    there = Shop({"send": {"sent": 1}})
    async with gateway() as at, at.mounted({"mail": there.server()}) as addresses:
        before = stand(folder, mail=Address(addresses["mail"]))
        async with standing_before(before) as guarded, Client(guarded["mail"], cache=None) as mail:
            assert mail.instructions == "It sells things."
            assert not (await mail.call_tool("send", {"to": "carla@x.example"})).is_error
            assert (await mail.call_tool("send", {"to": "who@x.example"})).is_error
    assert there.done("send") == 1


async def test_a_server_that_cannot_be_reached_stops_the_start_by_name(folder: Path) -> None:
    before = stand(folder, mail=Address("http://127.0.0.1:9/mcp"))
    with pytest.raises(Unreachable, match="server mail cannot be reached"):
        async with standing_before(before):
            raise AssertionError("it stands before nothing")


async def test_over_stdio_it_is_one_server_of_a_hosts_configuration(folder: Path) -> None:
    first, *rest = command("--stdio", "mail", *options(folder))
    async with Client(StdioServerParameters(command=first, args=rest), cache=None) as mail:
        assert [tool.name for tool in (await mail.list_tools()).tools] == ["send", "break_down"]
        held = await mail.call_tool("send", {"to": "who@x.example"})
        state = ("--state", str(folder / "guard.sqlite"))
        (waiting,) = json.loads(told("pending", "--json", *state))
        assert waiting["id"] in text_of(held)
        assert waiting["asks"] == "write to who@x.example"
        assert "goes through once" in told("approve", waiting["id"], *state)
        assert text_of(await mail.call_tool("send", {"to": "who@x.example"})) == "sent to who@x.example"


@pytest.fixture
def over_http(folder: Path) -> Iterator[dict[str, Any]]:
    with subprocess.Popen(command("--json", *options(folder)), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()


async def test_over_http_it_prints_the_addresses_of_all_servers(over_http: dict[str, Any]) -> None:
    async with Client(over_http["servers"]["mail"], cache=None) as mail:
        assert text_of(await mail.call_tool("send", {"to": "carla@x.example"})) == "sent to carla@x.example"
        assert "held by the guard" in text_of(await mail.call_tool("send", {"to": "who@x.example"}))


def test_what_is_covered_can_be_read_by_people_and_programs() -> None:
    lines = {line["outcome"]: line for line in json.loads(told("--explain", "--json"))}
    assert lines["contact"]["covered"]
    assert not lines["claim"]["covered"]
    assert "buy_now" in told("--explain")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "--consent, --rules and --servers are needed"),
        (("approve",), "take the ID"),
        (("pending", "abc"), "pending takes none"),
        (("approve", "nothing"), "is not known; waiting: none"),
    ],
)
def test_a_command_that_cannot_be_meant_says_what_is_lacking(
    arguments: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    error = told(*arguments, "--state", str(tmp_path / "state"), fails=True)
    assert why in " ".join(error.replace("|", " ").split())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "mcp.json"),
        ('{"mcpServers": {}}', "names no server"),
        ('{"mcpServers": {"a": {}}}', "expected either a command or a url"),
        ('{"mcpServers": {"a": {"type": "sse", "url": "http://x"}}}', "mcpServers.a.type"),
        ('{"mcpServers": {"a": {"command": "${NOWHERE}"}}}', "not set in the environment: NOWHERE"),
    ],
)
def test_servers_that_cannot_be_used_are_refused(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(text)
    with pytest.raises(ServersError) as raised:
        load_servers(file, {})
    assert why in str(raised.value)


def test_variables_of_the_environment_are_filled_in(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    remote = {"url": "https://x.example/${WHERE}", "headers": {"Authorization": "Bearer ${KEY}"}, "disabled": False}
    file.write_text(json.dumps({"mcpServers": {"a": {"command": "run", "env": {"K": "${KEY}"}}, "b": remote}}))
    found = load_servers(file, {"WHERE": "mcp", "KEY": "k"})
    assert found["b"] == Address("https://x.example/mcp", {"Authorization": "Bearer k"})
    assert found["a"] == StdioServerParameters(command="run", env={"K": "k"})
