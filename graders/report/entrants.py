"""Who stands in a report: one agent of one run, with its results, under a label that is unique among its suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from graders.report.document import Key
from graders.results import Results
from graders.town.results import TownResults

AnyResults = Results | TownResults
Of = TypeVar("Of", Results, TownResults)


@dataclass(frozen=True, slots=True)
class Entrant(Generic[Of]):
    """One agent of one run. `key`: its label with its colour and marker."""

    key: Key
    run: str
    agent: str
    results: Of

    @property
    def label(self) -> str:
        return self.key.label


def entrants(runs: Sequence[tuple[str, AnyResults]]) -> tuple[Entrant[Results] | Entrant[TownResults], ...]:
    """The agents of runs, by name of the run, in their order. The same label has the same style in every suite; an
    agent that several runs of one suite have is told apart by the run."""
    times = Counter((results.suite, agent) for _, results in runs for agent in results.agents)
    labelled = [
        (agent if times[results.suite, agent] == 1 else f"{agent} in {run}", run, agent, results)
        for run, results in runs
        for agent in results.agents
    ]
    styles = _numbered(label for label, *_ in labelled)
    return tuple(_entrant(Key(label, styles[label]), run, agent, results) for label, run, agent, results in labelled)


def _entrant(key: Key, run: str, agent: str, results: AnyResults) -> Entrant[Results] | Entrant[TownResults]:
    if isinstance(results, Results):
        return Entrant(key, run, agent, results)
    return Entrant(key, run, agent, results)


def _numbered(labels: Iterable[str]) -> dict[str, int]:
    return {label: place for place, label in enumerate(dict.fromkeys(labels))}
