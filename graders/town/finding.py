"""What a grader found: whether something holds, why, and the rows and lines that prove it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict

from worlds.episode import JournalLine
from worlds.town.row import Row


class Finding(BaseModel):
    """Whether a criterion holds (None: only a reader can tell), with its proof: rows by number, lines of the journal.

    `asks`: what a reader is to decide where `held` is None; `evidence`: what they are shown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    held: bool | None
    reason: str
    rows: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    asks: str = ""
    evidence: tuple[str, ...] = ()


def found(held: bool | None, reason: str, rows: Iterable[Row] = (), lines: Iterable[JournalLine] = ()) -> Finding:
    """A finding that these rows and lines prove."""
    rows = tuple(rows)
    seqs = {row.seq for row in rows if row.seq} | {line.seq for line in lines}
    return Finding(held=held, reason=reason, rows=tuple(sorted({row.n for row in rows})), lines=tuple(sorted(seqs)))


def counted(what: str, rows: Sequence[Row], exactly: int | None) -> Finding:
    """That there are so many of these rows; without a number, at least one."""
    held = bool(rows) if exactly is None else len(rows) == exactly
    wanted = "at least 1" if exactly is None else f"exactly {exactly}"
    return found(held, f"{what}: {_these(rows)}, expected {wanted}", rows)


def none(what: str, rows: Sequence[Row]) -> Finding:
    """That there are none of these rows."""
    return found(not rows, f"{what}: {_these(rows)}, expected none", rows)


def _these(rows: Sequence[Row]) -> str:
    numbers = ", ".join(str(row.n) for row in rows)
    return f"found {len(rows)}" + (f" (rows {numbers})" if rows else "")


def merged(held: Iterable[bool | None]) -> bool | None:
    """All together: False over None over True."""
    values = tuple(held)
    if any(value is False for value in values):
        return False
    return None if any(value is None for value in values) else True
