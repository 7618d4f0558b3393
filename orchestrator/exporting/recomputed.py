"""From the exported tables back to every number of `twintown results --json` and of `twintown report`.

Only the flat columns are read, so what they lack would show. Any reader of Parquet or JSON lines gives the rows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graders.grade import Grade
from graders.parity import Parity
from graders.report.access import Reach
from graders.report.report import ReportedRun, numbers
from graders.results import Results
from graders.rows import Row
from graders.town.grade import Questions, TownGrade
from graders.town.results import TownResults
from graders.town.rows import TownRow
from orchestrator.comparing import Side
from orchestrator.plan import next_condition
from orchestrator.reporting import Read, pairings
from orchestrator.results import AnyResults
from orchestrator.runs import RunCard
from worlds.catalogue import TOWN_NAMES, Drawing, task_named
from worlds.episode import Condition, Usage
from worlds.model import Setting, Twin
from worlds.town.written import Outcome

Values = Mapping[str, Any]
"""One row of a table, as a reader of Parquet or JSON gives it."""

PARITY = ("servers_offered", "tools_offered", "servers_listed", "tools_seen", "tools_called")
"""The columns of graders.parity.Parity, in its order."""


def results_of_tables(
    runs: Iterable[Values], tasks: Iterable[Values], episodes: Iterable[Values]
) -> dict[str, AnyResults]:
    """The results of every run by its name, from the rows of three tables.

    Raises KeyError for a missing column, and ValueError as the results do for rows that contradict each other.
    """
    critical: dict[str, dict[str, tuple[str, ...]]] = {}
    for task in tasks:
        critical.setdefault(task["run"], {})[task["task"]] = tuple(task["critical"])
    found: dict[str, AnyResults] = {}
    for run in runs:
        name, suite = run["run"], run["suite"]
        found[name] = TownResults(suite) if suite in TOWN_NAMES else Results(suite, critical.get(name, {}))
    for row in episodes:
        results = found[row["run"]]
        if isinstance(results, TownResults):
            results.add(_town_row(row))
        else:
            results.add(_row(row))
    return found


def report_numbers(tables: Mapping[str, Sequence[Values]]) -> dict[str, object]:
    """Every number of a report of these runs, as it stands in the page. `tables`: the rows of `runs`, `tasks`,
    `episodes` and `ungraded`, by name.

    Raises as `results_of_tables` does, and UnknownTask for tasks that this installation does not have.
    """
    results = results_of_tables(tables["runs"], tables["tasks"], tables["episodes"])
    reads = [_read(run, results[run["run"]], tables) for run in tables["runs"]]
    return numbers([read.reported for read in reads], pairings(reads))


def _read(run: Values, results: AnyResults, tables: Mapping[str, Sequence[Values]]) -> Read:
    name, card = run["run"], _card(run)
    mine = {table: [row for row in tables[table] if row["run"] == name] for table in ("tasks", "episodes", "ungraded")}
    reach: dict[str, Reach] = {}
    done: dict[tuple[str, str], dict[Condition, bool]] = {}
    for row in mine["episodes"]:
        condition = _condition(row)
        reach.setdefault(row["agent"], Reach()).add(condition, Parity(*(row[column] for column in PARITY)))
        done.setdefault((row["agent"], condition.task), {})[condition] = bool(row["unsafe_commit"])
    incomplete = {
        agent: frozenset(
            task["task"]
            for task in mine["tasks"]
            if next_condition(
                task_named(task["task"]), done.get((agent, task["task"]), {}), (), card.repeats, card.hiding
            )
        )
        for agent in card.agents
    }
    ungraded = Counter((row["agent"], row["reason"]) for row in mine["ungraded"])
    hashes = json.loads(run["hashes"])
    counts = {agent: len(tasks) for agent, tasks in incomplete.items()}
    sides = {
        agent: Side(Path(name), card, hashes, results, agent, incomplete.get(agent, frozenset()))
        for agent in results.agents
    }
    return Read(ReportedRun(name, results, {}, hashes, reach, counts, dict(ungraded.most_common())), sides)


def _card(run: Values) -> RunCard:
    return RunCard(
        suite=run["suite"],
        only=tuple(run["only"]),
        drawn=None if run["drawn"] is None else Drawing(**json.loads(run["drawn"])),
        agents=tuple(run["agents"]),
        repeats=run["repeats"],
        calls=run["calls"],
        seconds=run["seconds"],
        hiding=run["hiding"],
        owner=run["owner"] or "",
    )


def _row(row: Values) -> Row:
    grade = Grade(
        verdict=row["verdict"],
        disposition=row["disposition"],
        unsafe_commit=row["unsafe_commit"],
        legal_completion=row["legal_completion"],
        success=row["success"],
        attempt=row["attempt"],
        premature=row["premature"],
        strict=row["strict"],
        invalid_calls=row["invalid_calls"],
        calls=row["calls"],
        violated=row["violated_requirements"],
        reasons=row["reasons"],
        lines=row["proof_lines"],
        rows=tuple(_proof(proof) for proof in row["proof_rows"]),
    )
    return Row(row["agent"], _condition(row), grade, _usage(row))


def _proof(written: str) -> tuple[str, int]:
    server, _, seq = written.rpartition(":")
    return server, int(seq)


def _town_row(row: Values) -> TownRow:
    questions = Questions(
        replies=row["replies"],
        asked=row["questions_asked"],
        again=row["questions_again"],
        granted=row["questions_granted"],
    )
    grade = TownGrade(
        goals_met=row["goals_met"],
        findings=(),
        violations=(),
        outcomes={outcome: row[f"violated_{outcome}"] for outcome in Outcome},
        outcome=row["eligible_outcome"],
        violated=row["violated"],
        any_violation=row["any_violation"],
        safe_outcome=row["safe_outcome"],
        clear_harms=row["clear_harms"],
        questions=questions,
        disposition=row["disposition"],
        invalid_calls=row["invalid_calls"],
        calls=row["calls"],
        hazards=row["hazards"],
        excluded=row["excluded"],
        reasons=row["reasons"],
    )
    return TownRow(row["agent"], _condition(row), row["group"], grade.hazards, grade, _usage(row))


def _condition(row: Values) -> Condition:
    return Condition(row["task"], Twin(row["twin"]), Setting(row["setting"]), tuple(row["hidden"]), row["repeat"])


def _usage(row: Values) -> Usage:
    return Usage(requests=row["requests"], input_tokens=row["input_tokens"], output_tokens=row["output_tokens"])
