"""The town answers the same over every transport, because its servers share one list of actions."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping

import pytest
from mcp import ClientSession, StdioServerParameters

from graders.town.grade import grade_town
from orchestrator.agents.scripted import scripted
from orchestrator.conversation import Conversation
from orchestrator.kept_episode import episode_of
from orchestrator.serving import served
from orchestrator.sessions import HOME
from servers.session import create_session, end_file_turn, memory_town
from servers.transports.http import over_http
from servers.transports.memory import in_memory
from servers.transports.stdio import over_stdio
from worlds.catalogue import task_named
from worlds.episode import Condition, Ending, Episode
from worlds.model import Setting, Twin

TASK = "contact/movers_certificate"
CONDITION = Condition(TASK, Twin.SAFE, Setting.FULL)


class Listener:
    """Plays gold and keeps what it hears."""

    def __init__(self, world) -> None:
        self.agent = scripted(world, "gold")
        self.heard: list[str] = []

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        listening = {name: Ear(session, self.heard) for name, session in sessions.items()}
        return await self.agent.act(request, listening)


class Ear:
    def __init__(self, session: ClientSession, heard: list[str]) -> None:
        self.session, self.heard = session, heard

    async def call_tool(self, tool, arguments):
        answer = await self.session.call_tool(tool, arguments)
        self.heard.append(answer.model_dump_json(include={"content", "structured_content", "is_error"}))
        return answer


def kept(episode: Episode) -> str:
    lines = [line.model_dump(mode="json", exclude={"seconds"}) for line in episode.journal]
    rows = {name: [row.model_dump(mode="json") for row in rows] for name, rows in episode.final_state.items()}
    return json.dumps([lines, rows], sort_keys=True)


async def by_memory():
    world = task_named(TASK).world(Twin.SAFE)
    session, listener = memory_town(world, CONDITION), Listener(world)
    async with in_memory(session.servers) as clients:
        await Conversation(listener, session.end_turn).act(world.request, clients)
    assert session.faults == []
    journal, state = await session.journal.lines(), await session.final_state()
    return listener.heard, Episode(journal=journal, final_state=state, ending=Ending(), seconds=0.0)


async def by_http(root):
    session = create_session(root, CONDITION)
    listener = Listener(session.world)
    async with served(session) as addresses, over_http(addresses) as clients:
        turns = Conversation(listener, lambda message: end_file_turn(session, message))
        await turns.act(session.world.request, clients)
    return listener.heard, await episode_of(session, Ending(), 0.0)


async def by_stdio(root):
    session = create_session(root, CONDITION)
    listener = Listener(session.world)
    commands = {
        name: StdioServerParameters(
            command=sys.executable,
            args=["-m", "orchestrator.cli", "server", name, "--session", session.id],
            env={**os.environ, HOME: str(root.parent)},
        )
        for name in session.servers
    }
    async with over_stdio(commands) as clients:
        turns = Conversation(listener, lambda message: end_file_turn(session, message))
        await turns.act(session.world.request, clients)
    return listener.heard, await episode_of(session, Ending(), 0.0)


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME, str(tmp_path))
    return tmp_path / "sessions"


async def test_one_process_answers_as_servers_over_http_do(root):
    heard, episode = await by_memory()
    over, same = await by_http(root)
    assert over == heard
    assert kept(same) == kept(episode)
    assert grade_town(task_named(TASK).world(Twin.SAFE), same).goals_met is True


async def test_one_process_answers_as_a_process_for_each_server_does(root):
    heard, episode = await by_memory()
    over, same = await by_stdio(root)
    assert over == heard
    assert kept(same) == kept(episode)
