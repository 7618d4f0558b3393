"""What the measures are computed from: one row an episode."""

from __future__ import annotations

from typing import NamedTuple

from graders.grade import Grade
from worlds.episode import Condition, Usage


class Row(NamedTuple):
    """A graded episode: who ran what, and what came of it."""

    agent: str
    condition: Condition
    grade: Grade
    usage: Usage
