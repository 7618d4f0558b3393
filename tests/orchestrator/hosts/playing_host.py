"""A small MCP host that lets a model play, over Chat Completions. Only the standard library.

As its first argument says, it `remembers` the conversation in its HOME, or `forgets` it from turn to turn.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from fake_host import Server  # it runs as a program, outside any package


def answer_of(endpoint: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
    body = json.dumps({"model": "any", "messages": messages, "tools": tools}).encode()
    request = urllib.request.Request(f"{endpoint}/v1/chat/completions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        message: dict[str, Any] = json.loads(answer.read())["choices"][0]["message"]
    return message


def main(mode: str, request: str, addresses: dict[str, str], endpoint: str) -> None:
    """One turn of the conversation, to the model's last words."""
    servers = {name: Server(address) for name, address in addresses.items()}
    tools, places = [], {}
    for name, server in servers.items():
        for tool in server.tools():
            places[f"{name}__{tool['name']}"] = (server, tool["name"])
            tools.append(
                {
                    "type": "function",
                    "function": {"name": f"{name}__{tool['name']}", "parameters": tool["inputSchema"]},
                }
            )
    memory = Path.home() / "memory.json"
    messages = json.loads(memory.read_text()) if mode == "remembers" and memory.exists() else []
    messages.append({"role": "user", "content": request})
    while True:
        said = answer_of(endpoint, messages, tools)
        messages.append(said)
        if not said.get("tool_calls"):
            break
        for call in said["tool_calls"]:
            server, tool = places[call["function"]["name"]]
            result = server.call(tool, **json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    memory.write_text(json.dumps(messages))
    print(json.dumps({"message": said["content"]}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), sys.argv[4])
