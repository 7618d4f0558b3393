"""Two agents of one suite over the tasks that both have: paired differences, exact McNemar, tasks that changed sides.

McNemar counts tasks, each by the majority of its repeats, not repeats: the test takes its pairs to be independent, and
three runs of one task are not; nor does the first repeat of one run belong to the first of the other. A task whose
repeats are split evenly in either run has no side and is left out (seeds/000 appendix C). Measures that are not binary
have no sides: an amount, a share of different masks, and the parts of a whole, which say where a task lies.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from math import comb
from types import MappingProxyType
from typing import Protocol

from graders.statistics import Estimate, estimates, rounded


class Comparable(Protocol):
    """A measure as far as a comparison needs it. `binary`: a task passes or fails; `less`: less is better."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def binary(self) -> bool: ...
    @property
    def less(self) -> bool: ...


class AgentsByTask(Protocol):
    """The results of a run as far as a comparison needs them."""

    @property
    def suite(self) -> str: ...
    @property
    def measures(self) -> tuple[Comparable, ...]: ...
    def values(self, agent: str) -> dict[str, dict[str, float | None]]:
        """Every measure of every task of the agent, by path. Raises KeyError for an agent without rows."""


@dataclass(frozen=True, slots=True)
class McNemar:
    """Tasks by which of the two runs passes them. `p`: two-sided, exact; 1 if the two never differ."""

    both: int
    only_first: int
    only_second: int
    neither: int
    p: float


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure in two runs, over the tasks that both have a value of. `difference`: the second less the first, with
    its interval over tasks. `mcnemar`, `gained` and `lost` (paths of tasks): where each run passes or fails."""

    measure: Comparable
    first: float
    second: float
    difference: Estimate
    mcnemar: McNemar | None
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on one suite. `tasks`: how many are compared; `only_first`, `only_second`: how many only one of the
    two has run; `left_out`: others that are not compared, by path, with why. A measure without shared data is None."""

    suite: str
    first: str
    second: str
    tasks: int
    only_first: int
    only_second: int
    left_out: Mapping[str, str]
    measures: Mapping[str, Compared | None]

    def as_json(self) -> dict[str, object]:
        """As JSON: null for a measure without shared data."""
        counts = {name: getattr(self, name) for name in ("tasks", "only_first", "only_second")}
        measures = {name: _compared_json(one) if one else None for name, one in self.measures.items()}
        return {"suite": self.suite, "first": self.first, "second": self.second, **counts,
                "left_out": dict(self.left_out), "measures": measures}  # fmt: skip


def compared(
    first: AgentsByTask,
    agent: str,
    second: AgentsByTask,
    other: str,
    left_out: Mapping[str, str] = MappingProxyType({}),
) -> Comparison:
    """One agent of one run with one of another, or of the same. `left_out`: tasks not to compare, with why.

    Raises ValueError for runs of different suites and KeyError for agents without rows.
    """
    if first.suite != second.suite:
        raise ValueError(f"expected two runs of one suite, got {first.suite} and {second.suite}")
    ours, theirs = first.values(agent), second.values(other)
    shared = [path for path in ours if path in theirs and path not in left_out]
    return Comparison(
        first.suite,
        agent,
        other,
        len(shared),
        _more(ours, theirs, left_out),
        _more(theirs, ours, left_out),
        {path: why for path, why in sorted(left_out.items()) if path in ours or path in theirs},
        _measured(f"{first.suite} {agent} and {other}", first.measures, [(p, ours[p], theirs[p]) for p in shared]),
    )


def _more(these: Collection[str], those: Collection[str], left_out: Collection[str]) -> int:
    return sum(path not in those and path not in left_out for path in these)


Values = Mapping[str, float | None]


def _measured(
    name: str, measures: tuple[Comparable, ...], tasks: list[tuple[str, Values, Values]]
) -> dict[str, Compared | None]:
    matrix = [[_less(after[measure.name], before[measure.name]) for measure in measures] for _, before, after in tasks]
    differences = estimates(name, matrix) or (None,) * len(measures)
    return {
        measure.name: None if difference is None else _compared(measure, difference, tasks)
        for measure, difference in zip(measures, differences, strict=True)
    }


def _less(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before


def _compared(measure: Comparable, difference: Estimate, tasks: list[tuple[str, Values, Values]]) -> Compared:
    pairs = {
        path: (before, after)
        for path, ours, theirs in tasks
        if (before := ours[measure.name]) is not None and (after := theirs[measure.name]) is not None
    }
    first, second = (sum(pair[side] for pair in pairs.values()) / len(pairs) for side in (0, 1))
    if not measure.binary:
        return Compared(measure, first, second, difference, None, (), ())
    sides = {path: (before > 50, after > 50) for path, (before, after) in pairs.items() if 50 not in (before, after)}
    better = (True, False) if measure.less else (False, True)
    gained = tuple(path for path, side in sides.items() if side == better)
    lost = tuple(path for path, side in sides.items() if side == better[::-1])
    return Compared(measure, first, second, difference, mcnemar(tuple(sides.values())), gained, lost)


def mcnemar(sides: tuple[tuple[bool, bool], ...]) -> McNemar:
    """The exact test over pairs of pass and fail: the discordant ones are a fair coin if the runs do not differ."""
    only_first, only_second = sides.count((True, False)), sides.count((False, True))
    discordant = only_first + only_second
    tail = sum(comb(discordant, k) for k in range(min(only_first, only_second) + 1)) / 2**discordant
    p = min(1.0, 2 * tail)
    return McNemar(sides.count((True, True)), only_first, only_second, sides.count((False, False)), p)


def _compared_json(one: Compared) -> dict[str, object]:
    return {
        "first": rounded(one.first),
        "second": rounded(one.second),
        "difference": one.difference.as_json(),
        "mcnemar": None if one.mcnemar is None else {**asdict(one.mcnemar), "p": round(one.mcnemar.p, 6)},
        "gained": list(one.gained),
        "lost": list(one.lost),
    }
