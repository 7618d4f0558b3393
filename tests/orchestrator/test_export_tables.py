"""Runs as tables: the schema is kept, nothing unknown becomes a number, and no export is broken or lost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from orchestrator.exporting import tables
from orchestrator.exporting.destination import ExportError
from orchestrator.exporting.export import export_runs
from orchestrator.exporting.recomputed import results_of_tables
from orchestrator.exporting.schema import CALLS, EPISODES, SCHEMA_VERSION, TABLES, Column, Kind, schema_json
from orchestrator.progress import Progress
from orchestrator.results import results_of
from orchestrator.runs import Failure, RunError, opened
from tests.orchestrator.kept_runs import kept_run
from worlds.episode import Condition, Usage
from worlds.model import Setting, Twin

Rows = dict[str, list[dict[str, Any]]]

FITS: dict[Kind, Callable[[Any], bool]] = {
    Kind.TEXT: lambda value: isinstance(value, str),
    Kind.JSON: lambda value: isinstance(value, str) and json.loads(value) is not NotImplemented,
    Kind.WHOLE: lambda value: type(value) is int,
    Kind.NUMBER: lambda value: isinstance(value, float),
    Kind.TRUTH: lambda value: isinstance(value, bool),
    Kind.TEXTS: lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    Kind.WHOLES: lambda value: isinstance(value, list) and all(type(item) is int for item in value),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("runs")
    told = Usage(requests=3, input_tokens=200, output_tokens=10)
    return [
        kept_run(root / "pay", "evidence", ("PR-58217",), ("careful", "reckless")),
        kept_run(root / "movers", "trust", ("contact/movers_certificate",), ("gold", "temptation"), 2, told),
        kept_run(root / "shop", "errands", ("shopping/*",), ("gold", "idle")),
    ]


def exported(runs: list[Path], to: str, out: Path, force: bool = False) -> Path:
    export_runs(runs, to, out, force, Progress.silent())
    return out


def lines_in(directory: Path) -> Rows:
    return {
        table.name: [json.loads(line) for line in (directory / f"{table.name}.jsonl").read_text("utf-8").splitlines()]
        for table in TABLES
    }


def parquet_in(directory: Path) -> Rows:
    return {table.name: pq.read_table(directory / f"{table.name}.parquet").to_pylist() for table in TABLES}


def test_every_row_has_every_column_with_a_value_of_its_type_or_null_where_that_is_allowed(
    runs: list[Path], tmp_path: Path
) -> None:
    found = lines_in(exported(runs, "jsonl", tmp_path / "out"))
    for table in TABLES:
        for row in found[table.name]:
            assert list(row) == [column.name for column in table.columns]
            for column in table.columns:
                assert fits(row[column.name], column), f"{table.name}.{column.name}: {row[column.name]!r}"
    assert all(found[table.name] for table in TABLES if table.name != "ungraded")


def fits(value: object, column: Column) -> bool:
    return not column.always if value is None else FITS[column.kind](value)


def test_json_lines_and_parquet_hold_the_same_rows(runs: list[Path], tmp_path: Path) -> None:
    assert lines_in(exported(runs, "jsonl", tmp_path / "a")) == parquet_in(exported(runs, "parquet", tmp_path / "b"))


def test_a_file_says_which_version_of_the_schema_it_has_and_so_does_every_run(runs: list[Path], tmp_path: Path) -> None:
    out = exported(runs, "parquet", tmp_path / "out")
    for table in TABLES:
        metadata = pq.read_schema(out / f"{table.name}.parquet").metadata
        assert metadata[b"twintown.schema_version"] == str(SCHEMA_VERSION).encode()
    assert json.loads((out / "export.json").read_text("utf-8")) == {"format": "parquet", **schema_json()}
    assert {row["schema_version"] for row in parquet_in(out)["runs"]} == {SCHEMA_VERSION}


def test_a_name_in_the_schema_stands_once_a_table_and_the_version_is_that_of_these_columns() -> None:
    for table in TABLES:
        names = [column.name for column in table.columns]
        assert len(names) == len(set(names))
    columns = [(table.name, column.name, column.kind, column.always) for table in TABLES for column in table.columns]
    digest = hashlib.sha256(json.dumps(columns).encode()).hexdigest()[:12]
    # Other columns are another schema: raise SCHEMA_VERSION with them, and say so in the changelog.
    assert (SCHEMA_VERSION, digest) == (1, "65ea5be60dae")


def test_the_journal_of_every_episode_stands_in_calls_line_by_line(runs: list[Path], tmp_path: Path) -> None:
    calls = lines_in(exported(runs, "jsonl", tmp_path / "out"))[CALLS.name]
    for directory in runs:
        with opened(directory) as store:
            for number, agent, condition, episode, _ in store.episodes():
                mine = [row for row in calls if (row["run"], row["episode"]) == (directory.name, number)]
                assert [row["seq"] for row in mine] == [line.seq for line in episode.journal]
                assert [json.loads(row["shown"]) for row in mine] == [line.shown for line in episode.journal]
                assert [json.loads(row["arguments"]) for row in mine] == [line.arguments for line in episode.journal]
                assert {(row["agent"], row["task"], row["twin"]) for row in mine} <= {
                    (agent, condition.task, condition.twin)
                }


def test_unknown_usage_is_null_and_known_usage_is_as_it_was_told(runs: list[Path], tmp_path: Path) -> None:
    episodes = lines_in(exported(runs, "jsonl", tmp_path / "out"))[EPISODES.name]
    told = {(row["suite"], row["requests"], row["input_tokens"], row["output_tokens"]) for row in episodes}
    assert told == {("evidence", None, None, None), ("trust", 3, 200, 10), ("errands", None, None, None)}


@pytest.mark.parametrize("to", ["jsonl", "parquet"])
def test_the_results_come_back_from_the_tables_as_the_run_gives_them(runs: list[Path], tmp_path: Path, to: str) -> None:
    out = exported(runs, to, tmp_path / "out")
    rows = lines_in(out) if to == "jsonl" else parquet_in(out)
    found = results_of_tables(rows["runs"], rows["tasks"], rows["episodes"])
    assert list(found) == ["pay", "movers", "shop"]
    for directory in runs:
        with opened(directory) as store:
            assert found[directory.name].as_json() == results_of(store).as_json()


def test_an_open_verdict_is_null_and_the_word_for_it_is_no_pass(
    runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tables.episode_row

    def with_open_goals(*given: Any) -> Any:
        *rest, grade = given
        return real(*rest, grade.model_copy(update={"goals_met": None, "any_violation": False, "safe_outcome": None}))

    monkeypatch.setattr(tables, "episode_row", with_open_goals)
    episodes = lines_in(exported(runs[1:2], "jsonl", tmp_path / "out"))[EPISODES.name]
    assert {(row["verdict"], row["goals_met"], row["safe_outcome"]) for row in episodes} == {
        ("inconclusive", None, None)
    }


def test_what_has_no_grade_stands_in_a_table_of_its_own(tmp_path: Path) -> None:
    run = kept_run(tmp_path / "run", "errands", ("shopping/*",), ())
    condition = Condition("shopping/x", Twin.SAFE, Setting.FULL)
    with opened(run) as store:
        store.fail(Failure("model:a/b", condition, "the provider was away"))
    found = lines_in(exported([run], "jsonl", tmp_path / "out"))
    assert found["episodes"] == []
    assert found["runs"][0]["ungraded"] == 1
    assert [(row["agent"], row["task"], row["reason"]) for row in found["ungraded"]] == [
        ("model:a/b", "shopping/x", "the provider was away")
    ]


def test_how_many_rows_are_held_at_once_changes_nothing(
    runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = parquet_in(exported(runs, "parquet", tmp_path / "whole"))
    monkeypatch.setattr(tables, "AT_ONCE", 7)
    out = exported(runs, "parquet", tmp_path / "sevens")
    assert parquet_in(out) == whole
    groups = pq.ParquetFile(out / "episodes.parquet").metadata
    assert {groups.row_group(number).num_rows for number in range(groups.num_row_groups - 1)} == {7}


def test_what_is_there_is_not_replaced_unless_it_is_an_export_and_that_is_asked_for(
    runs: list[Path], tmp_path: Path
) -> None:
    out = exported(runs[:1], "jsonl", tmp_path / "out")
    with pytest.raises(ExportError, match="is there already"):
        exported(runs[:1], "parquet", out)
    assert (out / "episodes.jsonl").exists()
    exported(runs[:1], "parquet", out, force=True)
    assert not (out / "episodes.jsonl").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "diary.txt").write_text("dear diary")
    with pytest.raises(ExportError, match="is no export"):
        exported(runs[:1], "jsonl", mine, force=True)
    assert [file.name for file in mine.iterdir()] == ["diary.txt"]


class Interrupted(Progress):
    """Stops after some episodes."""

    def ended(self, count: int = 1) -> None:
        super().ended(count)
        if self._done == 3:
            raise KeyboardInterrupt


@pytest.mark.parametrize("to", ["jsonl", "parquet", "otel"])
def test_an_export_that_is_broken_off_leaves_nothing_and_what_was_there_before(
    runs: list[Path], tmp_path: Path, to: str
) -> None:
    out = tmp_path / "place" / "out"
    with pytest.raises(KeyboardInterrupt):
        export_runs(runs, to, out, False, Interrupted("", None))
    assert list(out.parent.iterdir()) == []
    before = lines_in(exported(runs[:1], "jsonl", out))
    with pytest.raises(KeyboardInterrupt):
        export_runs(runs, to, out, True, Interrupted("", None))
    assert lines_in(out) == before
    assert list(out.parent.iterdir()) == [out]


def test_two_runs_of_one_name_are_one_clear_error(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="two of the runs are named 'pay'"):
        exported([runs[0], runs[0]], "jsonl", tmp_path / "out")


def test_a_run_of_other_worlds_is_not_exported_with_the_facts_of_these(
    runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestrator.exporting.export.hashes_of", lambda card: {"worlds": "another"})
    with pytest.raises(RunError, match="was made with other versions of"):
        exported(runs[:1], "jsonl", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(autouse=True)
def nothing_is_left_beside_an_export(tmp_path: Path) -> Iterator[None]:
    yield
    assert [path for path in tmp_path.rglob(".*") if path.is_dir()] == []
