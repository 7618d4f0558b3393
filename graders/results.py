"""The results of a run: what every agent's rows amount to, overall, by domain and by family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

from graders.measures import MEASURES, Measure, task_values
from graders.outcomes import Cell, Hidden, Outcome, TaskOutcomes, outcome_of
from graders.rows import Row
from graders.statistics import Estimate, estimates
from worlds.episode import Condition
from worlds.model import Setting, Twin

Metrics = Mapping[str, Estimate | None]
"""An estimate for every measure by name; None for a measure without data."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the measures of one agent rest on: counts of graded episodes, and of tasks (seeds/002 section C.1).

    `critical_se_unsafe`, `critical_re_unsafe`: critical masks in the unsafe twin without and with the audit source.
    `matched_re`: critical masks that recovery has in both twins, each pair counted once. `irrelevant`: masks of one
    irrelevant atom. `search`: those of `critical_se_unsafe` that hide two atoms or more; `counterparts`: the same masks
    in the three other places. `tasks_undecided`: tasks whose boundary is not decided. Repeats count singly.
    """

    episodes: int
    full: int
    critical_se_unsafe: int
    critical_re_unsafe: int
    matched_re: int
    irrelevant: int
    search: int
    counterparts: int
    tasks: int
    tasks_undecided: int


@dataclass(frozen=True)
class AgentResults:
    """One agent's estimates over all its tasks; over each domain's and each family's, made when they are asked for.

    `name`: that of suite and agent, from which the intervals' seeds come; `values`: every measure by task.
    """

    name: str
    values: Mapping[str, Mapping[str, float | None]]
    metrics: Metrics
    coverage: Coverage

    @cached_property
    def by_domain(self) -> Mapping[str, Metrics]:
        return _grouped(self.name, self.values, parts=1)

    @cached_property
    def by_family(self) -> Mapping[str, Metrics]:
        """By `domain/family`."""
        return _grouped(self.name, self.values, parts=2)


class Results:
    """The results of a run, from its rows in any order. Keeps a small outcome of each row, not its grade.

    `critical`: the critical atoms of every task by path, `domain/family/instance`.
    """

    def __init__(self, suite: str, critical: Mapping[str, tuple[str, ...]], rows: Iterable[Row] = ()) -> None:
        self.suite = suite
        self._critical = critical
        self._tasks: dict[str, dict[str, TaskOutcomes]] = {}
        self._done: dict[str, AgentResults] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Take in one row. Raises ValueError as `put` does."""
        self.put(row.agent, row.condition, outcome_of(row.grade, row.usage))

    def put(self, agent: str, condition: Condition, outcome: Outcome) -> None:
        """Take in what came of one episode.

        Raises ValueError for a task that is not known, one that contradicts its task, and a condition graded twice.
        """
        path = condition.task
        if path not in self._critical:
            raise ValueError(f"{agent}: {condition}: there is no task {path!r}; expected one of the suite's")
        tasks = self._tasks.setdefault(agent, {})
        if path not in tasks:
            tasks[path] = TaskOutcomes(self._critical[path])
        tasks[path].put(agent, condition, outcome)
        self._done.pop(agent, None)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every measure of the suite, in the order of tables."""
        return MEASURES

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents with rows, in order of name."""
        return tuple(sorted(self._tasks))

    def values(self, agent: str) -> dict[str, dict[str, float | None]]:
        """Every measure of every task that the agent has rows of, in order of path. Raises KeyError for others."""
        return {path: task_values(task) for path, task in sorted(self._tasks[agent].items())}

    def of(self, agent: str) -> AgentResults:
        """The results of one agent. Raises KeyError for no such agent."""
        if agent not in self._done:
            self._done[agent] = self._results(agent)
        return self._done[agent]

    def as_json(self) -> dict[str, object]:
        """The results as JSON: numbers rounded to 6 decimals, null for a measure without data."""
        return {"suite": self.suite, "agents": {agent: _agent_json(self.of(agent)) for agent in self.agents}}

    def _results(self, agent: str) -> AgentResults:
        values = self.values(agent)
        name = f"{self.suite} {agent}"
        return AgentResults(name, values, _metrics(name, values.values()), _coverage(self._tasks[agent].values()))


def _metrics(name: str, values: Iterable[Mapping[str, float | None]]) -> Metrics:
    matrix = [[task[measure.name] for measure in MEASURES] for task in values]
    return dict(zip((measure.name for measure in MEASURES), estimates(name, matrix), strict=True))


def _grouped(name: str, values: Mapping[str, Mapping[str, float | None]], parts: int) -> dict[str, Metrics]:
    """Estimates by the first parts of the tasks' paths."""
    groups: dict[str, list[Mapping[str, float | None]]] = {}
    for path, task in values.items():
        groups.setdefault("/".join(path.split("/")[:parts]), []).append(task)
    return {group: _metrics(f"{name} {group}", groups[group]) for group in sorted(groups)}


def _coverage(of: Iterable[TaskOutcomes]) -> Coverage:
    tasks = tuple(of)
    places = [(twin, setting) for twin in Twin for setting in (Setting.SUPPRESSED, Setting.RECOVERY)]
    searched = (Twin.UNSAFE, Setting.SUPPRESSED)
    several = {place: sum(_several(task.omitted(*place)) for task in tasks) for place in places}
    return Coverage(
        episodes=sum(len(task.episodes) for task in tasks),
        full=sum(len(task.full(twin)) for task in tasks for twin in Twin),
        critical_se_unsafe=sum(len(task.omitted(*searched)) for task in tasks),
        critical_re_unsafe=sum(len(task.omitted(Twin.UNSAFE, Setting.RECOVERY)) for task in tasks),
        matched_re=sum(len(task.matched(*((twin, Setting.RECOVERY) for twin in Twin))[0]) for task in tasks),
        irrelevant=sum(len(task.cell(*place, Hidden.IRRELEVANT)) for task in tasks for place in places),
        search=several[searched],
        counterparts=sum(several.values()) - several[searched],
        tasks=len(tasks),
        tasks_undecided=sum(task.boundary.margin is None for task in tasks),
    )


def _several(cell: Cell) -> int:
    return sum(len(hidden) > 1 for hidden, _ in cell)


def _agent_json(results: AgentResults) -> dict[str, object]:
    return {
        "metrics": _metrics_json(results.metrics),
        "by_domain": {group: _metrics_json(metrics) for group, metrics in results.by_domain.items()},
        "by_family": {group: _metrics_json(metrics) for group, metrics in results.by_family.items()},
        "coverage": asdict(results.coverage),
    }


def _metrics_json(metrics: Metrics) -> dict[str, object]:
    return {name: None if estimate is None else estimate.as_json() for name, estimate in metrics.items()}
