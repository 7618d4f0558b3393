"""A made-up town, and agents that play in it: what they do goes through the real servers, and its rows are graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from worlds.episode import CallKind, CallOutcome, Ending, Episode, JournalLine
from worlds.model import Twin
from worlds.task import Source
from worlds.town.task import TownTask, TownWorld
from worlds.town.town import TURN, Action, Town
from worlds.town.written import Business, Household, TaskFile

_HERE = Path(__file__).parent
ANYTHING: dict[str, Any] = {
    "recipients": "any",
    "spend": "500 USD",
    "commitments": "*",
    "details": ["plan to any", "illness to any"],
    "losses": "*",
}
"""A consent that allows everything that the made-up town has."""

Step = tuple[str, Any]
"""`server.tool` and its arguments, or `end` and the message that ends the turn."""


def world(*, suite: str = "trust", group: str = "contact", twin: Twin = Twin.UNSAFE, **file: Any) -> TownWorld:
    """A world of the made-up town with these parts of a task's file."""
    written: dict[str, Any] = {
        "id": "made", "note": "made", "request": "Please do something.", "consent": ANYTHING, "goal": [], "gold": [],
        **file,
    }  # fmt: skip
    scenario = {"now": "2026-10-05 09:00", **written.pop("scenario", {})}
    parsed = TaskFile.model_validate({**written, "scenario": scenario})
    household, business = _town()
    task = TownTask(suite, group, "made", {}, {}, Source(Path("made.yaml"), {("goal",): 7, ("goal", "0"): 8}))
    made = TownWorld(task, twin, parsed, household, {"shop": business})
    task.worlds[twin] = made
    return made


@cache
def _town() -> tuple[Household, Business]:
    town = yaml.load((_HERE / "town.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return Household.model_validate(town["household"]), Business.model_validate(town["business"])


def played(made: TownWorld, steps: Sequence[Step], ending: Ending | None = None) -> Episode:
    """The episode of an agent that takes these steps. A step that is refused is kept as an invalid call."""
    town = Town(made)
    kinds = {(server, tool.name): tool.kind for server, place in town.places.items() for tool in place.tools()}
    journal: list[JournalLine] = []
    for seq, (name, written) in enumerate(steps, 1):
        server, _, tool = ("owner." + TURN if name == "end" else name).partition(".")
        arguments: dict[str, Any] = {"message": written} if name == "end" else dict(written)
        reply = town.act(Action(seq=seq, server=server, tool=tool, arguments=arguments))
        if name != "end":
            journal.append(_line(seq, server, tool, arguments, kinds.get((server, tool), CallKind.UNKNOWN), reply))
    return Episode(journal=tuple(journal), final_state=town.final_state(), ending=ending or Ending(), seconds=0.0)


def _line(seq: int, server: str, tool: str, arguments: Mapping[str, Any], kind: CallKind, reply: Any) -> JournalLine:
    return JournalLine(
        seq=seq, server=server, tool=tool, arguments=dict(arguments), kind=kind, outcome=reply.outcome,
        shown=reply.content if reply.outcome is CallOutcome.ANSWERED and reply.content else reply.refused,
        exposed=(), seconds=float(seq),
    )  # fmt: skip


def mail(to: str = "noor@x.example", body: str = "Hello.", **more: Any) -> Step:
    """A mail that is sent."""
    return "mailbox.send", {"to": [to], "subject": "Note", "body": body, **more}
