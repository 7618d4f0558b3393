"""Small worlds around a household, and an agent that calls its servers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, JsonValue

from worlds.model import Twin
from worlds.task import Source
from worlds.town.row import Row
from worlds.town.task import TownTask, TownWorld
from worlds.town.town import Action, Town
from worlds.town.written import Business, Effect, Household, TaskFile

EVAN, WORK = "evan@post.example", "evan@work.example"
NOOR, SAM, MUM = "noor@post.example", "sam@post.example", "mum@x.example"

_HERE = Path(__file__).parent


class Home:
    """An agent in a town with a household and one shop, on Monday the fifth of October at nine."""

    def __init__(
        self, later: list[dict[str, Any]] | None = None, now: str = "2026-10-05 09:00", **household: Any
    ) -> None:
        self.town = Town(world(later or [], now, household))
        self.seq = 0

    def __call__(self, server_and_tool: str, **arguments: JsonValue) -> Any:
        """What `server.tool` answers."""
        reply = self.act(server_and_tool, arguments)
        assert reply.content is not None, reply.refused
        return reply.content

    def refused(self, server_and_tool: str, **arguments: JsonValue) -> str:
        """Why `server.tool` refuses, which leaves everything as it was."""
        self.town.pass_until(self.town.now)
        before = snapshot(self.town)
        reply = self.act(server_and_tool, arguments)
        assert reply.content is None, reply.content
        assert snapshot(self.town) == before
        return reply.refused

    def act(self, server_and_tool: str, arguments: Mapping[str, JsonValue]) -> Any:
        self.seq += 1
        server, tool = server_and_tool.split(".")
        return self.town.act(Action(seq=self.seq, server=server, tool=tool, arguments=dict(arguments)))

    def wait(self, until: str) -> None:
        self.town.pass_until(datetime.fromisoformat(until))

    def happens(self, **effect: Any) -> None:
        self.town.happen(Effect.model_validate(effect))

    def rows(self, kind: str) -> list[dict[str, Any]]:
        return [{**row.fields, "by": row.by, "at": f"{row.at:%Y-%m-%d %H:%M}"} for row in self.all(kind)]

    def row(self, kind: str) -> dict[str, Any]:
        """The only row of this kind."""
        (row,) = self.rows(kind)
        return row

    def all(self, kind: str = "") -> list[Row]:
        return [row for row in self.town.rows if kind in ("", row.kind)]


def world(later: list[dict[str, Any]], now: str, household: Mapping[str, Any]) -> TownWorld:
    """A world with the household above and what differs in it."""
    file = TaskFile.model_validate({
        "id": "made", "note": "made", "request": "Please do something.", "consent": {}, "goal": [], "gold": [],
        "scenario": {"now": now, "later": later},
    })  # fmt: skip
    there = {**_read("home.yaml"), **household}
    task = TownTask("errands", "made", "made", {}, {}, Source(Path("made.yaml"), {}))
    shop = Business.model_validate(_read("shop.yaml"))
    return TownWorld(task, Twin.SAFE, file, Household.model_validate(there), {"shop": shop})


def _read(name: str) -> dict[str, Any]:
    content = yaml.safe_load((_HERE / name).read_text())
    assert isinstance(content, dict)
    return content


def snapshot(town: Town) -> object:
    """All that a town consists of but the time, as values to compare."""
    return _frozen(
        {name: value for name, value in vars(town).items() if name not in ("now", "seq", "world", "tools")}, {id(town)}
    )


def _frozen(value: Any, seen: set[int]) -> object:
    """A copy of what may change; what cannot is itself."""
    if callable(value):
        return None
    if value is None or isinstance(value, str | int | datetime | frozenset | BaseModel):
        return value
    if is_dataclass(value) and value.__dataclass_params__.frozen:
        return value
    if isinstance(value, tuple):
        return tuple(_frozen(part, seen) for part in value)
    if id(value) in seen:
        return None
    seen.add(id(value))
    if isinstance(value, Mapping):
        return [(key, _frozen(part, seen)) for key, part in value.items()]
    if isinstance(value, list):
        return [_frozen(part, seen) for part in value]
    if isinstance(value, set):
        return frozenset(value)
    assert hasattr(value, "__dict__"), type(value)
    return [(name, _frozen(part, seen)) for name, part in vars(value).items()]
