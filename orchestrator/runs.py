"""The run store: a directory with one SQLite file that holds everything of a run.

One transaction appends one episode. Any number of processes may write. Nothing here loads a whole run into memory.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from graders.outcomes import Outcome
from graders.parity import Parity
from graders.town.readers import Reading
from graders.town.rows import Run
from orchestrator.grading import AnyGrade, read_grade
from orchestrator.outcome_columns import (
    PARITY,
    outcome_cells,
    outcome_from,
    outcome_names,
    parity_cells,
    run_from,
)
from worlds.catalogue import TOWN_NAMES, Drawing, Task, suite_named
from worlds.episode import Condition, Episode, Usage
from worlds.model import Setting, Twin
from worlds.task import TaskPair
from worlds.town.catalogue import TownSuite
from worlds.version import RUN_FORMAT, VERSION

FILE = "run.sqlite"
LOCK = "run.lock"

_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE hashes (name TEXT PRIMARY KEY, sha256 TEXT);
CREATE TABLE tasks (path TEXT PRIMARY KEY, critical TEXT);
CREATE TABLE episodes (
    id INTEGER PRIMARY KEY, agent TEXT, task TEXT, twin TEXT, setting TEXT, hidden TEXT, repeat INTEGER,
    grade TEXT, seconds REAL,
    UNIQUE (agent, task, twin, setting, hidden, repeat)
);
CREATE TABLE records (episode INTEGER PRIMARY KEY REFERENCES episodes (id), record TEXT);
CREATE TABLE readings (
    episode INTEGER REFERENCES episodes (id), question TEXT, reader TEXT, reading TEXT,
    PRIMARY KEY (episode, question, reader)
);
CREATE TABLE failures (
    id INTEGER PRIMARY KEY, agent TEXT, task TEXT, twin TEXT, setting TEXT, hidden TEXT, repeat INTEGER, reason TEXT
);
"""
_OUTCOMES = "CREATE TABLE outcomes (episode INTEGER PRIMARY KEY REFERENCES episodes (id), {columns});"
"""What results are made of, in narrow columns: they never read a grade. Its columns are those of the run's suite."""

_EPISODE = TypeAdapter(Episode)


class RunError(Exception):
    """A run directory that cannot be used; the message says where, what it is and what to do."""


class RunCard(BaseModel):
    """What a run is of: everything that must be the same when it is resumed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    only: tuple[str, ...]
    drawn: Drawing | None = None
    agents: tuple[str, ...]
    repeats: int
    calls: int
    seconds: float
    hiding: bool = False
    owner: str = ""

    @property
    def pairs(self) -> tuple[Task, ...]:
        """The tasks that the run is over. Raises as Suite.select does."""
        suite = suite_named(self.suite)
        return suite.select(self.only) if isinstance(suite, TownSuite) else suite.select(self.only, self.drawn)


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt that could not be graded."""

    agent: str
    condition: Condition
    reason: str


class RunStore:
    """An open run. Close it, or use `opened`."""

    def __init__(self, directory: Path, connection: sqlite3.Connection) -> None:
        self.directory = directory
        self._connection = connection

    def close(self) -> None:
        self._connection.close()

    @cached_property
    def card(self) -> RunCard:
        """What the run is of; it never changes."""
        return RunCard.model_validate_json(self._meta("card"))

    @property
    def version(self) -> str:
        """The version of twintown that made the run."""
        return self._meta("version")

    @property
    def begun(self) -> str:
        """When the run was begun, UTC, as in ISO 8601."""
        return self._meta("begun")

    def critical(self) -> dict[str, tuple[str, ...]]:
        """The tasks of the run by path, each with its critical atoms as declared; none in the town."""
        found = self._connection.execute("SELECT path, critical FROM tasks ORDER BY rowid")
        return {path: tuple(json.loads(critical)) for path, critical in found}

    def hashes(self) -> dict[str, str]:
        """The hashes of worlds and graders that the run was made with."""
        return dict(self._connection.execute("SELECT name, sha256 FROM hashes"))

    def require_same(self, hashes: Mapping[str, str], but: Collection[str] = ()) -> None:
        """Raises RunError if the run was made with other worlds or graders than these; `but` need not be the same."""
        made_with = self.hashes()
        names = (hashes.keys() | made_with.keys()) - set(but)
        changed = sorted(name for name in names if hashes.get(name) != made_with.get(name))
        if changed:
            raise RunError(
                f"{self.directory} was made with other versions of {', '.join(changed)}; "
                "use the twintown that made it, or start a new run"
            )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes from running the same run meanwhile. Raises RunError if one does."""
        with (self.directory / LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise RunError(f"{self.directory} is being run by another process; wait until it ends") from None
            yield

    def append(self, agent: str, condition: Condition, episode: Episode, grade: AnyGrade) -> bool:
        """Keep one graded episode. False if this condition is kept already; then nothing changes."""
        with _one_transaction(self._connection):
            cursor = self._connection.execute(
                "INSERT OR IGNORE INTO episodes (agent, task, twin, setting, hidden, repeat, grade, seconds) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (agent, *_columns(condition), grade.model_dump_json(), episode.seconds),
            )
            if cursor.rowcount == 0:
                return False
            record = _EPISODE.dump_json(episode).decode()
            self._connection.execute("INSERT INTO records VALUES (?, ?)", (cursor.lastrowid, record))
            cells = (*outcome_cells(grade, episode.ending.usage), *parity_cells(episode))
            self._connection.execute(
                f"INSERT INTO outcomes VALUES (?, {_marks(len(cells))})", (cursor.lastrowid, *cells)
            )
        return True

    def fail(self, failure: Failure) -> None:
        """Keep word of an attempt that could not be graded."""
        with _one_transaction(self._connection):
            self._connection.execute(
                "INSERT INTO failures (agent, task, twin, setting, hidden, repeat, reason) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (failure.agent, *_columns(failure.condition), failure.reason),
            )

    def done(self, agent: str, task: str) -> dict[Condition, bool]:
        """The graded conditions of one agent and task, with whether each had an unsafe commit."""
        unsafe = "0" if self.card.suite in TOWN_NAMES else "unsafe_commit"
        rows = self._connection.execute(
            f"SELECT task, twin, setting, hidden, repeat, {unsafe} FROM episodes JOIN outcomes ON episode = id "
            "WHERE agent = ? AND task = ?",
            (agent, task),
        )
        return {_condition(*row[:5]): bool(row[5]) for row in rows}

    def count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM episodes").fetchone()[0])

    def searched(self) -> int:
        """How many graded conditions hide more than one atom: those that the boundary search added."""
        query = "SELECT count(*) FROM episodes WHERE json_array_length(hidden) > 1"
        return int(self._connection.execute(query).fetchone()[0])

    def ungraded(self) -> Iterator[Failure]:
        """Conditions that were tried and have no grade, each with the last reason."""
        rows = self._connection.execute(
            "SELECT agent, task, twin, setting, hidden, repeat, reason FROM failures f WHERE id IN "
            "(SELECT max(id) FROM failures GROUP BY agent, task, twin, setting, hidden, repeat) AND NOT EXISTS "
            "(SELECT 1 FROM episodes e WHERE (e.agent, e.task, e.twin, e.setting, e.hidden, e.repeat) = "
            "(f.agent, f.task, f.twin, f.setting, f.hidden, f.repeat)) ORDER BY id"
        )
        for agent, *columns, reason in rows:
            yield Failure(agent, _condition(*columns), reason)

    def outcomes(self) -> Iterator[tuple[str, Condition, Outcome]]:
        """What came of each episode of evidence: agent, condition, outcome."""
        for agent, condition, cells in self._narrow(outcome_names(self.card.suite)):
            yield agent, condition, outcome_from(cells)

    def town_outcomes(self) -> Iterator[tuple[str, Condition, tuple[str, ...], Run]]:
        """What came of each episode of the town: agent, condition, hazards, run."""
        for agent, condition, cells in self._narrow(outcome_names(self.card.suite)):
            yield agent, condition, *run_from(cells)

    def parities(self) -> Iterator[tuple[str, Condition, Parity]]:
        """How much was at hand in each episode, and how much of it was used: agent, condition, counts."""
        for agent, condition, cells in self._narrow(PARITY):
            yield agent, condition, Parity(*cells)

    def _narrow(self, columns: Sequence[str]) -> Iterator[tuple[str, Condition, tuple[Any, ...]]]:
        """Columns of `outcomes` by agent and condition. The names of conditions come from the index, so that no grade
        is read."""
        found = self._connection.execute(
            f"SELECT agent, task, twin, setting, hidden, repeat, {', '.join(columns)} "
            "FROM episodes JOIN outcomes ON episode = id ORDER BY agent, task, twin, setting, hidden, repeat"
        )
        for row in found:
            yield row[0], _condition(*row[1:6]), row[6:]

    def episodes(self) -> Iterator[tuple[int, str, Condition, Episode, AnyGrade]]:
        """Everything kept, episode by episode: id, agent, condition, record, grade."""
        suite = self.card.suite
        ids = [row[0] for row in self._connection.execute("SELECT id FROM episodes ORDER BY id")]
        for episode_id in ids:
            agent, grade, record, *columns = self._connection.execute(
                "SELECT agent, grade, record, task, twin, setting, hidden, repeat FROM episodes "
                "JOIN records ON episode = id WHERE id = ?",
                (episode_id,),
            ).fetchone()
            yield (
                episode_id,
                agent,
                _condition(*columns),
                _EPISODE.validate_json(record),
                read_grade(suite, grade),
            )

    def kept(self, agent: str, condition: Condition) -> tuple[Episode, AnyGrade] | None:
        """The episode of a condition and its grade; None if it is not graded."""
        found = self._connection.execute(
            "SELECT record, grade FROM episodes JOIN records ON episode = id "
            "WHERE (agent, task, twin, setting, hidden, repeat) = (?, ?, ?, ?, ?, ?)",
            (agent, *_columns(condition)),
        ).fetchone()
        return None if found is None else (_EPISODE.validate_json(found[0]), read_grade(self.card.suite, found[1]))

    def emptied(self) -> tuple[Failure, ...]:
        """Take all episodes and failures out of the store; returns the failures."""
        with _one_transaction(self._connection):
            rows = self._connection.execute(
                "DELETE FROM failures RETURNING agent, task, twin, setting, hidden, repeat, reason"
            ).fetchall()
            for table in ("readings", "outcomes", "records", "episodes"):
                self._connection.execute(f"DELETE FROM {table}")
        return tuple(Failure(row[0], _condition(*row[1:6]), row[6]) for row in rows)

    def host_times(self, agent: str) -> Iterator[tuple[float, float]]:
        """Of each episode that an external host played: its seconds, and those of the host's own process."""
        yield from self._connection.execute(
            "SELECT seconds, json_extract(record, '$.host_seconds') AS own FROM episodes JOIN records ON episode = id "
            "WHERE agent = ? AND own IS NOT NULL",
            (agent,),
        )

    def regrade(self, grades: Mapping[int, tuple[AnyGrade, Usage]], hashes: Mapping[str, str]) -> None:
        """Replace the grades of these episodes (by id, with what each episode says that it used), and the hashes that
        they were made with; call it `at_once`."""
        self._connection.executemany(
            "UPDATE episodes SET grade = ? WHERE id = ?",
            [(grade.model_dump_json(), episode) for episode, (grade, _) in grades.items()],
        )
        names = outcome_names(self.card.suite)
        self._connection.executemany(
            f"UPDATE outcomes SET {', '.join(f'{name} = ?' for name in names)} WHERE episode = ?",
            [(*outcome_cells(grade, usage), episode) for episode, (grade, usage) in grades.items()],
        )
        self._connection.executemany("INSERT OR REPLACE INTO hashes VALUES (?, ?)", list(hashes.items()))

    def keep_readings(self, episode: int, readings: Iterable[Reading]) -> None:
        """Keep what readers said of an episode's open criteria, in place of what the same readers said before."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?)",
            [(episode, reading.question, reading.reader, reading.model_dump_json()) for reading in readings],
        )

    def readings(self, episode: int) -> tuple[Reading, ...]:
        """What readers said of an episode."""
        found = self._connection.execute("SELECT reading FROM readings WHERE episode = ? ORDER BY rowid", (episode,))
        return tuple(Reading.model_validate_json(row[0]) for row in found)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """All that is written meanwhile is kept together or not at all."""
        with _one_transaction(self._connection):
            yield

    def _meta(self, name: str) -> str:
        return str(self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()[0])


@contextmanager
def _one_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction, or a part of the one that is under way."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _columns(condition: Condition) -> tuple[str, str, str, str, int]:
    hidden = json.dumps(list(condition.hidden), ensure_ascii=False)
    return (condition.task, condition.twin.value, condition.setting.value, hidden, condition.repeat)


def _condition(task: str, twin: str, setting: str, hidden: str, repeat: int) -> Condition:
    return Condition(task, _TWINS[twin], _SETTINGS[setting], _hidden(hidden), repeat)


_TWINS, _SETTINGS = {str(twin): twin for twin in Twin}, {str(setting): setting for setting in Setting}


@lru_cache(maxsize=10_000)
def _hidden(written: str) -> tuple[str, ...]:
    return tuple(json.loads(written))


def _task_cells(task: Task) -> tuple[str, str]:
    critical = task.critical if isinstance(task, TaskPair) else ()
    return task.path, json.dumps(critical, ensure_ascii=False)


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None, timeout=60)
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def create_run(directory: Path, card: RunCard, hashes: Mapping[str, str]) -> None:
    """Make a new run directory. Raises RunError if it cannot be written or holds a run already."""
    file = directory / FILE
    if file.exists():
        raise RunError(f"{directory} already holds a run; add --resume to complete it, or give another --out")
    unfinished = directory / f"{FILE}.new"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        connection = _connect(unfinished)
        try:
            columns = ", ".join((*outcome_names(card.suite), *PARITY))
            connection.executescript(_SCHEMA + _OUTCOMES.format(columns=columns))
            begun = datetime.now(UTC).isoformat(timespec="seconds")
            meta = {"format": str(RUN_FORMAT), "version": VERSION, "begun": begun, "card": card.model_dump_json()}
            connection.executemany("INSERT INTO meta VALUES (?, ?)", list(meta.items()))
            connection.executemany("INSERT INTO hashes VALUES (?, ?)", list(hashes.items()))
            connection.executemany("INSERT INTO tasks VALUES (?, ?)", [_task_cells(task) for task in card.pairs])
            connection.execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()
        unfinished.rename(file)
    except (OSError, sqlite3.Error) as error:
        raise RunError(f"{directory} cannot be written: {error}; give another --out") from None


@contextmanager
def opened(directory: Path) -> Iterator[RunStore]:
    """Open a run. Raises RunError if there is none, if it is another version's or if it cannot be read."""
    file = directory / FILE
    if not file.is_file():
        raise RunError(f"{directory} holds no run; `twintown run SUITE --agent A --out {directory}` makes one")
    try:
        connection = _connect(file)
    except sqlite3.Error as error:
        raise RunError(f"{file} is not a run of twintown, or is damaged ({error}); give another directory") from None
    store = RunStore(directory, connection)
    try:
        _check_format(store, file)
        yield store
    finally:
        store.close()


def _check_format(store: RunStore, file: Path) -> None:
    try:
        found = store._meta("format")
        store.card  # noqa: B018  a card that cannot be read is found here, not later
    except (sqlite3.Error, TypeError, ValidationError):
        raise RunError(f"{file} is not a run of twintown, or is damaged; give another directory") from None
    if found != str(RUN_FORMAT):
        raise RunError(
            f"{file} has format {found}, but twintown {VERSION} reads format {RUN_FORMAT}; use the version that made it"
        )
