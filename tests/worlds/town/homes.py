"""Small worlds around a household, and an agent that calls its servers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, JsonValue

from worlds.model import Twin
from worlds.task import Source
from worlds.town.place import Place
from worlds.town.task import TownTask, TownWorld
from worlds.town.town import Action, Row, Town
from worlds.town.written import Business, Effect, Household, TaskFile

EVAN, WORK = "evan@post.example", "evan@work.example"
NOOR, SAM, MUM = "noor@post.example", "sam@post.example", "mum@x.example"

_HERE = Path(__file__).parent


class Home:
    """An agent in a town with a household and one shop, on Monday the fifth of October at nine."""

    def __init__(self, later: list[dict[str, Any]] | None = None, now: str = "2026-10-05 09:00", **household: Any) -> None:
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


def snapshot(town: Town) -> str:
    """All that a town consists of, but the time and what was written before it began."""
    parts = {name: value for name, value in vars(town).items() if name not in ("now", "world", "seq")}
    return "\n".join(_told(parts, "town", set()))


def _told(value: Any, path: str, seen: set[int]) -> Iterator[str]:
    if isinstance(value, str | int | float | datetime | None):
        yield f"{path}={value!r}"
    elif isinstance(value, BaseModel | re.Pattern) or callable(value):
        return
    elif id(value) in seen:
        return
    elif isinstance(value, Mapping):
        seen.add(id(value))
        yield f"{path} has {len(value)}"
        for key, part in value.items():
            yield from _told(part, f"{path}.{key}", seen)
    elif isinstance(value, list | tuple):
        yield f"{path} has {len(value)}"
        for number, part in enumerate(value):
            yield from _told(part, f"{path}.{number}", seen)
    elif isinstance(value, set | frozenset):
        yield f"{path}={sorted(map(repr, value))}"
    elif isinstance(value, Place) or hasattr(value, "__dict__") or hasattr(value, "__slots__"):
        seen.add(id(value))
        names = vars(value) if hasattr(value, "__dict__") else value.__slots__
        for name in names:
            if name not in ("town", "world"):
                yield from _told(getattr(value, name), f"{path}.{name}", seen)
