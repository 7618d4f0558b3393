"""A run as the viewer reads it: read-only, page by page, so that a run of any size can be looked at while it runs.

Pages are found by key, not by counting: the order is that of the store's own index over the conditions.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from graders.outcomes import hidden_of
from orchestrator.grading import AnyGrade, read_grade
from orchestrator.hashes import hashes_of
from orchestrator.runs import FILE, Failure, RunCard, RunStore, opened
from orchestrator.viewing.filter import Filter, FilterError, condition_of
from orchestrator.viewing.twin import Kept, TwinView, twin_view
from worlds.catalogue import TOWN_NAMES, Task
from worlds.documents import UnknownTask, WorldError
from worlds.episode import Condition, Episode
from worlds.model import Setting, Twin

PAGE = 50
"""Episodes on a page."""

MOST_REPEATS = 12
"""Repeats of a place that are named."""

_KEY = "agent, task, twin, setting, hidden, repeat"
_AT = "agent = ? AND task = ? AND twin IN ('unsafe', 'safe') AND setting = ? AND hidden = ?"
"""The condition of a place but for its repeat. It names both twins so that the store's index serves it."""
_EPISODE = TypeAdapter(Episode)


@dataclass(frozen=True)
class Listed:
    """An episode in a list: without its record."""

    id: int
    agent: str
    condition: Condition
    grade: AnyGrade
    seconds: float


@dataclass(frozen=True)
class Page:
    """Some episodes in order, and whether there are more before and after them."""

    episodes: tuple[Listed, ...]
    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class Place:
    """An agent's condition but for the twin."""

    agent: str
    task: str
    setting: Setting
    hidden: tuple[str, ...]
    repeat: int

    @property
    def query(self) -> str:
        """As an address's query, without its question mark."""
        where = [("agent", self.agent), ("task", self.task), ("setting", self.setting.value)]
        hidden = [("hide", atom) for atom in self.hidden]
        return urlencode([*where, *hidden, ("repeat", self.repeat)])


class NotKept(LookupError):
    """An episode that the run does not hold; the message says which."""


class ViewedRun:
    """A run that is open for looking. To be used by one thread at a time."""

    def __init__(self, directory: Path, connection: sqlite3.Connection) -> None:
        self.directory = directory
        self._connection = connection
        self._store = RunStore(directory, connection)
        self.card = self._store.card
        self.made_by = self._store.version
        self.begun = self._store.begun
        self.town = self.card.suite in TOWN_NAMES
        self._critical = {task: frozenset(atoms) for task, atoms in self._store.critical().items()}
        self._loading = Lock()
        self._known: tuple[int, dict[object, Any]] = (-1, {})
        connection.create_function("hides", 2, cache(self._hides), deterministic=True)

    @property
    def version(self) -> int:
        """A number that changes when another connection writes to the run."""
        return int(self._one("PRAGMA data_version")[0])

    def tasks(self) -> Mapping[str, Task]:
        """The tasks of the run by path, as they are installed; empty if they are not there any more. Takes a second or
        two the first time; any thread may call it."""
        with self._loading:
            return self._tasks

    @cached_property
    def _tasks(self) -> Mapping[str, Task]:
        try:
            return {task.path: task for task in self.card.pairs}
        except (UnknownTask, WorldError):
            return {}

    def hashes(self) -> Mapping[str, str]:
        """The hashes of worlds and graders that the run was made with."""
        return self._store.hashes()

    def agents(self) -> tuple[tuple[str, int], ...]:
        """Every agent of the run with its number of graded episodes."""
        counts: dict[str, int] = self._once(
            "agents", lambda: dict(self._all("SELECT agent, count(*) FROM episodes GROUP BY agent"))
        )
        return tuple((agent, counts.get(agent, 0)) for agent in sorted({*self.card.agents, *counts}))

    def count(self, chosen: Filter) -> int:
        """How many episodes there are of this filter."""
        where = condition_of(chosen)
        found: int = self._once(
            chosen, lambda: self._one(f"SELECT count(*) FROM episodes WHERE {where.text}", where.values)[0]
        )
        return found

    def _once(self, what: object, find: Callable[[], Any]) -> Any:
        """What is found out by reading the whole run: once for each state of it."""
        version = self.version
        if self._known[0] != version:
            self._known = (version, {})
        known = self._known[1]
        if what not in known:
            known[what] = find()
        return known[what]

    def page(self, chosen: Filter, after: int | None = None, before: int | None = None, last: bool = False) -> Page:
        """The episodes of a filter that follow the episode of this id, precede it, or come last; else the first ones.

        Raises NotKept for an id that the run does not hold.
        """
        where = condition_of(chosen)
        backwards = before is not None or last
        start = after if before is None else before
        if start is not None:
            where.add(f"({_KEY}) {'<' if backwards else '>'} (?, ?, ?, ?, ?, ?)", *self._key(start))
        if not self.count(chosen):
            return Page((), before=False, after=False)
        order = ", ".join(f"{name} DESC" if backwards else name for name in _KEY.split(", "))
        found = self._all(
            f"SELECT id, {_KEY}, grade, seconds FROM episodes WHERE {where.text} ORDER BY {order} LIMIT {PAGE + 1}",
            where.values,
        )
        more, shown = len(found) > PAGE, found[:PAGE]
        if backwards:
            return Page(tuple(map(self._listed, reversed(shown))), before=more, after=not last)
        return Page(tuple(map(self._listed, shown)), before=start is not None, after=more)

    def kept(self, episode: int) -> Kept:
        """An episode with its record, grade and readings. Raises NotKept."""
        row = self._row(
            f"SELECT {_KEY}, grade, record FROM episodes JOIN records ON episode = id WHERE id = ?", episode
        )
        *key, grade, record = row
        agent, condition = _condition(*key)
        return Kept(
            id=episode,
            agent=agent,
            condition=condition,
            episode=_EPISODE.validate_json(record),
            grade=read_grade(self.card.suite, grade),
            readings=self._store.readings(episode),
        )

    def ids(self, place: Place) -> tuple[int, ...]:
        """The episodes at a place, one a twin."""
        query = f"SELECT id FROM episodes WHERE {_AT} AND repeat = ? ORDER BY twin DESC"
        return tuple(row[0] for row in self._all(query, [*_at(place), place.repeat]))

    def view(self, place: Place) -> TwinView:
        """Both twins at a place. Raises NotKept if neither was run."""
        found = self.ids(place)
        if not found:
            raise NotKept(
                f"this run holds no episode of {place.agent} on {place.task}, setting {place.setting}, "
                f"hidden {', '.join(place.hidden) or 'nothing'}, repeat {place.repeat}"
            )
        return twin_view(self.card.suite, self.tasks().get(place.task), [self.kept(one) for one in found])

    def alone(self, episode: int) -> tuple[TwinView, Place]:
        """One episode without its twin, and where it is. Raises NotKept."""
        kept = self.kept(episode)
        view = twin_view(self.card.suite, self.tasks().get(kept.condition.task), [kept], whole=False)
        return view, place_of(kept.agent, kept.condition)

    def elsewhere(self, place: Place) -> tuple[tuple[str, Place], ...]:
        """Places that differ from this one in one thing, if the run holds them, each with what that is: other agents,
        settings and repeats, and nothing hidden."""
        near = {f"agent {agent}": replace(place, agent=agent) for agent, _ in self.agents()}
        if place.hidden:
            near |= {
                f"setting {other}": replace(place, setting=other) for other in Setting if other is not Setting.FULL
            }
            near["nothing hidden"] = replace(place, setting=Setting.FULL, hidden=())
        near |= {f"repeat {repeat}": replace(place, repeat=repeat) for repeat in self._repeats(place)}
        return tuple((what, other) for what, other in near.items() if other != place and self.ids(other))

    def wrong(self, agent: str, most: int = 5) -> tuple[Place, ...]:
        """Places at which the agent did the wrong thing, one a family or group of tasks, the smallest masks first."""
        wrong = (
            "json_array_length(grade, '$.excluded') = 0 AND "
            "(json_extract(grade, '$.any_violation') IS 1 OR json_extract(grade, '$.goals_met') IS 0)"
            if self.town
            else "json_extract(grade, '$.verdict') IN ('unsafe_commit', 'false_abstention', 'other_noncompletion')"
        )
        found = self._all(
            f"SELECT {_KEY}, min(json_array_length(hidden) * 1000000000 + id) AS least FROM episodes "
            f"WHERE agent = ? AND ({wrong}) "
            "GROUP BY rtrim(task, replace(task, '/', '')) ORDER BY least LIMIT ?",
            [agent, most],
        )
        return tuple(place_of(*_condition(*row[:6])) for row in found)

    def ungraded(self) -> tuple[Failure, ...]:
        """What was tried and has no grade, with the last reason."""
        return tuple(self._store.ungraded())

    def ungraded_count(self) -> int:
        """How many conditions were tried and have no grade."""
        found: int = self._once("ungraded", lambda: sum(1 for _ in self._store.ungraded()))
        return found

    def readings_count(self) -> int:
        return int(self._one("SELECT count(*) FROM readings")[0])

    def _hides(self, task: str, hidden: str) -> str | None:
        """What kind of mask this is; None if the run is not over this task."""
        if task not in self._critical:
            return None
        condition = Condition(task, Twin.UNSAFE, Setting.SUPPRESSED, tuple(json.loads(hidden)))
        return hidden_of(condition, self._critical[task]).value

    def _repeats(self, place: Place) -> list[int]:
        """The first repeats of a place that the run holds."""
        found = self._all(
            f"SELECT DISTINCT repeat FROM episodes WHERE {_AT} ORDER BY repeat LIMIT {MOST_REPEATS}",
            _at(place),
        )
        return [row[0] for row in found]

    def _listed(self, row: Sequence[Any]) -> Listed:
        id_, *key, grade, seconds = row
        agent, condition = _condition(*key)
        return Listed(id_, agent, condition, read_grade(self.card.suite, grade), seconds)

    def _key(self, episode: int) -> tuple[str | int, ...]:
        return tuple(self._row(f"SELECT {_KEY} FROM episodes WHERE id = ?", episode))

    def _row(self, query: str, episode: int) -> tuple[Any, ...]:
        found = self._all(query, [episode])
        if not found:
            raise NotKept(f"this run holds no episode {episode}")
        return found[0]

    def _one(self, query: str, values: Sequence[str | int] = ()) -> tuple[Any, ...]:
        return self._all(query, values)[0]

    def _all(self, query: str, values: Sequence[str | int] = ()) -> list[tuple[Any, ...]]:
        # All at once: a cursor left half read would hold up those who write.
        return self._connection.execute(query, values).fetchall()


def installed_otherwise(card: RunCard, made_with: Mapping[str, str]) -> tuple[str, ...]:
    """What a run was made with and is not installed so now: worlds or graders, by name. Any thread may call it."""
    try:
        installed = hashes_of(card)
    except (UnknownTask, WorldError, OSError):
        return tuple(sorted(made_with))
    names = made_with.keys() | installed.keys()
    return tuple(sorted(name for name in names if made_with.get(name) != installed.get(name)))


def place_of(agent: str, condition: Condition) -> Place:
    """Where an episode is, but for its twin."""
    return Place(agent, condition.task, condition.setting, condition.hidden, condition.repeat)


def place_from(query: Iterable[tuple[str, str]]) -> Place:
    """The place of an address's query. Raises FilterError."""
    found: dict[str, str] = {"agent": "", "task": "", "setting": Setting.FULL.value, "repeat": "0"}
    hidden: list[str] = []
    for name, value in query:
        if name == "hide":
            hidden.append(value)
        elif name in found:
            found[name] = value
        else:
            raise FilterError(f"a pair has no {name!r}; it has {', '.join(found)} and hide")
    if found["setting"] not in list(Setting):
        raise FilterError(f"setting: got {found['setting']!r}, expected {', '.join(Setting)}")
    if not found["repeat"].isdecimal():
        raise FilterError(f"repeat: got {found['repeat']!r}, expected a number")
    return Place(found["agent"], found["task"], Setting(found["setting"]), tuple(sorted(hidden)), int(found["repeat"]))


@contextmanager
def viewed(directory: Path) -> Iterator[ViewedRun]:
    """Open a run for looking; nothing that is done with it writes, or holds up those who do. Raises RunError."""
    with opened(directory):
        pass  # a run that cannot be used is found here
    connection = sqlite3.connect(f"file:{quote(str((directory / FILE).absolute()))}?mode=ro", uri=True, timeout=60)
    try:
        yield ViewedRun(directory, connection)
    finally:
        connection.close()


def _condition(agent: str, task: str, twin: str, setting: str, hidden: str, repeat: int) -> tuple[str, Condition]:
    return agent, Condition(task, Twin(twin), Setting(setting), tuple(json.loads(hidden)), repeat)


def _at(place: Place) -> list[str | int]:
    return [place.agent, place.task, place.setting.value, _written(place.hidden)]


def _written(hidden: Sequence[str]) -> str:
    """A mask as the store writes it."""
    return json.dumps(list(hidden), ensure_ascii=False)
