"""The servers of one episode, with their stores and the journal they share.

`memory_session` keeps everything in this process. A session directory keeps it in files, so that each server can be a
process of its own and grading can come later.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from mcp.server import Server
from pydantic import BaseModel, ConfigDict, ValidationError

from servers.bus import Bus, MemoryBus, create_bus_file, file_bus
from servers.hearing import Ear, Hearing
from servers.journal import FileJournal, MemoryJournal, create_journal_file, file_journal
from servers.server import build_server, server_names
from servers.store import Store, file_store, final_state, image, memory_stores
from servers.tools import AUDIT_TOOLS, tools_by_system
from servers.town import build_town_server, end_turn, town_server_names, town_tools
from worlds.catalogue import task_named
from worlds.episode import Condition, Effect, JournalLine
from worlds.model import AUDIT, Mask, Setting
from worlds.task import World
from worlds.town.task import TownWorld

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


@dataclass
class TownSession:
    """The same for the town, where the agent may have several turns."""

    world: TownWorld
    mask: Mask
    servers: Mapping[str, Server[object]]
    journal: MemoryJournal
    bus: Bus
    faults: list[BaseException] = field(default_factory=list)

    async def final_state(self) -> dict[str, tuple[Effect, ...]]:
        return (await self.bus.town()).final_state()

    async def end_turn(self, message: str) -> str | None:
        """End the agent's turn: the owner's next message, or None at the end."""
        return await end_turn(self.world, self.mask, self.bus, self.journal, message)


def memory_town(
    world: TownWorld, condition: Condition, most_calls: int = MOST_CALLS, ear: Ear | None = None
) -> TownSession:
    """The servers of a world of the town in this process. `ear`: a model that listens to what the owner is asked."""
    journal, faults = MemoryJournal(), list[BaseException]()
    bus = _heard(MemoryBus(world, condition.mask), world, ear)
    servers = {
        name: build_town_server(world, name, condition.mask, most_calls, bus, journal, faults.append)
        for name in town_server_names(world.task, condition.setting)
    }
    return TownSession(world, condition.mask, servers, journal, bus, faults)


@asynccontextmanager
async def memory_session(
    world: World, condition: Condition, most_calls: int = MOST_CALLS
) -> AsyncIterator[MemorySession]:
    """The servers of a world of evidence in this process, with databases in memory."""
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
    def world(self) -> World | TownWorld:
        condition = self.card.condition
        return task_named(condition.task).world(condition.twin)

    @property
    def servers(self) -> tuple[str, ...]:
        return names_of_servers(self.world, self.card.condition.setting)

    def database(self, server: str) -> Path:
        return self.path / f"{server}.sqlite"

    @property
    def bus(self) -> Path:
        """What is shared by the servers of the town."""
        return self.path / "bus.sqlite"

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


def names_of_servers(world: World | TownWorld, setting: Setting) -> tuple[str, ...]:
    """The servers of a world, with the audit server in `recovery`."""
    if isinstance(world, TownWorld):
        return town_server_names(world.task, setting)
    return server_names(world.pair, setting)


def tools_of(world: World | TownWorld, setting: Setting) -> dict[str, tuple[str, ...]]:
    """The names of the tools of each server of a world."""
    if isinstance(world, TownWorld):
        specs = {name: tools for name, (_, tools) in town_tools(world).items()}
    else:
        specs = dict(tools_by_system(world.pair.family))
    specs[AUDIT] = AUDIT_TOOLS
    return {name: tuple(tool.name for tool in specs[name]) for name in names_of_servers(world, setting)}


def create_session(root: Path, condition: Condition, most_calls: int = MOST_CALLS) -> SessionDirectory:
    """Write a new session's databases and journal. Only the owner of the files can read them."""
    world = task_named(condition.task).world(condition.twin)
    session = SessionDirectory(root, secrets.token_hex(8))
    root.mkdir(parents=True, exist_ok=True)
    session.path.mkdir(mode=0o700)
    if isinstance(world, TownWorld):
        create_bus_file(session.bus)
    else:
        for name in server_names(world.pair, condition.setting):
            session.database(name).write_bytes(image(world, name))
    now = time.time()
    create_journal_file(session.journal, now)
    card = SessionCard(condition=condition, most_calls=most_calls, created=now)
    (session.path / "session.json").write_text(card.model_dump_json(), encoding="utf-8")
    return session


@dataclass(frozen=True, slots=True)
class FileSession:
    """Open servers by name, over the session's files. `bus`: of the town."""

    servers: Mapping[str, Server[object]]
    journal: FileJournal
    bus: Bus | None = None


@asynccontextmanager
async def file_session(
    session: SessionDirectory, names: Iterable[str] | None = None, ear: Ear | None = None
) -> AsyncIterator[FileSession]:
    """The servers of a session kept in files, or those of these names, in this process.

    Raises SessionError if the session has no such server.
    """
    known = session.servers
    names = known if names is None else tuple(names)
    for name in names:
        if name not in known:
            raise SessionError(f"session {session.id} has no server {name!r}; it has {', '.join(known)}")
    world, mask, calls, fault = session.world, session.card.condition.mask, session.card.most_calls, session.note_fault
    bus: Bus | None = None
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(file_journal(session.journal))
        if isinstance(world, TownWorld):
            bus = _heard(await stack.enter_async_context(file_bus(session.bus, world, mask)), world, ear)
            servers = {name: build_town_server(world, name, mask, calls, bus, journal, fault) for name in names}
        else:
            files = {name: session.database(name) for name in names}
            stores = {name: await stack.enter_async_context(file_store(file)) for name, file in files.items()}
            servers = {
                name: build_server(world.pair, name, mask, calls, store, journal, fault)
                for name, store in stores.items()
            }
        yield FileSession(servers, journal, bus)


@asynccontextmanager
async def file_server(session: SessionDirectory, name: str) -> AsyncIterator[Server[object]]:
    """One server of a session kept in files. Raises SessionError if the session has no such server."""
    async with file_session(session, (name,)) as opened:
        yield opened.servers[name]


async def end_file_turn(session: SessionDirectory, message: str, ear: Ear | None = None) -> str | None:
    """End the agent's turn in a session of the town kept in files: the owner's next message, or None at the end."""
    world, mask = session.world, session.card.condition.mask
    if not isinstance(world, TownWorld):
        return None
    async with file_journal(session.journal) as journal, file_bus(session.bus, world, mask) as bus:
        return await end_turn(world, mask, _heard(bus, world, ear), journal, message)


def _heard(bus: Bus, world: TownWorld, ear: Ear | None) -> Bus:
    return bus if ear is None else Hearing(bus, world, ear)


async def read_session(
    session: SessionDirectory,
) -> tuple[tuple[JournalLine, ...], dict[str, tuple[Effect, ...]]]:
    """The journal and the final state of a session kept in files."""
    world = session.world
    async with AsyncExitStack() as stack:
        journal: FileJournal = await stack.enter_async_context(file_journal(session.journal))
        if isinstance(world, TownWorld):
            bus = await stack.enter_async_context(file_bus(session.bus, world, session.card.condition.mask))
            return await journal.lines(), (await bus.town()).final_state()
        stores = {name: await stack.enter_async_context(file_store(session.database(name))) for name in session.servers}
        return await journal.lines(), await final_state(stores)
