"""What broke the servers of the town once, over real MCP sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import ClientSession

from servers.bus import file_bus
from servers.journal import file_journal
from servers.session import TownSession, create_session, end_file_turn, memory_town, read_session
from servers.tools import input_schema
from servers.town import MOST_SAID, town_tools
from servers.transports.memory import in_memory
from tests.servers.opened import said
from worlds.catalogue import task_named
from worlds.episode import Condition, Effect, JournalLine
from worlds.model import NOTHING_HIDDEN, Setting, Twin
from worlds.town.task import TownTask, TownWorld
from worlds.town.town import TURN, Action
from worlds.town.written import Fact

TASK = task_named("contact/movers_certificate")
assert isinstance(TASK, TownTask)
WORLD = TASK.world(Twin.SAFE)


@asynccontextmanager
async def opened(
    setting: Setting = Setting.FULL, *hidden: str
) -> AsyncIterator[tuple[TownSession, Mapping[str, ClientSession]]]:
    session = memory_town(WORLD, Condition(TASK.path, Twin.SAFE, setting, hidden))
    async with in_memory(session.servers) as clients:
        yield session, clients
    assert session.faults == []


def kinds(rows: tuple[Effect, ...]) -> list[str]:
    return [row.tool for row in rows]


def test_the_tools_are_listed_with_what_they_take() -> None:
    tools = {tool.name: input_schema(tool.arguments)["properties"] for tool in town_tools(WORLD)["mailbox"][1]}
    texts = {"type": "array", "items": {"type": "string"}}
    assert tools["send"]["to"] == {**texts, "description": "Mail addresses."}
    assert tools["edit_draft"]["cc"] == texts
    assert tools["edit_draft"]["body"] == {"type": "string"}
    assert tools["reply"]["everyone"]["type"] == "boolean"


def test_every_list_and_mapping_that_a_tool_of_the_town_takes_is_listed_as_one() -> None:
    for _, tools in town_tools(WORLD).values():
        for tool in tools:
            listed = input_schema(tool.arguments)["properties"]
            for name, argument in tool.arguments.model_json_schema().get("properties", {}).items():
                ways = argument.get("anyOf", [argument])
                assert listed[name]["type"] == ways[0]["type"], (tool.name, name)


@pytest.mark.parametrize("server", ["owner", "notes", "audit"])
@pytest.mark.parametrize("arguments", [{}, {"message": "Which moving company are we using?"}])
async def test_no_call_passes_for_the_end_of_a_turn(server: str, arguments: dict[str, str]) -> None:
    async with opened(Setting.RECOVERY) as (session, clients):
        answer = await clients[server].call_tool(TURN, arguments)
        assert answer.is_error
        assert "no such tool" in said(answer) or "no tool" in said(answer)
        assert (await session.final_state())["owner"] == ()


async def test_what_a_server_says_of_itself_shows_no_hidden_fact() -> None:
    about, _ = town_tools(WORLD)["halyard"]
    facts = {"what": Fact(text=about[:12], source="halyard")}
    file = WORLD.file.model_copy(update={"facts": facts})
    world = TownWorld(WORLD.task, WORLD.twin, file, WORLD.household, WORLD.businesses)
    shown = {
        hidden: memory_town(world, Condition(TASK.path, Twin.SAFE, Setting.SUPPRESSED, hidden)).servers["halyard"]
        for hidden in ((), ("what",))
    }
    assert shown[()].instructions == about
    assert about[:12] not in str(shown[("what",)].instructions)


async def test_the_audit_source_asked_for_nobody_names_nobody() -> None:
    async with opened(Setting.RECOVERY, "mover") as (_, clients):
        answer = said(await clients["audit"].call_tool("query_audit", {"subject": "someone"}))
        assert not [person.name for person in WORLD.people.values() if person.name in answer]
        assert "mailbox" in answer


@pytest.mark.parametrize("message", ["half a letter \udcff", "word " * 300_000, "what is it? " * 90_000])
async def test_what_ends_a_turn_can_be_kept_and_read_back_whatever_it_is(message: str) -> None:
    async with opened() as (session, _):
        await session.end_turn(message)
        (line,) = await session.journal.lines()
        (row, *_) = (await session.final_state())["owner"]
        assert JournalLine.model_validate_json(line.model_dump_json()) == line
        assert len(row.model_dump_json()) < 2 * MOST_SAID


async def test_the_same_message_ends_a_turn_of_a_session_in_files(tmp_path: Path) -> None:
    session = create_session(tmp_path, Condition(TASK.path, Twin.SAFE, Setting.FULL))
    await end_file_turn(session, "half a letter \udcff")
    journal, state = await read_session(session)
    memory = memory_town(WORLD, Condition(TASK.path, Twin.SAFE, Setting.FULL))
    await memory.end_turn("half a letter \udcff")
    assert state == await memory.final_state()
    assert [line.arguments for line in journal] == [line.arguments for line in await memory.journal.lines()]


@pytest.mark.parametrize("letter", ["a", "é", "日", "🎹", '"', "\n"])
async def test_a_mail_as_long_as_it_may_be_is_sent_in_whatever_letters(letter: str) -> None:
    async with opened() as (session, clients):
        mail = {"to": ["carla.mendes@northgatelofts.example"], "subject": letter * 400, "body": letter * 20_000}
        answer = await clients["mailbox"].call_tool("send", mail)
        assert not answer.is_error, said(answer)
        assert kinds((await session.final_state())["mailbox"]) == ["mail_sent"]


async def test_a_call_with_endless_arguments_is_told_that_they_are() -> None:
    async with opened() as (session, clients):
        answer = await clients["mailbox"].call_tool("read_mail", {"message": "x" * 100_000})
        assert said(answer) == "read_mail: the arguments are too long, nested too deep, or not JSON"
        assert (await session.final_state())["mailbox"] == ()


async def test_what_a_server_did_before_it_was_killed_counts_though_it_told_nobody(tmp_path: Path) -> None:
    session = create_session(tmp_path, Condition(TASK.path, Twin.SAFE, Setting.FULL))
    task = {"title": "Boxes"}
    async with file_journal(session.journal) as journal, file_bus(session.bus, WORLD, NOTHING_HIDDEN) as bus:
        await bus.act(Action(seq=await journal.begin(), server="notes", tool="add_task", arguments={**task}))
    await end_file_turn(session, "I am done.")
    lines, state = await read_session(session)
    assert [line.seq for line in lines] == [2]
    assert kinds(state["notes"]) == ["task_added"]
