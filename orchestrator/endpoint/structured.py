"""Reading a tool's structured answer out of what a host made of it.

Hosts hand on the structure alone, the text alone, both one after the other, wrapped in words of their own, or as the
protocol's own result.
"""

from __future__ import annotations

import json
import re
from typing import Any

_DECODER = json.JSONDecoder()
_OPENS = re.compile(r'\{\s*["}]')
"""How an object begins; a brace in prose seldom does."""
_ENVELOPES = ("output", "result", "response")
"""Under which name alone some hosts put an answer."""
DEEPEST = 8


class CutShort(ValueError):
    """An object begins in the text and does not end. A part of it must not be taken for the whole."""


def structured(text: str, depth: int = 0) -> dict[str, Any] | None:
    """The first object in a text, without its wrapping; None if there is none. Raises CutShort."""
    opening = _OPENS.search(text)
    if opening is None:
        return None
    try:
        found, _ = _DECODER.raw_decode(text, opening.start())
    except (json.JSONDecodeError, RecursionError):
        raise CutShort("an object in it begins, but does not end") from None
    return _unwrapped(found, depth)


def _unwrapped(found: dict[str, Any], depth: int) -> dict[str, Any]:
    """A protocol's result, a block of text, or a host's envelope gives way to what is in it."""
    if depth == DEEPEST:
        return found
    for name in ("structuredContent", "structured_content"):
        if isinstance(found.get(name), dict):
            return _unwrapped(found[name], depth + 1)
    inner: str | None = None
    if found.get("type") == "text" and isinstance(found.get("text"), str):
        inner = found["text"]
    elif isinstance(found.get("content"), list) and all(_is_text(block) for block in found["content"]):
        inner = "\n".join(block["text"] for block in found["content"])
    elif len(found) == 1:
        ((name, value),) = found.items()
        if name in _ENVELOPES and isinstance(value, dict):
            return _unwrapped(value, depth + 1)
        inner = value if isinstance(value, str) else None
    within = structured(inner, depth + 1) if inner else None
    return found if within is None else within


def _is_text(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
