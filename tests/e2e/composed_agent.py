"""The agent of a composed session: it reads its folder, plays a script over HTTP, and prints all that it hears.

Run as `python composed_agent.py FOLDER NAMES TASK TWIN AGENT`. NAMES says which address each name has, as a network's
DNS would; the rest names a reference agent, which knows its task's rules or script.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
from mcp import ClientSession

from orchestrator.agents.agent import Agent
from orchestrator.agents.reference import POLICIES, ReferenceAgent
from orchestrator.agents.scripted import scripted
from servers.transports.http import over_http
from worlds.catalogue import task_named
from worlds.model import Twin
from worlds.town.task import TownTask

_look_up = socket.getaddrinfo


def known_names(names: Mapping[str, str]) -> None:
    """Let this process find these hosts by name."""

    def found(host: Any, *arguments: Any, **more: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        return _look_up(names.get(name, name), *arguments, **more)

    socket.getaddrinfo = found


class Ear:
    """A session that keeps what it hears."""

    def __init__(self, session: ClientSession, heard: list[str]) -> None:
        self.session, self.heard = session, heard

    async def call_tool(self, tool: str, arguments: dict[str, Any]) -> Any:
        answer = await self.session.call_tool(tool, arguments)
        self.heard.append(answer.model_dump_json(include={"content", "structured_content", "is_error"}))
        return answer

    async def list_tools(self) -> Any:
        return await self.session.list_tools()


class Listener:
    """Plays another agent and keeps what it hears and says."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.heard = agent, list[str]()

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        listening: Any = {name: Ear(session, self.heard) for name, session in sessions.items()}
        said = await self.agent.act(request, listening)
        self.heard.append(repr(said))
        return said


async def play(folder: Path, agent: Agent) -> list[str]:
    """One turn of this agent with the request and the servers of its folder."""
    listener = Listener(agent)
    configured = json.loads((folder / "mcp.json").read_text(encoding="utf-8"))["mcpServers"]
    async with over_http({name: entry["url"] for name, entry in configured.items()}) as sessions:
        request = (folder / "request.txt").read_text(encoding="utf-8").removesuffix("\n")
        await listener.act(request, sessions)
    return listener.heard


def agent_named(task: str, twin: str, name: str) -> Agent:
    """The reference agent of this name, or the one that plays the script of this name."""
    pair = task_named(task)
    if isinstance(pair, TownTask):
        return scripted(pair.world(Twin(twin)), name)
    return ReferenceAgent(pair, next(policy for policy in POLICIES if policy.name == name))


if __name__ == "__main__":
    known_names(json.loads(sys.argv[2]))
    print(json.dumps(anyio.run(play, Path(sys.argv[1]), agent_named(*sys.argv[3:6]))))
