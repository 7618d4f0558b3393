"""The servers of one episode, with their stores and the journal they share.

`memory_session` keeps everything in this process. A session directory keeps it in files, so that each server can be a
process of its own and grading can come later.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from mcp.server import Server
from pydantic import BaseModel, ConfigDict, ValidationError

from servers.journal import FileJournal, MemoryJournal, create_journal_file, file_journal
from servers.server import build_server, server_names
from servers.store import Store, file_store, final_state, image, memory_stores
from worlds.catalogue import task_named
from worlds.episode import Condition, Effect, JournalLine
from worlds.task import World

MOST_CALLS = 60


class SessionError(Exception):
    """A session that cannot be opened; the message says why and what to do."""


@dataclass
class MemorySession:
    """Open servers by name. `faults` collects our own errors: an episode with one is not graded."""

    servers: Mapping[str, Server[object]]
    journal: MemoryJournal
    stores: Mapping[str, Store]
    faults: list[BaseException] = field(default_factory=list)

    async def final_state(self) -> dict[str, tuple[Effect, ...]]:
        return await final_state(self.stores)


@asynccontextmanager
async def memory_session(
    world: World, condition: Condition, most_calls: int = MOST_CALLS
) -> AsyncIterator[MemorySession]:
    """The servers of a world in this process, with databases in memory."""
    journal = MemoryJournal()
    faults: list[BaseException] = []
    seeds = {name: image(world, name) for name in server_names(world.pair, condition.setting)}
    async with memory_stores(seeds) as stores:
        servers = {
            name: build_server(world.pair, name, condition.mask, most_calls, store, journal, faults.append)
            for name, store in stores.items()
        }
        yield MemorySession(servers, journal, stores, faults)


class SessionCard(BaseModel):
    """What is private to a session: kept in its directory, never told to the agent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    condition: Condition
    most_calls: int
    created: float


@dataclass(frozen=True, slots=True)
class SessionDirectory:
    """A session kept in files under `root`, by its opaque id."""

    root: Path
    id: str

    @property
    def path(self) -> Path:
        return self.root / self.id

    @property
    def card(self) -> SessionCard:
        """Raises SessionError if there is no such session."""
        try:
            return SessionCard.model_validate_json((self.path / "session.json").read_text(encoding="utf-8"))
        except (OSError, ValidationError):
            raise SessionError(
                f"there is no session {self.id!r} under {self.root}; `twintown serve TASK` starts one"
            ) from None

    @property
    def world(self) -> World:
        condition = self.card.condition
        return task_named(condition.task).world(condition.twin)

    @property
    def servers(self) -> tuple[str, ...]:
        return server_names(self.world.pair, self.card.condition.setting)

    def database(self, server: str) -> Path:
        return self.path / f"{server}.sqlite"

    @property
    def journal(self) -> Path:
        return self.path / "journal.sqlite"

    @property
    def faults(self) -> list[str]:
        """Our own errors in this session: with one it cannot be graded."""
        file = self.path / "faults.txt"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def note_fault(self, error: BaseException) -> None:
        with (self.path / "faults.txt").open("a", encoding="utf-8") as faults:
            faults.write(f"{error!r}\n")


def create_session(root: Path, condition: Condition, most_calls: int = MOST_CALLS) -> SessionDirectory:
    """Write a new session's databases and journal. Only the owner of the files can read them."""
    world = task_named(condition.task).world(condition.twin)
    session = SessionDirectory(root, secrets.token_hex(8))
    root.mkdir(parents=True, exist_ok=True)
    session.path.mkdir(mode=0o700)
    for name in server_names(world.pair, condition.setting):
        session.database(name).write_bytes(image(world, name))
    now = time.time()
    create_journal_file(session.journal, now)
    card = SessionCard(condition=condition, most_calls=most_calls, created=now)
    (session.path / "session.json").write_text(card.model_dump_json(), encoding="utf-8")
    return session


@asynccontextmanager
async def file_server(session: SessionDirectory, name: str) -> AsyncIterator[Server[object]]:
    """One server of a session kept in files. Raises SessionError if the session has no such server."""
    if name not in session.servers:
        raise SessionError(f"session {session.id} has no server {name!r}; it has {', '.join(session.servers)}")
    card = session.card
    async with file_store(session.database(name)) as store, file_journal(session.journal) as journal:
        yield build_server(
            session.world.pair, name, card.condition.mask, card.most_calls, store, journal, session.note_fault
        )


async def read_session(
    session: SessionDirectory,
) -> tuple[tuple[JournalLine, ...], dict[str, tuple[Effect, ...]]]:
    """The journal and the final state of a session kept in files."""
    async with AsyncExitStack() as stack:
        journal: FileJournal = await stack.enter_async_context(file_journal(session.journal))
        stores = {name: await stack.enter_async_context(file_store(session.database(name))) for name in session.servers}
        return await journal.lines(), await final_state(stores)
