"""The bus: whatever process an action comes from, the town is the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from servers.bus import FileBus, MemoryBus, create_bus_file, file_bus
from worlds.catalogue import task_named
from worlds.model import NOTHING_HIDDEN, Twin
from worlds.town.town import Action, Town

WORLD = task_named("contact/movers_certificate").world(Twin.SAFE)
ACTIONS = [
    Action(seq=1, server="notes", tool="add_task", arguments={"title": "Boxes"}),
    Action(seq=2, server="mailbox", tool="send", arguments={
        "to": ["carla.mendes@northgatelofts.example"], "subject": "Move", "body": "We move on the 17th."}),
    Action(seq=3, server="owner", tool="wait", arguments={}),
    Action(seq=4, server="mailbox", tool="list_mail", arguments={}),
    Action(seq=5, server="mailbox", tool="send", arguments={"to": ["nobody"], "subject": "x", "body": "y"}),
]  # fmt: skip


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[tuple[FileBus, FileBus]]:
    create_bus_file(tmp_path / "bus.sqlite")
    async with AsyncExitStack() as stack:
        buses = [
            await stack.enter_async_context(file_bus(tmp_path / "bus.sqlite", WORLD, NOTHING_HIDDEN)) for _ in range(2)
        ]
        yield buses[0], buses[1]


async def test_servers_that_share_a_file_answer_as_one_process_does(two: tuple[FileBus, FileBus]) -> None:
    alone = MemoryBus(WORLD, NOTHING_HIDDEN)
    for number, action in enumerate(ACTIONS):
        assert await two[number % 2].act(action) == await alone.act(action)
    expected = (await alone.town()).final_state()
    assert (await two[0].town()).final_state() == (await two[1].town()).final_state() == expected


async def test_an_action_that_fails_in_us_is_not_done_and_the_next_one_is(
    two: tuple[FileBus, FileBus], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:

        def failing(town: Town, action: Action) -> None:
            raise RuntimeError("our fault")

        broken.setattr(Town, "act", failing)
        with pytest.raises(RuntimeError, match="our fault"):
            await two[0].act(ACTIONS[0])
    alone = MemoryBus(WORLD, NOTHING_HIDDEN)
    assert await two[0].act(ACTIONS[1]) == await alone.act(ACTIONS[1])
    assert (await two[1].town()).final_state() == (await alone.town()).final_state()


async def test_a_server_that_starts_late_catches_up(two: tuple[FileBus, FileBus]) -> None:
    for action in ACTIONS[:4]:
        await two[0].act(action)
    assert (await two[1].town()).now == (await two[0].town()).now
