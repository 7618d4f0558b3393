"""One SQLite database per server, seeded from an image: what the system holds, and what the agent's actions added.

Evidence is stored complete, each part with its atoms; hiding it is the business of the masking middleware alone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import aiosqlite

from worlds.contents import AuditFact, RecordTable, SystemContents, audit_facts, contents
from worlds.episode import Effect
from worlds.model import AUDIT
from worlds.projection import Evidence, from_stored, to_stored
from worlds.task import World

_SCHEMA = """
CREATE TABLE records (kind TEXT, key TEXT, position INTEGER, evidence TEXT, PRIMARY KEY (kind, key));
CREATE TABLE totals (kind TEXT PRIMARY KEY, evidence TEXT);
CREATE TABLE answers (tool TEXT PRIMARY KEY, evidence TEXT);
CREATE TABLE facts (atom TEXT, fact TEXT, source TEXT, value TEXT, PRIMARY KEY (atom, fact));
CREATE TABLE effects (seq INTEGER PRIMARY KEY, tool TEXT, arguments TEXT);
"""
_FORBIDDEN = {
    **dict.fromkeys(("records", "totals", "answers", "facts"), ("INSERT", "UPDATE", "DELETE")),
    "effects": ("UPDATE", "DELETE"),
}


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a database holds before the agent comes: a system's records and answers, or the audit's facts by atom."""

    contents: SystemContents
    facts: tuple[tuple[str, AuditFact], ...]


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
        database.execute(
            "CREATE TRIGGER effects_REPLACE BEFORE INSERT ON effects "
            "WHEN EXISTS (SELECT 1 FROM effects WHERE seq = NEW.seq) "
            "BEGIN SELECT RAISE(ABORT, 'effects are never undone'); END"
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


def _fill_audit(database: sqlite3.Connection, world: World) -> None:
    for atom in world.pair.atoms:
        for fact in audit_facts(world, atom.name):
            database.execute(
                "INSERT INTO facts VALUES (?, ?, ?, ?)",
                (atom.name, fact.fact, fact.source, json.dumps(fact.value)),
            )


def _dump(evidence: Evidence) -> str:
    return json.dumps(to_stored(evidence), ensure_ascii=False, separators=(",", ":"))


class Store:
    """One server's open database. What it holds never changes, so it is read once, when the database is opened."""

    def __init__(self, connection: aiosqlite.Connection, schema: str, holdings: Holdings) -> None:
        self._connection = connection
        self._effects = f"{schema}.effects"
        self.held = holdings.contents
        self.facts = holdings.facts

    async def add_effect(self, effect: Effect) -> None:
        """Keep what an action did. The connection commits each statement by itself."""
        await self._connection.execute_insert(
            f"INSERT INTO {self._effects} VALUES (?, ?, ?)",
            (effect.seq, effect.tool, json.dumps(effect.arguments, ensure_ascii=False, sort_keys=True)),
        )

    async def effects(self) -> tuple[Effect, ...]:
        """All that the agent's actions added."""
        rows = await self._connection.execute_fetchall(f"SELECT seq, tool, arguments FROM {self._effects} ORDER BY seq")
        return tuple(Effect(seq=seq, tool=tool, arguments=json.loads(arguments)) for seq, tool, arguments in rows)


def _read(database: sqlite3.Connection, schema: str) -> Holdings:
    records: dict[str, list[tuple[str, Evidence]]] = {}
    for kind, key, stored in database.execute(f"SELECT kind, key, evidence FROM {schema}.records ORDER BY position"):
        records.setdefault(kind, []).append((key, _load(stored)))
    totals = {kind: _load(stored) for kind, stored in database.execute(f"SELECT kind, evidence FROM {schema}.totals")}
    tables = {kind: RecordTable(tuple(records.get(kind, ())), total) for kind, total in totals.items()}
    answers = {tool: _load(stored) for tool, stored in database.execute(f"SELECT tool, evidence FROM {schema}.answers")}
    facts = database.execute(f"SELECT atom, fact, source, value FROM {schema}.facts ORDER BY rowid")
    return Holdings(
        SystemContents(tables, answers),
        tuple((atom, AuditFact(fact, source, json.loads(value))) for atom, fact, source, value in facts),
    )


@lru_cache(maxsize=65536)
def _load(stored: str) -> Evidence:
    return from_stored(json.loads(stored))


@asynccontextmanager
async def memory_stores(seeds: Mapping[str, bytes]) -> AsyncIterator[dict[str, Store]]:
    """Databases in memory, each seeded from an image and gone when closed.

    They are attached to one connection, because a connection costs a thread.
    """
    holdings: dict[str, Holdings] = {}

    def connect() -> sqlite3.Connection:
        database = sqlite3.connect(":memory:", isolation_level=None)
        for name, seed in seeds.items():
            database.execute(f"ATTACH ':memory:' AS {_schema(name)}")
            database.deserialize(seed, name=_schema(name))
            holdings[name] = _read(database, _schema(name))
        return database

    async with aiosqlite.Connection(connect, iter_chunk_size=64) as connection:
        yield {name: Store(connection, _schema(name), holdings[name]) for name in seeds}


def _schema(name: str) -> str:
    """What a server's database is attached as: no word that SQL keeps for itself."""
    return f"of_{name}"


@asynccontextmanager
async def file_store(file: Path) -> AsyncIterator[Store]:
    """A database in a file that was written from an image. Several processes may open it."""
    holdings: list[Holdings] = []

    def connect() -> sqlite3.Connection:
        database = sqlite3.connect(file, isolation_level=None)
        database.execute("PRAGMA busy_timeout = 10000")
        holdings.append(_read(database, "main"))
        return database

    async with aiosqlite.Connection(connect, iter_chunk_size=64) as connection:
        yield Store(connection, "main", holdings[0])


async def final_state(stores: Mapping[str, Store]) -> dict[str, tuple[Effect, ...]]:
    """What the agent's actions left in each server's database."""
    return {name: await store.effects() for name, store in stores.items()}
