"""OpenAI's Responses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.endpoint.turn import (
    ANY_OBJECT,
    BadRequest,
    Calls,
    Offered,
    Result,
    Step,
    Turn,
    digest,
    listed,
    text_in,
)
from orchestrator.endpoint.wires.chat import CREATED, error
from orchestrator.endpoint.wires.wire import Event, Wire


def read(body: Mapping[str, Any]) -> Turn:
    items = _items(body)
    mine = [n for n, item in enumerate(items) if item.get("type") == "function_call" or item.get("role") == "assistant"]
    persons = [item for item in items if item.get("role") == "user"]
    wanted = (body.get("text") or {}).get("format") or {}
    return Turn(
        model=str(body.get("model", "")),
        offered=tuple(_offered(listed(body, "tools"))),
        history=digest(items),
        begins=not mine,
        asked=len(persons),
        said=text_in(persons[-1].get("content")) if persons else "",
        results=tuple(
            Result(str(item.get("call_id", "")), "", text_in(item.get("output")))
            for item in items[max(mine, default=-1) + 1 :]
            if item.get("type") == "function_call_output"
        ),
        streams=bool(body.get("stream")),
        schema=(wanted.get("schema") or ANY_OBJECT) if wanted.get("type") in ("json_schema", "json_object") else None,
        letters=len(json.dumps(body)),
    )


def _items(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    if body.get("previous_response_id"):
        raise BadRequest("previous_response_id: nothing is stored here; send the whole history as `input`")
    said = body.get("input")
    if isinstance(said, str):
        return [{"type": "message", "role": "user", "content": said}]
    if said is None:
        raise BadRequest("input: expected a text or a list of items, got nothing")
    return listed(body, "input")


def _offered(tools: list[dict[str, Any]], namespace: str = "") -> Iterator[Offered]:
    """Functions, also those that a host has grouped under a name of its own."""
    for tool in tools:
        if isinstance(tool.get("tools"), list):
            yield from _offered(tool["tools"], str(tool.get("name", "")))
        elif tool.get("type") == "function":
            name, about = str(tool.get("name", "")), str(tool.get("description", ""))
            yield Offered(name, namespace, about, tool.get("parameters"))


def whole(turn: Turn, step: Step) -> dict[str, Any]:
    return {
        **_head(turn, step, "completed"),
        "output": [_item(step, "completed")],
        "usage": {
            "input_tokens": turn.tokens, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": step.tokens, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": turn.tokens + step.tokens,
        },
    }  # fmt: skip


def _head(turn: Turn, step: Step, status: str) -> dict[str, Any]:
    return {
        "id": f"resp_{step.id}", "object": "response", "created_at": CREATED, "status": status, "model": turn.model,
        "output": [], "error": None, "incomplete_details": None, "instructions": None, "metadata": {},
        "parallel_tool_calls": False, "tool_choice": "auto", "tools": [], "temperature": None, "top_p": None,
        "usage": None,
    }  # fmt: skip


def _item(step: Step, status: str) -> dict[str, Any]:
    done = status == "completed"
    if isinstance(step, Calls):
        space = {"namespace": step.tool.namespace} if step.tool.namespace else {}
        return {
            "type": "function_call", "id": f"fc_{step.id}", "call_id": step.id, "name": step.tool.name, **space,
            "arguments": step.written if done else "", "status": status,
        }  # fmt: skip
    return {
        "type": "message", "id": f"msg_{step.id}", "role": "assistant", "status": status,
        "content": [_part(step.text)] if done else [],
    }  # fmt: skip


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def events(turn: Turn, step: Step) -> Iterator[Event]:
    for number, carries in enumerate(_carried(turn, step)):
        yield Event({**carries, "sequence_number": number}, str(carries["type"]))


def _carried(turn: Turn, step: Step) -> Iterator[dict[str, Any]]:
    yield {"type": "response.created", "response": _head(turn, step, "in_progress")}
    yield {"type": "response.in_progress", "response": _head(turn, step, "in_progress")}
    yield {"type": "response.output_item.added", "output_index": 0, "item": _item(step, "in_progress")}
    at: dict[str, Any] = {"item_id": _item(step, "completed")["id"], "output_index": 0}
    if isinstance(step, Calls):
        written = "response.function_call_arguments"
        yield {"type": f"{written}.delta", **at, "delta": step.written}
        yield {"type": f"{written}.done", **at, "name": step.tool.name, "arguments": step.written}
    else:
        at["content_index"] = 0
        yield {"type": "response.content_part.added", **at, "part": _part("")}
        yield {"type": "response.output_text.delta", **at, "delta": step.text, "logprobs": []}
        yield {"type": "response.output_text.done", **at, "text": step.text, "logprobs": []}
        yield {"type": "response.content_part.done", **at, "part": _part(step.text)}
    yield {"type": "response.output_item.done", "output_index": 0, "item": _item(step, "completed")}
    yield {"type": "response.completed", "response": whole(turn, step)}


RESPONSES = Wire(read, whole, events, error)
