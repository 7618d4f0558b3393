"""Starts a host and ends all that it leaves running, whatever group or session that moved to.

Runs as a process of its own between a worker and a host. The worker holds the other end of its standard input: when
that closes, because the worker is done or dead, or when the host ends, all that the host started is killed. Each host
starts with this, so that only modules that load in no time are used.
"""

from __future__ import annotations

import ctypes
import os
import select
import sys
import time

from orchestrator.hosts.confinement import confine

_BECOME_REAPER = 36
"""prctl: orphaned descendants become children of this process."""
_KILL = 9
_PAUSE = 0.05
"""Seconds between looks at the host, where the system cannot tell of its end."""


def watch(report: int, place: str, readable: str, writable: str, *command: str) -> None:
    """Run the command to its end, or to the end of standard input; then end this process.

    `place`: the host's folders, which are removed if the worker is dead. `readable`, `writable`: paths joined by `:`
    that it is confined to besides. On the descriptor `report` comes the host's status (negative for a signal, `None` if
    it was stopped) and its seconds of wall time.
    """
    linux = sys.platform == "linux"
    if linux:
        ctypes.CDLL(None).prctl(_BECOME_REAPER, 1, 0, 0, 0)
    start = time.monotonic()
    host = os.fork()
    if host == 0:
        _become(command, readable.split(":"), [*writable.split(":"), place])
    status, alone = _first_of_end_and_silence(host, linux)
    seconds = time.monotonic() - start
    _kill(-host)
    while linux and (left := _descendants()):
        for pid in left:
            _kill(pid)
    if alone:
        _remove(place)
    try:
        os.write(report, f"{status} {seconds:.6f}\n".encode())
    finally:  # at once, also if nobody listens any more
        os._exit(0)


def _become(command: tuple[str, ...], readable: list[str], writable: list[str]) -> None:
    """Become the host; does not return."""
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        confine(readable, writable)
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be started: {error}\n".encode())
    finally:
        os._exit(127)


def _first_of_end_and_silence(host: int, linux: bool) -> tuple[int | None, bool]:
    """The status of the host, or None if standard input ended before it did; and whether it ended without a word, as
    it does if the worker is dead."""
    ending = [os.pidfd_open(host)] if linux else []
    while True:
        ready, _, _ = select.select([0, *ending], [], [], None if ending else _PAUSE)
        if 0 in ready:
            return None, not os.read(0, 1)
        pid, status = os.waitpid(host, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status), False


def _descendants() -> set[int]:
    """All processes that come from this one, but for those that have ended already."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    state, parent = stat.read().rpartition(b")")[2].split()[:2]
            except OSError:
                continue
            if state not in (b"Z", b"X"):
                children.setdefault(int(parent), []).append(int(name))
    found: set[int] = set()
    todo = [os.getpid()]
    while todo:
        following = children.get(todo.pop(), [])
        found.update(following)
        todo += following
    return found


def _remove(place: str) -> None:
    import shutil  # loads slowly, and is seldom needed

    shutil.rmtree(place, ignore_errors=True)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, _KILL)
    except (ProcessLookupError, PermissionError):
        return
