"""`twintown report`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.progress import Progress
from orchestrator.reporting import write_report


def report(
    directories: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Directories of runs, of any suites.")],
    out: Annotated[
        Path | None, typer.Option(help="The file to write; for one run report.html in its directory if not given.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the file and all its numbers as one JSON object.")
    ] = False,
) -> None:
    """One HTML file with the pictures and the numbers behind them, that needs nothing else."""
    made = write_report(directories, out, Progress.on_stderr("runs read"), Progress.on_stderr("pictures"))
    if as_json:
        print(json.dumps({"report": str(made.file), **made.numbers}))
    else:
        print(f"{made.file}: {made.file.stat().st_size / 1e6:.1f} MB")
