"""The handler of the audit server, which is there only in `recovery`.

A valid query, one for a known subject of the task, returns every fact that the episode's mask hides (seeds/002
section 3.3). An invalid one restores nothing.
"""

from __future__ import annotations

from servers.middleware.call import Call, Found, Handler, Refused
from servers.store import Store
from worlds.contents import AuditFact, audit_subjects
from worlds.model import Mask
from worlds.projection import Evidence, Json
from worlds.task import TaskPair


def audit_handler(pair: TaskPair, store: Store, mask: Mask) -> Handler:
    """Answers audit queries with what the mask hides."""

    async def answer(call: Call) -> Found | Refused:
        subject = str(call.arguments["subject"])
        subjects = audit_subjects(pair)
        if subject not in subjects:
            return Refused(
                f"{call.name}: {subject!r} is not a subject of this task; known subjects: {', '.join(sorted(subjects))}"
            )
        omitted: dict[str, Evidence] = {}
        for atom, fact in store.facts:
            if atom in mask and fact.fact not in omitted:  # a total may be hidden with several atoms
                omitted[fact.fact] = _told(atom, fact)
        return Found(Evidence({"subject": Evidence(subject), "facts": Evidence(tuple(omitted.values()))}))

    return answer


def _told(atom: str, fact: AuditFact) -> Evidence:
    told = {"fact": Evidence(fact.fact), "source": Evidence(fact.source), "value": _evidence(fact.value)}
    return Evidence(told, frozenset({atom}))


def _evidence(value: Json) -> Evidence:
    if isinstance(value, dict):
        return Evidence({name: _evidence(part) for name, part in value.items()})
    if isinstance(value, list):
        return Evidence(tuple(_evidence(part) for part in value))
    return Evidence(value)
