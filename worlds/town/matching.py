"""How well a fact of the intent fits a question, from the words of both.

Three things are weighed: how much of one of the fact's `topics` the question names, how much of the question the fact
knows, and whether it has the kind of thing that is asked for (a time, a price, a person, leave to do something). The
numbers were tuned on tests/owner_eval/development.yaml and on the tasks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from worlds.town.questions import Posed, focus_of, head_of
from worlds.town.wording import NUMBER_WEIGHT, TRADE_WEIGHT, Token, likeness, stem, tokens
from worlds.town.written import Consent, IntentFact

# How much each part of a fit counts.
_TOPIC = 0.53  # a topic that the question names
_QUESTION = 0.47  # ... and so much more by the share of the question that the fact knows
_SAID = 0.91  # a question that names no topic, by words of the answer
_ONLY = 0.53  # ... by words that no other fact has
_ALONE = 0.5  # ... by its kind, which no other fact has

# How near a word is that stands somewhere else.
_SAYS = 0.73  # in the answer, not in the topics
_BEFORE = 0.87  # before the question
_POINTING = 0.97  # before a question that only points (`Which one?`)

# How much a word of the question counts against a fact that does not know it.
_UNKNOWN = 1.32  # if nobody knows it
_ELSEWHERE = 0.12  # if another fact or the request does
_CONTEXT = 0.64  # times this, if it stands before a question that only points

# Bounds on sums of weights.
_TELLING = 1.88  # so much a question has to tell to be found by words of the answer
_NEW = 0.51  # so much news a question may hold to be found by its kind
_LEAST = 0.64  # no topic weighs less

# What a fit is worth by the kind of thing that is asked for.
_SAME_KIND = 1.3  # the topics have it
_SAID_KIND = 0.7  # the answer has it
_OTHER_KIND = 0.55  # neither has it
_NOBODY = 0.4  # a person is asked for and there is nobody
_NO_LEAVE = 0.87  # it is asked whether something is so, and that is another kind of thing

# What a fit is worth by what is asked for.
_HALF_FOCUS = 0.94  # the fact knows a part of it
_OTHER_FOCUS = 0.58  # the fact knows nothing of it
_HALF_KNOWN = 0.87  # it is asked whether something is so, and the fact knows half of that
_LITTLE_KNOWN = 0.89  # ... or less than half

_ALONE_KINDS = frozenset({"time", "place", "reason", "duration", "count"})
_RELATIVE = frozenset(stem(word) for word in ("who", "whom", "whose", "where", "when", "why"))
_ATTRIBUTES = frozenset(stem(word) for word in ("number", "name", "address", "date", "time", "size", "code", "price"))
"""What many things have: whose it is decides."""
_DECIDES = re.compile(
    r"\b(yes|no|you may|you can|do not|don't|never|go ahead|please|only|leave|keep|send|write)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Known:
    """A fact by its words. `topics`: with a word of the matter; `bare`: topics of a kind alone, as `which day`;
    `sides`: what stands on the sides of an `or`."""

    topics: tuple[tuple[Token, ...], ...]
    bare: tuple[tuple[Token, ...], ...]
    sides: tuple[tuple[Token, ...], ...]
    topical: tuple[Token, ...]
    said: tuple[Token, ...]
    topical_kinds: frozenset[str]
    kinds: frozenset[str]

    def knows(self, token: Token) -> float:
        """How much a word belongs to this fact, from 0 to 1."""
        return _likest(token, self.topical) or _SAYS * _likest(token, self.said)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question by its words. `pointing`: what it is about stands before it (`Which of them?`)."""

    core: tuple[Token, ...]
    before: tuple[Token, ...]
    focus: tuple[Token, ...]
    kinds: frozenset[str]
    open: bool
    names_focus: bool
    pointing: bool

    @classmethod
    def of(cls, one: Posed, only: Collection[str] = ()) -> Asked:
        """What a question asks for. An open question (`which`, `when`) never asks for leave. `only`: stems of words
        that tell something here though elsewhere they hardly do."""
        core, before = _without_relatives(one, only), _raised(tokens(one.before), only)
        pointing = not telling(core)
        named = focus_of(one.core)
        focus = (token for token in _raised(tokens(named), only) if token in core or named not in one.core)
        kinds = _kinds_asked_for(one, core)
        if pointing and not kinds:
            kinds = _kinds(before)
        return cls(
            core=core,
            before=before,
            focus=tuple(token for token in focus if token.weight >= 0.5),
            kinds=kinds,
            open=one.open,
            names_focus=bool(named),
            pointing=pointing,
        )


@dataclass(frozen=True, slots=True)
class Matter:
    """All that is talked about: the facts, and the owner's request."""

    facts: tuple[Known, ...]
    request: tuple[Token, ...]

    def knows(self, token: Token) -> bool:
        """Whether a word is no news here."""
        return (
            token.weight in (TRADE_WEIGHT, NUMBER_WEIGHT)
            or any(fact.knows(token) for fact in self.facts)
            or _likest(token, self.request) > 0
        )


@lru_cache(maxsize=2048)
def known(fact: IntentFact) -> Known:
    """A fact by its words."""
    every = tuple(_topic(topic) for topic in fact.topics)
    sides = (tokens(side) for topic in fact.topics if " or " in topic for side in topic.split(" or "))
    topical = tuple(dict.fromkeys(token for topic in every for token in topic))
    said = tuple(dict.fromkeys((*tokens(fact.fact.replace("_", " ")), *tokens(fact.says))))
    kinds = _kinds(topical) | _kinds(said)
    if fact.grants != Consent() or fact.withdraws != Consent() or _DECIDES.search(fact.says):
        kinds |= {"permission"}
    return Known(
        topics=tuple(topic for topic in every if telling(topic)),
        bare=tuple(topic for topic in every if not telling(topic)),
        sides=tuple(side for side in sides if telling(side)),
        topical=topical,
        said=said,
        topical_kinds=_kinds(topical),
        kinds=kinds,
    )


def scores(one: Posed, facts: Sequence[IntentFact], request: str = "") -> list[tuple[float, IntentFact]]:
    """How well each fact fits a question, best first."""
    matter = Matter(tuple(known(fact) for fact in facts), tokens(request))
    asked = Asked.of(one, {topic[0].stem for fact in matter.facts for topic in fact.topics if len(topic) == 1})
    new = frozenset(token for token in (*asked.core, *asked.before) if not matter.knows(token))
    scored = [(_score(asked, own, matter, new), fact) for own, fact in zip(matter.facts, facts, strict=True)]
    return sorted(scored, key=lambda pair: -pair[0])


def asks_leave(one: Posed) -> bool:
    """Whether a question asks for leave to do something."""
    return "permission" in Asked.of(one).kinds


def telling(words: Iterable[Token]) -> bool:
    """Whether a word of the matter itself is among them."""
    return any(token.weight >= 1 for token in words)


def _topic(written: str) -> tuple[Token, ...]:
    """A topic's words. A single one is what it is about, whatever the word; a name may stand first."""
    words = tuple(replace(t, weight=1.0) if t.weight == NUMBER_WEIGHT else t for t in tokens(f"a {written}"))
    words = tuple(word for n, word in enumerate(words) if not n or word.stem not in _RELATIVE)
    return _raised(words, {words[0].stem}) if len(words) == 1 and not words[0].kinds else words


def _raised(words: tuple[Token, ...], only: Collection[str]) -> tuple[Token, ...]:
    return tuple(replace(word, weight=1.0) if word.stem in only else word for word in words)


def _without_relatives(one: Posed, only: Collection[str]) -> tuple[Token, ...]:
    """The words of a question; a question word inside it (`those who`) asks for nothing."""
    words = _raised(tokens(one.core), only)
    if one.open:
        return words
    return tuple(word for word in words if word.stem not in _RELATIVE)


def _kinds_asked_for(one: Posed, core: tuple[Token, ...]) -> frozenset[str]:
    """The kinds of thing that a question names where it says what it asks for."""
    if one.open:
        head = tokens(head_of(one.core))
        return _kinds(token for token in head if token.weight != NUMBER_WEIGHT) - {"permission"}
    first = tokens(one.clauses[0])
    return _kinds(token for token in first if token.weight != NUMBER_WEIGHT and token in core)


def _score(asked: Asked, own: Known, matter: Matter, new: frozenset[Token]) -> float:
    shared = _shared(asked, own, new)
    topic = max(
        max((_named(topic, asked) for topic in (*own.topics, *own.sides)), default=0.0),
        _SAID * _said(asked, own),
        _ONLY * _only(asked, own, matter),
    )
    bare = max((_named(topic, asked) for topic in own.bare), default=0.0)
    fit = max(topic * (_TOPIC + _QUESTION * shared), bare * shared, _ALONE * _alone(asked, own, matter, new))
    return fit * _kind(asked, own) * _focus(asked, own, new)


def _named(topic: Sequence[Token], asked: Asked) -> float:
    """The share of a topic that the question names."""
    nearness = _POINTING if asked.pointing else _BEFORE
    named = sum(t.weight * max(_likest(t, asked.core), nearness * _likest(t, asked.before)) for t in topic)
    return named / max(_LEAST, sum(token.weight for token in topic))


def _shared(asked: Asked, own: Known, new: frozenset[Token]) -> float:
    """The share of the question that the fact knows; what no fact knows weighs more than what another knows."""
    knows = misses = 0.0
    context = asked.before if asked.pointing else ()
    for token, nearness in (*((t, 1.0) for t in asked.core), *((t, _CONTEXT) for t in context)):
        share = own.knows(token)
        knows += token.weight * share
        misses += token.weight * nearness * (1 - share) * (_UNKNOWN if token in new else _ELSEWHERE)
    return knows / max(0.5, knows + misses)


def _said(asked: Asked, own: Known) -> float:
    """The share of the question's telling words that stand in the answer or the topics."""
    words = [token for token in asked.core if token.weight >= 0.6]
    all_of_it = sum(token.weight for token in words)
    if all_of_it < _TELLING:
        return 0.0
    return sum(token.weight * _likest(token, (*own.topical, *own.said)) for token in words) / all_of_it


def _only(asked: Asked, own: Known, matter: Matter) -> float:
    """How much the question asks for something that this fact alone knows, and names nothing that it does not know."""
    words = [token for token in asked.core if token.weight >= 1]
    if not words or not asked.names_focus:
        return 0.0
    if any(other.knows(token) for other in matter.facts if other is not own for token in words):
        return 0.0
    return min(_likest(token, own.topical) for token in words)


def _alone(asked: Asked, own: Known, matter: Matter, new: frozenset[Token]) -> bool:
    """Whether the question names nothing new but its kind (`What time is it to be?`), and only this fact is of it."""
    wanted = asked.kinds & own.topical_kinds & _ALONE_KINDS
    if not wanted or sum(bool(wanted & other.topical_kinds) for other in matter.facts) > 1:
        return False
    words = (token for token in asked.core if not token.kinds)
    return sum(t.weight for t in words if t in new or not any(fact.knows(t) for fact in matter.facts)) <= _NEW


def _kind(asked: Asked, own: Known) -> float:
    """What a fit is worth by the kind of thing that is asked for."""
    if not asked.kinds:
        return 1.0
    if asked.kinds & own.topical_kinds:
        return _SAME_KIND
    if asked.kinds & own.kinds:
        return _SAID_KIND if asked.open else 1.0
    if "person" in asked.kinds and asked.open:
        return _NOBODY
    return _OTHER_KIND if asked.open else _NO_LEAVE


def _focus(asked: Asked, own: Known, new: frozenset[Token]) -> float:
    """What a fit is worth by the thing that is asked for, whose last word is what it is and the rest whose or which."""
    if not asked.focus:
        return 1.0 if asked.open or asked.pointing else _spread(asked, own)
    *rest, head = asked.focus
    if head.stem in _ATTRIBUTES and any(word in new and word.weight >= 1 for word in rest):
        return _OTHER_FOCUS
    if own.knows(head):
        return 1.0
    if head in new and head.weight >= 1:
        return _OTHER_FOCUS
    return _HALF_FOCUS if any(own.knows(token) for token in rest) else _OTHER_FOCUS


def _spread(asked: Asked, own: Known) -> float:
    """What a fit is worth where it is asked whether something is so: whole if the fact knows more than half of it."""
    words = [token for token in asked.core if token.weight >= 1]
    known_of_it = sum(own.knows(token) > 0 for token in words)
    if not words or 2 * known_of_it > len(words):
        return 1.0
    return _HALF_KNOWN if 2 * known_of_it == len(words) else _LITTLE_KNOWN


def _likest(token: Token, others: Iterable[Token]) -> float:
    return max((likeness(token, other) for other in others), default=0.0)


def _kinds(words: Iterable[Token]) -> frozenset[str]:
    return frozenset(kind for token in words for kind in token.kinds)
