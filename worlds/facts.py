"""Paths to facts: `policy.limit`, `group.members[tomas]`, `approvals[ana].at`.

A path is a tuple of segments; a segment that picks an item of a list by its key starts with `[`.
"""

from __future__ import annotations

import re
from functools import lru_cache

Path = tuple[str, ...]

_SEGMENT = re.compile(r"(?:^|\.)([A-Za-z_][A-Za-z0-9_]*)|\[([^\[\]]+)\]")


@lru_cache(maxsize=65536)
def parse_path(text: str) -> Path:
    """Split the written form of a path into segments.

    Raises ValueError for anything that is not wholly a path.
    """
    segments: list[str] = []
    position = 0
    while position < len(text):
        match = _SEGMENT.match(text, position)
        if match is None:
            break
        name, key = match.groups()
        segments.append(name if name is not None else f"[{key}")
        position = match.end()
    if not segments or position != len(text) or text[0] in ".[":
        raise ValueError(f"{text!r} is not a path; expected something like policy.limit or group.members[tomas]")
    return tuple(segments)


def path_text(path: Path) -> str:
    """The written form of a path; the inverse of parse_path."""
    text = ""
    for segment in path:
        if segment.startswith("["):
            text += f"{segment}]"
        else:
            text += f".{segment}" if text else segment
    return text


def covers(outer: Path, inner: Path) -> bool:
    """Whether hiding `outer` hides `inner`: it is the same fact, or holds it."""
    return inner[: len(outer)] == outer
