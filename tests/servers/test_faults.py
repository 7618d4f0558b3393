"""An error of ours is noted, so that its episode is not graded, and its text stays with us."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest
from mcp import MCPError

from servers.session import create_session, file_server, read_session
from servers.transports.era import Era
from servers.transports.memory import in_memory
from tests.servers.opened import opened, said
from tests.worlds.made import made
from worlds.catalogue import task_named
from worlds.episode import Condition, Effect
from worlds.model import Setting, Twin

SECRET = "the limit is 70.00 EUR in /work/worlds"


async def broken(effect: Effect) -> None:
    raise RuntimeError(SECRET)


@pytest.mark.parametrize("era", list(Era))
async def test_an_error_of_ours_is_noted_and_its_text_stays_with_us(era: Era, caplog: pytest.LogCaptureFixture) -> None:
    async with opened(made(), hidden=("dues.most",), era=era) as world:
        world.session.stores["harbour"].add_effect = broken
        with caplog.at_level(logging.CRITICAL), pytest.raises(MCPError) as told:
            await world.call("harbour", "cast_off", {"boat_id": "B-1"})
        (fault,) = world.session.faults
        assert repr(fault) == repr(RuntimeError(SECRET))
    assert SECRET not in str(told.value)
    assert "70" not in repr(told.value.error)
    assert "/work" not in repr(told.value.error)


async def test_both_eras_hear_the_same_words_of_an_error_of_ours() -> None:
    words = []
    for era in Era:
        async with opened(made(), era=era) as world:
            world.session.stores["harbour"].add_effect = broken
            with pytest.raises(MCPError) as told:
                await world.call("harbour", "cast_off", {"boat_id": "B-1"})
        words.append((told.value.error.code, told.value.error.message))
    assert words[0] == words[1]


async def test_a_server_answers_on_after_an_error_of_ours() -> None:
    async with opened(made()) as world:
        world.session.stores["harbour"].add_effect = broken
        with pytest.raises(MCPError):
            await world.call("harbour", "warm_up", {"boat_id": "B-1"})
        assert said(await world.call("harbour", "get_boat", {"id": "B-2"})).startswith('{"id": "B-2"')


async def test_a_bad_call_is_no_fault() -> None:
    async with opened(made()) as world:
        await world.call("harbour", "no_such_tool")
        await world.call("harbour", "cast_off", {"boat_id": None})
        assert world.session.faults == []


async def test_a_fault_of_a_session_in_files_is_noted_beside_them(tmp_path: Path) -> None:
    pair = task_named("finance/payment_authority/PR-58217")
    session = create_session(tmp_path, Condition(pair.path, Twin.SAFE, Setting.FULL))
    database = sqlite3.connect(session.database("bank"))
    database.execute("DROP TABLE effects")
    database.commit()
    database.close()
    assert session.faults == []
    async with file_server(session, "bank") as server, in_memory({"bank": server}) as clients:
        with pytest.raises(MCPError):
            await clients["bank"].call_tool("execute_payment", {"request_id": "PR-58217"})
    (fault,) = session.faults
    assert "no such table" in fault


async def test_a_session_in_files_without_faults_has_none(tmp_path: Path) -> None:
    session = create_session(tmp_path, Condition("finance/payment_authority/PR-58217", Twin.SAFE, Setting.FULL))
    async with file_server(session, "bank") as server, in_memory({"bank": server}) as clients:
        await clients["bank"].call_tool("execute_payment", {"request_id": "PR-58217"})
    assert session.faults == []
    lines, state = await read_session(session)
    assert [line.tool for line in lines] == ["execute_payment"]
    assert [effect.tool for effect in state["bank"]] == ["execute_payment"]
