"""A host that looks for whatever could tell it more than it should know, and says all that it finds."""

from __future__ import annotations

import contextlib
import glob
import itertools
import json
import os
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from fake_host import Server

MOST_READ = 20_000
MOST_FILES = 300


def main(addresses: dict[str, str], project: str, run: str) -> None:
    """Print what was found, by where it was found."""
    servers = {name: Server(address) for name, address in addresses.items()}
    found = {
        "tools": [server.tools() for server in servers.values()],
        "prompts": [
            asked(server, method) for server in servers.values() for method in ("prompts/list", "resources/list")
        ],
        "environment": dict(os.environ),
        "arguments": sys.argv[:-2],
        "processes": dict(processes()),
        "folders": {
            folder: listed(folder) for folder in ("/tmp", "..", "../..", str(Path.home().parent.parent), run, project)
        },
        "files": dict(files("..", run, project)),
        "signalled": signalled(),
        "gateway": dict(guesses(addresses)),
    }
    print(json.dumps({"message": json.dumps(found), "session": "mine"}))


def asked(server: Server, method: str) -> str:
    try:
        return json.dumps(server.ask(method))
    except (urllib.error.URLError, KeyError) as error:
        return repr(error)


def processes() -> Iterator[tuple[str, str]]:
    """The arguments, environments and open files of all processes."""
    for place in itertools.chain(glob.glob("/proc/[0-9]*"), (f"/proc/{os.getppid()}", "/proc/self")):
        for name in ("cmdline", "environ", "maps"):
            with contextlib.suppress(OSError):
                yield f"{place}/{name}", Path(place, name).read_bytes()[:MOST_READ].decode(errors="replace")
        for name in ("cwd", "exe", "root"):
            with contextlib.suppress(OSError):
                yield f"{place}/{name}", os.readlink(f"{place}/{name}")


def listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def files(*folders: str) -> Iterator[tuple[str, str]]:
    """What stands in the files of these folders."""
    for folder in folders:
        for path in itertools.islice(Path(folder).rglob("*"), MOST_FILES):
            with contextlib.suppress(OSError):
                if path.is_file():
                    yield str(path), path.read_bytes()[:MOST_READ].decode(errors="replace")


def signalled() -> list[int]:
    """The processes above that could be reached by a signal."""
    reached = []
    for pid in (os.getppid(), os.getppid() - 1, 1):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGCONT)
            reached.append(pid)
    return reached


def guesses(addresses: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What other addresses on the gateway answer."""
    for address in addresses.values():
        parts = address.split("/")
        base, prefix = "/".join(parts[:3]), parts[3]
        other = prefix[:-1] + ("0" if prefix[-1] != "0" else "1")
        for path in (
            "",
            "/",
            f"/{prefix}",
            f"/{prefix}/",
            f"/{prefix}/audit/mcp",
            f"/{other}/{parts[4]}/mcp",
            "/health",
            "/sessions",
            "/session.json",
            f"/{prefix}/../",
            f"/{prefix}/{parts[4]}",
            "/docs",
            "/openapi.json",
            "/admin",
            "/journal",
        ):
            with contextlib.suppress(OSError):
                try:
                    with urllib.request.urlopen(base + path, timeout=10) as answer:
                        yield path, answer.read().decode()
                except urllib.error.HTTPError as error:
                    yield path, error.read().decode()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2], sys.argv[3])
