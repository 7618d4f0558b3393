"""`twintown report`: where the file goes, what is refused, and that it is whole or not there."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from graders.report import page as pages
from orchestrator.cli.report import report
from orchestrator.progress import Progress
from orchestrator.reporting import Made, ReportError, place_of, write_report
from orchestrator.results import results_of
from orchestrator.runs import RunError, opened
from tests.orchestrator.kept_runs import kept_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kept_run(tmp_path_factory.mktemp("kept") / "pay", "evidence", ("PR-58217",), ("careful", "reckless"))


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are not drawn: these tests are about the file."""
    monkeypatch.setattr(pages, "drawn", lambda panel, name, title: "<svg></svg>")


def made(*directories: Path, out: Path | None = None) -> Made:
    return write_report(directories, out, Progress.silent(), Progress.silent())


def test_the_report_of_one_run_stands_in_its_directory(run: Path, quiet: None) -> None:
    written = made(run)
    assert written.file == run / "report.html"
    assert written.file.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_its_numbers_are_those_of_the_results(run: Path, quiet: None) -> None:
    with opened(run) as store:
        wanted = results_of(store).as_json()
    assert made(run).numbers["runs"][0]["results"] == wanted  # type: ignore[index]


def test_it_says_what_the_run_was_made_with(run: Path, quiet: None) -> None:
    text = made(run).file.read_text(encoding="utf-8")
    with opened(run) as store:
        hashes, begun = store.hashes(), store.begun
    assert begun[:10] in text
    for told in ("PR-58217", "careful, reckless", "twintown 0.1.0", *hashes, *hashes.values()):
        assert told in text


def test_it_names_no_place_of_this_machine(run: Path, tmp_path: Path, quiet: None) -> None:
    other = tmp_path / "other"
    shutil.copytree(run, other)
    with sqlite3.connect(other / "run.sqlite") as database:
        database.execute("UPDATE hashes SET sha256 = 'another' WHERE name = 'graders'")
    database.close()
    text = made(run, other, out=tmp_path / "both.html").file.read_text(encoding="utf-8")
    assert "pay and other were made with different versions of graders" in text
    assert str(tmp_path) not in text
    assert str(run.parent) not in text


def test_the_same_agent_of_two_runs_is_told_apart(run: Path, tmp_path: Path, quiet: None) -> None:
    shutil.copytree(run, tmp_path / "again" / "pay")
    made_of_both = made(run, tmp_path / "again" / "pay", out=tmp_path / "both.html")
    assert [one["run"] for one in made_of_both.numbers["runs"]] == ["pay (1)", "pay (2)"]  # type: ignore[attr-defined]
    text = made_of_both.file.read_text(encoding="utf-8")
    assert "careful in pay (1)" in text
    assert "careful in pay (2)" in text


def test_a_condition_without_a_grade_is_told_of(run: Path, tmp_path: Path, quiet: None) -> None:
    shutil.copytree(run, tmp_path / "pay")
    with sqlite3.connect(tmp_path / "pay" / "run.sqlite") as database:
        (first,) = database.execute("SELECT id FROM episodes WHERE agent = 'careful'").fetchone()
        database.execute(
            "INSERT INTO failures (agent, task, twin, setting, hidden, repeat, reason) "
            "SELECT agent, task, twin, setting, hidden, repeat, 'the provider was down' FROM episodes WHERE id = ?",
            (first,),
        )
        for table, column in (("records", "episode"), ("outcomes", "episode"), ("episodes", "id")):
            database.execute(f"DELETE FROM {table} WHERE {column} = ?", (first,))
    database.close()
    told = made(tmp_path / "pay").numbers["runs"][0]  # type: ignore[index]
    assert told["ungraded"] == [{"agent": "careful", "reason": "the provider was down", "conditions": 1}]
    assert told["incomplete_tasks"] == {"careful": 1, "reckless": 0}


def test_several_runs_need_a_place(run: Path) -> None:
    with pytest.raises(ReportError, match="say where with --out"):
        place_of([run, run], None)


def test_what_is_no_report_of_ours_is_not_replaced(run: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("<p>mine</p>", encoding="utf-8")
    with pytest.raises(ReportError, match=r"mine\.html is there and is no report of twintown"):
        made(run, out=mine)
    assert mine.read_text(encoding="utf-8") == "<p>mine</p>"


def test_a_directory_is_no_place_for_it(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="is a directory"):
        place_of([run], tmp_path)


def test_a_report_is_replaced_by_the_next(run: Path, tmp_path: Path, quiet: None) -> None:
    out = tmp_path / "new" / "r.html"
    made(run, out=out)
    before = out.read_bytes()
    made(run, out=out)
    assert out.read_bytes() == before


def test_a_report_that_is_stopped_leaves_the_old_one_and_nothing_else(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: None
) -> None:
    out = tmp_path / "r.html"
    made(run, out=out)
    before = out.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        made(run, out=out)
    assert out.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["r.html"]


def test_a_directory_without_a_run_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"):
        made(tmp_path, out=tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


def test_the_command_prints_the_file_and_its_numbers(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], quiet: None
) -> None:
    report([run], tmp_path / "r.html", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["report"] == str(tmp_path / "r.html")
    assert told["runs"][0]["results"]["suite"] == "evidence"
