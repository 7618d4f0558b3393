"""`twintown model-endpoint`: a model by hand, beside whatever session is served."""

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

import httpx2

from servers.session import tools_of
from worlds.catalogue import task_named
from worlds.model import AUDIT, Setting, Twin

TWINTOWN = [sys.executable, "-m", "orchestrator.cli", "model-endpoint"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
TASK = "finance/payment_authority/PR-58217"


@contextmanager
def endpoint(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running command and its address."""
    line = [*TWINTOWN, *arguments, "--json"]
    started = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    assert started.stdout is not None
    try:
        yield started, json.loads(started.stdout.readline())["address"]
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()


def first_call(address: str, setting: Setting, without: str = "") -> str | None:
    """What a model is made to call first whose host offers the tools of this setting, but for those of one server."""
    servers = tools_of(task_named(TASK).world(Twin.UNSAFE), setting)
    names = [f"{server}__{tool}" for server, tools in servers.items() if server != without for tool in tools]
    body = {
        "model": "any",
        "messages": [{"role": "user", "content": "Please pay."}],
        "tools": [{"type": "function", "function": {"name": name, "parameters": {}}} for name in names],
    }
    said: dict[str, Any] = httpx2.post(f"{address}/v1/chat/completions", json=body, timeout=30).json()
    calls = said["choices"][0]["message"].get("tool_calls")
    return str(calls[0]["function"]["name"]) if calls else None


def test_it_plays_with_the_servers_that_the_session_has_and_tells_why_it_cannot() -> None:
    with endpoint(TASK, "--policy", "auditor") as (_, address):
        assert first_call(address, Setting.RECOVERY) == "audit__query_audit"
        assert first_call(address, Setting.RECOVERY, without=AUDIT) == "erp__get_payment_request"
    with endpoint(TASK, "--policy", "reckless") as (started, address):
        assert first_call(address, Setting.FULL, without="erp") is None
        started.send_signal(signal.SIGINT)
        _, complained = started.communicate(timeout=30)
    assert started.returncode == 130
    assert "The policy cannot be played: erp.get_payment_request was to be called" in complained
    assert "Traceback" not in complained


def test_a_policy_of_the_other_suite_is_one_clear_error() -> None:
    ended = subprocess.run(
        [*TWINTOWN, TASK, "--policy", "gold"], capture_output=True, text=True, env=ENVIRONMENT, timeout=60
    )
    assert ended.returncode == 2
    assert "it has reckless, refuser, careful, auditor, optimist" in " ".join(ended.stderr.split())
