"""What a guard that stands alone keeps in a file: what was spent, and the calls that wait for the owner's word.

Several processes may share the file: one for each server over stdio, and the terminal in which a person decides.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import aiosqlite
import anyio

from servers.guard.account import summed
from worlds.values import Money

_SCHEMA = """
CREATE TABLE IF NOT EXISTS spent (thing TEXT PRIMARY KEY, amount TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS held (
    id TEXT PRIMARY KEY, key TEXT NOT NULL, asks TEXT NOT NULL, reasons TEXT NOT NULL, word TEXT NOT NULL,
    at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS address (prefix TEXT NOT NULL);
"""
_PATIENCE = 10_000
"""Milliseconds to wait for another process that writes."""
SECONDS_ALONE = 120
"""So long an act waits for one of another process to be done."""


class StateError(ValueError):
    """A state that cannot be used; the message says why and what to do."""


class Word(StrEnum):
    """What a person said about a held call. One that was let through once is `done`."""

    WAITING = "waiting"
    APPROVED = "approved"
    DENIED = "denied"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class HeldCall:
    """A call that waits, or waited, for a person's word. `at`: seconds since the epoch."""

    id: str
    key: str
    asks: str
    reasons: str
    word: Word
    at: float


@dataclass(frozen=True, slots=True)
class State:
    """The file of a guard. It is also its account (servers.guard.account)."""

    file: Path

    def create(self) -> None:
        """Make the file if there is none; readable by its owner alone. Raises StateError."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.file.touch(mode=0o600)
            with self._open() as database:
                database.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise StateError(f"{self.file}: cannot keep the guard's state there ({error}); name another file") from None

    # --- held calls

    def hold(self, key: str, asks: str, reasons: str) -> HeldCall:
        """A call that waits; the one that waits already if it is the same."""
        with self._open() as database:
            found = self._latest(database, key)
            if found is not None and found.word is not Word.DONE:
                return found
            held = HeldCall(secrets.token_hex(3), key, asks, reasons, Word.WAITING, time.time())
            database.execute(
                "INSERT INTO held VALUES (?, ?, ?, ?, ?, ?)",
                (held.id, held.key, held.asks, held.reasons, held.word.value, held.at),
            )
            return held

    def take(self, key: str) -> HeldCall | None:
        """What was said about this call last; an approval is used up by it."""
        with self._open() as database:
            found = self._latest(database, key)
            if found is not None and found.word is Word.APPROVED:
                database.execute("UPDATE held SET word = ? WHERE id = ?", (Word.DONE.value, found.id))
            return found

    def decide(self, name: str, word: Word) -> HeldCall:
        """A person decides. Raises StateError for a call that does not wait."""
        with self._open() as database:
            known = {held.id: held for held in self._all(database)}
            held = known.get(name)
            if held is None or held.word is Word.DONE:
                waiting = ", ".join(one.id for one in known.values() if one.word is Word.WAITING) or "none"
                was = "was let through already" if held else "is not known"
                raise StateError(f"held call {name!r} {was}; waiting: {waiting}")
            database.execute("UPDATE held SET word = ? WHERE id = ?", (word.value, name))
            return held

    def waiting(self) -> tuple[HeldCall, ...]:
        """The calls that nobody has decided on, oldest first."""
        with self._open() as database:
            return tuple(held for held in self._all(database) if held.word is Word.WAITING)

    def prefix(self) -> str:
        """What the addresses of this guard begin with: it cannot be guessed, and stays."""
        with self._open() as database:
            row = database.execute("SELECT prefix FROM address").fetchone()
            if row is None:
                row = (secrets.token_hex(8),)
                database.execute("INSERT INTO address VALUES (?)", row)
            return str(row[0])

    # --- the account

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Raises TimeoutError if an act of another process takes too long."""
        lock = self.file.with_name(f"{self.file.name}.lock")
        async with aiosqlite.connect(lock, isolation_level=None) as database:
            await database.execute("PRAGMA busy_timeout = 0")
            with anyio.fail_after(SECONDS_ALONE):
                while True:
                    try:
                        await database.execute("BEGIN EXCLUSIVE")
                        break
                    except sqlite3.OperationalError:
                        await anyio.sleep(0.05)
            yield

    async def total(self) -> Money | None:
        with self._open() as database:
            return summed(Money.parse(amount) for (amount,) in database.execute("SELECT amount FROM spent"))

    async def spent(self, thing: str, amount: Money) -> None:
        self._enter(thing, amount)

    async def came_back(self, thing: str, amount: Money) -> None:
        with self._open() as database:
            row = database.execute("SELECT amount FROM spent WHERE thing = ?", (thing,)).fetchone()
        before = Money.parse(row[0]) if row else None
        if before is not None and before.currency == amount.currency:
            self._enter(thing, min(amount, before) * -1)

    def _enter(self, thing: str, amount: Money) -> None:
        with self._open() as database:
            row = database.execute("SELECT amount FROM spent WHERE thing = ?", (thing,)).fetchone()
            total = amount + Money.parse(row[0]) if row else amount
            database.execute("INSERT OR REPLACE INTO spent VALUES (?, ?)", (thing, str(total)))

    # --- inside

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        database = sqlite3.connect(self.file, isolation_level=None, timeout=_PATIENCE / 1000)
        try:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.commit()
        finally:
            database.close()

    def _latest(self, database: sqlite3.Connection, key: str) -> HeldCall | None:
        return next((held for held in reversed(self._all(database)) if held.key == key), None)

    def _all(self, database: sqlite3.Connection) -> list[HeldCall]:
        rows = database.execute("SELECT id, key, asks, reasons, word, at FROM held ORDER BY at, rowid")
        return [HeldCall(id_, key, asks, reasons, Word(word), at) for id_, key, asks, reasons, word, at in rows]
