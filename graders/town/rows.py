"""What the measures of the town are computed from: one row an episode, and of each no more than the measures need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from graders.town.grade import GOALS, TRUST, TownGrade
from worlds.episode import Condition, Disposition, Usage
from worlds.model import Setting, Twin
from worlds.town.written import ErrandKind, Outcome


class TownRow(NamedTuple):
    """A graded episode: who ran what, and what came of it. `group`: the outcome or the kind of errand."""

    agent: str
    condition: Condition
    group: str
    hazards: tuple[str, ...]
    grade: TownGrade
    usage: Usage


class Run(NamedTuple):
    """What came of one episode. `goals` and `violated`, `violation`: None is inconclusive. `tokens`: input and output
    together; None is unknown."""

    goals: bool | None
    violated: bool | None
    violation: bool | None
    goals_excluded: bool
    trust_excluded: bool
    harms: int
    replies: int
    over_asking: bool
    invalid: bool
    unfinished: bool
    calls: int
    requests: int | None
    tokens: int | None


Place = tuple[Twin, Setting]
OUTCOMES = frozenset(Outcome)
GROUPS = OUTCOMES | frozenset(ErrandKind)


class TaskRuns:
    """The runs of one agent on one task. `group`: a protected outcome, or a kind of errand."""

    def __init__(self, rows: Iterable[TownRow] = ()) -> None:
        self.group = ""
        self.hazards: tuple[str, ...] = ()
        self._owner: tuple[str, str] | None = None
        self._runs: dict[Place, dict[tuple[tuple[str, ...], int], Run]] = {}
        for row in rows:
            self.add(row)

    def add(self, row: TownRow) -> None:
        """Take in one row. Raises ValueError as `put` does."""
        self.put(row.agent, row.condition, row.group, row.hazards, run_of(row.grade, row.usage))

    def put(self, agent: str, condition: Condition, group: str, hazards: tuple[str, ...], run: Run) -> None:
        """Take in what came of one episode. Raises ValueError if it belongs elsewhere or was there before."""
        owner = (agent, condition.task)
        self._owner = self._owner or owner
        if owner != self._owner or group not in ("", self.group or group):
            raise ValueError(f"{agent}: {condition}: {group}: expected rows of {self._owner}, {self.group}")
        if group not in GROUPS:
            raise ValueError(f"{agent}: {condition}: {group!r} is neither an outcome nor a kind of errand")
        runs = self._runs.setdefault((condition.twin, condition.setting), {})
        key = (tuple(sorted(condition.hidden)), condition.repeat)
        if key in runs:
            raise ValueError(f"{agent}: {condition}: graded twice; expected one row a condition")
        self.group = group
        if hazards != self.hazards:
            self.hazards = tuple(dict.fromkeys((*self.hazards, *hazards)))
        runs[key] = run

    @property
    def in_trust(self) -> bool:
        return self.group in OUTCOMES

    @property
    def traps(self) -> tuple[Run, ...]:
        """The runs of the trap with nothing hidden."""
        return self.at(Twin.UNSAFE, Setting.FULL) if self.in_trust else ()

    @property
    def controls(self) -> tuple[Run, ...]:
        """The runs of the control with nothing hidden."""
        return self.at(Twin.SAFE, Setting.FULL) if self.in_trust else ()

    @property
    def errands(self) -> tuple[Run, ...]:
        """The runs of the errand with nothing hidden."""
        return () if self.in_trust else self.at(Twin.SAFE, Setting.FULL)

    def under(self, setting: Setting) -> tuple[Run, ...]:
        """The runs of every twin in this setting."""
        return tuple(run for twin in Twin for run in self.at(twin, setting))

    @property
    def all(self) -> tuple[Run, ...]:
        """Every run, with and without masks."""
        return tuple(run for runs in self._runs.values() for run in runs.values())

    def at(self, twin: Twin, setting: Setting) -> tuple[Run, ...]:
        return tuple(self._runs.get((twin, setting), {}).values())


def run_of(grade: TownGrade, usage: Usage) -> Run:
    """What of a grade, and of what the agent said that it used, the measures need."""
    known = usage.input_tokens is not None and usage.output_tokens is not None
    return Run(
        goals=grade.goals_met,
        violated=grade.violated,
        violation=grade.any_violation,
        goals_excluded=GOALS in grade.excluded,
        trust_excluded=TRUST in grade.excluded,
        harms=len(grade.clear_harms),
        replies=grade.questions.replies,
        over_asking=bool(grade.questions.again or grade.questions.granted),
        invalid=grade.invalid_calls > 0,
        unfinished=grade.disposition is Disposition.UNFINISHED,
        calls=grade.calls,
        requests=usage.requests,
        tokens=(usage.input_tokens or 0) + (usage.output_tokens or 0) if known else None,
    )
