"""Runs as tables: a file each, as JSON lines or Parquet, in batches, however large the run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from orchestrator.exporting.rows import Row, call_row, episode_row, run_row, task_row, ungraded_rows
from orchestrator.exporting.schema import CALLS, EPISODES, RUNS, TABLES, TASKS, UNGRADED, Table
from orchestrator.extras import module_of
from orchestrator.progress import Progress
from orchestrator.runs import RunStore

AT_ONCE = 500
"""Rows held in memory of a table."""


class Sink(Protocol):
    """An open table, to which rows are added."""

    def write(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Add rows, each with every column of the table."""


Opening = Callable[[Path, Table], AbstractContextManager[Sink]]
"""Opens a table in a directory."""


def export_tables(runs: Mapping[str, RunStore], to: str, directory: Path, progress: Progress) -> None:
    """Write all tables of these runs, by name, into a directory. `to`: `jsonl` or `parquet`.

    Raises MissingExtra for Parquet without its library.
    """
    opening: Opening = module_of("orchestrator.exporting.parquet", "report").parquet if to == "parquet" else jsonl
    with ExitStack() as stack:
        into = {table.name: stack.enter_context(_batched(opening, directory, table)) for table in TABLES}
        for run, store in runs.items():
            suite = store.card.suite
            into[RUNS.name](run_row(run, store))
            for task in store.card.pairs:
                into[TASKS.name](task_row(run, suite, task))
            for row in ungraded_rows(run, store):
                into[UNGRADED.name](row)
            for number, agent, condition, episode, grade in store.episodes():
                into[EPISODES.name](episode_row(run, suite, number, agent, condition, episode, grade))
                for line in episode.journal:
                    into[CALLS.name](call_row(run, number, agent, condition, line))
                progress.ended()


@contextmanager
def _batched(opening: Opening, directory: Path, table: Table) -> Iterator[Callable[[Row], None]]:
    """A function that takes one row and writes when there are enough. Raises ValueError for a row that does not fit."""
    names = [column.name for column in table.columns]
    needed = {column.name for column in table.columns if column.always}
    waiting: list[Mapping[str, object]] = []
    with opening(directory, table) as sink:

        def add(row: Row) -> None:
            missing = {name for name in needed if row.get(name) is None}
            if missing or not row.keys() <= set(names):
                raise ValueError(
                    f"{table.name}: a row without {sorted(missing)}, with {sorted(row.keys() - set(names))}"
                )
            waiting.append({name: row.get(name) for name in names})
            if len(waiting) == AT_ONCE:
                flush()

        def flush() -> None:
            sink.write(waiting)
            waiting.clear()

        yield add
        flush()


@contextmanager
def jsonl(directory: Path, table: Table) -> Iterator[Sink]:
    """A table as JSON lines, one object a row with every column."""
    with (directory / f"{table.name}.jsonl").open("w", encoding="utf-8") as file:
        yield _Lines(file)


class _Lines:
    def __init__(self, file: _Text) -> None:
        self._file = file

    def write(self, rows: Iterable[Mapping[str, object]]) -> None:
        self._file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


class _Text(Protocol):
    def writelines(self, lines: Iterable[str], /) -> None: ...
