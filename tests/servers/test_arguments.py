"""Arguments of every type: a value of another type is refused, never read as if it were right."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest

from servers.tools import tools_by_system
from tests.servers.opened import opened, said
from tests.worlds.made import HARBOUR, INSTANCE, Boat, made
from worlds.episode import CallOutcome
from worlds.model import Commit, Names


class Moor(Commit, system="harbour"):
    """Moor a boat."""

    boat_id: Annotated[str, Names(Boat)]
    berth: int
    at_night: bool
    side: Literal["port", "starboard"]
    on: date
    metres: Decimal
    note: str = "none"


GOOD: dict[str, Any] = {
    "boat_id": "B-1",
    "berth": 14,
    "at_night": False,
    "side": "port",
    "on": "2026-03-01",
    "metres": "2.50",
}
PAIR = made(
    family=replace(HARBOUR, commit=Moor),
    instance={
        **INSTANCE,
        "commit": {name: str(value).lower() if name == "at_night" else str(value) for name, value in GOOD.items()},
    },
)


def test_the_schema_tells_the_type_of_each_argument_and_which_may_be_left_out() -> None:
    (offered,) = [tool.as_mcp() for tool in tools_by_system(PAIR.family)["harbour"] if tool.name == "moor"]
    assert offered.input_schema == {
        "type": "object",
        "properties": {
            "boat_id": {"type": "string"},
            "berth": {"type": "integer"},
            "at_night": {"type": "boolean"},
            "side": {"type": "string", "enum": ["port", "starboard"]},
            "on": {"type": "string", "format": "date"},
            "metres": {"type": "string"},
            "note": {"type": "string"},
        },
        "required": ["boat_id", "berth", "at_night", "side", "on", "metres"],
        "additionalProperties": False,
    }


async def test_good_values_of_every_type_are_taken_and_kept_as_they_are_meant() -> None:
    async with opened(PAIR) as world:
        answer = await world.call("harbour", "moor", GOOD)
        assert not answer.is_error, said(answer)
        (effect,) = (await world.session.final_state())["harbour"]
    assert effect.arguments == {**GOOD, "note": "none"}
    assert Moor.model_validate(effect.arguments) == PAIR.commit


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("berth", "14"), ("berth", 14.5), ("berth", True), ("berth", None), ("berth", [14]),
        ("at_night", "false"), ("at_night", 0), ("at_night", "no"), ("at_night", None),
        ("side", "Port"), ("side", "bow"), ("side", ""), ("side", 1),
        ("on", "2026-02-30"), ("on", "yesterday"), ("on", 20260301), ("on", ""),
        ("metres", "two"), ("metres", ""), ("metres", True), ("metres", []),
        ("note", 1), ("note", None), ("boat_id", 1),
    ],
)  # fmt: skip
async def test_a_value_of_another_type_is_refused_by_name_and_does_nothing(name: str, value: Any) -> None:
    async with opened(PAIR) as world:
        answer = await world.call("harbour", "moor", {**GOOD, name: value})
        (line,) = await world.lines()
        assert not any((await world.effects()).values())
    assert answer.is_error
    assert f"argument {name!r}" in said(answer)
    assert line.outcome is CallOutcome.INVALID


async def test_all_wrong_arguments_are_named_at_once() -> None:
    async with opened(PAIR) as world:
        text = said(await world.call("harbour", "moor", {"berth": "x", "side": "bow", "speed": 3}))
    for name in ("boat_id", "berth", "at_night", "side", "on", "metres", "speed"):
        assert f"argument {name!r}" in text
