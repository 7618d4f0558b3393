"""Bounds on what an agent sends: so that any of it can be kept, read back and repeated."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import JsonValue
from pydantic_core import from_json

MOST_LETTERS = 4_000
"""Of a text that an agent sends, so much is kept and repeated."""

MOST_KEPT = 60_000
"""Letters of JSON: longer arguments are not kept."""

MOST_DEPTH = 40
"""Arguments that are nested deeper are not kept."""


NOT_KEPT = "not kept"
"""The name under which arguments that cannot be kept are told of."""


def printable(text: str, most: int = MOST_LETTERS) -> str:
    """A text that can be kept and sent: without halves of characters, and not endless."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    return whole if len(whole) <= most else f"{whole[:most]}... ({len(whole)} letters)"


def keepable(arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments, or a short account of ones that cannot be kept and read back."""
    try:
        written = json.dumps(arguments, allow_nan=False, ensure_ascii=False)
        read: dict[str, JsonValue] = from_json(written)
        if len(written) <= MOST_KEPT and _depth(read) <= MOST_DEPTH:
            return read
    except (ValueError, TypeError, RecursionError):
        written = "arguments that are not JSON"
    return {NOT_KEPT: printable(written)[:MOST_LETTERS]}


def _depth(value: JsonValue) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0
