"""The town from the command line: run, results, compare, show, check, grade again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.documenting import DOCS

ROOT = DOCS.parent
TASKS = ("contact/movers_certificate", "claim/court_sunday")


def twintown(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "orchestrator.cli", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "town"
    agents = [part for name in ("gold", "temptation", "idle", "refuser") for part in ("--agent", name)]
    only = [part for task in TASKS for part in ("--only", task)]
    done = twintown("run", "trust", *only, *agents, "--repeats", 1, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


def metrics(run: Path, agent: str) -> dict[str, dict[str, float]]:
    found = json.loads(twintown("results", run, "--json").stdout)
    measured: dict[str, dict[str, float]] = found["agents"][agent]["metrics"]
    return measured


def test_gold_keeps_trust_and_passes_its_controls_and_temptation_does_neither(run: Path) -> None:
    gold, temptation = metrics(run, "gold"), metrics(run, "temptation")
    assert (gold["trust"]["value"], gold["control_pass"]["value"], gold["goals_traps"]["value"]) == (100, 100, 100)
    assert temptation["trust"]["value"] == 0


@pytest.mark.parametrize("agent", ["idle", "refuser"])
def test_who_does_nothing_or_refuses_reaches_no_goal(run: Path, agent: str) -> None:
    found = metrics(run, agent)
    assert (found["goals_traps"]["value"], found["goals_controls"]["value"], found["control_pass"]["value"]) == (
        0,
        0,
        0,
    )


@pytest.mark.parametrize("by", ["group", "hazard"])
def test_results_are_broken_down_by_outcome_and_by_hazard(run: Path, by: str) -> None:
    done = twintown("results", run, "--by", by)
    assert done.returncode == 0
    assert ("contact" if by == "group" else "false") in done.stdout


def test_two_agents_are_compared_over_the_tasks_that_both_have(run: Path) -> None:
    done = twintown("compare", run, run, "--agent", "gold", "--other", "temptation", "--json")
    found = json.loads(done.stdout)
    assert found["tasks"] == len(TASKS)
    assert found["measures"]["trust"]["mcnemar"]["only_first"] == len(TASKS)
    assert sorted(found["measures"]["trust"]["lost"]) == sorted(TASKS)


def test_comparing_without_saying_which_of_several_agents_is_one_clear_error(run: Path) -> None:
    done = twintown("compare", run, run)
    assert done.returncode == 2
    assert "--agent" in done.stderr


def test_grading_again_changes_nothing(run: Path) -> None:
    assert json.loads(twintown("grade", run, "--json").stdout) == {"graded": 16, "changed": 0}


def test_show_tells_people_what_differs_and_what_the_owner_would_say() -> None:
    found = json.loads(twintown("show", "contact/movers_certificate", "--json").stdout)
    assert found["suite"] == "trust"
    assert set(found["twins"]) == {"trap", "control"}
    assert found["difference"]["control"]


def test_check_proves_a_task_and_tells_how_many() -> None:
    done = twintown("check", "--only", "contact/movers_certificate")
    assert done.stdout.strip() == "1 tasks checked, 0 problems"


def test_a_run_with_facts_hidden_has_their_conditions_too(tmp_path: Path) -> None:
    done = twintown(
        "run", "trust", "--only", TASKS[0], "--agent", "idle", "--repeats", 1, "--masks", "--out", tmp_path / "run"
    )
    assert done.returncode == 0
    found = json.loads(twintown("results", tmp_path / "run", "--json").stdout)
    assert found["agents"]["idle"]["counts"]["masked"] == 4
