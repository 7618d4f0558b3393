"""A session for containers: every server in its own, an agent that reaches nothing else, and a command that grades.

`twintown compose` writes a folder with the session, what the agent may read, and the compose file. The file names the
session's opaque id and its servers. What is private stays in the session's files, which only the servers and the grader
mount.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from servers.session import SessionDirectory, create_session
from worlds.episode import Condition
from worlds.town.task import TownWorld

COMPOSE = Path(__file__).parents[1] / "compose"
"""The template and the image's recipe, in the project's folder."""
PORT = 8000
PATH = "/mcp"
OURS = frozenset({"seed", "agent", "turn", "grade"})
"""Services beside the servers."""


def write_composed(folder: Path, condition: Condition, calls: int) -> SessionDirectory:
    """Write a new session and its compose file into a folder that is new or empty.

    Raises FileExistsError for a folder that holds something, and FileNotFoundError without the project's folder.
    """
    if not (COMPOSE / "Dockerfile").exists():
        raise FileNotFoundError(
            f"{COMPOSE} is not there: containers are built from the project's folder, so run it there"
        )
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; name another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    session = create_session(folder / "sessions", condition, calls)
    project = Path(os.path.relpath(COMPOSE.parent, folder)).as_posix()
    servers = session.servers
    write_files(folder, composed(session.id, servers, isinstance(session.world, TownWorld), project))
    write_files(folder / "agent", for_agent(session.world.request, servers))
    return session


def composed(session: str, servers: tuple[str, ...], town: bool, project: str) -> dict[str, str]:
    """The compose file, by its name. `project`: the project's folder, from where the file lies."""
    taken = sorted(OURS & set(servers))
    if taken:
        raise ValueError(f"a server cannot have the name of the service {', '.join(taken)}")
    jinja = Environment(
        loader=FileSystemLoader(COMPOSE),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    text = jinja.get_template("compose.yaml.j2").render(
        session=session, servers=servers, town=town, project=project, port=PORT, path=PATH
    )
    return {"compose.yaml": text}


def for_agent(request: str, servers: tuple[str, ...]) -> dict[str, str]:
    """What the agent may read: the request, and the servers' addresses in the form that hosts know."""
    addresses = {name: {"type": "http", "url": f"http://{name}:{PORT}{PATH}"} for name in servers}
    return {
        "request.txt": request + "\n",
        "mcp.json": json.dumps({"mcpServers": addresses}, indent=2) + "\n",
    }


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write these texts by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
