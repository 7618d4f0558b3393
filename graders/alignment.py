"""Two journals side by side, call by call: what both did, what only one did, and where they part.

Pure. The longest runs of equal calls are matched first (`difflib`); what is left between them is matched by server and
tool alone, so that a commit with other arguments stands beside its counterpart and not below it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain

from worlds.episode import JournalLine


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the first journal, of the second, or one of each, which then called the same tool.

    `same_call`: also with the same arguments. `same_answer`: what was shown, and the outcome, is the same. Times and
    sequence numbers are not compared.
    """

    first: JournalLine | None
    second: JournalLine | None
    same_call: bool = False
    same_answer: bool = False

    @property
    def parts(self) -> bool:
        """Whether the two differ here in any way."""
        return not (self.same_call and self.same_answer)


@dataclass(frozen=True, slots=True)
class Alignment:
    """Both journals, whole and each in its own order."""

    steps: tuple[Step, ...]

    @property
    def calls_part(self) -> int | None:
        """The first step, from 0, at which the agents' calls differ; None if they never do."""
        return next((number for number, step in enumerate(self.steps) if not step.same_call), None)

    @property
    def answers_part(self) -> int | None:
        """The first step, from 0, at which the same call was answered differently; None if there is none."""
        found = (number for number, step in enumerate(self.steps) if step.same_call and not step.same_answer)
        return next(found, None)

    @property
    def part(self) -> int | None:
        """The first step, from 0, at which the two differ in any way; None if they never do."""
        return next((number for number, step in enumerate(self.steps) if step.parts), None)


Key = Callable[[JournalLine], object]


def aligned(first: Sequence[JournalLine], second: Sequence[JournalLine]) -> Alignment:
    """Two journals as steps. Every line of either is in exactly one step."""
    return Alignment(tuple(chain.from_iterable(_by_call(*parts) for parts in _matched(first, second, _call))))


Part = tuple[Sequence[JournalLine], Sequence[JournalLine]]


def _by_call(first: Sequence[JournalLine], second: Sequence[JournalLine]) -> Iterator[Step]:
    if len(first) == 1 == len(second) and _call(first[0]) == _call(second[0]):
        yield Step(first[0], second[0], True, _answer(first[0]) == _answer(second[0]))
        return
    for left, right in _matched(first, second, _tool):
        if len(left) == 1 == len(right) and _tool(left[0]) == _tool(right[0]):
            yield Step(left[0], right[0], False, _answer(left[0]) == _answer(right[0]))
        else:
            yield from (Step(line, None) for line in left)
            yield from (Step(None, line) for line in right)


def _matched(first: Sequence[JournalLine], second: Sequence[JournalLine], key: Key) -> Iterator[Part]:
    """Lines that have the same key, one by one, and between them what has no match."""
    matcher = SequenceMatcher(None, [key(line) for line in first], [key(line) for line in second], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield from (([left], [right]) for left, right in zip(first[a:b], second[c:d], strict=True))
        else:
            yield first[a:b], second[c:d]


def _call(line: JournalLine) -> object:
    return line.server, line.tool, json.dumps(line.arguments, sort_keys=True)


def _tool(line: JournalLine) -> object:
    return line.server, line.tool


def _answer(line: JournalLine) -> object:
    # As JSON: to Python, true is 1.
    return line.outcome, json.dumps(line.shown, sort_keys=True)
