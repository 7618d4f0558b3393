"""`twintown serve` for a person's own host: their file is edited for as long as the session lasts, and it is graded."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters

from orchestrator.sessions import HOME
from servers.transports.http import over_http
from servers.transports.stdio import over_stdio

ROOT = Path(__file__).parents[2]
TWINTOWN = [sys.executable, "-m", "orchestrator.cli"]
TASK = "finance/payment_authority/PR-58217"
MASKED = (TASK, "--twin", "unsafe", "--setting", "recovery", "--mask", "policy.limit")
HELD = '{\n  "theme": "dark",\n  "mcpServers": {\n    "notes-of-mine": {"command": "npx"}\n  }\n}\n'


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, HOME: str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}


def twintown(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TWINTOWN, *arguments], capture_output=True, text=True, env=environment)


@contextmanager
def serving(environment: dict[str, str], *arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    line = [*TWINTOWN, "serve", *arguments, "--json"]
    started = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert started.stdout is not None
    try:
        yield started, json.loads(started.stdout.readline())
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()


async def test_a_session_stands_in_the_hosts_file_while_it_lasts_and_is_graded_on_demand(
    environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(HELD, encoding="utf-8")
    with serving(environment, *MASKED, "--host", "cursor", "--config", str(file), "--install") as (started, ready):
        installed = json.loads(file.read_text(encoding="utf-8"))
        servers = dict(installed["mcpServers"])
        assert servers.pop("notes-of-mine") == {"command": "npx"}
        assert servers == {name: {"url": url} for name, url in ready["servers"].items()} == ready["entries"]
        for private in ("PR-58217", "finance", "unsafe", "recovery", "policy.limit"):
            assert private not in json.dumps(servers)
        async with over_http({name: entry["url"] for name, entry in servers.items()}) as sessions:
            await sessions["audit"].call_tool("query_audit", {"subject": "PR-58217"})
        meanwhile = json.loads(twintown(environment, "grade", ready["session"], "--json").stdout)
        started.send_signal(signal.SIGINT)
        out, complaint = started.communicate(timeout=60)
    assert started.returncode == 0
    assert json.loads(out) == meanwhile
    assert meanwhile["strict"] is True
    assert file.read_text(encoding="utf-8") == HELD
    assert f"{file}: exactly as it was" in complaint


async def test_a_host_that_starts_its_servers_itself_goes_by_what_stands_in_its_file_and_a_killed_session_is_undone(
    environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "claude_desktop_config.json"
    file.write_text(HELD, encoding="utf-8")
    options = ("--host", "claude-desktop", "--config", str(file))
    with serving(environment, *MASKED, *options, "--install") as (started, ready):
        entry = json.loads(file.read_text(encoding="utf-8"))["mcpServers"]["audit"]
        command = StdioServerParameters(command=entry["command"], args=entry["args"], env=environment)
        async with over_stdio({"audit": command}) as sessions:
            answer = await sessions["audit"].call_tool("query_audit", {"subject": "PR-58217"})
        assert answer.structured_content["facts"][0]["value"] == "30,000.00 USD"
        started.kill()
    again = twintown(environment, "serve", *MASKED, *options, "--install")
    assert again.returncode == 2
    assert "a session is installed there; `twintown uninstall claude-desktop`" in again.stderr
    undone = twintown(environment, "uninstall", "claude-desktop", "--config", str(file))
    assert undone.stdout.strip() == f"{file}: exactly as it was"
    assert file.read_text(encoding="utf-8") == HELD
    assert sorted(os.listdir(tmp_path)) == ["claude_desktop_config.json", "home"]
    assert json.loads(twintown(environment, "grade", ready["session"], "--json").stdout)["strict"] is True


def test_a_file_that_cannot_be_edited_stops_the_session_with_the_reason(
    environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"servers": {"bank": {"command": "mine"}}}', encoding="utf-8")
    done = twintown(environment, "serve", *MASKED, "--host", "vscode", "--config", str(file), "--install")
    assert done.returncode == 2
    assert f"error: {file}: servers has bank already. Nothing was changed" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("serve", TASK, "--host", "emacs"), "no configuration for the host 'emacs'; there is claude-desktop"),
        (("serve", TASK, "--install"), "are for a host: name it with --host"),
        (("uninstall", "cursor", "--config", "/nowhere/mcp.json"), "/nowhere/mcp.json: no session is installed there"),
        (("server", "bank", "--session", "0123", "--path", "/mcp"), "give --http too, or leave out --path"),
        (("server", "bank", "--session", "0123", "--http", "--path", "mcp"), "--path begins with /"),
        (("turn", "0123", "done"), "there is no session '0123'"),
    ],
)
def test_what_cannot_be_done_is_one_clear_error(
    arguments: tuple[str, ...], told: str, environment: dict[str, str]
) -> None:
    done = twintown(environment, *arguments)
    assert done.returncode == 2
    assert told in " ".join(done.stderr.replace("│", " ").split())


async def test_in_the_town_the_owner_answers_the_end_of_a_turn_and_the_session_ends_when_they_have_nothing_to_say(
    environment: dict[str, str],
) -> None:
    with serving(environment, "contact/movers_certificate", "--twin", "safe") as (started, ready):
        asked = twintown(environment, "turn", ready["session"], "What is the weather on Mars?", "--json")
        assert json.loads(asked.stdout)["message"]
        over = twintown(environment, "turn", ready["session"], "It is done.", "--json")
        assert json.loads(over.stdout) == {"message": None}
        out, _ = started.communicate(timeout=60)
    assert started.returncode == 0
    assert json.loads(out)["goals_met"] is False
