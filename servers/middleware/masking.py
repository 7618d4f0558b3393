"""The one door: where evidence becomes what an agent can see.

Nothing else in the servers looks into evidence. The text is rendered from the projected structure, never edited.
"""

from __future__ import annotations

import json
from typing import cast

from pydantic import JsonValue

from servers.middleware.call import Answer, Call, Found, Handler, Layer, Refused, Shown
from worlds.episode import CallOutcome
from worlds.model import Mask
from worlds.projection import Absent, Evidence, Json, exposed, project


def masking(mask: Mask, handler: Handler) -> Layer:
    """The innermost layer: the handler's evidence, projected."""

    async def layer(call: Call) -> Answer:
        found = await handler(call)
        return refused(found, mask, call) if isinstance(found, Refused) else shown(found, mask, call)

    return layer


def refused(found: Refused, mask: Mask, call: Call) -> Refused:
    """The refusal without what is hidden of it."""
    if found.evidence is None:
        return found
    text = told(found.evidence, mask)
    return nothing_to_show(call, found.outcome) if text is None else Refused(text, found.outcome)


def told(evidence: Evidence, mask: Mask) -> str | None:
    """The projection of a text; None if nothing is left of it."""
    content = project(evidence, mask)
    return None if isinstance(content, Absent) else text_of(content)


def shown(found: Found, mask: Mask, call: Call) -> Answer:
    """The projection of what was found, or word that there is nothing to show."""
    evidence = found.evidence if found.showing is None else _showing(found.evidence, found.showing, mask)
    content = project(evidence, mask)
    if isinstance(content, Absent):
        return nothing_to_show(call, CallOutcome.ANSWERED)
    return Shown(_structure(content), text_of(content), tuple(sorted(set(exposed(evidence, mask)))))


def nothing_to_show(call: Call, outcome: CallOutcome) -> Refused:
    """The same words for a record that is hidden and for one that does not exist."""
    asked = ", ".join(f"{name} {value!r}" for name, value in call.arguments.items())
    return Refused(f"{call.name}: nothing to show for {asked or 'this call'}", outcome)


def text_of(content: Json) -> str:
    """The text block of an answer."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, separators=(", ", ": "))


def _structure(content: Json) -> JsonValue:
    return cast(JsonValue, content if isinstance(content, dict) else {"answer": content})


def _showing(items: Evidence, text: str, mask: Mask) -> Evidence:
    """The items that still show the text once the mask is applied, so that a search finds nothing hidden."""
    found: list[Evidence] = []
    for item in items.content if isinstance(items.content, tuple) else ():
        content = project(item, mask)
        if not isinstance(content, Absent) and text.casefold() in text_of(content).casefold():
            found.append(item)
    return Evidence({"found": Evidence(len(found)), "items": Evidence(tuple(found))})
