"""`twintown export`"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.exporting.export import export_runs
from orchestrator.exporting.traces import TRACES, send_traces
from orchestrator.progress import Progress


class To(StrEnum):
    """What to export to."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    INSPECT = "inspect"
    OTEL = "otel"


def export(
    directories: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Directories of runs.")],
    to: Annotated[To, typer.Option(help="Tables (jsonl, parquet), Inspect logs, or OpenTelemetry traces.")],
    out: Annotated[Path, typer.Option(help="The directory to make.")],
    force: Annotated[bool, typer.Option("--force", help="Replace an export that is there.")] = False,
    endpoint: Annotated[
        str | None, typer.Option(help="Traces: also send them to this OTLP/HTTP address that takes JSON.")
    ] = None,
) -> None:
    """Runs as files for other programs, in a directory of their own."""
    if endpoint and to is not To.OTEL:
        raise typer.BadParameter(f"--endpoint takes traces: use it with --to otel, not --to {to}")
    done = export_runs(directories, to.value, out, force, Progress.on_stderr("episodes"))
    print(f"{done} episodes in {out}")
    if endpoint:
        with Progress.on_stderr("episodes sent") as sending:
            sending.start(0, done)
            send_traces(out / TRACES, endpoint, sending)
        print(f"{done} episodes sent to {endpoint}")
