"""One export from its runs to its directory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from orchestrator.exporting.destination import MARK, ExportError, written_whole
from orchestrator.exporting.schema import schema_json
from orchestrator.exporting.tables import export_tables
from orchestrator.exporting.traces import export_traces
from orchestrator.extras import module_of
from orchestrator.hashes import hashes_of
from orchestrator.progress import Progress
from orchestrator.runs import RunStore, opened

Writing = Callable[[Mapping[str, RunStore], Path, Progress], None]
"""Writes runs, by name, into an empty directory."""

TABULAR = ("jsonl", "parquet")


def export_runs(directories: Sequence[Path], to: str, out: Path, force: bool, progress: Progress) -> int:
    """Export runs to a new directory `out` and say how many episodes.

    `to`: `jsonl`, `parquet`, `inspect` or `otel`. Raises RunError for a run that cannot be used or whose worlds are not
    those of this installation, ExportError for a place or names that cannot be used, and MissingExtra.
    """
    write = _writing(to)
    with opened_by_name(directories) as runs, written_whole(out, force) as unfinished, progress:
        total = sum(store.count() for store in runs.values())
        progress.start(0, total)
        write(runs, unfinished, progress)
        kept = {"format": to, **(schema_json() if to in TABULAR else {})}
        (unfinished / MARK).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return total


def _writing(to: str) -> Writing:
    if to == "inspect":
        writing: Writing = module_of("orchestrator.exporting.inspect_logs", "inspect").export_inspect
        return writing
    if to == "otel":
        return export_traces
    return lambda runs, directory, progress: export_tables(runs, to, directory, progress)


@contextmanager
def opened_by_name(directories: Sequence[Path]) -> Iterator[dict[str, RunStore]]:
    """Open runs, each by the name of its directory. Raises RunError, and ExportError if two have the same name."""
    with ExitStack() as stack:
        runs: dict[str, RunStore] = {}
        for directory in directories:
            name = directory.resolve().name
            if name in runs:
                raise ExportError(f"two of the runs are named {name!r}; export them apart, or rename one")
            store = stack.enter_context(opened(directory))
            store.require_same(hashes_of(store.card), but=("graders",))
            runs[name] = store
        yield runs
