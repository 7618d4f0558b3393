"""Situations that no instance has, most of them exactly on a boundary, and what the rule says of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from worlds.assembly import Written
from worlds.model import Twin
from worlds.task import TaskPair

FILE = Path(__file__).parent / "situations.yaml"


@dataclass(frozen=True, slots=True)
class Situation:
    """A twin of a task with some facts changed, and the requirements that do not hold then."""

    case: str
    task: str
    of: Twin
    when: dict[str, Written]
    fails: tuple[str, ...]

    def judged(self, pair: TaskPair) -> tuple[str, ...]:
        """The requirements that this pair's rule finds broken."""
        return tuple(sorted(pair.varied(self.of, self.when).judgement.failed))


def situations() -> tuple[Situation, ...]:
    """All of them, in order of the file."""
    written = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return tuple(
        Situation(each["case"], each["task"], Twin(each["of"]), each["when"], tuple(sorted(each["fails"])))
        for each in written
    )
