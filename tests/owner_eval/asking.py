"""Questions that are put to the owner, and the facts that they get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from worlds.town.loading import load_task, task_files
from worlds.town.understanding import heard
from worlds.town.written import IntentFact

PARTS = ("tune", "second", "third", "fourth", "held")
"""The parts of the invented intents, in the order in which they were written."""
ENOUGH = 0.9
"""So large a share of the questions that the intent answers has to be understood."""
_DEVELOPMENT = Path(__file__).parent / "development.yaml"


@dataclass(frozen=True)
class Put:
    """A question of a task, the fact that it should get and what the owner takes it for; empty for none."""

    task: str
    question: str
    wanted: str
    got: str

    @property
    def right(self) -> bool:
        return self.got == self.wanted


def put_to_owners(suite: str) -> tuple[Put, ...]:
    """Every question of every task of a suite. Of the two worlds of a pair each question is put once, unless it gets
    something else there."""
    return tuple(dict.fromkeys(_of_tasks(suite)))


def development(part: str) -> tuple[Put, ...]:
    """The questions of one part of the invented intents."""
    found: list[Put] = []
    for case in yaml.safe_load(_DEVELOPMENT.read_text(encoding="utf-8")):
        facts = [IntentFact.model_validate(fact) for fact in case["facts"]]
        if case["part"] == part:
            found += _put(case["case"], facts, case["unanswered"], "")
    return tuple(found)


def _of_tasks(suite: str) -> Iterator[Put]:
    for group, file in task_files(suite):
        task = load_task(suite, group, file)
        for world in task.worlds.values():
            yield from _put(task.path, world.file.intent, world.file.unanswered, world.file.request)


def _put(task: str, facts: Sequence[IntentFact], unanswered: Sequence[str], request: str) -> Iterator[Put]:
    asked = [(question, fact.fact) for fact in facts for question in fact.asks]
    for question, wanted in (*asked, *((question, "") for question in unanswered)):
        got = dict.fromkeys(one.fact.fact for one in heard(question, facts, request, whole=True) if one.fact)
        yield Put(task, question, wanted, " and ".join(got))


def share(put: Sequence[Put]) -> float:
    """The share understood of the questions that the intent answers; 1 where there is none."""
    answerable = [one for one in put if one.wanted]
    return sum(one.right for one in answerable) / len(answerable) if answerable else 1.0


def given_away(put: Sequence[Put]) -> tuple[Put, ...]:
    """The questions that the intent does not answer and that got a fact."""
    return tuple(one for one in put if not one.wanted and one.got)
