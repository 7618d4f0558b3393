"""Entries in a person's file: merged into it with a backup beside it, and taken out again.

What was done is recorded under the person's state folder, one record for each file, so that it can be undone later.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from orchestrator.installing.format import Entries, missing_steps
from orchestrator.installing.hosts import HOSTS, Host


class InstallError(ValueError):
    """A file that cannot be edited; the message says which, why, and what to do. Nothing was changed."""


class Record(BaseModel):
    """What was done to one file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str
    file: Path
    backup: Path | None
    """The file as it was; None if there was none."""
    names: tuple[str, ...]
    made: int
    """So many steps of the path to the entries were missing."""
    before: str
    after: str
    """Hashes of the file's bytes, before (empty if there was none) and after."""


def install(host: Host, entries: Entries, file: Path, records: Path) -> Record:
    """Merge the entries into the host's file. All that was there stays. Raises InstallError."""
    file = file.resolve()
    record_file = _record_file(records, file)
    if record_file.exists():
        raise InstallError(f"{file}: a session is installed there; `twintown uninstall {host.name}` takes it out first")
    held = file.read_bytes() if file.exists() else None
    try:
        text = (held or b"").decode("utf-8")
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        made = missing_steps(host.format.read(text.removeprefix(mark)), host.path)
        new = (mark + host.format.added(text.removeprefix(mark), host.path, entries)).encode("utf-8")
    except ValueError as error:
        raise InstallError(
            f"{file}: {error}. Nothing was changed. Add the entries by hand as `twintown serve TASK "
            f"--host {host.name}` prints them, or name another file with --config"
        ) from None
    backup = _backup_beside(file, held) if held is not None else None
    record = Record(
        host=host.name,
        file=file,
        backup=backup,
        names=tuple(entries),
        made=made,
        before=_hash(held),
        after=_hash(new),
    )
    records.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(record_file, record.model_dump_json().encode("utf-8"))
    _write(file, new)
    return record


def uninstall(host: Host, file: Path, records: Path) -> str:
    """Take our entries out of the host's file. Exactly what was there if nobody changed it meanwhile.

    Returns what was done, in words. Raises InstallError if nothing of ours is known in it, or it cannot be taken out.
    """
    file = file.resolve()
    record_file = _record_file(records, file)
    record = _read_record(record_file, host, file)
    held = file.read_bytes() if file.exists() else None
    if held is None or _hash(held) == record.before:
        done = f"{file}: nothing of ours was left in it"
    elif _hash(held) == record.after:
        if record.backup is None:
            file.unlink()
            done = f"{file}: removed, as it was made for the session"
        else:
            _write(file, _backed_up(record))
            done = f"{file}: exactly as it was"
    else:
        _write(file, _taken_out(held, record))
        done = f"{file}: our entries are taken out; it was changed meanwhile, and that stays"
    if record.backup is not None:
        record.backup.unlink(missing_ok=True)
    record_file.unlink()
    return done


def _taken_out(held: bytes, record: Record) -> bytes:
    host = HOSTS[record.host]
    try:
        text = held.decode("utf-8")
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        return (mark + host.format.removed(text.removeprefix(mark), host.path, record.names, record.made)).encode()
    except ValueError as error:
        raise InstallError(
            f"{record.file}: {error}. Nothing was changed. Take out {', '.join(record.names)} under "
            f"{'.'.join(host.path)} by hand; how it was before: {record.backup or 'there was no file'}"
        ) from None


def _backed_up(record: Record) -> bytes:
    held = record.backup.read_bytes() if record.backup is not None and record.backup.exists() else b""
    if _hash(held) != record.before:
        raise InstallError(f"{record.backup}: the backup was changed or removed; take the entries out by hand")
    return held


def _read_record(record_file: Path, host: Host, file: Path) -> Record:
    try:
        record = Record.model_validate_json(record_file.read_bytes())
    except FileNotFoundError:
        raise InstallError(f"{file}: no session is installed there; with --config another file is named") from None
    except ValidationError as error:
        raise InstallError(f"{record_file}: not a record of an installation: {error}") from None
    if record.host != host.name:
        raise InstallError(f"{file}: what is installed there is for {record.host}, not for {host.name}")
    return record


def _record_file(records: Path, file: Path) -> Path:
    return records / f"{hashlib.sha256(str(file).encode()).hexdigest()[:16]}.json"


def _backup_beside(file: Path, held: bytes) -> Path:
    """Write the bytes to a new file beside this one, under a name that is free."""
    number = 0
    while True:
        backup = file.with_name(f"{file.name}.before-twintown{f'-{number}' if number else ''}")
        try:
            descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(held)
        return backup


def _write(file: Path, content: bytes) -> None:
    """Write a file in one step, with the rights that it had."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        if file.exists():
            os.chmod(temporary, file.stat().st_mode & 0o7777)
        os.replace(temporary, file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _hash(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()
