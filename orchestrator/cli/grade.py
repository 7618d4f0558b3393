"""`twintown grade`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import anyio
import typer

from orchestrator.extras import module_of
from orchestrator.progress import Progress
from orchestrator.regrading import regrade_run
from orchestrator.serving import graded_session, print_session
from orchestrator.sessions import sessions_root
from servers.session import SessionDirectory


def grade(
    what: Annotated[str, typer.Argument(help="A session's id, or a run's directory.")],
    reader: Annotated[
        list[str] | None,
        typer.Option(help="Runs of the town: a model that reads what is open, as PROVIDER:MODEL; of two families."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Grade a session, or every episode of a run again from what is stored."""
    if Path(what).is_dir():
        if reader:
            readers = module_of("orchestrator.readers", "models")
            readers.read_run(Path(what), readers.readers_named(reader), Progress.on_stderr("episodes"))
        graded, changed = regrade_run(Path(what), Progress.on_stderr("episodes"))
        print(json.dumps({"graded": graded, "changed": changed}) if as_json else f"{graded} graded, {changed} changed")
        return
    if reader:
        raise typer.BadParameter("--reader needs a run's directory")
    session = SessionDirectory(sessions_root(), what)
    episode, found = anyio.run(graded_session, session)
    if as_json:
        print(found.model_dump_json())
    else:
        print_session(session, episode, found)
