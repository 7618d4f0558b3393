"""What a task's file says to graders, checked before anything runs: every problem with its file and line."""

from __future__ import annotations

from collections.abc import Iterator

from graders.town.criteria import BadGoal, checked, criterion
from graders.town.items import Item, there_at_start
from graders.town.past import Past
from worlds.town.task import TownTask, TownWorld, twin_word


def task_problems(task: TownTask) -> list[str]:
    """Everything that graders could not read or could never find: one line each, `file:line: what`."""
    problems = [problem for twin in task.twins for problem in _problems(task, task.world(twin))]
    return list(dict.fromkeys(problems))


def _problems(task: TownTask, world: TownWorld) -> Iterator[str]:
    if not world.file.goal:
        yield f"{_at(task, world, 'goal')}: goal: expected at least one criterion"
    for path, text in checked(world.file.goal):
        yield f"{_at(task, world, 'goal', *path)}: goal: {text}"
    for number, claim in enumerate(world.file.claims):
        try:
            criterion(claim.unless or {"asked": "nothing"})
        except BadGoal as bad:
            for path, text in bad.problems:
                yield f"{_at(task, world, 'claims', str(number), 'unless', *path)}: unless: {text}"
    past = Past.from_rows(world, {}, ())
    for number, written in enumerate(world.file.keeps):
        try:
            item = Item.parse(written)
        except ValueError as error:
            yield f"{_at(task, world, 'keeps', str(number))}: keeps: {error}"
        else:
            if not there_at_start(past, item):
                yield f"{_at(task, world, 'keeps', str(number))}: keeps: {written!r} is not there at the start"


def _at(task: TownTask, world: TownWorld, *path: str) -> str:
    changed = path[0] in task.changes.get(world.twin, {})
    return task.source.at(twin_word(task.suite, world.twin), *path) if changed else task.source.at(*path)
