"""One process of a host: started under a watch that ends all that it leaves, its output read within bounds."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

import orchestrator

MOST_PRINTED = 16_000_000
"""Bytes of standard output that are read; a host that prints more cannot be read."""
MOST_COMPLAINED = 20_000
"""Of standard error, the last so many bytes are kept."""
SECONDS_TO_END = 10.0
"""So long the watch may take to end what a host left."""

_BOOT = "import sys; sys.path.insert(0, sys.argv.pop(1)); from orchestrator.hosts.watch import watch; "
_WATCH = _BOOT + "watch(int(sys.argv[1]), *sys.argv[2:])"
_STOP = b"."
_ROOT = str(Path(orchestrator.__file__).parents[1])

READABLE = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/nix", "/sys")
"""Of the system, what every confined host may read."""
_OF_PROC = ("cpuinfo", "meminfo", "stat", "version", "loadavg", "uptime", "filesystems", "sys")
DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "fd"))


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one episode's host, which nobody else uses."""

    root: Path

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def tmp(self) -> Path:
        return self.root / "tmp"


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders outside its place that a host can read, or also write."""

    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()


@asynccontextmanager
async def new_place() -> AsyncIterator[Place]:
    """Fresh folders with a name that cannot be guessed, which only their owner can enter; gone afterwards."""
    root = Path(tempfile.mkdtemp())
    try:
        place = Place(root)
        for folder in (place.home, place.work, place.tmp):
            folder.mkdir(mode=0o700)
        yield place
    finally:
        if sys.platform != "linux":  # where a watch finds only its host's group
            end_leftovers(root / "home")
        _remove(root)


def _remove(root: Path) -> None:
    """Remove a folder, also what its files' modes protect."""
    for folder, names, _ in os.walk(root):
        for name in names:
            if not os.path.islink(path := os.path.join(folder, name)):
                os.chmod(path, 0o700)
    shutil.rmtree(root, ignore_errors=True)


def end_leftovers(home: Path) -> None:
    """Kill every process whose environment has this HOME: what is left if the watch itself was killed."""
    for process in psutil.process_iter():
        try:
            if process.environ().get("HOME") == str(home):
                process.kill()
        except (psutil.Error, OSError):
            continue


@dataclass(frozen=True, slots=True)
class Ended:
    """How a host's process ended. `status`: None if its watch was lost; negative for a signal. `seconds`: wall time."""

    status: int | None
    seconds: float
    printed: str
    complained: str
    too_long: bool


async def run_process(command: Sequence[str], environment: Mapping[str, str], place: Place, folders: Folders) -> Ended:
    """Run a host to its end. If this is cancelled, or this process dies, the host and all that it started is killed.

    It is confined to its place, to these folders and to the system's, where the system can do that.
    """
    told, telling = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", "-c", _WATCH, _ROOT, str(telling), str(place.root)),
            *_paths(folders),
            *command,
            env=dict(environment),
            cwd=place.work,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            pass_fds=(telling,),
            start_new_session=True,
        )
    except BaseException:
        os.close(told)
        raise
    finally:
        os.close(telling)
    assert process.stdin is not None  # as the other two, a pipe
    assert process.stdout is not None
    assert process.stderr is not None
    reading = asyncio.gather(_start_of(process.stdout), _end_of(process.stderr))
    try:
        await process.wait()
    finally:
        process.stdin.write(_STOP)  # if the host still runs, the watch ends it with all that it started
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), SECONDS_TO_END)
        except TimeoutError:
            process.kill()
            await process.wait()
        with os.fdopen(told, "rb") as reports:
            report = reports.readline().split()
        if len(report) != 2:
            end_leftovers(place.home)
        printed, complained = await reading
    return Ended(
        status=int(report[0]) if len(report) == 2 and report[0] != b"None" else None,
        seconds=float(report[1]) if len(report) == 2 else 0.0,
        printed=printed[:MOST_PRINTED].decode(errors="replace"),
        complained=complained.decode(errors="replace"),
        too_long=len(printed) > MOST_PRINTED,
    )


def _paths(folders: Folders) -> tuple[str, str]:
    readable = (*READABLE, *(f"/proc/{name}" for name in _OF_PROC), *folders.readable)
    return ":".join(map(str, readable)), ":".join(map(str, (*DEVICES, *folders.writable)))


async def _start_of(stream: asyncio.StreamReader) -> bytes:
    """What is read within the bound, and a byte more if there was more."""
    kept = bytearray()
    while chunk := await stream.read(65536):
        kept += chunk[: MOST_PRINTED + 1 - len(kept)]
    return bytes(kept)


async def _end_of(stream: asyncio.StreamReader) -> bytes:
    kept = b""
    while chunk := await stream.read(65536):
        kept = (kept + chunk)[-MOST_COMPLAINED:]
    return kept
