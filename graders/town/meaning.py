"""When two written things mean the same: texts, patterns, times and spans of time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, time
from fnmatch import fnmatchcase

_TOKEN = re.compile(r"[a-z0-9]+")


def same_text(one: str, other: str) -> bool:
    """The same words in the same order; letters' case and signs do not matter."""
    return _TOKEN.findall(one.casefold()) == _TOKEN.findall(other.casefold())


def like(pattern: str, text: str) -> bool:
    """Whether a text fits a pattern with `*` and `?`, or has the same words."""
    return same_text(pattern, text) or fnmatchcase(" ".join(text.casefold().split()), pattern.casefold().strip())


def moment(written: str) -> datetime | None:
    """A time as the town writes it; None if it is none."""
    try:
        return datetime.fromisoformat(written.strip()).replace(tzinfo=None)
    except ValueError:
        return None


def span(written: str) -> tuple[datetime, datetime]:
    """`2026-10-05 14:00`, the whole day `2026-10-05`, or `2026-10-05 14:00..2026-10-05 17:00`. Raises ValueError."""
    first, dots, last = written.partition("..")
    start, end = moment(first), moment(last if dots else first)
    if start is None or end is None:
        raise ValueError(f"expected a time, a day or a span such as '2026-10-05 14:00', got {written!r}")
    if len((last if dots else first).strip()) <= len("2026-10-05"):
        end = datetime.combine(end.date(), time.max)
    return start, end


def within(written: str, spans: Iterable[str]) -> bool:
    """Whether a time lies in one of the spans. Without spans every time does."""
    spans = tuple(spans)
    at = moment(written)
    return not spans or (at is not None and any(first <= at <= last for first, last in map(span, spans)))


def hours(written: str) -> tuple[time, time]:
    """`09:00-17:30`. Raises ValueError."""
    first, _, last = written.partition("-")
    try:
        return time.fromisoformat(first.strip()), time.fromisoformat(last.strip())
    except ValueError:
        raise ValueError(f"expected hours such as '09:00-17:30', got {written!r}") from None
