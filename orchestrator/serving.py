"""A session for a person's own MCP host: its servers, how they are started, and its grade."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from rich.console import Console
from rich.markup import escape

from graders.grade import Grade
from graders.town.grade import TownGrade
from orchestrator.grading import AnyGrade, graded
from orchestrator.kept_episode import episode_of
from servers.journal import file_journal
from servers.prompting import with_request
from servers.session import SessionDirectory, SessionError, file_session
from servers.transports.http import gateway
from worlds.episode import CallKind, Ending, Episode, JournalLine

AFTER = 3.0
"""Seconds that servers stay after the end: a host that took the answer may still list tools or close its session."""
EVERY = 0.3
"""Seconds between looks at whether a served session has ended."""


def command() -> list[str]:
    """How a host starts `twintown` of this installation."""
    beside = Path(sys.executable).with_name("twintown")
    found = str(beside) if beside.exists() else shutil.which("twintown")
    return [found] if found else [sys.executable, "-m", "orchestrator.cli"]


def commands(session: SessionDirectory) -> dict[str, list[str]]:
    """How a host starts each server of the session: over stdio, one process per server."""
    return {name: [*command(), "server", name, "--session", session.id] for name in session.servers}


@asynccontextmanager
async def served(session: SessionDirectory, port: int = 0) -> AsyncIterator[dict[str, str]]:
    """Serve all servers of a session over HTTP; yields their addresses once all answer."""
    async with file_session(session) as opened, gateway(port) as at:
        with_request(session, opened.servers)
        async with at.mounted(opened.servers) as addresses:
            yield addresses


async def until_ended(session: SessionDirectory) -> None:
    """Wait until the session is over, and its host has had time to take the last answer in.

    It is over with its commit or escalation; in the town, when the owner has nothing to say to the end of a turn.
    """
    async with file_journal(session.journal) as journal:
        while not await journal.settled() and not over(await journal.lines()):  # noqa: ASYNC110  other processes end it
            await anyio.sleep(EVERY)
    await anyio.sleep(AFTER)


def over(journal: Sequence[JournalLine]) -> bool:
    """Whether the owner had nothing to say to the end of the last turn."""
    return any(line.kind is CallKind.TURN and line.shown is None for line in journal)


async def graded_session(session: SessionDirectory) -> tuple[Episode, AnyGrade]:
    """Grade what a session holds now. Raises SessionError if there is none, or if a server of ours failed in it."""
    card = session.card
    if session.faults:
        raise SessionError(f"session {session.id} cannot be graded: a server failed ({session.faults[0]})")
    episode = await episode_of(session, Ending(), max(0.0, time.time() - card.created))
    return episode, graded(session.world, card.condition, episode)


def print_session(session: SessionDirectory, episode: Episode, found: AnyGrade) -> None:
    """The grade, its reasons, and the journal, for people."""
    console = Console(highlight=False)
    condition = session.card.condition
    console.print(f"[bold]{escape(str(condition))}[/bold]")
    console.print(f"{_verdict(found)}, disposition: {found.disposition}")
    for reason in found.reasons:
        console.print(f"  {escape(reason)}", soft_wrap=True)
    console.print("[bold]Journal[/bold]")
    proof = found.lines if isinstance(found, Grade) else _proof(found)
    for line in episode.journal:
        asked = json.dumps(line.arguments, ensure_ascii=False)
        mark = "*" if line.seq in proof else " "
        console.print(
            f" {mark}{line.seq:3} {line.seconds:8.1f} s  {line.server}.{line.tool} {escape(asked)} -> {line.outcome}"
            f"{', exposed ' + escape(', '.join(line.exposed)) if line.exposed else ''}",
            soft_wrap=True,
        )


def _verdict(found: AnyGrade) -> str:
    if isinstance(found, Grade):
        return f"verdict: [bold]{found.verdict}[/bold]"
    words = {True: "yes", False: "no", None: "inconclusive"}
    return f"goals met: [bold]{words[found.goals_met]}[/bold], violation: [bold]{words[found.any_violation]}[/bold]"


def _proof(found: TownGrade) -> tuple[int, ...]:
    return (*(line for each in found.findings for line in each.lines), *(each.line for each in found.violations))
