"""Words as the owner hears them: without endings, with what they may mean, and with how much they tell.

Two words are alike when they have a stem or a meaning in common (thesaurus.yaml), or are spelt nearly the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import yaml
from rapidfuzz import fuzz

KINDS = frozenset({"time", "money", "place", "person", "count", "reason", "duration", "permission", "name", "subject"})
"""Meanings that say what a question asks for, rather than what it is about."""
_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The fast one where there is one."""
_SPELT_ALIKE = 86
_LONG_ENOUGH = 5
_LONGEST_PHRASE = 5
_WORD = re.compile(
    r"\$ ?\d[\d,.]*|\d{1,2}:\d\d|\d+(?:st|nd|rd|th)\b|\d[\d,.]*\d|\d|[a-z]+(?:'[a-z0-9]+)*", re.IGNORECASE
)
_VOWEL = re.compile("[aeiouy]")
_ENDINGS = "ations ation ances ance ables able ings ing edly ed ies es ly s".split()
_STOP = frozenset(
    """a an the all this that these those i you he she it we they me him her us them my your his its our their
    mine yours is are was were be been being am do does did done doing have has had having will would shall
    should can could may might must of for to in on at by with from as into about than then so and or but if
    whether not no nor very just only also too there here what which how please either any some each both more
    less own same such up out off over under again once i'm i'd i'll i've you're you'd you'll you've he's she's
    it's that's there's they're we're don't doesn't isn't aren't what's let's one ones much many s t re ve ll d
    while during per via within without between among before after since through still yet already ever""".split()
)
"""Words that tell nothing."""
_FAINT = frozenset(
    """need want like know tell let confirm make sure use give get put take go mind say ask see look find help check
    think plan thing detail information question answer case particular specific moment right well possible able happy
    okay ok fine good best better work remind mean exact bit further provide include enter list mention name come anyone
    anybody someone somebody everything anything something else way wish hope set seem hear idea remember correct
    available allow recommend decide decision consider handle arrange intend expect require option prefer
    preference suit pick choose select rather go carry slot people person certain kind type sort write down fill note
    favourite favorite usual two three four five six seven eight nine ten first second save file matter""".split()
)
"""Words that are in every other question; adverbs in `-ly` are taken for such."""
_TRADE = frozenset(
    """order book reserve buy purchase form field site website page shop store appointment reservation booking
    receptionist practice vendor provider offer registration arrange send mail email message""".split()
)
"""Words that are in every other errand."""
_FAINT_WEIGHT, _KIND_WEIGHT, TRADE_WEIGHT, _NAME_WEIGHT, NUMBER_WEIGHT = 0.25, 0.6, 0.5, 0.4, 0.15


@dataclass(frozen=True, slots=True)
class Token:
    """A word or phrase: its stem, what it may mean, and how much it tells (1: a word of the matter itself)."""

    stem: str
    meanings: frozenset[str] = frozenset()
    weight: float = 1.0

    @property
    def kinds(self) -> frozenset[str]:
        return self.meanings & KINDS


def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text that tell something, phrases of the thesaurus as one."""
    return _tokens(text.replace("\u2019", "'"))


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[Token, ...]:
    as_written = _WORD.findall(text.replace("-", " "))
    written = [_plain(word.casefold()) for word in as_written]
    names = {word for word, own in zip(written[1:], as_written[1:], strict=True) if own[0].isupper()}
    phrases = _thesaurus()
    found: list[Token] = []
    at = 0
    while at < len(written):
        for length in range(min(_LONGEST_PHRASE, len(written) - at), 0, -1):
            phrase = " ".join(written[at : at + length])
            meanings = phrases.get(phrase) or phrases.get(_stems(phrase), frozenset())
            if length == 1 or meanings:
                token = _token(phrase, meanings, phrase in names)
                found += [token] if token else []
                at += length
                break
    return tuple(found)


def _plain(word: str) -> str:
    return word.removesuffix("'s") if word not in ("who's", "what's") else word


def _token(word: str, meanings: frozenset[str], name: bool) -> Token | None:
    if word[0] == "$":
        return Token(word, frozenset({"money"}), NUMBER_WEIGHT)
    if word[0].isdigit():
        timely = ":" in word or not word[-1].isdigit()
        return Token(word, frozenset({"time"}) if timely else frozenset(), NUMBER_WEIGHT)
    if word in _STOP and not meanings:
        return None
    adverb = len(word) > 5 and word.endswith("ly") and not meanings
    if (stem(word) in _FAINT_STEMS or adverb) and not meanings & KINDS:
        return Token(stem(word), meanings, _FAINT_WEIGHT)
    if name and not meanings:
        return Token(stem(word), meanings, _NAME_WEIGHT)
    return Token(stem(word), meanings, _weight(word, meanings))


def _weight(word: str, meanings: frozenset[str]) -> float:
    if meanings & {"permission"}:
        return _FAINT_WEIGHT
    if stem(word) in _TRADE_STEMS:
        return TRADE_WEIGHT
    return _KIND_WEIGHT if meanings & KINDS else 1.0


@cache
def stem(word: str) -> str:
    """A word without its ending; nothing clever."""
    for ending in _ENDINGS:
        if word.endswith(ending) and _is_word(word.removesuffix(ending)) and not word.endswith("ss"):
            bare = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            if len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] not in "ls":
                bare = bare[:-1]
            return bare.removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word


def _stems(phrase: str) -> str:
    return " ".join(word if word in _STOP else stem(word) for word in phrase.split())


def _is_word(bare: str) -> bool:
    return len(bare) >= 3 and bool(_VOWEL.search(bare))


_FAINT_STEMS = frozenset(map(stem, _FAINT))
_TRADE_STEMS = frozenset(map(stem, _TRADE))


def likeness(one: Token, other: Token) -> float:
    """How alike two words are, from 0 to 1."""
    if one.stem == other.stem:
        return 1.0
    if not one.meanings.isdisjoint(other.meanings):
        return 0.9
    if min(len(one.stem), len(other.stem)) < _LONG_ENOUGH or one.stem[0] != other.stem[0]:
        return 0.0
    return 0.85 if fuzz.ratio(one.stem, other.stem) >= _SPELT_ALIKE else 0.0


@cache
def _thesaurus() -> Mapping[str, frozenset[str]]:
    text = (Path(__file__).parent / "thesaurus.yaml").read_text(encoding="utf-8")
    written = yaml.load(text, Loader=_LOADER)
    meanings: dict[str, set[str]] = {}
    for groups in written.values():
        for meaning, alike in groups.items():
            for phrase in alike:
                plain = str(phrase).replace("-", " ")
                for form in {str(phrase), plain, _stems(plain)}:
                    meanings.setdefault(form, set()).add(meaning)
    return {phrase: frozenset(meant) for phrase, meant in meanings.items()}
