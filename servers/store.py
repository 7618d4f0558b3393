"""One SQLite database per server, seeded from an image: what the system holds, and what the agent's actions added.

Evidence is stored complete, each part with its atoms; hiding it is the business of the masking middleware alone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path

import aiosqlite

from servers.tools import AUDIT, tools_by_system
from worlds.contents import AuditFact, audit_facts, audit_subjects, contents, known_names
from worlds.episode import Effect
from worlds.projection import Evidence, from_stored, to_stored
from worlds.task import World

_SCHEMA = """
CREATE TABLE records (kind TEXT, key TEXT, position INTEGER, evidence TEXT, PRIMARY KEY (kind, key));
CREATE TABLE totals (kind TEXT PRIMARY KEY, evidence TEXT);
CREATE TABLE names (kind TEXT, key TEXT, PRIMARY KEY (kind, key));
CREATE TABLE answers (tool TEXT PRIMARY KEY, evidence TEXT);
CREATE TABLE facts (atom TEXT, fact TEXT PRIMARY KEY, source TEXT, value TEXT);
CREATE TABLE effects (seq INTEGER PRIMARY KEY, tool TEXT, arguments TEXT);
"""
_FORBIDDEN = {
    **dict.fromkeys(("records", "totals", "names", "answers", "facts"), ("INSERT", "UPDATE", "DELETE")),
    "effects": ("UPDATE", "DELETE"),
}

SUBJECT = "subject"
"""The kind under which the audit database keeps the names it can be asked about."""


@lru_cache(maxsize=8192)
def image(world: World, system: str) -> bytes:
    """The database of one system of a world as it is before the agent comes."""
    with sqlite3.connect(":memory:") as database:
        database.executescript(_SCHEMA)
        if system == AUDIT:
            _fill_audit(database, world)
        else:
            _fill_system(database, world, system)
        for table, changes in _FORBIDDEN.items():
            for change in changes:
                database.execute(
                    f"CREATE TRIGGER {table}_{change} BEFORE {change} ON {table} "
                    "BEGIN SELECT RAISE(ABORT, 'records never change, effects are never undone'); END"
                )
        database.commit()
        filled = database.serialize()
    database.close()
    return filled


def _fill_system(database: sqlite3.Connection, world: World, system: str) -> None:
    held = contents(world)[system]
    for kind, table in held.records.items():
        database.execute("INSERT INTO totals VALUES (?, ?)", (kind, _dump(table.total)))
        database.executemany(
            "INSERT INTO records VALUES (?, ?, ?, ?)",
            [(kind, key, position, _dump(record)) for position, (key, record) in enumerate(table.records)],
        )
    database.executemany("INSERT INTO answers VALUES (?, ?)", [(t, _dump(e)) for t, e in held.answers.items()])
    family = world.pair.family
    wanted = set(held.records) | {kind for tool in tools_by_system(family)[system] for kind in tool.names.values()}
    for record in family.records:
        if record.__name__ in wanted:
            keys = sorted(known_names(world.pair, record))
            database.executemany("INSERT INTO names VALUES (?, ?)", [(record.__name__, key) for key in keys])


def _fill_audit(database: sqlite3.Connection, world: World) -> None:
    subjects = audit_subjects(world.pair)
    database.executemany("INSERT INTO names VALUES (?, ?)", [(SUBJECT, subject) for subject in subjects])
    for atom in world.pair.atoms:
        for fact in audit_facts(world, atom.name):
            database.execute(
                "INSERT OR IGNORE INTO facts VALUES (?, ?, ?, ?)",
                (atom.name, fact.fact, fact.source, json.dumps(fact.value)),
            )


def _dump(evidence: Evidence) -> str:
    return json.dumps(to_stored(evidence), ensure_ascii=False, separators=(",", ":"))


class Store:
    """One server's open database."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def record(self, kind: str, key: str) -> Evidence | None:
        """The record with this key, if there is one."""
        rows = await self._rows("SELECT evidence FROM records WHERE kind = ? AND key = ?", kind, key)
        return _load(rows[0][0]) if rows else None

    async def records(self, kind: str) -> tuple[Evidence, ...]:
        """All records of a kind, in their order."""
        rows = await self._rows("SELECT evidence FROM records WHERE kind = ? ORDER BY position", kind)
        return tuple(_load(row[0]) for row in rows)

    async def total(self, kind: str) -> Evidence:
        """How many records of a kind there are, as evidence."""
        return _load((await self._rows("SELECT evidence FROM totals WHERE kind = ?", kind))[0][0])

    async def names(self, kind: str) -> frozenset[str]:
        """The keys that may be named, whatever is hidden and in whichever twin."""
        return frozenset(row[0] for row in await self._rows("SELECT key FROM names WHERE kind = ?", kind))

    async def answer(self, tool: str) -> Evidence:
        """What a preparation says."""
        return _load((await self._rows("SELECT evidence FROM answers WHERE tool = ?", tool))[0][0])

    async def facts(self) -> tuple[tuple[str, AuditFact], ...]:
        """All that an audit database knows, by atom."""
        rows = await self._rows("SELECT atom, fact, source, value FROM facts ORDER BY rowid")
        return tuple((atom, AuditFact(fact, source, json.loads(value))) for atom, fact, source, value in rows)

    async def add_effect(self, effect: Effect) -> None:
        """Keep what an action did, in one transaction."""
        await self._connection.execute(
            "INSERT INTO effects VALUES (?, ?, ?)",
            (effect.seq, effect.tool, json.dumps(effect.arguments, ensure_ascii=False, sort_keys=True)),
        )
        await self._connection.commit()

    async def effects(self) -> tuple[Effect, ...]:
        """All that the agent's actions added."""
        rows = await self._rows("SELECT seq, tool, arguments FROM effects ORDER BY seq")
        return tuple(Effect(seq=seq, tool=tool, arguments=json.loads(arguments)) for seq, tool, arguments in rows)

    async def _rows(self, query: str, *values: str) -> list[sqlite3.Row]:
        return list(await self._connection.execute_fetchall(query, values))


def _load(stored: str) -> Evidence:
    return from_stored(json.loads(stored))


@asynccontextmanager
async def memory_store(seed: bytes) -> AsyncIterator[Store]:
    """A database in memory, seeded from an image and gone when closed."""

    def connect() -> sqlite3.Connection:
        database = sqlite3.connect(":memory:")
        database.deserialize(seed)
        return database

    async with aiosqlite.Connection(connect, iter_chunk_size=64) as connection:
        yield Store(connection)


@asynccontextmanager
async def file_store(file: Path) -> AsyncIterator[Store]:
    """A database in a file that was written from an image. Several processes may open it."""
    async with aiosqlite.connect(file) as connection:
        await connection.execute("PRAGMA busy_timeout = 10000")
        yield Store(connection)


async def final_state(stores: Mapping[str, Store]) -> dict[str, tuple[Effect, ...]]:
    """What the agent's actions left in each server's database."""
    return {server: await store.effects() for server, store in stores.items()}
