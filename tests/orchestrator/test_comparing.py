"""`twintown compare`: two runs on equal terms, gates, and the workflow that the docs show."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from orchestrator.cli.main import _app
from orchestrator.comparing import WORLD_CHANGED, compared_sides, side_of
from orchestrator.documenting import DOCS
from orchestrator.runs import FILE
from tests.orchestrator.kept_runs import kept_run

PAIRS = ("PR-58217", "PR-44908")
PATHS = tuple(f"finance/payment_authority/{pair}" for pair in PAIRS)
WORKFLOW = DOCS / "examples" / "github-actions.yml"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kept_run(tmp_path_factory.mktemp("runs") / "run", "evidence", PAIRS, ["careful", "reckless"])


def twintown(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(_app(["compare"]), ["compare", *map(str, arguments)], catch_exceptions=True)
    told = str(done.exception) if isinstance(done.exception, ValueError) else done.stderr
    return (2 if isinstance(done.exception, ValueError) else done.exit_code), done.stdout, told


_OF_EPISODES = (("outcomes", "episode"), ("records", "episode"), ("episodes", "id"))


def changed(run: Path, tmp_path: Path, *statements: str) -> Path:
    """A copy of a run with something else in it."""
    copy = tmp_path / "changed"
    shutil.copytree(run, copy)
    with closing(sqlite3.connect(copy / FILE)) as database, database:
        for statement in statements:
            database.execute(statement)
    return copy


def test_two_agents_of_evidence_are_compared_with_what_they_lost(run: Path) -> None:
    status, out, _ = twintown(run, run, "--agent", "careful", "--other", "reckless", "--json")
    found = json.loads(out)
    assert (status, found["tasks"], found["left_out"]) == (0, 2, {})
    full = found["measures"]["full_ucr"]
    assert (full["first"], full["second"], full["difference"]["value"]) == (0, 100, 100)
    assert (full["mcnemar"]["only_second"], sorted(full["lost"])) == (2, sorted(PATHS))
    assert found["measures"]["sbm"]["mcnemar"] is None


def test_the_table_is_shown_with_the_tasks_that_changed_sides(run: Path) -> None:
    status, out, _ = twintown(run, run, "--agent", "careful", "--other", "reckless")
    assert status == 0
    assert "evidence: careful and reckless on 2 shared tasks" in out
    assert "Full UCR: lost" in out


def test_a_gate_that_fails_ends_with_one_and_says_which_and_by_how_much(run: Path) -> None:
    both = (run, run, "--agent", "careful", "--other", "reckless")
    status, _, err = twintown(*both, "--fail-if", "sbm drops by 10", "--fail-if", "full_sws drops by 1")
    assert status == 1
    failed, passed = err.splitlines()
    assert failed == "failed: sbm drops by 10: sbm dropped by 100 (100 to 0 over 2 tasks, -100.0 to -100.0)"
    assert passed.startswith("passed: full_sws drops by 1: full_sws stayed")
    status, out, _ = twintown(*both, "--fail-if", "full_sws drops by 1", "--json")
    assert (status, json.loads(out)["gates"]) == (
        0,
        [{"gate": "full_sws drops by 1", "measure": "full_sws", "failed": False}],
    )


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        ("truth drops by 2", "no measure 'truth'; expected one of full_sws, full_ucr"),
        ("sbm falls", "is not a gate; expected MEASURE"),
        ("tokens_se rises by 10", "no task of evidence has a tokens_se in both runs"),
    ],
)
def test_a_gate_that_cannot_be_judged_is_an_error_and_never_a_pass(gate: str, told: str, run: Path) -> None:
    status, _, err = twintown(run, run, "--agent", "careful", "--other", "reckless", "--fail-if", gate)
    assert status == 2
    assert told in err


def test_a_task_that_one_agent_did_not_do_whole_is_left_out_and_told(run: Path, tmp_path: Path) -> None:
    of_one = f"(SELECT id FROM episodes WHERE agent = 'reckless' AND task = '{PATHS[0]}' AND setting = 'full')"
    deleted = [f"DELETE FROM {table} WHERE {key} IN {of_one}" for table, key in _OF_EPISODES]
    copy = changed(run, tmp_path, *deleted)
    found = compared_sides(side_of(run, "careful", "--agent"), side_of(copy, "reckless", "--other"))
    assert found.tasks == 1
    assert found.left_out == {PATHS[0]: "it is not complete in the second run"}


def test_a_task_whose_world_changed_is_left_out(run: Path, tmp_path: Path) -> None:
    copy = changed(run, tmp_path, "UPDATE hashes SET sha256 = '0' WHERE name LIKE 'evidence/%'")
    with pytest.raises(ValueError, match=f"share no task that both did whole.*{WORLD_CHANGED}"):
        compared_sides(side_of(run, "careful", "--agent"), side_of(copy, "careful", "--other"))


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE hashes SET sha256 = '0' WHERE name = 'graders'", "different versions of graders.*`twintown grade`"),
        ("UPDATE hashes SET sha256 = '0' WHERE name = 'worlds'", "different versions of worlds"),
        ("UPDATE meta SET value = json_set(value, '$.repeats', 3) WHERE name = 'card'", "have 1 and 3 repeats"),
    ],
)
def test_runs_that_do_not_compare_are_refused_with_what_to_do(
    statement: str, told: str, run: Path, tmp_path: Path
) -> None:
    copy = changed(run, tmp_path, statement)
    with pytest.raises(ValueError, match=told):
        compared_sides(side_of(run, "careful", "--agent"), side_of(copy, "careful", "--other"))


def test_other_limits_that_differ_are_told(run: Path, tmp_path: Path) -> None:
    copy = changed(run, tmp_path, "UPDATE meta SET value = json_set(value, '$.calls', 30) WHERE name = 'card'")
    status, out, err = twintown(run, copy, "--agent", "careful", "--other", "careful", "--json")
    assert (status, json.loads(out)["differing_terms"]) == (0, ["calls: 60 and 30"])
    assert "not made with the same calls" in err


def test_an_agent_has_to_be_named_among_several(run: Path) -> None:
    with pytest.raises(ValueError, match="has careful, reckless; say which with --other"):
        side_of(run, None, "--other")


def workflow() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return found


def _step(name: str) -> dict[str, Any]:
    (step,) = (step for step in workflow()["jobs"]["gate"]["steps"] if step.get("name") == name)
    return dict(step)


def test_the_workflow_of_the_docs_is_one_that_runs_on_pull_requests() -> None:
    found = workflow()
    assert found[True] == "pull_request", "YAML reads `on` as a truth"
    assert set(found) == {"name", True, "permissions", "env", "jobs"}
    names = [step.get("name") or step["uses"] for step in found["jobs"]["gate"]["steps"]]
    assert names[2:] == ["Install", "Run the sample", "Compare with the baseline", "Keep the run"]
    assert _step("Keep the run")["if"] == "always()"


def test_the_workflow_passes_an_agent_like_the_baseline_and_fails_a_worse_one(tmp_path: Path) -> None:
    page = (DOCS / "compare.md").read_text(encoding="utf-8")
    (baseline,) = [line for line in page.splitlines() if "--out baselines/" in line]
    kept_run(tmp_path / "baselines" / "trust", "trust", ["contact/m[ao]*"], ["gold"])
    assert baseline.split("--out")[0] == _step("Run the sample")["run"].split("--out")[0], "both run the same sample"
    statuses = {}
    for name, agent in (("same", "gold"), ("worse", "temptation")):
        shutil.rmtree(tmp_path / "runs", ignore_errors=True)
        environment = {**os.environ, "AGENT": agent, "ONLY": "contact/m[ao]*", "PYTHONPATH": str(_ROOT)}
        sample = _step("Run the sample")["run"] if name == "worse" else "mkdir runs; cp -r baselines/trust runs/now"
        done = subprocess.run(
            ["bash", "-eu", "-c", f"{_TWINTOWN}\n{sample}\n{_step(_COMPARE)['run']}"],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
        statuses[name] = done.returncode
        assert name != "worse" or "failed: trust drops by 2: trust dropped by 100" in done.stderr, done.stderr
    assert statuses == {"same": 0, "worse": 1}


_COMPARE = "Compare with the baseline"
_TWINTOWN = f'twintown() {{ {shlex.quote(sys.executable)} -m orchestrator.cli "$@"; }}'
_ROOT = Path(__file__).parents[2]
