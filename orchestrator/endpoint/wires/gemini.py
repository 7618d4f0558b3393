"""Google's Gemini."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.endpoint.turn import ANY_OBJECT, Calls, Offered, Result, Step, Turn, digest, listed, text_in
from orchestrator.endpoint.wires.wire import Event, Wire


def read(body: Mapping[str, Any]) -> Turn:
    """The model and whether it streams stand in the address, not here."""
    contents = listed(body, "contents")
    mine = [content for content in contents if content.get("role") == "model"]
    persons = [content for content in contents if content.get("role") == "user" and not _parts(content, _ANSWER)]
    last = contents[-1] if contents else {}
    settings = body.get("generationConfig") or {}
    declared = [each for tool in listed(body, "tools") for each in tool.get("functionDeclarations") or []]
    return Turn(
        model="",
        offered=tuple(
            Offered(
                str(each.get("name", "")), "", str(each.get("description", "")),
                each.get("parametersJsonSchema") or each.get("parameters"),
            )
            for each in declared
        ),
        history=digest(contents),
        begins=not mine,
        asked=len(persons),
        said=text_in(persons[-1].get("parts")) if persons else "",
        results=tuple(_result(part[_ANSWER]) for part in _parts(last, _ANSWER)),
        schema=settings.get("responseJsonSchema")
        or settings.get("responseSchema")
        or (ANY_OBJECT if settings.get("responseMimeType") == "application/json" else None),
        letters=len(json.dumps(body)),
    )  # fmt: skip


_ANSWER = "functionResponse"


def _parts(content: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    return [part for part in content.get("parts") or [] if isinstance(part, dict) and isinstance(part.get(kind), dict)]


def _result(answer: Mapping[str, Any]) -> Result:
    given = answer.get("response") or {}
    error = given.get("error") if set(given) == {"error"} else None
    text = error if isinstance(error, str) else json.dumps(given, ensure_ascii=False)
    failed = error is not None or given.get("isError") is True
    return Result(str(answer.get("id") or ""), str(answer.get("name", "")), text, failed)


def whole(turn: Turn, step: Step) -> dict[str, Any]:
    return {
        "candidates": [
            {"content": {"role": "model", "parts": [_part(step)]}, "finishReason": "STOP", "index": 0},
        ],
        "usageMetadata": {
            "promptTokenCount": turn.tokens, "candidatesTokenCount": step.tokens,
            "totalTokenCount": turn.tokens + step.tokens,
        },
        "modelVersion": turn.model,
        "responseId": step.id,
    }  # fmt: skip


def _part(step: Step) -> dict[str, Any]:
    if isinstance(step, Calls):
        return {"functionCall": {"id": step.id, "name": step.tool.name, "args": dict(step.arguments)}}
    return {"text": step.text}


def events(turn: Turn, step: Step) -> Iterator[Event]:
    """One piece: every piece is an answer by itself."""
    yield Event(whole(turn, step))


def error(message: str) -> dict[str, Any]:
    return {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}


GEMINI = Wire(read, whole, events, error)
