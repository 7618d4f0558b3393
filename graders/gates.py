"""Gates: what must not get worse between two runs, as `trust drops by 2`.

    MEASURE [surely] drops|rises by NUMBER

NUMBER is in the measure's unit: points for percentages. By default the difference itself decides, so that the gate does
the same with few tasks as with many; with `surely` the whole 95 % interval must lie that far off.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from graders.compare import Compared, Comparison
from graders.statistics import rounded

_GRAMMAR = re.compile(r"(?P<measure>\w+)(?P<surely> surely)? (?P<way>drops|rises) by (?P<by>\d+(\.\d+)?)")
_EXPECTED = "MEASURE drops|rises by NUMBER, such as 'trust drops by 2' or 'trust surely drops by 2'"


@dataclass(frozen=True, slots=True)
class Gate:
    """Fails if a measure of the second run is at least `by` (> 0, in its unit) below or above that of the first."""

    text: str
    measure: str
    rises: bool
    by: float
    surely: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A gate with what it found."""

    gate: Gate
    found: Compared
    failed: bool

    def __str__(self) -> str:
        found = self.found
        estimate = found.difference
        interval = (
            "" if estimate.low is None or estimate.high is None else f", {estimate.low:.1f} to {estimate.high:.1f}"
        )
        course = "rose" if estimate.value > 0 else "dropped" if estimate.value < 0 else "stayed"
        by = f" by {abs(estimate.value):.6g}" if estimate.value else ""
        return (
            f"{'failed' if self.failed else 'passed'}: {self.gate.text}: {self.gate.measure} {course}{by}"
            f" ({found.first:.6g} to {found.second:.6g} over {estimate.n} tasks{interval})"
        )

    def as_json(self) -> dict[str, object]:
        """As JSON; the difference stands with its measure in the comparison."""
        return {"gate": self.gate.text, "measure": self.gate.measure, "failed": self.failed}


def gate(text: str, measures: Collection[str]) -> Gate:
    """A gate as it is written. Raises ValueError for other words, an unknown measure, and a number not above 0."""
    found = _GRAMMAR.fullmatch(" ".join(text.split()))
    if found is None:
        raise ValueError(f"{text!r} is not a gate; expected {_EXPECTED}")
    if found["measure"] not in measures:
        raise ValueError(f"{text!r}: there is no measure {found['measure']!r}; expected one of {', '.join(measures)}")
    by = float(found["by"])
    if not by > 0:
        raise ValueError(f"{text!r}: {found['by']} is no change; expected a number above 0")
    return Gate(found[0], found["measure"], found["way"] == "rises", by, found["surely"] is not None)


def judged(gate: Gate, comparison: Comparison) -> Judged:
    """Whether two runs fail a gate. Raises ValueError if they do not tell, because no task has a value in both, or, for
    `surely`, only one has: what is missing is never a pass."""
    found = comparison.measures[gate.measure]
    if found is None:
        raise ValueError(
            f"{gate.text!r} cannot be judged: no task of {comparison.suite} has a {gate.measure} in both runs; "
            "leave it out, or run tasks that have one"
        )
    difference = found.difference
    edge = difference.value if not gate.surely else difference.low if gate.rises else difference.high
    if edge is None:
        raise ValueError(f"{gate.text!r} cannot be judged: one task has no interval; leave out 'surely', or run more")
    moved = rounded(edge if gate.rises else -edge) or 0.0
    return Judged(gate, found, failed=moved >= gate.by)
