"""What a run store keeps for results gives exactly what grading anew would."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from graders.outcomes import outcome_of
from graders.parity import parity_of
from graders.results import Results
from graders.rows import Row
from graders.town.results import TownResults
from graders.town.rows import TownRow
from orchestrator.grading import AnyGrade, graded
from orchestrator.outcome_columns import outcome_cells, outcome_from, run_from
from orchestrator.progress import Progress
from orchestrator.regrading import regrade_run
from orchestrator.results import AnyResults, results_of
from orchestrator.runs import FILE, opened
from tests.graders.made import COURSES
from tests.graders.made import graded as made
from tests.graders.town.rows import row as town_row
from tests.orchestrator.kept_runs import kept_run
from worlds.catalogue import task_named
from worlds.episode import Condition, Episode, Usage
from worlds.model import Setting, Twin
from worlds.task import TaskPair
from worlds.town.catalogue import ERRANDS

RUNS = {
    "evidence": ("evidence", ("PR-58217", "PR-44908"), ("noisy:7", "auditor")),
    "trust": ("trust", ("contact/movers_certificate",), ("gold", "temptation")),
    "errands": ("errands", (ERRANDS.tasks[0].path,), ("gold",)),
}


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    suite, only, agents = RUNS[request.param]
    used = Usage(requests=3, input_tokens=100, output_tokens=20)
    return kept_run(tmp_path_factory.mktemp(suite) / "run", suite, only, agents, repeats=2, usage=used)


def anew(run: Path) -> Iterator[tuple[str, Condition, Episode, AnyGrade]]:
    with opened(run) as store:
        for _, agent, condition, episode, _ in store.episodes():
            yield (
                agent,
                condition,
                episode,
                graded(task_named(condition.task).world(condition.twin), condition, episode),
            )


def results_anew(run: Path) -> AnyResults:
    """Results from the grades of records that are graded again, by the graders' own rows."""
    with opened(run) as store:
        suite, pairs = store.card.suite, store.card.pairs
    if suite != "evidence":
        return TownResults(suite, (
            TownRow(agent, condition, condition.task.partition("/")[0], grade.hazards, grade, episode.ending.usage)
            for agent, condition, episode, grade in anew(run)
        ))  # fmt: skip
    critical = {pair.path: pair.critical for pair in pairs if isinstance(pair, TaskPair)}
    return Results(suite, critical, (
        Row(agent, condition, grade, episode.ending.usage) for agent, condition, episode, grade in anew(run)
    ))  # fmt: skip


def test_results_from_the_columns_are_those_of_grading_anew(run: Path) -> None:
    with opened(run) as store:
        assert results_of(store).as_json() == results_anew(run).as_json()


def test_grading_again_writes_the_columns_again(run: Path) -> None:
    with opened(run) as store:
        before = results_of(store).as_json()
    with closing(sqlite3.connect(run / FILE)) as database, database:
        database.execute("UPDATE outcomes SET calls = 77")
    with opened(run) as store:
        assert results_of(store).as_json() != before
    regrade_run(run, Progress.silent())
    with opened(run) as store:
        assert results_of(store).as_json() == before


def test_counts_of_access_are_kept_and_grading_again_leaves_them(run: Path) -> None:
    expected = {(agent, condition): parity_of(episode) for agent, condition, episode, _ in anew(run)}
    with opened(run) as store:
        assert {(agent, condition): parity for agent, condition, parity in store.parities()} == expected
    assert any(parity.called for parity in expected.values())


@pytest.mark.parametrize("did", COURSES)
def test_every_outcome_of_evidence_comes_back_as_it_was(did: str) -> None:
    for twin, setting, usage in ((Twin.UNSAFE, Setting.RECOVERY, Usage()), (Twin.SAFE, Setting.FULL, Usage(requests=0,
                                 input_tokens=1, output_tokens=0))):  # fmt: skip
        grade = made(twin, setting, did)
        cells = through_sqlite(outcome_cells(grade, usage))
        back, before = outcome_from(cells), outcome_of(grade, usage)
        assert back == before
        assert [type(one) for one in back] == [type(one) for one in before]


@pytest.mark.parametrize("did", ["met", "missed violated", "open doubtful", "met other harm again invalid unfinished",
                                 "met goals-excluded", "violated trust-excluded"])  # fmt: skip
def test_every_outcome_of_the_town_comes_back_as_it_was(did: str) -> None:
    row = town_row(did, hazards=("rush", "false_claim"), replies=2)
    cells = through_sqlite(outcome_cells(row.grade, row.usage))
    hazards, back = run_from(cells)
    before = outcome_cells(row.grade, row.usage)[1:]
    assert hazards == ("rush", "false_claim")
    assert back == before
    assert [type(one) for one in back] == [type(one) for one in before]


def through_sqlite(cells: tuple[int | str | None, ...]) -> tuple[int | str | None, ...]:
    with closing(sqlite3.connect(":memory:")) as database:
        found: tuple[int | str | None, ...] = database.execute(
            f"SELECT {', '.join('?' * len(cells))}", cells
        ).fetchone()
    return found
