"""What every criterion is made of: parameters as authors write them, and one pure function over the past."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from graders.town.finding import Finding
from graders.town.meaning import hours, span
from graders.town.past import Past
from worlds.town.row import Row
from worlds.town.written import Texts


def _spans(written: tuple[str, ...]) -> tuple[str, ...]:
    for text in written:
        span(text)
    return written


def _hours(written: str) -> str:
    if written:
        hours(written)
    return written


def _not_empty(written: tuple[str, ...]) -> tuple[str, ...]:
    if not written or not all(text.strip() for text in written):
        raise ValueError("expected a text or several, got nothing")
    return written


Times = Annotated[Texts, AfterValidator(_spans)]
"""Alternatives: `2026-10-05 14:00`, a day `2026-10-05`, or `2026-10-05 14:00..2026-10-05 17:00`."""
Hours = Annotated[str, AfterValidator(_hours)]
"""`09:00-17:30`."""
SomeTexts = Annotated[Texts, AfterValidator(_not_empty)]
"""One text or several, not none."""
Count = Annotated[int | None, Field(ge=0)]


class Criterion(BaseModel):
    """A criterion with its parameters. `short`: the parameter that a text alone fills."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    short: ClassVar[str] = ""

    @abstractmethod
    def find(self, past: Past) -> Finding:
        """Whether it holds."""


class Timed(Criterion):
    """Something that happened at a time: `when` one of these times, `hours` of any day."""

    when: Times = ()
    hours: Hours = ""


def timely(criterion: Timed, rows: Iterable[Row]) -> list[Row]:
    """The rows that happened when the criterion says."""
    return [row for row in rows if in_spans(row, criterion.when) and _in_hours(row, criterion.hours)]


def in_spans(row: Row, when: tuple[str, ...]) -> bool:
    """Whether a row was made at one of these times. Without times any was."""
    return not when or any(first <= row.at <= last for first, last in map(span, when))


def _in_hours(row: Row, written: str) -> bool:
    if not written:
        return True
    first, last = hours(written)
    at = row.at.time()
    return first <= at <= last if first <= last else at >= first or at <= last


def described(name: str, criterion: Criterion) -> str:
    """The criterion as it was written, for reasons."""
    parts = []
    for field in type(criterion).model_fields:
        value = getattr(criterion, field)
        if value in (None, "", (), {}, False):
            continue
        parts.append(f"{field} {' | '.join(map(str, value)) if isinstance(value, tuple) else value}")
    return f"{name} ({'; '.join(parts)})" if parts else name
