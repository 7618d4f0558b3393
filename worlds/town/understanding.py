"""Which fact of the owner's intent a free-form question asks for, if any.

Precision first: an owner who answers what was not asked gives the task away, so a question that the intent does not
answer gets nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from worlds.town.matching import asks_leave, scores, telling
from worlds.town.questions import Posed, core_of, posed
from worlds.town.wording import tokens
from worlds.town.written import IntentFact

ENOUGH = 0.45
"""From this score on a question is taken to ask for a fact."""
_AHEAD = 0.02
"""By so much the best fact has to lead."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A question with the fact that answers it, or None. `permission`: it asks for leave to do something."""

    question: str
    fact: IntentFact | None
    permission: bool


def questions(text: str) -> tuple[str, ...]:
    """The sentences of a text that ask something: questions, and requests to be told. What only courtesy asks
    (`Is there anything else?`) is left out."""
    return tuple(one.sentence for one in posed(text) if not one.courtesy)


def heard(
    text: str, facts: Sequence[IntentFact], request: str = "", whole: bool = False, told: Collection[str] = ()
) -> tuple[Heard, ...]:
    """Every question of a text with its fact. `whole`: the text is a question even if it has no question's form.
    Courtesy counts only where it asks for a fact that was not `told` yet."""
    found: list[Heard] = []
    for one in posed(text):
        answers: list[IntentFact | None] = [*_all(one, facts, request)]
        if one.courtesy:
            answers = [fact for fact in answers if fact and fact.fact not in told]
        elif not answers:
            answers = [None]
        found += [Heard(one.sentence, fact, asks_leave(one)) for fact in answers]
    if whole and not found:
        one = core_of(text)
        found = [Heard(text, _best(one, facts, request), asks_leave(one))]
    return tuple(found)


def _all(one: Posed, facts: Sequence[IntentFact], request: str) -> list[IntentFact]:
    """The facts that a question asks for, and each of the questions that it joins."""
    joined = [Posed(clause, clause, "") for clause in one.clauses if telling(tokens(clause))]
    found = [_best(part, facts, request) for part in (one, *(joined if len(one.clauses) > 1 else ()))]
    return list({fact.fact: fact for fact in found if fact}.values())


def _best(one: Posed, facts: Sequence[IntentFact], request: str) -> IntentFact | None:
    """The fact that fits best, if it fits well enough and better than the next."""
    ranked = scores(one, facts, request)
    if not ranked:
        return None
    score, fact = ranked[0]
    next_best = ranked[1][0] if len(ranked) > 1 else 0.0
    return fact if score >= ENOUGH and score - next_best >= _AHEAD else None
