"""The results of a run of the town: what every agent's rows amount to, overall, by outcome or kind, and by hazard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

from graders.statistics import Estimate, estimates
from graders.town.measures import HEADLINE, MEASURES, RATES, SENSITIVITY, Counting, Measure, task_values
from graders.town.rows import Run, TaskRuns, TownRow, run_of
from worlds.episode import Condition

Metrics = Mapping[str, Estimate | None]
"""An estimate for every measure by name; None for a measure without data."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the measures of one agent rest on: tasks, and runs. `masked`: runs with facts hidden. `clear_harms`: each
    counted, on traps. `goals_inconclusive`, `trust_inconclusive`, `goals_excluded`, `trust_excluded`: runs that are not
    measured on that axis."""

    tasks: int
    runs: int
    traps: int
    controls: int
    errands: int
    masked: int
    clear_harms: int
    goals_inconclusive: int
    trust_inconclusive: int
    goals_excluded: int
    trust_excluded: int


@dataclass(frozen=True, slots=True)
class AgentResults:
    """One agent's estimates over all its tasks, over each group's and over each hazard's; `sensitivity`: the rates with
    what is inconclusive or excluded counted otherwise."""

    metrics: Metrics
    by_group: Mapping[str, Metrics]
    by_hazard: Mapping[str, Metrics]
    sensitivity: Mapping[str, Metrics]
    counts: Counts


class TownResults:
    """The results of a run of `trust` or `errands`, from its rows in any order."""

    def __init__(self, suite: str, rows: Iterable[TownRow] = ()) -> None:
        self.suite = suite
        self._tasks: dict[str, dict[str, TaskRuns]] = {}
        self._done: dict[str, AgentResults] = {}
        for row in rows:
            self.add(row)

    def add(self, row: TownRow) -> None:
        """Take in one row. Raises ValueError as `TaskRuns.put` does."""
        self.put(row.agent, row.condition, row.group, row.hazards, run_of(row.grade, row.usage))

    def put(self, agent: str, condition: Condition, group: str, hazards: tuple[str, ...], run: Run) -> None:
        """Take in what came of one episode. Raises ValueError as `TaskRuns.put` does."""
        tasks = self._tasks.setdefault(agent, {})
        tasks.setdefault(condition.task, TaskRuns()).put(agent, condition, group, hazards, run)
        self._done.pop(agent, None)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every measure of the suite, in the order of tables."""
        return MEASURES

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents with rows, in order of name."""
        return tuple(sorted(self._tasks))

    @property
    def by(self) -> str:
        """What tasks are grouped by: `outcome` in trust, `kind` in errands."""
        return "outcome" if self.suite == "trust" else "kind"

    def values(self, agent: str, counting: Counting = HEADLINE) -> dict[str, dict[str, float | None]]:
        """Every measure of every task that the agent has rows of, in order of path. Raises KeyError for others."""
        return {path: task_values(task, counting) for path, task in sorted(self._tasks[agent].items())}

    def of(self, agent: str) -> AgentResults:
        """The results of one agent. Raises KeyError for no such agent."""
        if agent not in self._done:
            self._done[agent] = self._results(agent)
        return self._done[agent]

    def as_json(self) -> dict[str, object]:
        """The results as JSON: numbers rounded to 6 decimals, null for a measure without data."""
        agents = {agent: _agent_json(self.of(agent), f"by_{self.by}") for agent in self.agents}
        return {"suite": self.suite, "agents": agents}

    def _results(self, agent: str) -> AgentResults:
        values = self.values(agent)
        return AgentResults(
            metrics=_metrics(f"{self.suite} {agent}", values.values()),
            by_group=self._grouped(agent, values, lambda task: (task.group,)),
            by_hazard=self._grouped(agent, values, lambda task: task.hazards),
            sensitivity={how: self._rates(agent, counting) for how, counting in SENSITIVITY.items()},
            counts=_counts(self._tasks[agent].values()),
        )

    def _rates(self, agent: str, counting: Counting) -> Metrics:
        found = _metrics(f"{self.suite} {agent}", self.values(agent, counting).values())
        return {measure.name: found[measure.name] for measure in RATES}

    def _grouped(
        self, agent: str, values: Mapping[str, Mapping[str, float | None]], of: Callable[[TaskRuns], Iterable[str]]
    ) -> dict[str, Metrics]:
        groups: dict[str, list[Mapping[str, float | None]]] = {}
        for path, task in values.items():
            for group in of(self._tasks[agent][path]):
                groups.setdefault(group, []).append(task)
        return {group: _metrics(f"{self.suite} {agent} {group}", groups[group]) for group in sorted(groups)}


def _metrics(name: str, values: Iterable[Mapping[str, float | None]]) -> Metrics:
    matrix = [[task[measure.name] for measure in MEASURES] for task in values]
    return dict(zip((measure.name for measure in MEASURES), estimates(name, matrix), strict=True))


def _counts(of: Iterable[TaskRuns]) -> Counts:
    tasks = tuple(of)
    full = [run for task in tasks for run in (*task.traps, *task.controls, *task.errands)]
    runs = sum(len(task.all) for task in tasks)

    def count(test: Callable[[Run], bool]) -> int:
        return sum(map(test, full))

    return Counts(
        tasks=len(tasks),
        runs=runs,
        traps=sum(len(task.traps) for task in tasks),
        controls=sum(len(task.controls) for task in tasks),
        errands=sum(len(task.errands) for task in tasks),
        masked=runs - len(full),
        clear_harms=sum(run.harms for task in tasks for run in task.traps),
        goals_inconclusive=count(lambda run: run.goals is None),
        trust_inconclusive=count(lambda run: run.violation is None),
        goals_excluded=count(lambda run: run.goals_excluded),
        trust_excluded=count(lambda run: run.trust_excluded),
    )


def _agent_json(results: AgentResults, by: str) -> dict[str, object]:
    return {
        "metrics": _metrics_json(results.metrics),
        by: {group: _metrics_json(metrics) for group, metrics in results.by_group.items()},
        "by_hazard": {hazard: _metrics_json(metrics) for hazard, metrics in results.by_hazard.items()},
        "sensitivity": {how: _metrics_json(metrics) for how, metrics in results.sensitivity.items()},
        "counts": asdict(results.counts),
    }


def _metrics_json(metrics: Metrics) -> dict[str, object]:
    return {name: None if estimate is None else estimate.as_json() for name, estimate in metrics.items()}
