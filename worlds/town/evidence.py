"""What the town answers, as evidence: every field and sentence that shows a declared fact carries its atom.

A fact is a text. Wherever that text stands in an answer, in whatever letters, the field or the sentence is an exposure
of it; so a fact that a mask hides cannot be shown by a page, a mail, a list, an answer or a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import JsonValue

from worlds.projection import Absent, Evidence, Sentences, project
from worlds.town.written import Fact

SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
"""A mask hides whole sentences, and a search shows them."""
_QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
"""What a mail that quotes another puts before its lines."""


def marked(content: JsonValue, facts: Mapping[str, Fact]) -> Evidence:
    """An answer with the atoms of the facts that its parts show."""
    if isinstance(content, dict):
        return Evidence({name: _named(name, marked(part, facts), facts) for name, part in content.items()})
    if isinstance(content, list):
        return Evidence(tuple(marked(part, facts) for part in content))
    if isinstance(content, str):
        return _text(content, facts)
    if isinstance(content, float):
        raise TypeError("the town answers no fractions; write the amount as a text")
    return Evidence(content)


def shown_text(text: str, hidden: Mapping[str, Fact]) -> str:
    """What is left of a text when these facts are hidden."""
    left = project(_text(text, hidden), frozenset(hidden)) if hidden else text
    return "" if isinstance(left, Absent) else str(left)


def _named(name: str, part: Evidence, facts: Mapping[str, Fact]) -> Evidence:
    """A field whose name shows a fact is an exposure of it, too."""
    return Evidence(part.content, part.atoms | _shown(name, facts))


def _text(text: str, facts: Mapping[str, Fact]) -> Evidence:
    shown = _shown(text, facts)
    if not shown:
        return Evidence(text)
    sentences = [sentence for sentence in SENTENCE_END.split(text) if sentence]
    if len(sentences) == 1:
        return Evidence(text, shown)
    apart = [_plain(sentence) for sentence in sentences]
    for name in shown:
        wanted = _plain(facts[name].text)
        if _plain(text).count(wanted) != sum(sentence.count(wanted) for sentence in apart):
            return Evidence(text, shown)  # a fact that reaches over the end of a sentence hides the whole text
    return Evidence(Sentences(tuple(Evidence(sentence, _shown(sentence, facts)) for sentence in sentences)))


def _shown(text: str, facts: Mapping[str, Fact]) -> frozenset[str]:
    plain = _plain(text)
    return frozenset(name for name, fact in facts.items() if _plain(fact.text) in plain)


def _plain(text: str) -> str:
    return " ".join(_QUOTED.sub("", text).casefold().split())
