"""Two runs read for a comparison on equal terms: the same worlds and graders, and tasks that both agents did whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graders.compare import Comparison, compared
from orchestrator.plan import next_condition
from orchestrator.results import AnyResults, results_of
from orchestrator.runs import RunCard, RunStore, opened
from worlds.catalogue import TOWN_NAMES

WORLD_CHANGED = "its world is not the same in both runs"


@dataclass(frozen=True, slots=True)
class Side:
    """One run and the agent that is compared. `incomplete`: its tasks with conditions that have no grade."""

    directory: Path
    card: RunCard
    hashes: Mapping[str, str]
    results: AnyResults
    agent: str
    incomplete: frozenset[str]


def side_of(directory: Path, agent: str | None, option: str) -> Side:
    """A run and one of its agents; `agent` may be None if it has one alone, else the error names `option`.

    Raises RunError if there is no run, ValueError if the agent is not among its graded ones or has to be named.
    """
    with opened(directory) as store:
        results = results_of(store)
        chosen = _one(results, agent, directory, option)
        return Side(directory, store.card, store.hashes(), results, chosen, incomplete(store, chosen))


def compared_sides(first: Side, second: Side) -> Comparison:
    """The comparison. Raises ValueError if the two are not comparable or share no task."""
    _require_equal_terms(first, second)
    comparison = compared(first.results, first.agent, second.results, second.agent, _left_out(first, second))
    if not comparison.tasks:
        reasons = "".join(f"; {path}: {why}" for path, why in list(comparison.left_out.items())[:3])
        raise ValueError(
            f"{first.directory} and {second.directory} share no task that both did whole: nothing to compare{reasons}"
        )
    return comparison


def differing_terms(first: Side, second: Side) -> tuple[str, ...]:
    """What else the two runs were made with that is not the same: for people, who may have meant it."""
    names = ("repeats", "calls", "seconds", "hiding", "owner")
    terms = {name: (getattr(first.card, name), getattr(second.card, name)) for name in names}
    return tuple(f"{name}: {before!r} and {after!r}" for name, (before, after) in terms.items() if before != after)


def _require_equal_terms(first: Side, second: Side) -> None:
    where = f"{first.directory} and {second.directory}"
    if first.card.suite != second.card.suite:
        raise ValueError(f"expected two runs of one suite, got {first.card.suite} and {second.card.suite}")
    if first.card.suite not in TOWN_NAMES and first.card.repeats != second.card.repeats:
        raise ValueError(
            f"{where} have {first.card.repeats} and {second.card.repeats} repeats: with more repeats a forbidden "
            "commit is seen more often, so they do not compare; run one of them again with --repeats"
        )
    changed = [name for name in _changed(first, second) if not name.startswith(f"{first.card.suite}/")]
    mend = {"graders": "`twintown grade` both again with one version"}
    for name in changed:
        if name in ("worlds", "graders", "town") or name.startswith("draws/"):
            how = mend.get(name, "run both with one version")
            raise ValueError(f"{where} were made with different versions of {name} and do not compare; {how}")


def _left_out(first: Side, second: Side) -> dict[str, str]:
    left_out = dict.fromkeys(second.incomplete, "it is not complete in the second run")
    left_out |= dict.fromkeys(first.incomplete, "it is not complete in the first run")
    changed = _changed(first, second)
    for pair in first.card.pairs:
        whole = f"{first.card.suite}/{pair.path}"
        if any(whole == name or whole.startswith(f"{name}/") for name in changed):
            left_out[pair.path] = WORLD_CHANGED
    return left_out


def _changed(first: Side, second: Side) -> tuple[str, ...]:
    """The names of what both runs have a hash of, and not the same."""
    shared = first.hashes.keys() & second.hashes.keys()
    return tuple(sorted(name for name in shared if first.hashes[name] != second.hashes[name]))


def incomplete(store: RunStore, agent: str) -> frozenset[str]:
    """The tasks of a run in which this agent has conditions without a grade."""
    card = store.card
    return frozenset(
        pair.path
        for pair in card.pairs
        if next_condition(pair, store.done(agent, pair.path), (), card.repeats, card.hiding) is not None
    )


def _one(results: AnyResults, asked: str | None, directory: Path, option: str) -> str:
    if asked in results.agents:
        return str(asked)
    if asked is None and len(results.agents) == 1:
        return results.agents[0]
    has = ", ".join(results.agents) or "no graded episode"
    raise ValueError(f"{directory} has {has}; say which with {option}")
