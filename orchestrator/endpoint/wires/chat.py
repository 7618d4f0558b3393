"""OpenAI's Chat Completions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.endpoint.turn import ANY_OBJECT, Calls, Offered, Result, Step, Turn, digest, listed, text_in
from orchestrator.endpoint.wires.wire import Event, Wire

CREATED = 0
"""The time of an answer: the endpoint has no clock, so that the same request gets the same answer."""


def read(body: Mapping[str, Any]) -> Turn:
    messages = listed(body, "messages")
    mine = [message for message in messages if message.get("role") == "assistant"]
    persons = [message for message in messages if message.get("role") == "user"]
    functions = [tool.get("function") or {} for tool in listed(body, "tools") if tool.get("type") == "function"]
    return Turn(
        model=str(body.get("model", "")),
        offered=tuple(
            Offered(str(each.get("name", "")), "", str(each.get("description", "")), each.get("parameters"))
            for each in functions
        ),
        history=digest(messages),
        begins=not mine,
        asked=len(persons),
        said=text_in(persons[-1].get("content")) if persons else "",
        results=tuple(_results(messages)),
        streams=bool(body.get("stream")),
        schema=_schema(body.get("response_format") or {}),
        letters=len(json.dumps(body)),
    )


def _schema(wanted: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if wanted.get("type") == "json_schema":
        return (wanted.get("json_schema") or {}).get("schema") or ANY_OBJECT
    return ANY_OBJECT if wanted.get("type") == "json_object" else None


def _results(messages: list[dict[str, Any]]) -> Iterator[Result]:
    """Those after the model's last message. The API has no sign for a failed call; a server's refusal is a text."""
    last = max((n for n, message in enumerate(messages) if message.get("role") == "assistant"), default=-1)
    for message in messages[last + 1 :]:
        if message.get("role") == "tool":
            yield Result(str(message.get("tool_call_id", "")), "", text_in(message.get("content")))


def whole(turn: Turn, step: Step) -> dict[str, Any]:
    choice = {"index": 0, "message": _message(step), "finish_reason": _finished(step), "logprobs": None}
    return {**_head(turn, step, "chat.completion"), "choices": [choice], "usage": _usage(turn, step)}


def _head(turn: Turn, step: Step, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{step.id}", "object": kind, "created": CREATED, "model": turn.model}


def _message(step: Step) -> dict[str, Any]:
    if isinstance(step, Calls):
        return {"role": "assistant", "content": None, "tool_calls": [_call(step)]}
    return {"role": "assistant", "content": step.text}


def _call(step: Calls) -> dict[str, Any]:
    return {"id": step.id, "type": "function", "function": {"name": step.tool.name, "arguments": step.written}}


def _finished(step: Step) -> str:
    return "tool_calls" if isinstance(step, Calls) else "stop"


def _usage(turn: Turn, step: Step) -> dict[str, int]:
    return {
        "prompt_tokens": turn.tokens, "completion_tokens": step.tokens, "total_tokens": turn.tokens + step.tokens,
    }  # fmt: skip


def events(turn: Turn, step: Step) -> Iterator[Event]:
    head = _head(turn, step, "chat.completion.chunk")
    delta = {"tool_calls": [{"index": 0, **_call(step)}]} if isinstance(step, Calls) else {"content": step.text}
    for given, finished in (({"role": "assistant", "content": ""}, None), (delta, None), ({}, _finished(step))):
        yield Event({**head, "choices": [{"index": 0, "delta": given, "finish_reason": finished}]})
    yield Event({**head, "choices": [], "usage": _usage(turn, step)})
    yield Event("[DONE]")


def error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


CHAT = Wire(read, whole, events, error)
