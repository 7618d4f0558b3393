"""A small MCP host that behaves as its first argument says. Only the standard library: it stands for any program."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any


class Server:
    """One MCP server at its address."""

    def __init__(self, address: str) -> None:
        self._address, self._session, self._id = address, "", 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fake", "version": "1"}}
        self.ask("initialize", **hello)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._id += 1
        body = json.dumps({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self._session:
            headers |= {"Mcp-Session-Id": self._session, "MCP-Protocol-Version": "2025-06-18"}
        with urllib.request.urlopen(
            urllib.request.Request(self._address, body.encode(), headers), timeout=30
        ) as answer:
            self._session = answer.headers.get("Mcp-Session-Id") or self._session
            found: dict[str, Any] = json.loads(answer.read())["result"]
        return found

    def tools(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask("tools/list")["tools"]
        return found

    def call(self, tool: str, **arguments: Any) -> str:
        return str(self.ask("tools/call", name=tool, arguments=arguments)["content"][0]["text"])


def commit(servers: dict[str, Server], request: str) -> str:
    """Call the tool that does something, with the first id in the request."""
    named = re.search(r"[A-Z0-9]+(?:[-._][A-Z0-9]+)+", request)
    for server in servers.values():
        for tool in server.tools():
            takes = tool["inputSchema"]["required"]
            if "House rule" in tool["description"] and named and len(takes) == 1:
                return server.call(tool["name"], **{takes[0]: named.group()})
    return "I found nothing to do."


def main(mode: str, request: str, addresses: dict[str, str], turn: int) -> None:
    """Do what the mode says."""
    if mode == "hangs":
        time.sleep(600)
    if mode == "cannot start":
        print("no licence found for key sk-very-secret", file=sys.stderr)
        sys.exit(3)
    servers = {name: Server(address) for name, address in addresses.items()}
    listing = list(servers.values())[1:] if mode == "skips a server" else servers.values()
    offered = [tool["name"] for server in listing for tool in server.tools()]
    said: dict[str, Any] = {"message": "I looked.", "session": "mine", "tools": offered}
    match mode:
        case "commits":
            said |= {"message": commit(servers, request), "usage": {"requests": 2, "in": 100, "out": 7}}
        case "commits and fails":
            commit(servers, request)
            sys.exit(5)
        case "is denied":
            said["denied"] = ["pay"]
        case "skips a server":
            del said["tools"]
        case "hides a tool":
            said["tools"] = offered[1:]
        case "is in trouble":
            said["trouble"] = "the provider is gone"
        case "fails":
            print("it went wrong with sk-very-secret", file=sys.stderr)
            sys.exit(4)
        case "prints nothing":
            return
        case "prints no JSON":
            print("Hello there!")
            return
        case "prints much":
            print("x" * 1_000_000)
        case "says nothing":
            del said["message"]
        case "kills itself":
            os.kill(os.getpid(), 9)
        case "hangs later":
            time.sleep(600)
        case "leaves a child":
            said["message"] = leave_a_child()
        case "asks":
            memory = Path.home() / "memory"
            heard = [*(memory.read_text().splitlines() if turn > 1 else ()), request]
            memory.write_text("\n".join(heard))
            said["message"] = "May I?" if turn == 1 else " / ".join(heard)
        case "tells its home":
            said["message"] = os.environ["HOME"]
        case "tells its environment":
            said["message"] = " ".join(os.environ)
    print(json.dumps(said))


def leave_a_child() -> str:
    """The number of a process in a session of its own, with an environment of its own and a parent that has ended."""
    code = (
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]], start_new_session=True, env={})"
    )
    child = "import os, pathlib, time; pathlib.Path('child').write_text(str(os.getpid())); time.sleep(600)"
    subprocess.run([sys.executable, "-c", code, child], check=True)
    while not Path("child").exists() or not Path("child").read_text():
        time.sleep(0.01)
    return Path("child").read_text()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4]))
