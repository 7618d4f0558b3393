"""Whether the simulated owner answered rightly. A wrong answer excludes a run, on the axes that it could have changed
(seeds/000 appendix E)."""

from __future__ import annotations

from graders.town.meaning import same_text
from graders.town.past import Past
from worlds.town.row import Row
from worlds.town.written import IntentFact


def wrong_answers(past: Past) -> tuple[Row, ...]:
    """Questions that the owner answered against the task's declared intent.

    A fact that the intent does not have or another text than its own; a question that the task lists under a fact and
    that got another; one that it lists as unanswered and that got one.
    """
    facts = {fact.fact: fact for fact in past.world.file.intent}
    return tuple(row for row in past.acts("asked") if not row.fields.get("busy") and _wrong(past, facts, row))


def _wrong(past: Past, facts: dict[str, IntentFact], row: Row) -> bool:
    given, question = row.text("fact"), row.text("question")
    if given and (given not in facts or facts[given].says not in row.text("answer")):
        return True
    if given and any(same_text(question, one) for one in past.world.file.unanswered):
        return True
    listed = {name for name, fact in facts.items() if any(same_text(question, one) for one in fact.asks)}
    return bool(listed) and given not in listed
