"""Anthropic's Messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.endpoint.turn import Calls, Offered, Result, Step, Turn, digest, listed, text_in
from orchestrator.endpoint.wires.wire import Event, Wire


def read(body: Mapping[str, Any]) -> Turn:
    messages = listed(body, "messages")
    mine = [message for message in messages if message.get("role") == "assistant"]
    persons = [message for message in messages if message.get("role") == "user" and not _results(message)]
    last = messages[-1] if messages else {}
    output = body.get("output_config") or {}
    wanted = body.get("output_format") or output.get("format") or {}
    return Turn(
        model=str(body.get("model", "")),
        offered=tuple(
            Offered(str(tool.get("name", "")), "", str(tool.get("description", "")), tool.get("input_schema"))
            for tool in listed(body, "tools")
        ),
        history=digest(messages),
        begins=not mine,
        asked=len(persons),
        said=text_in(persons[-1].get("content")) if persons else "",
        results=tuple(
            Result(str(block.get("tool_use_id", "")), "", text_in(block.get("content")), bool(block.get("is_error")))
            for block in _results(last)
        ),
        streams=bool(body.get("stream")),
        schema=wanted.get("schema") if isinstance(wanted, dict) else None,
        letters=len(json.dumps(body)),
    )


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _results(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [block for block in _blocks(message) if block.get("type") == "tool_result"]


def whole(turn: Turn, step: Step) -> dict[str, Any]:
    return {
        **_message(turn, step),
        "content": [_block(step)],
        "stop_reason": _stopped(step),
        "usage": _usage(turn, step.tokens),
    }


def _message(turn: Turn, step: Step) -> dict[str, Any]:
    return {
        "id": f"msg_{step.id}", "type": "message", "role": "assistant", "model": turn.model, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": _usage(turn, 1),
    }  # fmt: skip


def _block(step: Step) -> dict[str, Any]:
    if isinstance(step, Calls):
        return {"type": "tool_use", "id": step.id, "name": step.tool.name, "input": dict(step.arguments)}
    return {"type": "text", "text": step.text}


def _stopped(step: Step) -> str:
    return "tool_use" if isinstance(step, Calls) else "end_turn"


def _usage(turn: Turn, output: int) -> dict[str, int]:
    return {
        "input_tokens": turn.tokens, "output_tokens": output,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
    }  # fmt: skip


def events(turn: Turn, step: Step) -> Iterator[Event]:
    if isinstance(step, Calls):
        start: dict[str, Any] = {**_block(step), "input": {}}
        delta = {"type": "input_json_delta", "partial_json": step.written}
    else:
        start = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": step.text}
    ending = {"stop_reason": _stopped(step), "stop_sequence": None}
    for carries in (
        {"type": "message_start", "message": _message(turn, step)},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": step.tokens}},
        {"type": "message_stop"},
    ):
        yield Event(carries, str(carries["type"]))


def error(message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": "invalid_request_error", "message": message}}


ANTHROPIC = Wire(read, whole, events, error)
