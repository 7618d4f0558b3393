"""What of one agent's episodes on one task the measures need, and no more.

A row's grade carries its proofs and is heavy; a run can have 100,000 of them. An outcome is a dozen small values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from graders.boundary import Boundary, decided, observed
from graders.grade import Grade, Verdict
from graders.rows import Row
from worlds.episode import Condition, Disposition, Usage
from worlds.model import Setting, Twin


class Outcome(NamedTuple):
    """What came of one episode. `tokens` is input and output together; None is unknown."""

    unsafe_commit: bool
    legal_completion: bool
    success: bool
    false_abstention: bool
    attempt: bool
    premature: bool
    strict: bool
    invalid: bool
    unfinished: bool
    escalated: bool
    calls: int
    requests: int | None
    tokens: int | None


class Hidden(StrEnum):
    """What a mask hides: nothing, critical atoms only, one irrelevant atom, or any other set."""

    NOTHING = "nothing"
    CRITICAL = "critical"
    IRRELEVANT = "irrelevant"
    MIXED = "mixed"


Key = tuple[tuple[str, ...], int]
"""The hidden atoms in order of name, and the repeat."""

Cell = Mapping[Key, Outcome]
"""The outcomes in one twin and setting for one kind of mask."""


def shared(*cells: Cell) -> tuple[Cell, ...]:
    """The same cells with only what all of them have: the same mask in the same repeat (seeds/002 section 4)."""
    keys = [key for key in cells[0] if all(key in cell for cell in cells)]
    return tuple({key: cell[key] for key in keys} for cell in cells)


class TaskOutcomes:
    """The outcomes of one agent on one task, to which rows can be added in any order.

    `critical`: the task's critical atoms.
    """

    def __init__(self, critical: tuple[str, ...], rows: Iterable[Row] = ()) -> None:
        self.critical = critical
        self._atoms = frozenset(critical)
        self._owner: tuple[str, str] | None = None
        self._cells: dict[tuple[Twin, Setting, Hidden], dict[Key, Outcome]] = {}
        self._kinds: dict[tuple[str, ...], tuple[Hidden, tuple[str, ...]]] = {}
        self._boundary: Boundary | None = None
        self._matched: dict[tuple[tuple[Twin, Setting], ...], tuple[Cell, ...]] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Take in one row. Raises ValueError as `put` does."""
        self.put(row.agent, row.condition, outcome_of(row.grade, row.usage))

    def put(self, agent: str, condition: Condition, outcome: Outcome) -> None:
        """Take in what came of one episode.

        Raises ValueError if its mask contradicts its setting, it belongs to another agent or task, or was there before.
        """
        hidden, names = self._checked(agent, condition)
        cell = self._cells.setdefault((condition.twin, condition.setting, hidden), {})
        key = (names, condition.repeat)
        if key in cell:
            raise ValueError(f"{agent}: {condition}: graded twice; expected one row a condition")
        cell[key] = outcome
        self._boundary = None
        self._matched.clear()

    def cell(self, twin: Twin, setting: Setting, hidden: Hidden) -> Cell:
        return self._cells.get((twin, setting, hidden), {})

    def full(self, twin: Twin) -> Cell:
        """The outcomes with complete evidence."""
        return self.cell(twin, Setting.FULL, Hidden.NOTHING)

    def omitted(self, twin: Twin, setting: Setting) -> Cell:
        """The outcomes under critical masks."""
        return self.cell(twin, setting, Hidden.CRITICAL)

    def controls(self, twin: Twin, setting: Setting) -> Cell:
        """The outcomes under masks of one irrelevant atom."""
        return self.cell(twin, setting, Hidden.IRRELEVANT)

    @property
    def episodes(self) -> tuple[Outcome, ...]:
        """Every outcome."""
        return tuple(chain.from_iterable(cell.values() for cell in self._cells.values()))

    def matched(self, *places: tuple[Twin, Setting]) -> tuple[Cell, ...]:
        """The outcomes under critical masks in these places, as `shared` has them."""
        if places not in self._matched:
            self._matched[places] = shared(*(self.omitted(*place) for place in places))
        return self._matched[places]

    @property
    def boundary(self) -> Boundary:
        if self._boundary is None:
            self._boundary = decided(*observed(self._unsafe_conditions()), self.critical)
        return self._boundary

    def _unsafe_conditions(self) -> Iterable[tuple[Condition, bool]]:
        for (twin, setting, _), cell in self._cells.items():
            if twin is Twin.UNSAFE and setting is not Setting.RECOVERY:
                for (hidden, repeat), outcome in cell.items():
                    yield Condition("", twin, setting, hidden, repeat), outcome.unsafe_commit

    def _checked(self, agent: str, condition: Condition) -> tuple[Hidden, tuple[str, ...]]:
        """What the condition hides: of which kind, and in order of name."""
        owner = (agent, condition.task)
        self._owner = self._owner or owner
        if condition.hidden not in self._kinds:
            kind = hidden_of(condition, self._atoms)
            self._kinds[condition.hidden] = (kind, tuple(sorted(condition.hidden)))
        hidden, names = self._kinds[condition.hidden]
        problems = []
        if self._owner != owner:
            problems.append(f"expected rows of {self._owner} alone")
        if (condition.setting is Setting.FULL) != (hidden is Hidden.NOTHING):
            problems.append("full means nothing hidden")
        if problems:
            raise ValueError(f"{agent}: {condition}: {'; '.join(problems)}")
        return hidden, names


def hidden_of(condition: Condition, critical: frozenset[str]) -> Hidden:
    """What a condition's mask hides; `critical`: the task's critical atoms."""
    if not condition.hidden:
        return Hidden.NOTHING
    if condition.mask <= critical:
        return Hidden.CRITICAL
    return Hidden.IRRELEVANT if len(condition.mask) == 1 else Hidden.MIXED


def outcome_of(grade: Grade, usage: Usage) -> Outcome:
    """What of a grade, and of what the agent said that it used, the measures need."""
    return Outcome(
        unsafe_commit=grade.unsafe_commit,
        legal_completion=grade.legal_completion,
        success=grade.success,
        false_abstention=grade.verdict is Verdict.FALSE_ABSTENTION,
        attempt=grade.attempt,
        premature=grade.premature,
        strict=grade.strict,
        invalid=grade.invalid_calls > 0,
        unfinished=grade.disposition is Disposition.UNFINISHED,
        escalated=grade.disposition is Disposition.ESCALATED,
        calls=grade.calls,
        requests=usage.requests,
        tokens=_tokens(usage),
    )


def _tokens(usage: Usage) -> int | None:
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens
