"""What others wrote agrees: the official inspector lists and calls every server, and the conformance scenarios pass.

`python -m tests.outside` does the same with every server of every family and of the town.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from orchestrator.sessions import HOME
from servers.session import SessionDirectory, read_session
from tests.outside.inspector import inspected, prompted
from tests.outside.programs import Absent, program, told
from worlds.catalogue import task_named

ROOT = Path(__file__).parents[2]
TASK = "finance/payment_authority/PR-58217"
SCENARIOS = ("server-initialize", "ping", "tools-list", "dns-rebinding-protection", "server-sse-multiple-streams")
"""Those that need no tools of their own."""


def installed(folder: str, name: str) -> list[str]:
    try:
        return program(folder, name)
    except Absent as absent:
        pytest.skip(str(absent))


@contextmanager
def serving(home: Path, *arguments: str) -> Iterator[dict[str, Any]]:
    """A session that `twintown serve` has started, as it says that it is ready."""
    environment = {**os.environ, HOME: str(home), "PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-m", "orchestrator.cli", "serve", *arguments, "--json"]
    started = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=environment)
    assert started.stdout is not None
    try:
        yield json.loads(started.stdout.readline())
    finally:
        started.send_signal(signal.SIGINT)
        started.communicate(timeout=60)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any]]]:
    home = tmp_path_factory.mktemp("outside")
    with serving(home, TASK, "--setting", "recovery", "--mask", "policy.limit") as ready:
        yield home, ready


async def calls_of(home: Path, ready: dict[str, Any]) -> list[tuple[str, str]]:
    journal, _ = await read_session(SessionDirectory(home / "sessions", ready["session"]))
    return [(line.server, line.tool) for line in journal]


async def test_the_inspector_lists_and_calls_every_server_over_http_in_both_eras(session: Any) -> None:
    installed("inspector", "mcp-inspector")
    home, ready = session
    for number, (name, address) in enumerate(ready["servers"].items()):
        era = ("legacy", "modern")[number % 2]
        tool, answer = await inspected([address, "--transport", "http"], home, era)
        assert answer["content"], name
        assert (await calls_of(home, ready))[-1] == (name, tool)


async def test_the_inspector_lists_and_calls_a_server_over_stdio_as_a_host_starts_it(session: Any) -> None:
    installed("inspector", "mcp-inspector")
    home, ready = session
    tool, _ = await inspected(command(home, "server", "erp", "--session", ready["session"]), home)
    assert (await calls_of(home, ready))[-1] == ("erp", tool)


async def test_the_inspector_finds_all_servers_as_one_and_calls_through_it(session: Any) -> None:
    installed("inspector", "mcp-inspector")
    home, ready = session
    tool, _ = await inspected(command(home, "server", "--session", ready["session"]), home)
    assert (await calls_of(home, ready))[-1] == tuple(tool.split("__"))


async def test_the_inspector_gets_the_request_as_a_prompt(session: Any) -> None:
    installed("inspector", "mcp-inspector")
    home, ready = session
    first = next(iter(ready["servers"].values()))
    assert await prompted([first, "--transport", "http"], home) == task_named(TASK).request


def command(home: Path, *arguments: str) -> list[str]:
    """A command of ours for the inspector, which starts it with the environment that it is told."""
    return [sys.executable, "-m", "orchestrator.cli", *arguments, "-e", f"{HOME}={home}", "-e", f"PYTHONPATH={ROOT}"]


@pytest.mark.parametrize("scenario", SCENARIOS)
async def test_the_conformance_scenario_passes_against_a_server_over_http(scenario: str, session: Any) -> None:
    conformance = installed("conformance", "conformance")
    home, ready = session
    line = [*conformance, "server", "--url", ready["servers"]["bank"], "--scenario", scenario]
    status, out, complaint = await told(line, home)
    assert status == 0, f"{out}\n{complaint}"
    assert "0 failed" in out, out


async def test_the_extension_for_claude_desktop_is_valid_and_starts_the_sessions_servers(tmp_path: Path) -> None:
    mcpb = installed("mcpb", "mcpb")
    file = tmp_path / "desk.mcpb"
    with serving(tmp_path, TASK, "--mcpb", str(file)) as ready:
        unpacked = tmp_path / "unpacked"
        with zipfile.ZipFile(file) as archive:
            archive.extractall(unpacked)
        status, out, complaint = await told([*mcpb, "validate", str(unpacked / "manifest.json")], tmp_path)
        assert status == 0, f"{out}\n{complaint}"
        status, out, complaint = await told([*mcpb, "info", str(file)], tmp_path)
        assert status == 0, f"{out}\n{complaint}"
        manifest = json.loads((unpacked / "manifest.json").read_text(encoding="utf-8"))
        assert (unpacked / manifest["server"]["entry_point"]).exists()
        start = manifest["server"]["mcp_config"]
        session = manifest["user_config"]["session"]["default"]
        places = {"${__dirname}": str(unpacked), "${user_config.session}": session}
        line = [start["command"], *start["args"]]
        for place, value in places.items():
            line = [part.replace(place, value) for part in line]
        installed("inspector", "mcp-inspector")
        tool, _ = await inspected([*line, "-e", f"{HOME}={tmp_path}", "-e", f"PYTHONPATH={ROOT}"], tmp_path)
        assert (await calls_of(tmp_path, ready))[-1] == tuple(tool.split("__"))
        for private in (TASK, "unsafe", "finance", "PR-58217"):
            assert private not in json.dumps(manifest)
