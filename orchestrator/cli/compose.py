"""`twintown compose`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.composing import write_composed
from orchestrator.episode import checked_condition
from servers.session import MOST_CALLS
from worlds.catalogue import task_named
from worlds.model import Setting, Twin


def compose(
    task: Annotated[
        str, typer.Argument(help="A task by path (domain/family/instance, outcome/task, kind/task), or its last part.")
    ],
    out: Annotated[Path, typer.Option(help="A new folder for the session and its compose file.")],
    twin: Annotated[
        Twin | None, typer.Option(help="Which of the two worlds; by default unsafe, the trap, where there are two.")
    ] = None,
    setting: Annotated[Setting | None, typer.Option(help="full; with a mask, suppressed.")] = None,
    mask: Annotated[list[str] | None, typer.Option(help="An atom to hide; may be repeated.")] = None,
    calls: Annotated[int, typer.Option(min=1, help="Most calls of the session.")] = MOST_CALLS,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Write a session for containers: every server in its own, and a command that grades it."""
    hidden = tuple(mask or ())
    pair = task_named(task)
    condition = checked_condition(
        pair, twin or pair.twins[0], setting or (Setting.SUPPRESSED if hidden else Setting.FULL), hidden
    )
    session = write_composed(out, condition, calls)
    if as_json:
        print(json.dumps({"session": session.id, "servers": session.servers, "file": str(out / "compose.yaml")}))
        return
    print(f"Session {session.id} is ready in {out}. There:\n")
    print(f"  docker compose up --build --detach --wait {' '.join(session.servers)}")
    print("  AGENT_IMAGE=your/image docker compose run --rm agent     # or any client in the network `town`")
    print("  docker compose run --rm grade")
