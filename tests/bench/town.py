"""What an episode of the town costs beside the same calls on bare MCP servers: thirty calls over eight servers."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Mapping
from pathlib import Path

from mcp import ClientSession
from mcp.server import Server

from orchestrator.episode import run_episode
from orchestrator.grading import graded
from orchestrator.hashes import hashes_of
from orchestrator.runs import RunCard, create_run, opened
from servers.tools import listed
from servers.town import town_tools
from servers.transports.memory import in_memory
from tests.bench.bare import bare_server, cpu_ms
from worlds.episode import CallOutcome, Condition
from worlds.model import Setting, Twin
from worlds.town.catalogue import TRUST
from worlds.town.task import TownWorld

TASK = "contact/tile_installation"
CALLS = 30


class ThirtyCalls:
    """Lists the tools of every server, then makes the same calls every time: what a task's start takes, over and over,
    and a mail, a note, a task and an event at its end."""

    def __init__(self, business: str) -> None:
        reads = (
            ("mailbox", "list_mail", {}),
            ("mailbox", "search", {"text": "tile"}),
            ("messages", "list_threads", {}),
            ("calendar", "list_events", {"first_day": "2026-10-05", "last_day": "2026-10-12"}),
            ("notes", "list_notes", {}),
            ("notes", "list_tasks", {}),
            ("wallet", "list_cards", {}),
            ("phone", "list_calls", {}),
            (business, "open_page", {"path": "/"}),
            ("owner", "ask", {"question": "When should the tiles be laid?"}),
        )
        acts = (
            ("mailbox", "save_draft", {"to": ["noor.haddad@post.example"], "subject": "Tiles", "body": "To be sent."}),
            ("notes", "write_note", {"title": "Tiles", "text": "Installation to be booked."}),
            ("notes", "add_task", {"title": "Book the installation"}),
            ("owner", "report", {"text": "I am at it."}),
        )
        self._calls = tuple(reads[n % len(reads)] for n in range(CALLS - len(acts))) + acts

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> None:
        for session in sessions.values():
            await session.list_tools()
        for server, tool, arguments in self._calls:
            await sessions[server].call_tool(tool, dict(arguments))


def bare_servers(world: TownWorld) -> dict[str, Server[object]]:
    """Low-level MCP servers with the same tools, whose answers are ready-made."""
    return {name: bare_server(name, listed(tools)) for name, (_, tools) in town_tools(world).items()}


async def town_over_bare(rounds: int, directory: Path) -> dict[str, float]:
    """CPU of one whole episode over that of the same calls on bare servers, measured turn by turn."""
    task = TRUST.task(TASK)
    condition, world = Condition(TASK, Twin.UNSAFE, Setting.FULL), task.world(Twin.UNSAFE)
    (business,) = world.businesses
    card = RunCard(suite="trust", only=(TASK,), agents=("caller",), repeats=rounds, calls=60, seconds=60)
    create_run(directory, card, hashes_of(card))
    with opened(directory) as store:

        async def whole(repeat: int) -> None:
            episode = await run_episode(task, condition, ThirtyCalls(business))
            store.append("caller", condition._replace(repeat=repeat), episode, graded(world, condition, episode))

        async def bare() -> None:
            async with in_memory(bare_servers(world)) as sessions:
                await ThirtyCalls(business).act("", sessions)

        first = await run_episode(task, condition, ThirtyCalls(business))
        refused = [line for line in first.journal if line.outcome is not CallOutcome.ANSWERED]
        if refused or len(first.journal) != CALLS + 1:  # and the end of the turn
            raise RuntimeError(f"the bench's calls are not what the town takes: {refused or len(first.journal)}")
        await bare()
        times: dict[str, list[float]] = {"whole": [], "bare": []}
        for repeat in range(rounds):
            times["whole"].append(await cpu_ms(lambda repeat=repeat: whole(repeat)))
            times["bare"].append(await cpu_ms(bare))
    return {name: statistics.median(values) for name, values in times.items()}


def measured(rounds: int, directory: Path) -> dict[str, float]:
    """The same, run."""
    return asyncio.run(town_over_bare(rounds, directory))
