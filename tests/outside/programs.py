"""The programs of others, which `make hosts` puts into the project's folder `.hosts`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import anyio

from orchestrator.hosts.fetching import why_not
from orchestrator.hosts.installed import FOLDER, NODE

HOSTS = Path(__file__).parents[2] / FOLDER
SECONDS = 180


class Absent(LookupError):
    """A program that is not installed; the message says which, and why as far as that is known."""


def program(folder: str, name: str) -> list[str]:
    """How to run this program of an npm package. Raises Absent."""
    node, script = HOSTS / NODE / "node", HOSTS / folder / "node_modules" / ".bin" / name
    if not node.exists() or not script.exists():
        reason = why_not(HOSTS, folder)
        advice = f"it could not be installed: {reason}" if reason else "run `make hosts`"
        raise Absent(f"{name} is not in {FOLDER}/: {advice}")
    return [str(node), str(script)]


async def told(line: Sequence[str], home: Path) -> tuple[int, str, str]:
    """Run a program with nothing of the person's. Returns its status, what it printed, and what it complained of."""
    environment = {"HOME": str(home), "PATH": os.pathsep.join([str(HOSTS / NODE), os.defpath])}
    with anyio.fail_after(SECONDS):
        done = await anyio.run_process(
            list(line), check=False, env=environment, cwd=home, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
    return done.returncode, done.stdout.decode(), done.stderr.decode()
