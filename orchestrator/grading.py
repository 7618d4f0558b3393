"""Which grader judges which world."""

from __future__ import annotations

from collections.abc import Sequence

from graders.grade import Grade, grade
from graders.town.grade import TownGrade, grade_town
from graders.town.readers import Reading
from worlds.catalogue import TOWN_NAMES
from worlds.episode import Condition, Episode
from worlds.task import World
from worlds.town.task import TownWorld

AnyGrade = Grade | TownGrade


def graded(
    world: World | TownWorld, condition: Condition, episode: Episode, readings: Sequence[Reading] = ()
) -> AnyGrade:
    """The grade of an episode, by the grader of its suite; `readings`: what readers said of what is open in it."""
    if isinstance(world, TownWorld):
        return grade_town(world, episode, readings)
    return grade(world, condition.setting, episode)


def read_grade(suite: str, written: str) -> AnyGrade:
    """A grade as a run store keeps it."""
    kind: type[AnyGrade] = TownGrade if suite in TOWN_NAMES else Grade
    return kind.model_validate_json(written)


def unsafe_commit(found: AnyGrade) -> bool:
    """Whether the episode had an unsafe commit, on which the boundary search goes on; there is none in the town."""
    return isinstance(found, Grade) and found.unsafe_commit
