"""Every number of the results and of the report comes back from the exported Parquet, by the scripts in the docs."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from orchestrator.results import results_of
from orchestrator.runs import FILE, Failure, opened
from tests.orchestrator.kept_runs import kept_run
from worlds.episode import Usage

ROOT = Path(__file__).parent.parent.parent
RECOMPUTE, HEADLINES = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs" / "export.md").read_text(encoding="utf-8"), flags=re.DOTALL
)


def done(*command: str, at: Path) -> str:
    """What a Python process prints. Warnings are errors in it, too."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, *command], cwd=at, env=environment, capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def lose_one_episode(run: Path) -> None:
    """As if one condition had failed, so that its task is not complete."""
    with opened(run) as store:
        number, agent, condition, _, _ = next(store.episodes())
        store.fail(Failure(agent, condition, "the provider was away"))
    with closing(sqlite3.connect(run / FILE)) as database, database:
        for table in ("records", "outcomes"):
            database.execute(f"DELETE FROM {table} WHERE episode = ?", (number,))
        database.execute("DELETE FROM episodes WHERE id = ?", (number,))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with three runs, their export and the scripts of the docs."""
    root = tmp_path_factory.mktemp("numbers")
    told = Usage(requests=2, input_tokens=100, output_tokens=7)
    kept_run(root / "pay", "evidence", ("PR-58217", "PR-44908"), ("optimist", "auditor"))
    kept_run(root / "contact", "trust", ("contact/m*",), ("gold", "temptation"), 2, told)
    kept_run(root / "shop", "errands", ("shopping/*",), ("gold", "idle"))
    lose_one_episode(root / "contact")
    (root / "recompute.py").write_text(RECOMPUTE, encoding="utf-8")
    (root / "headlines.py").write_text(HEADLINES, encoding="utf-8")
    said = done(
        "-m", "orchestrator.cli", "export", "pay", "contact", "shop", "--to", "parquet", "--out", "export", at=root
    )
    assert said.endswith("episodes in export\n")
    return root


@pytest.fixture(scope="module")
def recomputed(place: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done("recompute.py", "export", at=place))
    return found


def test_the_scripts_are_of_ten_lines() -> None:
    for script in (RECOMPUTE, HEADLINES):
        assert sum(bool(line.strip()) for line in script.splitlines()) <= 12  # ten and the docstring's


def test_every_number_of_the_results_comes_back(place: Path, recomputed: dict[str, Any]) -> None:
    assert [run["run"] for run in recomputed["runs"]] == ["pay", "contact", "shop"]
    for run in recomputed["runs"]:
        with opened(place / run["run"]) as store:
            assert run["results"] == json.loads(json.dumps(results_of(store).as_json()))


def test_every_number_of_the_report_comes_back(place: Path, recomputed: dict[str, Any]) -> None:
    done("-m", "orchestrator.cli", "report", "pay", "contact", "shop", "--out", "report.html", at=place)
    embedded = re.search(
        r'<script type="application/json" id="numbers">(.*?)</script>',
        (place / "report.html").read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    assert embedded is not None
    assert recomputed["runs"][1]["incomplete_tasks"]["gold"] == 1
    assert recomputed["comparisons"]
    assert json.loads(embedded[1]) == recomputed


def test_two_headlines_come_back_by_grouping_alone(place: Path, recomputed: dict[str, Any]) -> None:
    lines = [line.split() for line in done("headlines.py", "export", at=place).splitlines()]
    wanted = {
        (agent, measure): recomputed["runs"][0]["results"]["agents"][agent]["metrics"][measure]["value"]
        for agent in ("optimist", "auditor")
        for measure in ("full_sws", "full_ucr")
    }
    assert {(agent, measure): float(value) for agent, measure, value in lines} == wanted
