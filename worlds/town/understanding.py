"""Which fact of the owner's intent a free-form question asks for, if any. Precision first: an owner who answers what was
not asked gives away the task, so a question that the intent does not answer gets nothing.

A fact is judged by three things: how much of one of its `topics` the question names, how much of the question the fact
knows, and whether it has the kind of thing that is asked for (a time, a price, a person, leave to do something).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from worlds.town.questions import Posed, core_of, focus_of, head_of, posed
from worlds.town.wording import KINDS, NUMBER_WEIGHT, TRADE_WEIGHT, Token, likeness, tokens
from worlds.town.written import Consent, IntentFact

ENOUGH = 0.55
"""From this score on a question is taken to ask for a fact."""
_AHEAD = 0.02
_LEAST = 0.75
_UNKNOWN, _ELSEWHERE, _CONTEXT = 1.3, 0.5, 0.3
_SAID, _ALONE, _TELLING, _SIDE, _ONLY, _POINTING, _NEW = 0.75, 0.55, 1.5, 0.8, 0.75, 0.9, 0.3
_SAME_KIND, _NO_LEAVE, _OTHER_KIND, _HALF_FOCUS, _OTHER_FOCUS = 1.1, 0.9, 0.5, 0.8, 0.5
_ALONE_KINDS = frozenset({"time", "place", "reason", "duration", "count"})
_TOPIC, _QUESTION = 0.6, 0.4
_SAYS, _BEFORE = 0.7, 0.75
_PERMITS = re.compile(r"\b(yes|no|you may|you can|do not|don't|never|go ahead|please do|only|leave|keep|send|write)\b", re.I)


@dataclass(frozen=True, slots=True)
class Heard:
    """A question with the fact that answers it, or None. `permission`: it asks for leave to do something."""

    question: str
    fact: IntentFact | None
    permission: bool


@dataclass(frozen=True, slots=True)
class _Known:
    """A fact as its words."""

    topics: tuple[tuple[Token, ...], ...]
    kindly: tuple[tuple[Token, ...], ...]
    sides: tuple[tuple[Token, ...], ...]
    topical: tuple[Token, ...]
    said: tuple[Token, ...]
    asked_kinds: frozenset[str]
    kinds: frozenset[str]

    @classmethod
    def of(cls, fact: IntentFact) -> _Known:
        every = tuple(tokens(topic) for topic in fact.topics)
        topics = tuple(topic for topic in every if _strong(topic))
        kindly = tuple(topic for topic in every if not _strong(topic))
        sides = [tokens(side) for topic in fact.topics if " or " in topic for side in topic.split(" or ")]
        topical = tuple(dict.fromkeys(token for topic in every for token in topic))
        said = tuple(dict.fromkeys((*tokens(fact.fact.replace("_", " ")), *tokens(fact.says))))
        asked = _kinds(topical)
        kinds = asked | _kinds(said)
        if fact.grants != Consent() or fact.withdraws != Consent() or _PERMITS.search(fact.says):
            kinds |= {"permission"}
        return cls(topics, kindly, tuple(side for side in sides if _strong(side)), topical, said, asked, kinds)

    def knows(self, token: Token) -> float:
        topical = max((likeness(token, own) for own in self.topical), default=0.0)
        return topical or _SAYS * max((likeness(token, own) for own in self.said), default=0.0)


@dataclass(frozen=True, slots=True)
class _Matter:
    """All that is talked about: the facts, and the request."""

    facts: Sequence[_Known]
    request: tuple[Token, ...]

    def knows(self, token: Token) -> bool:
        return (
            token.weight in (TRADE_WEIGHT, NUMBER_WEIGHT)
            or any(fact.knows(token) for fact in self.facts)
            or any(likeness(token, other) for other in self.request)
        )


def questions(text: str) -> tuple[str, ...]:
    """The sentences of a text that ask something: questions, and requests to be told. What only courtesy asks
    (`Is there anything else?`) is left out."""
    return tuple(one.sentence for one in posed(text) if not one.courtesy)


def understood(question: str, facts: Sequence[IntentFact], request: str = "") -> IntentFact | None:
    """The fact that a question asks for, or None. What stands before the question may help to understand it, and the
    words of the owner's `request` are no news."""
    for one in posed(question) or (core_of(question),):
        fact = _best(one, facts, request)
        if fact is not None:
            return fact
    return None


def heard(
    text: str, facts: Sequence[IntentFact], request: str = "", whole: bool = False, told: Collection[str] = ()
) -> tuple[Heard, ...]:
    """Every question of a text with its fact. `whole`: the text is a question even if it has no question's form.
    Courtesy counts only where it asks for a fact that was not `told` yet."""
    found: list[Heard] = []
    for one in posed(text):
        answers = _all(one, facts, request)
        if one.courtesy:
            answers = [fact for fact in answers if fact.fact not in told]
            if not answers:
                continue
        found += [Heard(one.sentence, fact, _permission(one)) for fact in (answers or [None])]
    if whole and not found:
        one = core_of(text)
        found = [Heard(text, _best(one, facts, request), _permission(one))]
    return tuple(found)


def _all(one: Posed, facts: Sequence[IntentFact], request: str) -> list[IntentFact]:
    """The facts that a question and its clauses ask for."""
    best = _best(one, facts, request)
    found = [best] if best else []
    if len(one.clauses) > 1:
        parts = [Posed(clause, clause, "") for clause in one.clauses]
        found += [fact for part in parts if _strong(tokens(part.core)) and (fact := _best(part, facts, request))]
    return list({fact.fact: fact for fact in found}.values())


def _best(one: Posed, facts: Sequence[IntentFact], request: str) -> IntentFact | None:
    ranked = scores(one, facts, request)
    if not ranked or ranked[0][0] < ENOUGH or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _AHEAD):
        return None
    return ranked[0][1]


def scores(one: Posed, facts: Sequence[IntentFact], request: str = "") -> list[tuple[float, IntentFact]]:
    """How well each fact fits a question, best first."""
    known = [_Known.of(fact) for fact in facts]
    matter = _Matter(known, tokens(request))
    scored = [(_score(one, own, matter), fact) for own, fact in zip(known, facts, strict=True)]
    return sorted(scored, key=lambda pair: -pair[0])


def _score(one: Posed, own: _Known, matter: _Matter) -> float:
    core, before = tokens(one.core), tokens(one.before)
    kinds = _asked_kinds(tokens(head_of(one.core if one.open else one.clauses[0]))) - ({"permission"} if one.open else frozenset())
    context = () if _strong(core) else before
    kinds = kinds or _kinds(context)
    question = _question(own, core, context, matter)
    nearness = _POINTING if context else _BEFORE
    topic = max(
        _topic(own, core, before, nearness),
        _SAID * _said(own, core),
        _ONLY * _only(own, one, core, matter),
    )
    kindly = max((_share(topic, core, before, nearness) for topic in own.kindly), default=0.0)
    fit = max(topic * (_TOPIC + _QUESTION * question), kindly * question, _bare(own, core, kinds, matter))
    return fit * _kind(own, kinds) * _focus(own, one)


def _topic(own: _Known, asked: Sequence[Token], before: Sequence[Token], nearness: float) -> float:
    """The share of a topic that the question names, for the topic that fares best."""
    whole = max((_share(topic, asked, before, nearness) for topic in own.topics), default=0.0)
    return max(whole, _SIDE * max((_share(side, asked, before, nearness) for side in own.sides), default=0.0))


def _only(own: _Known, one: Posed, asked: Sequence[Token], matter: _Matter) -> float:
    """Whether the question asks for something that this fact alone knows, and names nothing that it does not know."""
    strong = [token for token in asked if token.weight >= 1]
    if not strong or not focus_of(one.core):
        return 0.0
    least = min(max((likeness(token, own_one) for own_one in own.topical), default=0.0) for token in strong)
    shared = any(other is not own and any(other.knows(token) for token in strong) for other in matter.facts)
    return 0.0 if shared else least


def _said(own: _Known, asked: Sequence[Token]) -> float:
    """The share of the question's own words that stand in the answer or the topics."""
    telling = [token for token in asked if token.weight >= 0.6]
    there = sum(token.weight * max(likeness(token, other) for other in (*own.topical, *own.said)) for token in telling)
    told = sum(token.weight for token in telling)
    return there / told if told >= _TELLING else 0.0


def _bare(own: _Known, core: Sequence[Token], kinds: frozenset[str], matter: _Matter) -> float:
    """A question that names nothing new but its kind, as `What time is it to be?`, is about the only fact of that kind."""
    wanted = kinds & own.asked_kinds & _ALONE_KINDS
    alone = wanted and sum(bool(wanted & other.asked_kinds) for other in matter.facts) == 1
    new = sum(token.weight for token in core if not matter.knows(token) and not token.kinds)
    return _ALONE if alone and new <= _NEW else 0.0


def _share(topic: Sequence[Token], asked: Sequence[Token], before: Sequence[Token], nearness: float) -> float:
    named = sum(
        token.weight
        * max(
            max((likeness(token, other) for other in asked), default=0.0),
            nearness * max((likeness(token, other) for other in before), default=0.0),
        )
        for token in topic
    )
    return named / max(_LEAST, sum(token.weight for token in topic))


def _question(own: _Known, core: Sequence[Token], context: Sequence[Token], matter: _Matter) -> float:
    """The share of the question that the fact knows; what no fact knows weighs more than what another knows."""
    known = missed = 0.0
    for token, nearness in (*((token, 1.0) for token in core), *((token, _CONTEXT) for token in context)):
        share = own.knows(token)
        known += token.weight * share * (nearness if not share else 1.0)
        elsewhere = matter.knows(token)
        missed += token.weight * nearness * (1 - share) * (_ELSEWHERE if elsewhere else _UNKNOWN)
    return known / max(0.5, known + missed)


def _kind(own: _Known, asked: frozenset[str]) -> float:
    if not asked or asked & own.asked_kinds:
        return _SAME_KIND if asked else 1.0
    if asked & own.kinds:
        return 1.0
    return _NO_LEAVE if asked == {"permission"} else _OTHER_KIND


def _focus(own: _Known, one: Posed) -> float:
    core, named = tokens(one.core), focus_of(one.core)
    within = named in one.core
    focus = [token for token in tokens(named) if token.weight >= 0.5 and (token in core or not within)]
    if not focus:
        return 1.0
    if own.knows(focus[-1]):
        return 1.0
    return _HALF_FOCUS if any(own.knows(token) for token in focus) else _OTHER_FOCUS


def _strong(words: Iterable[Token]) -> bool:
    return any(token.weight >= 1 for token in words)


def _asked_kinds(words: Iterable[Token]) -> frozenset[str]:
    return _kinds(word for word in words if word.weight != NUMBER_WEIGHT)


def _kinds(words: Iterable[Token]) -> frozenset[str]:
    return frozenset(kind for token in words for kind in token.meanings & KINDS)


def _permission(one: Posed) -> bool:
    return "permission" in _kinds(tokens(one.core))
