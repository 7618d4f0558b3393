"""The journal of one episode: every call, in order, over all of its servers.

In memory where the servers share a process, an SQLite file where each is its own. A journal also knows whether the
episode has ended, because only it is shared by all servers.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import aiosqlite
import anyio
from pydantic import TypeAdapter

from worlds.episode import CallOutcome, JournalLine

MOST_REFUSED = 25
"""So many refused calls after the end are kept; with the next, the agent counts as pestering."""

Clock = Callable[[], float]


class Journal(Protocol):
    """Numbers calls, keeps them, and lets exactly one call end the episode.

    `pestered` is set by a call after the end that is one too many to be kept. `aside`: so many of the calls are not the
    agent's, but those of a guard, and are not counted against its budget. `listed`: the servers whose tools were
    listed.
    """

    pestered: anyio.Event
    aside: int
    listed: set[str]

    async def begin(self) -> int:
        """The sequence number of the next call, from 1."""

    async def append(self, line: JournalLine) -> None:
        """Keep a call that has been answered."""

    async def end(self, seq: int) -> bool:
        """Let this call end the episode. False if another one did before."""

    async def ended(self) -> bool:
        """Whether a call has ended the episode."""

    async def begun(self) -> int:
        """The sequence number of the last call that began."""

    def seconds(self) -> float:
        """Time since the start of the episode."""

    async def lines(self) -> tuple[JournalLine, ...]:
        """All that is kept, in order."""


class MemoryJournal:
    """For servers that share a process."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._lines: list[JournalLine] = []
        self._begun = 0
        self._refused = 0
        self._ended_by: int | None = None
        self.pestered = anyio.Event()
        self.aside = 0
        self.listed: set[str] = set()

    async def begin(self) -> int:
        self._begun += 1
        return self._begun

    async def append(self, line: JournalLine) -> None:
        if line.outcome is CallOutcome.OVER:
            self._refused += 1
            if self._refused > MOST_REFUSED:
                self.pestered.set()
                return
        self._lines.append(line)

    async def end(self, seq: int) -> bool:
        if self._ended_by is None:
            self._ended_by = seq
        return self._ended_by == seq

    async def ended(self) -> bool:
        return self._ended_by is not None

    async def begun(self) -> int:
        return self._begun

    def seconds(self) -> float:
        return self._clock() - self._start

    async def lines(self) -> tuple[JournalLine, ...]:
        return tuple(sorted(self._lines, key=lambda line: line.seq))


_SCHEMA = """
CREATE TABLE calls (seq INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT);
CREATE TABLE ending (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER);
CREATE TABLE start (at REAL);
"""
_LINE = TypeAdapter(JournalLine)
_KEEP = "UPDATE calls SET line = ? WHERE seq = ?"
_KEEP_REFUSED = f"""
{_KEEP} AND (SELECT count(*) FROM calls WHERE json_extract(line, '$.outcome') = '{CallOutcome.OVER}') < {MOST_REFUSED}
"""


def create_journal_file(file: Path, now: float) -> None:
    """Make an empty journal that starts at `now`, in seconds since the epoch."""
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(_SCHEMA)
        database.execute("INSERT INTO start VALUES (?)", (now,))
    database.close()


class FileJournal:
    """For servers in processes of their own; all open the same file. `pestered` is set where the call was made."""

    def __init__(self, connection: aiosqlite.Connection, start: float, clock: Clock) -> None:
        self._connection = connection
        self._start = start
        self._clock = clock
        self._writing = anyio.Lock()
        self.pestered = anyio.Event()
        self.aside = 0
        self.listed: set[str] = set()

    async def begin(self) -> int:
        async with self._writing:
            row = await self._connection.execute_insert("INSERT INTO calls (line) VALUES (NULL)")
        if row is None:
            raise RuntimeError("the journal gave no number")
        return int(row[0])

    async def append(self, line: JournalLine) -> None:
        keep = _KEEP_REFUSED if line.outcome is CallOutcome.OVER else _KEEP
        async with self._writing:
            cursor = await self._connection.execute(keep, (line.model_dump_json(), line.seq))
            if cursor.rowcount == 0:
                await self._connection.execute("DELETE FROM calls WHERE seq = ?", (line.seq,))
                self.pestered.set()

    async def end(self, seq: int) -> bool:
        async with self._writing:
            await self._connection.execute("INSERT OR IGNORE INTO ending VALUES (1, ?)", (seq,))
        rows = list(await self._connection.execute_fetchall("SELECT seq FROM ending"))
        return bool(rows[0][0] == seq)

    async def ended(self) -> bool:
        return bool(list(await self._connection.execute_fetchall("SELECT seq FROM ending")))

    async def begun(self) -> int:
        rows = list(await self._connection.execute_fetchall("SELECT coalesce(max(seq), 0) FROM calls"))
        return int(rows[0][0])

    async def settled(self) -> bool:
        """Whether a call has ended the episode and has been answered, so that what it did is written."""
        query = "SELECT 1 FROM ending JOIN calls USING (seq) WHERE line IS NOT NULL"
        return bool(list(await self._connection.execute_fetchall(query)))

    def seconds(self) -> float:
        return self._clock() - self._start

    async def lines(self) -> tuple[JournalLine, ...]:
        rows = await self._connection.execute_fetchall("SELECT line FROM calls WHERE line IS NOT NULL ORDER BY seq")
        return tuple(_LINE.validate_json(row[0]) for row in rows)


@asynccontextmanager
async def file_journal(file: Path, clock: Clock = time.time) -> AsyncIterator[FileJournal]:
    """Open a journal that create_journal_file made. The clock gives seconds since the epoch."""
    async with aiosqlite.connect(file, isolation_level=None) as connection:  # each statement commits by itself
        await connection.execute("PRAGMA busy_timeout = 10000")
        rows = list(await connection.execute_fetchall("SELECT at FROM start"))
        yield FileJournal(connection, float(rows[0][0]), clock)
