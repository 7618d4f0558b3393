"""Confines a process to the folders that it needs, with Landlock, where the kernel of Linux offers it.

What is confined, and all that it starts, can neither read nor list any other folder, look into or signal a process
outside, nor get out again; not even as root. Only the standard library, because each host starts with it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""Numbers of the three system calls, the same on every architecture (landlock_create_ruleset(2) and following)."""

_ASK_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_READ = _EXECUTE | _READ_FILE | _READ_FOLDER
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE
_TRUNCATE, _DEVICE = 1 << 14, 1 << 15
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
"""The rights over files that a version knows; from 5 on there is one more, ioctl on devices."""
_EVERY_RIGHT = (1 << 16) - 1
_SCOPED = 0b11
"""From version 6: no abstract sockets and no signals to processes outside."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The version of Landlock that this kernel offers; 0 for none."""
    try:
        return max(0, _call(_CREATE, None, 0, _ASK_VERSION))
    except (OSError, AttributeError):
        return 0


def confine(readable: Iterable[str], writable: Iterable[str]) -> bool:
    """Confine this process to these files and folders, with what is beneath. False where it cannot be done.

    A path that does not exist is left out. Raises OSError if it can be done but fails.
    """
    known = version()
    if not known:
        return False
    rights = _RIGHTS.get(known, _EVERY_RIGHT)
    rules = _Ruleset(rights, 0, _SCOPED if known >= 6 else 0)
    size = ctypes.sizeof(rules) if known >= 6 else 16 if known >= 4 else 8
    ruleset = _call(_CREATE, ctypes.byref(rules), size, 0)
    try:
        for paths, allowed in ((readable, _READ), (writable, rights)):
            for path in paths:
                _allow(ruleset, path, allowed & rights)
        if ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl failed")
        _call(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)
    return True


def _allow(ruleset: int, path: str, allowed: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            allowed &= _OF_FILES | _TRUNCATE | _DEVICE
        _call(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(_Beneath(allowed, opened)), 0)
    finally:
        os.close(opened)


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    given = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    found = int(libc.syscall(ctypes.c_long(number), *given))
    if found < 0:
        raise OSError(ctypes.get_errno(), f"system call {number} failed")
    return found
