"""The bus: the ordered actions of one episode of the town, which its servers share.

In memory where they share a process; an SQLite file where each is its own. Every server applies the same actions in the
same order to its own copy of the town, so that all copies are equal (docs/adr/0007).
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import aiosqlite
import anyio

from worlds.model import Mask
from worlds.town.task import TownWorld
from worlds.town.town import Action, Reply, Town


class Bus(Protocol):
    """Carries actions to the town, one after the other."""

    async def act(self, action: Action) -> Reply:
        """Let the town do this after all that was done before."""

    async def town(self) -> Town:
        """The town after all that was done."""


class MemoryBus:
    """For servers that share a process."""

    def __init__(self, world: TownWorld, mask: Mask) -> None:
        self._town = Town(world, mask)

    async def act(self, action: Action) -> Reply:
        return self._town.act(action)

    async def town(self) -> Town:
        return self._town


def create_bus_file(file: Path) -> None:
    """Make a bus on which nothing has happened."""
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE actions (n INTEGER PRIMARY KEY AUTOINCREMENT, action TEXT NOT NULL)")
    database.close()


class FileBus:
    """For servers in processes of their own; all open the same file. An action is done when it is written there."""

    def __init__(self, connection: aiosqlite.Connection, world: TownWorld, mask: Mask) -> None:
        self._connection = connection
        self._world = world
        self._mask = mask
        self._town = Town(world, mask)
        self._seen = 0
        self._one = anyio.Lock()

    async def act(self, action: Action) -> Reply:
        async with self._one:
            await self._connection.execute("BEGIN IMMEDIATE")
            try:
                await self._catch_up()
                reply = self._town.act(action)
                row = await self._connection.execute_insert(
                    "INSERT INTO actions (action) VALUES (?)", (action.model_dump_json(),)
                )
                await self._connection.execute("COMMIT")
                self._seen = int(row[0]) if row else self._seen
            except BaseException:
                self._town, self._seen = Town(self._world, self._mask), 0  # this copy may be ahead of what was written
                await self._connection.execute("ROLLBACK")
                raise
            return reply

    async def town(self) -> Town:
        async with self._one:
            await self._catch_up()
            return self._town

    async def _catch_up(self) -> None:
        rows = await self._connection.execute_fetchall(
            "SELECT n, action FROM actions WHERE n > ? ORDER BY n", (self._seen,)
        )
        for number, written in rows:
            self._town.act(Action.model_validate_json(written))
            self._seen = int(number)


@asynccontextmanager
async def file_bus(file: Path, world: TownWorld, mask: Mask) -> AsyncIterator[FileBus]:
    """Open a bus that create_bus_file made."""
    async with aiosqlite.connect(file, isolation_level=None) as connection:
        await connection.execute("PRAGMA busy_timeout = 10000")
        yield FileBus(connection, world, mask)
