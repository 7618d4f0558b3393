"""`twintown turn`"""

from __future__ import annotations

import json
import sys
from typing import Annotated

import anyio
import typer

from orchestrator.sessions import sessions_root
from servers.session import SessionDirectory, end_file_turn
from worlds.town.task import TownWorld


def turn(
    session: Annotated[str, typer.Argument(help="The id of a session of the town.")],
    message: Annotated[str | None, typer.Argument(help="What your host said last; without it, standard input.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help='One JSON object; "message" is null at the end.')] = False,
) -> None:
    """End your host's turn with its last message, and print what the owner says to it."""
    directory = SessionDirectory(sessions_root(), session)
    if not isinstance(directory.world, TownWorld):
        raise typer.BadParameter(f"session {session} is none of the town: there an agent has one turn")
    said = sys.stdin.read() if message is None else message
    answer = anyio.run(end_file_turn, directory, said)
    if as_json:
        print(json.dumps({"message": answer}, ensure_ascii=False))
    else:
        print(answer or "(The owner has nothing more to say: the session is over.)")
