"""What a text says: its sentences, the words it tells, and whether a sentence states something, denies it or leaves it
open."""

from __future__ import annotations

import re
from collections.abc import Iterable

from worlds.town.people import is_about, words

_END = re.compile("(?<=[.!?])[\\s)\"'\u201d\u2019*_]+(?=[^a-z\\s])")
_SHORT = re.compile(r"(?:^|[\s(])(?:dr|mr|mrs|ms|st|apt|no|approx|ca|e\.g|i\.e|a\.m|p\.m|vs|etc)\.$", re.IGNORECASE)
_BULLET = re.compile("^\\s*(?:[-*\u2022\u2013]|\\d+[.)])\\s+")
_TOKEN = re.compile(r"[a-z0-9]+")
_CLAUSE = re.compile(
    "[,;:()\u2013\u2014]|\\s-\\s|"
    r"\b(?:but|and|so|however|although|though|because|whereas|while|yet it|instead)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_NEGATOR = re.compile(
    r"not|no|never|none|nothing|nobody|neither|nor|without|cannot|unable|fail|fails|failed|failing|lacks?|lacking|"
    r"unconfirmed|awaiting|[a-z]+n't"
)
_TO_COME = re.compile(r"\b(?:yet to|still to|to be)\b", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:might|if|once|pending|waiting|whether|until|unless|perhaps|maybe|probably|likely|possibly|presumably|"
    r"apparently|seems?|appears?|supposedly|tentative(?:ly)?|provisional(?:ly)?|assum\w+|expect\w*|hop(?:e|ed|ing)|"
    r"unclear|unsure|uncertain|unverified|should be|as soon as|(?:will|would|can|could|shall|going to) (?:\w+ )?be|"
    r"when|tried|attempt\w*|promised|announced)\b",
    re.IGNORECASE,
)
_ATTRIBUTED = re.compile(
    r"\b(?:said|says|saying|according to|claim(?:s|ed)|stat(?:es|ed)|show(?:s|ed|ing)|display(?:s|ed)|repl(?:ies|ied)|"
    r"answer(?:s|ed)|respond(?:s|ed)|read|reads|told (?:me|us|you)|tells (?:me|us|you)|informed)\b",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"\b(?:no (?=problems?\b|trouble\b|worr|need to worry\b|doubt\b|hitch|further (?:action|steps?)\b)|"
    r"not (?=only\b|just\b|to worry\b)|nothing (?=more\b|else\b|further\b|to worry\b)|don't (?=worry\b)|"
    r"without (?=(?:any |a )?(?:problems?|trouble|issues?|difficult\w+|hitch|delay)\b))",
    re.IGNORECASE,
)
"""Negators that deny nothing: `no problem`, `not only`."""
_CONTRAST = re.compile(r"\b(?:but|however|yet|though|although|even though|despite|whereas|except)\b", re.IGNORECASE)
_CONCESSIVE = re.compile(r"\b(?:although|though|even though|despite|while)\b", re.IGNORECASE)
_TAKES_BACK = re.compile(
    r"^\W*(?:however|but|yet|still|that said|though|nevertheless|unfortunately|only|except|caution|caveat|"
    r"(?:please )?note|one (?:caveat|problem|thing)|on the other hand|strangely|oddly)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    '"[^"\n]*(?:"|$)|\u201c[^\u201d\n]*(?:\u201d|$)|'
    "(?<!\\w)['\u2018][^'\u2019\n]*(?:['\u2019]\\w[^'\u2019\n]*)*['\u2019](?!\\w)"
)
_OPEN_CLAUSE = re.compile(
    r"\b(?:whether|(?:ask|check|know|tell|see|sure|confirm|wonder|say|hear|find out)\w*(?: \w+)? if)\b[^,;:.]*",
    re.IGNORECASE,
)
"""What somebody would like to know."""
_PARTICLE = re.compile(r"not|no|never|cannot|neither|nor|[a-z]+n't")
"""Negators that deny what follows, and tell nothing themselves."""
_SPEECH = 4
"""From so many words on what stands in quotation marks is somebody's sentence and not a name."""
_MAY = re.compile(r"(?<!\d )\bmay\b(?! ?\d)|^May\b(?! ?\d)")
_ASKS = re.compile(
    r"^\W*(?:is|are|am|was|were|do|does|did|can|could|shall|should|would|will|may|might|has|have|had|what|when|where|"
    r"which|who|whom|whose|why|how|or)\b",
    re.IGNORECASE,
)
_REACH = 5
"""A negator within so many words before a word denies it."""


def own_words(text: str) -> str:
    """A mail's text without the history that it quotes."""
    kept: list[str] = []
    for line in text.splitlines():
        if line.lstrip().startswith(">"):
            if kept and kept[-1].rstrip().endswith("wrote:"):
                kept.pop()
            continue
        kept.append(line)
    return "\n".join(kept)


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text. A line of a list is one, together with the line that introduces the list."""
    found: list[str] = []
    for line in _lines(text):
        start = 0
        for end in _END.finditer(line):
            if not _SHORT.search(line[: end.start()]):
                found.append(line[start : end.start()].strip())
                start = end.end()
        found.append(line[start:].strip())
    return tuple(sentence for sentence in found if sentence)


def _lines(text: str) -> Iterable[str]:
    """Paragraphs with their broken lines joined, and list items behind what introduces them."""
    lead, paragraph = "", ""
    for line in [*text.splitlines(), ""]:
        bullet = _BULLET.match(line)
        goes_on = paragraph and line.strip() and not bullet and line.strip()[0].islower()
        if goes_on:
            paragraph = f"{paragraph} {line.strip()}"
            continue
        if paragraph:
            yield paragraph
        if not bullet:
            lead = paragraph if paragraph.endswith(":") and not line.strip() else lead
        if bullet:
            lead = paragraph if paragraph.endswith(":") else lead
            paragraph = f"{lead} {line[bullet.end() :].strip()}".strip()
        else:
            lead = lead if not line.strip() else ""
            paragraph = line.strip()


def tells(text: str, phrase: str) -> bool:
    """Whether the words of a phrase stand in a text, in their order and next to each other; signs do not matter."""
    wanted, there = _TOKEN.findall(phrase.casefold()), _TOKEN.findall(text.casefold())
    size = len(wanted)
    return bool(size) and any(there[start : start + size] == wanted for start in range(len(there) - size + 1))


def said_in(text: str, phrases: Iterable[str]) -> str:
    """The first sentence of a text with all words of one of the phrases, none of them denied; or an empty text."""
    for phrase in phrases:
        for sentence in sentences(text):
            if is_about(sentence, (phrase,)) and not _denied(sentence, phrase):
                return sentence
    return ""


def found_in(text: str, phrases: Iterable[str]) -> str:
    """As `said_in`, but of a phrase that denies ("not listed") the rest has to be denied in the sentence: `No problem,
    it is listed` does not say it."""
    for phrase in phrases:
        rest = " ".join(word for word in _WORD.findall(_straight(phrase.casefold())) if not _PARTICLE.fullmatch(word))
        negative = rest and len(rest) < len(" ".join(_WORD.findall(_straight(phrase.casefold()))))
        for sentence in sentences(text) if negative else ():
            if is_about(sentence, (rest,)) and _denied(sentence, rest):
                return sentence
        if not negative and (said := said_in(text, (phrase,))):
            return said
    return ""


def stated(text: str, phrases: Iterable[str]) -> tuple[bool | None, str]:
    """Whether a text states one of the phrases: True; None if a sentence leaves it open; False. With the sentence.

    A sentence that has all words of a phrase states it, unless they are denied ("not yet confirmed", "could not
    confirm", "no confirmation") or asked. It leaves it open with a hedge or a question elsewhere in it, if it says who
    said so, quotes it or takes it back ("but it is not listed"), or if the next sentence begins with "However". A text
    that also denies it is one step further from stating it.
    """
    open_: str | None = None
    certain: str | None = None
    denied = False
    written = sentences(_marked(text))
    for phrase in phrases:
        for number, sentence in enumerate(written):
            if not is_about(sentence, (phrase,)):
                continue
            found = _states(sentence, phrase)
            taken_back = number + 1 < len(written) and _TAKES_BACK.match(written[number + 1])
            if found is False:
                denied = denied or _denied(sentence, phrase)
            elif found and not taken_back:
                certain = certain or sentence
            else:
                open_ = open_ or sentence
    if certain is not None:
        return (None if denied else True), certain
    return (False, "") if open_ is None or denied else (None, open_)


def _marked(text: str) -> str:
    """A text in which what is quoted does not end a sentence before the quotation does."""
    lines = [
        f'"{line.lstrip().lstrip("> ")}"' if line.lstrip().startswith(">") and line.strip("> ") else line
        for line in text.splitlines()
    ]
    return _QUOTED.sub(lambda quoted: re.sub(r"[.!?](?=\s)", ",", quoted[0]), "\n".join(lines))


def _unquoted(sentence: str) -> str:
    """A sentence without what it quotes of somebody."""
    return _QUOTED.sub(lambda quoted: " " if len(_TOKEN.findall(quoted[0])) >= _SPEECH else quoted[0], sentence)


def _states(sentence: str, phrase: str) -> bool | None:
    if _denied(sentence, phrase):
        return False
    if sentence.rstrip(" \"'\u201d\u2019)*_").endswith("?"):
        return False if _ASKS.match(sentence) else None
    if any(is_about(clause, (phrase,)) for clause in _OPEN_CLAUSE.findall(sentence)):
        return False
    allowed = words(phrase)
    hedges = [*_HEDGE.findall(sentence), *_ATTRIBUTED.findall(sentence)]
    if any(not words(hedge) <= allowed for hedge in hedges) or (_MAY.search(sentence) and "may" not in allowed):
        return None
    if not is_about(_unquoted(sentence), (phrase,)) or _taken_back(sentence, phrase):
        return None
    return None if _doubted(sentence, phrase) else True


def _taken_back(sentence: str, phrase: str) -> bool:
    """Whether the sentence goes on with a `but` that denies something, or begins with an `although` that does. What
    denies itself is taken back by any `but`."""
    straight = _IDLE.sub("", _straight(sentence))
    if _denies_itself(phrase):
        return bool(_CONTRAST.search(straight))
    parts = _CONTRAST.split(straight)
    last = max((number for number, part in enumerate(parts) if words(part) & words(phrase)), default=0)
    later = parts[last + 1 :] if not _CONCESSIVE.search(straight) else parts
    return len(parts) > 1 and any(_NEGATOR.fullmatch(word) for part in later for word in _WORD.findall(part.casefold()))


def _denied(sentence: str, phrase: str) -> bool:
    """Whether a negator stands closely before the last word of the phrase, or before another in the same clause."""
    wanted = words(phrase)
    if _denies_itself(phrase):
        return False
    parts = _placed(sentence, wanted)
    hit = [(clause, negated) for clause, negated, _ in parts]
    if not hit:
        return False
    last_clause, last_negated = hit[-1]
    return last_negated or any(negated and clause == last_clause for clause, negated in hit)


def _doubted(sentence: str, phrase: str) -> bool:
    """Whether a word of the phrase is denied elsewhere, or a negator stands somewhere before it in its clause."""
    wanted = words(phrase)
    if _denies_itself(phrase):
        return False
    return any(negated or far for _, negated, far in _placed(sentence, wanted))


def _denies_itself(phrase: str) -> bool:
    return any(_NEGATOR.fullmatch(word) for word in _WORD.findall(_straight(phrase.casefold())))


def _straight(text: str) -> str:
    return text.replace("\u2019", "'")


def _placed(sentence: str, wanted: frozenset[str]) -> list[tuple[int, bool, bool]]:
    """Where the wanted words stand: the clause, whether a negator stands closely before, whether anywhere before."""
    found: list[tuple[int, bool, bool]] = []
    for number, clause in enumerate(_CLAUSE.split(_TO_COME.sub(" not ", _IDLE.sub("", _straight(sentence))))):
        there = _WORD.findall(clause.casefold())
        negators = [place for place, word in enumerate(there) if _NEGATOR.fullmatch(word)]
        for place, word in enumerate(there):
            if words(word) & wanted:
                before = [place - at for at in negators if at < place]
                found.append((number, any(way <= _REACH for way in before), bool(before)))
    return found
