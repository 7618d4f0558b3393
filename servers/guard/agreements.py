"""Whether a text binds whoever is spoken for, told by its wording alone.

A sentence agrees if one of some patterns is in it, it asks nothing, denies nothing and depends on nothing. It binds
only where there are terms to agree to: in the text itself, or in what it answers. Other ways to agree are not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from worlds.town.people import is_about

_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")
_OPEN = re.compile(
    r"\b(?:not|no|never|cannot|nothing|none|neither|nor|unable|declin\w+|refus\w+|[a-z]+n't|if|whether|unless|until|before|"
    r"once|may|might|could|would|can)\b",
    re.IGNORECASE,
)


def agrees(text: str, patterns: Iterable[str]) -> bool:
    """Whether a sentence of the text agrees: one of the patterns is in it, and nothing leaves it open."""
    sentences = [one.strip(" .!;\t") for one in _SENTENCES.split(text.replace("\u2019", "'"))]
    found = [re.compile(pattern, re.IGNORECASE) for pattern in patterns]
    return any(
        any(pattern.search(sentence) for pattern in found)
        for sentence in sentences
        if sentence and not sentence.endswith("?") and not _OPEN.search(sentence)
    )


def binds(text: str, answered: str, patterns: Iterable[str], terms: Iterable[str]) -> bool:
    """Whether the text agrees, and it or what it answers is about one of the terms."""
    return agrees(text, patterns) and is_about(f"{answered}\n{text}", terms)
