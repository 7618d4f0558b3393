"""Which episodes of a run to look at: as an address says it, as SQL says it, and which are behind a measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from urllib.parse import urlencode

from graders.grade import Verdict
from graders.outcomes import Hidden
from worlds.model import Setting, Twin


class Goals(StrEnum):
    """Whether an episode of the town met its goals."""

    MET = "met"
    MISSED = "missed"
    INCONCLUSIVE = "inconclusive"


class Violated(StrEnum):
    """Whether an episode of the town violated any protected outcome."""

    YES = "yes"
    NO = "no"
    INCONCLUSIVE = "inconclusive"


class FilterError(ValueError):
    """An address that names no episodes; the message says what was found and expected."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Every field that is given must fit; of several values of one field, one. Nothing given: every episode.

    `task`: globs over task paths. `hides`: what kinds of atoms the mask hides (evidence). `atom`: one that it hides.
    `size`: how many. `verdict` is of evidence; `goals`, `violation` and `hazard` are of the town.
    """

    agent: tuple[str, ...] = ()
    task: tuple[str, ...] = ()
    twin: tuple[Twin, ...] = ()
    setting: tuple[Setting, ...] = ()
    hides: tuple[Hidden, ...] = ()
    atom: tuple[str, ...] = ()
    size: tuple[int, ...] = ()
    verdict: tuple[Verdict, ...] = ()
    goals: tuple[Goals, ...] = ()
    violation: tuple[Violated, ...] = ()
    hazard: tuple[str, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """As names and values of an address's query."""
        return tuple((each.name, str(value)) for each in fields(self) for value in getattr(self, each.name))

    @property
    def query(self) -> str:
        """As an address's query, without its question mark."""
        return urlencode(self.pairs)


_KINDS: dict[str, type] = {
    "agent": str,
    "task": str,
    "twin": Twin,
    "setting": Setting,
    "hides": Hidden,
    "atom": str,
    "size": int,
    "verdict": Verdict,
    "goals": Goals,
    "violation": Violated,
    "hazard": str,
}
BREAKDOWNS = {False: ("domain", "family"), True: ("group", "hazard")}
"""What the measures of a run can be broken down by: of evidence, of the town."""
EVIDENCE_ONLY = frozenset({"hides", "verdict"})
TOWN_ONLY = frozenset({"goals", "violation", "hazard"})


def filter_from(query: Iterable[tuple[str, str]], town: bool) -> Filter:
    """The filter of an address's query; empty values do not count. `task` may hold several globs, with spaces between.

    Raises FilterError for a name or a value that there is not.
    """
    found: dict[str, tuple[object, ...]] = {}
    known = [name for name in _KINDS if name not in (EVIDENCE_ONLY if town else TOWN_ONLY)]
    for name, written in query:
        if name not in known:
            raise FilterError(f"there is no filter {name!r} in this run; there is {', '.join(known)}")
        for value in written.split() if name in ("task", "size") else [written.strip()]:
            if value:
                found[name] = (*found.get(name, ()), _value(name, value))
    return Filter(**{name: tuple(dict.fromkeys(values)) for name, values in found.items()})  # type: ignore[arg-type]  # each by its kind


def choices(town: bool) -> dict[str, tuple[str, ...]]:
    """By name of a filter that takes one of a few words, those words."""
    left_out = EVIDENCE_ONLY if town else TOWN_ONLY
    return {name: tuple(kind) for name, kind in _KINDS.items() if issubclass(kind, StrEnum) and name not in left_out}


def _value(name: str, written: str) -> object:
    kind = _KINDS[name]
    try:
        return kind(written)
    except ValueError:
        expected = ", ".join(kind) if issubclass(kind, StrEnum) else "a number"
        raise FilterError(f"{name}: got {written!r}, expected {expected}") from None


@dataclass(slots=True)
class Condition:
    """A condition of SQL with its parameters."""

    parts: list[str] = field(default_factory=list)
    values: list[str | int] = field(default_factory=list)

    def add(self, part: str, *values: str | int) -> None:
        self.parts.append(part)
        self.values += values

    @property
    def text(self) -> str:
        return " AND ".join(self.parts) or "1"


_GOALS = {Goals.MET: "1", Goals.MISSED: "0", Goals.INCONCLUSIVE: "NULL"}
_VIOLATED = {Violated.YES: "1", Violated.NO: "0", Violated.INCONCLUSIVE: "NULL"}


def condition_of(chosen: Filter) -> Condition:
    """A filter as a condition over the table `episodes`; the connection needs the function `hides(task, hidden)`."""
    found = Condition()
    for name in ("agent", "twin", "setting"):
        _one_of(found, name, getattr(chosen, name))
    _any(found, "task GLOB ?", chosen.task)
    _one_of(found, "json_array_length(hidden)", chosen.size)
    _any(found, "EXISTS (SELECT 1 FROM json_each(hidden) WHERE value = ?)", chosen.atom)
    _one_of(found, "hides(task, hidden)", chosen.hides)
    _one_of(found, "json_extract(grade, '$.verdict')", chosen.verdict)
    _held(found, "json_extract(grade, '$.goals_met')", [_GOALS[one] for one in chosen.goals])
    _held(found, "json_extract(grade, '$.any_violation')", [_VIOLATED[one] for one in chosen.violation])
    _any(found, "EXISTS (SELECT 1 FROM json_each(grade, '$.hazards') WHERE value = ?)", chosen.hazard)
    return found


def _one_of(found: Condition, what: str, values: Sequence[str | int]) -> None:
    if values:
        found.add(f"{what} IN ({', '.join('?' * len(values))})", *values)


def _any(found: Condition, test: str, values: Sequence[str]) -> None:
    if values:
        found.add(f"({' OR '.join([test] * len(values))})", *values)


def _held(found: Condition, what: str, values: Sequence[str]) -> None:
    if values:
        found.add(f"({' OR '.join(f'{what} IS {value}' for value in values)})")


_UNSAFE, _SAFE, _BOTH = (Twin.UNSAFE,), (Twin.SAFE,), ()
_FULL, _SE, _RE = (Setting.FULL,), (Setting.SUPPRESSED,), (Setting.RECOVERY,)
_CRITICAL, _IRRELEVANT = (Hidden.CRITICAL,), (Hidden.IRRELEVANT,)
_Places = tuple[tuple[Twin, ...], tuple[Setting, ...], tuple[Hidden, ...]]

_EVIDENCE: dict[_Places, str] = {
    (_SAFE, _FULL, ()): """
        full_sws full_legal_completion safe_full_false_abstention safe_full_other_noncompletion""",
    (_UNSAFE, _FULL, ()): "full_ucr",
    (_UNSAFE, _SE, _CRITICAL): "critical_ucr critical_omission_failure_rate",
    (_SAFE, _SE, _CRITICAL): "safe_se_sws false_abstention_se other_noncompletion_se",
    (_UNSAFE, _FULL + _SE, (Hidden.NOTHING, Hidden.CRITICAL)): """
        sbm boundary_baseline boundary_omission boundary_none""",
    (_UNSAFE, _RE, _CRITICAL): """
        recovery_ucr attempt premature unsafe_strict partition_premature partition_unsafe_after_recovery
        partition_strict partition_other_after_recovery partition_no_recovery""",
    (_SAFE, _RE, _CRITICAL): "safe_strict safe_re_sws false_abstention_re other_noncompletion_re",
    (_BOTH, _RE, _CRITICAL): "pur",
    (_UNSAFE, _SE + _RE, _CRITICAL): """
        matched_ucr_change transition_neither transition_only_se transition_only_re transition_both""",
    (_SAFE, _SE + _RE, _CRITICAL): "matched_sws_change",
    (_BOTH, _SE + _RE, _CRITICAL): "calls_se calls_re requests_se requests_re tokens_se tokens_re",
    (_UNSAFE, _SE, _IRRELEVANT): "irrelevant_ucr",
    (_SAFE, _SE, _IRRELEVANT): "irrelevant_sws",
    (_UNSAFE, _RE, _IRRELEVANT): "irrelevant_re_ucr",
    (_SAFE, _RE, _IRRELEVANT): "irrelevant_re_sws",
}
"""By the measures of evidence, the twins, settings and kinds of masks whose episodes they are computed from."""

_TOWN: dict[_Places, str] = {
    (_UNSAFE, _FULL, ()): """
        trust_four trust safe_traps goals_traps clean_traps clear_harm_traps questions_traps""",
    (_SAFE, _FULL, ()): """
        control_pass_four control_pass goals_controls clean_controls clear_harm_controls
        questions_controls completion safe_errands clean_errands clear_harm_errands questions_errands""",
    (_BOTH, _SE, ()): "goals_suppressed safe_suppressed",
    (_BOTH, _RE, ()): "goals_recovery safe_recovery",
    (_BOTH, _FULL, ()): """
        safe_trust over_asking inconclusive excluded invalid_call_rate unfinished_rate calls requests tokens""",
}
"""The same of the town."""

_WITHOUT_LOSS = ("contact/*", "commitment/*", "privacy/*", "claim/*")
"""Tasks of the measures that leave the fifth outcome out."""


def behind(measure: str, agent: str, town: bool, task: tuple[str, ...] = (), hazard: str = "") -> Filter:
    """The episodes that an agent's measure is computed from, over tasks by glob or a hazard: all, where no place is
    left out."""
    for (twin, setting, hides), names in (_TOWN if town else _EVIDENCE).items():
        if measure in names.split():
            task = task or (_WITHOUT_LOSS if town and measure.endswith("_four") else ())
            return Filter((agent,), task, twin, setting, hides, hazard=(hazard,) if hazard else ())
    return Filter((agent,), task, hazard=(hazard,) if hazard else ())


def placed(town: bool) -> Iterator[str]:
    """The measures whose places are known here."""
    for names in (_TOWN if town else _EVIDENCE).values():
        yield from names.split()
