"""What a host printed, read as its adapter says."""

from __future__ import annotations

import json
from dataclasses import dataclass

import jmespath
from jmespath.exceptions import JMESPathError

from orchestrator.hosts.adapter import Form, Output
from worlds.episode import Usage

UNKNOWN = Usage()
MOST_STARTS = 200
"""So many lines are taken for the start of the document, at most."""


class Unreadable(ValueError):
    """The output is not what the adapter expects; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one turn of a host said. `session` and `trouble` are empty if it said none; `tools` is None if unknown."""

    message: str
    session: str = ""
    denied: tuple[str, ...] = ()
    trouble: str = ""
    tools: tuple[str, ...] | None = None
    usage: Usage = UNKNOWN


def read_output(output: Output, text: str) -> Said:
    """Read what a turn printed. Raises Unreadable."""
    if output.form is Form.TEXT:
        return Said(text.strip())
    document = _document(text) if output.form is Form.JSON else _lines(text)
    message = _found(output.message, document)
    if message is None:
        raise Unreadable(f"it printed no message where {output.message!r} looks for it")
    tools = _found(output.tools, document)
    return Said(
        message=message if isinstance(message, str) else json.dumps(message, ensure_ascii=False),
        session=str(_found(output.session, document) or ""),
        denied=_texts(_found(output.denied, document)),
        trouble=_text(_found(output.trouble, document)),
        tools=None if tools is None else _texts(tools),
        usage=Usage(
            requests=_count(_found(output.requests, document)),
            input_tokens=_count(_found(output.input_tokens, document)),
            output_tokens=_count(_found(output.output_tokens, document)),
        ),
    )


def _document(text: str) -> object:
    """The JSON document that the text ends with: some hosts print warnings before it."""
    whole = text.strip()
    starts = [0, *(at + 1 for at, letter in enumerate(whole) if letter == "\n" and whole[at + 1 : at + 2] in "{[")]
    for start in starts[:MOST_STARTS]:
        try:
            found: object = json.loads(whole[start:])
        except (ValueError, RecursionError):
            continue
        return found
    raise Unreadable(f"it printed no JSON but {_short(whole)}")


def _lines(text: str) -> list[object]:
    found: list[object] = []
    for line in text.split("\n"):  # no other end of line, which a JSON text may hold
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            continue
    if not found:
        raise Unreadable(f"it printed no line of JSON but {_short(text.strip())}")
    return found


def _short(text: str) -> str:
    return repr(text[:200]) if text else "nothing"


def _found(expression: str | None, document: object) -> object:
    if expression is None:
        return None
    try:
        found: object = jmespath.search(expression, document)
    except JMESPathError as error:
        raise Unreadable(f"{expression!r} cannot be asked of what it printed: {' '.join(str(error).split())}") from None
    return found


def _text(found: object) -> str:
    if not found:
        return ""
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _texts(found: object) -> tuple[str, ...]:
    if not found:
        return ()
    return tuple(map(_text, found)) if isinstance(found, list) else (_text(found),)


def _count(found: object) -> int | None:
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 1e15:
        return None
    return int(found)
