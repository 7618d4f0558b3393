"""The official inspector, headless: it lists a server's tools, strictly, and calls one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.outside.programs import SECONDS, program, told

PLACEHOLDER = {"string": "x", "integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}


async def inspected(target: Sequence[str], home: Path, era: str = "legacy") -> tuple[str, dict[str, Any]]:
    """List the tools of a server, by its address or command, and call one. Returns the tool's name and its answer.

    Raises AssertionError if the inspector finds anything wrong with it.
    """
    listed = await _asked(target, home, era, "tools/list", "--strict")
    tools = listed["tools"]
    assert tools, target
    tool = min(tools, key=lambda tool: len(tool["inputSchema"].get("required", ())))
    schema = tool["inputSchema"]
    arguments = {name: PLACEHOLDER[schema["properties"][name]["type"]] for name in schema.get("required", ())}
    asked = ("--tool-name", tool["name"], "--tool-args-json", json.dumps(arguments))
    return tool["name"], await _asked(target, home, era, "tools/call", *asked)


async def prompted(target: Sequence[str], home: Path) -> str:
    """What the prompt `task` of this server says."""
    listed = await _asked(target, home, "legacy", "prompts/list")
    assert [prompt["name"] for prompt in listed["prompts"]] == ["task"]
    found = await _asked(target, home, "legacy", "prompts/get", "--prompt-name", "task")
    text: str = found["messages"][0]["content"]["text"]
    return text


async def _asked(target: Sequence[str], home: Path, era: str, method: str, *more: str) -> dict[str, Any]:
    line = [*program("inspector", "mcp-inspector"), "--cli", *target, "--method", method, *more]
    options = ["--protocol-era", era, "--format", "json", "--connect-timeout", str(SECONDS * 1000), "-q"]
    status, out, complaint = await told([*line, *options], home)
    assert out.strip(), f"{target} {method}: status {status}, {complaint}"
    answer = json.loads(out)
    found: dict[str, Any] = answer.get("result", answer)
    assert "error" not in answer, f"{target} {method}: {answer}"
    # a refusal is an answer; the inspector then ends with a status of its own
    assert status == 0 or found.get("isError"), f"{target} {method}: status {status}, {out} {complaint}"
    return found
