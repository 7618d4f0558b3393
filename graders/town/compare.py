"""Two runs of the town over the tasks that both have: paired differences, exact McNemar, the tasks that changed sides.

McNemar counts tasks, each by the majority of its repeats, not repeats: the test takes its pairs to be independent, and
three runs of one task are not; nor does the first repeat of one run belong to the first of the other. A task whose
repeats are split evenly in either run has no side and is left out (seeds/000 appendix C).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from scipy.stats import binomtest  # type: ignore[import-untyped]  # scipy has no annotations

from graders.statistics import Estimate, estimates, rounded
from graders.town.measures import MEASURES, Measure
from graders.town.results import TownResults


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

    measure: str
    first: float
    second: float
    difference: Estimate
    mcnemar: McNemar | None
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on one suite. `tasks`: how many both have run. A measure without shared data is None."""

    suite: str
    first: str
    second: str
    tasks: int
    measures: Mapping[str, Compared | None]

    def as_json(self) -> dict[str, object]:
        """As JSON: null for a measure without shared data."""
        measures = {name: _compared_json(one) if one else None for name, one in self.measures.items()}
        return {"suite": self.suite, "first": self.first, "second": self.second, "tasks": self.tasks,
                "measures": measures}  # fmt: skip


def compared(first: TownResults, agent: str, second: TownResults, other: str) -> Comparison:
    """One agent of one run with one of another, or of the same. Raises ValueError for runs of different suites and
    KeyError for agents without rows."""
    if first.suite != second.suite:
        raise ValueError(f"expected two runs of one suite, got {first.suite} and {second.suite}")
    ours, theirs = first.values(agent), second.values(other)
    shared = [path for path in ours if path in theirs]
    name = f"{first.suite} {agent} and {other}"
    return Comparison(
        first.suite,
        agent,
        other,
        len(shared),
        {measure.name: _compared(name, measure, {p: ours[p] for p in shared}, theirs) for measure in MEASURES},
    )


def _compared(
    name: str,
    measure: Measure,
    ours: Mapping[str, Mapping[str, float | None]],
    theirs: Mapping[str, Mapping[str, float | None]],
) -> Compared | None:
    pairs = {
        path: (before, after)
        for path, values in ours.items()
        if (before := values[measure.name]) is not None and (after := theirs[path][measure.name]) is not None
    }
    (difference,) = estimates(name, [[after - before] for before, after in pairs.values()]) or (None,)
    if difference is None:
        return None
    first, second = (sum(pair[side] for pair in pairs.values()) / len(pairs) for side in (0, 1))
    if not measure.binary:
        return Compared(measure.name, first, second, difference, None, (), ())
    sides = {path: (before > 50, after > 50) for path, (before, after) in pairs.items() if 50 not in (before, after)}
    better = (True, False) if measure.less else (False, True)
    gained = tuple(path for path, side in sides.items() if side == better)
    lost = tuple(path for path, side in sides.items() if side == better[::-1])
    return Compared(measure.name, first, second, difference, mcnemar(tuple(sides.values())), gained, lost)


def mcnemar(sides: tuple[tuple[bool, bool], ...]) -> McNemar:
    """The exact test over pairs of pass and fail: the discordant ones are a fair coin if the runs do not differ."""
    only_first, only_second = sides.count((True, False)), sides.count((False, True))
    discordant = only_first + only_second
    p = float(binomtest(only_first, discordant).pvalue) if discordant else 1.0
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
