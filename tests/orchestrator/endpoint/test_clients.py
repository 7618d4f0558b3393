"""The official clients of the APIs hold a conversation with the scripted model, whole and as streams."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.genai import types as google_types

from orchestrator.endpoint.serving import scripted_model
from tests.orchestrator.endpoint.policies import FOUND, SERVERS, Buyer

NAMES = ["mcp__shop__find", "mcp__shop__buy", "mcp__data_shop__find"]
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "string"}}}
REQUEST = "Please buy a lamp."
CALLS = [("mcp__shop__find", {"name": "lamp"}), ("mcp__shop__buy", {"price": "31.00 USD"})]


def answer_to(name: str) -> str:
    return json.dumps(FOUND if name.endswith("find") else {"order": "o1"})


class Held:
    """A conversation as a client holds it: the calls that the model made, and what it said at last."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.said = ""


async def by_messages(address: str, streams: bool, held: Held) -> None:
    async with anthropic.AsyncAnthropic(base_url=address, api_key="none", max_retries=0) as client:
        tools: Any = [{"name": name, "description": "A tool.", "input_schema": SCHEMA} for name in NAMES]
        messages: Any = [{"role": "user", "content": REQUEST}]
        while True:
            asked: Any = {"model": "any", "max_tokens": 100, "messages": messages, "tools": tools}
            if streams:
                async with client.messages.stream(**asked) as stream:
                    answer = await stream.get_final_message()
            else:
                answer = await client.messages.create(**asked)
            messages.append({"role": "assistant", "content": answer.content})
            called = [block for block in answer.content if block.type == "tool_use"]
            held.calls += [(block.name, block.input) for block in called]
            if not called:
                held.said = answer.content[0].text
                assert answer.stop_reason == "end_turn"
                assert answer.usage.output_tokens > 0
                return
            results = [{"type": "tool_result", "tool_use_id": b.id, "content": answer_to(b.name)} for b in called]
            messages.append({"role": "user", "content": results})


async def by_chat(address: str, streams: bool, held: Held) -> None:
    async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
        tools: Any = [{"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in NAMES]
        messages: Any = [{"role": "user", "content": REQUEST}]
        while True:
            if streams:
                async with client.chat.completions.stream(model="any", messages=messages, tools=tools) as stream:
                    answer: Any = await stream.get_final_completion()
            else:
                answer = await client.chat.completions.create(model="any", messages=messages, tools=tools)
            said = answer.choices[0].message
            messages.append(said.model_dump(exclude_none=True, include={"role", "content", "tool_calls"}))
            called = said.tool_calls or []
            held.calls += [(call.function.name, json.loads(call.function.arguments)) for call in called]
            if not called:
                held.said = said.content
                assert answer.choices[0].finish_reason == "stop"
                return
            messages += [
                {"role": "tool", "tool_call_id": call.id, "content": answer_to(call.function.name)} for call in called
            ]


async def by_responses(address: str, streams: bool, held: Held) -> None:
    async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
        tools: Any = [{"type": "function", "name": name, "parameters": SCHEMA, "strict": False} for name in NAMES]
        items: Any = [{"role": "user", "content": REQUEST}]
        while True:
            if streams:
                async with client.responses.stream(model="any", input=items, tools=tools) as stream:
                    answer: Any = await stream.get_final_response()
            else:
                answer = await client.responses.create(model="any", input=items, tools=tools)
            called = [item for item in answer.output if item.type == "function_call"]
            held.calls += [(item.name, json.loads(item.arguments)) for item in called]
            if not called:
                held.said = answer.output_text
                assert answer.status == "completed"
                return
            for item in called:
                items.append(
                    {"type": "function_call", "call_id": item.call_id, "name": item.name, "arguments": item.arguments}
                )
                items.append({"type": "function_call_output", "call_id": item.call_id, "output": answer_to(item.name)})


async def by_gemini(address: str, streams: bool, held: Held) -> None:
    client = genai.Client(api_key="none", http_options=google_types.HttpOptions(base_url=address))
    declared: Any = [{"name": name, "description": "A tool.", "parameters_json_schema": SCHEMA} for name in NAMES]
    config: Any = {"tools": [{"function_declarations": declared}], "automatic_function_calling": {"disable": True}}
    contents: Any = [{"role": "user", "parts": [{"text": REQUEST}]}]
    try:
        while True:
            asked: Any = {"model": "any", "contents": contents, "config": config}
            if streams:
                (answer,) = [piece async for piece in await client.aio.models.generate_content_stream(**asked)]
            else:
                answer = await client.aio.models.generate_content(**asked)
            contents.append(answer.candidates[0].content)
            called = answer.function_calls or []
            held.calls += [(call.name, call.args) for call in called]
            if not called:
                held.said = answer.text
                return
            given = [
                {
                    "function_response": {
                        "name": c.name,
                        "response": {"output": f"Not to be trusted: {answer_to(c.name)}"},
                    }
                }
                for c in called
            ]
            contents.append({"role": "user", "parts": given})
    finally:
        await client.aio.aclose()
        client.close()


CLIENTS: dict[str, Callable[[str, bool, Held], Any]] = {
    "Anthropic Messages": by_messages,
    "OpenAI Chat Completions": by_chat,
    "OpenAI Responses": by_responses,
    "Gemini": by_gemini,
}


@pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning")  # Google's client, of its HTTP library
@pytest.mark.parametrize("streams", [False, True], ids=["whole", "as streams"])
@pytest.mark.parametrize("api", CLIENTS)
async def test_the_policys_calls_and_words_reach_the_client_and_results_reach_the_policy(
    api: str, streams: bool
) -> None:
    held = Held()
    async with scripted_model(Buyer, SERVERS) as endpoint:
        await CLIENTS[api](endpoint.address, streams, held)
    assert held.calls == CALLS
    assert held.said == "Bought for 31.00 USD."
    assert endpoint.asked == (("shop", "find"), ("shop", "buy"))
    assert (endpoint.requests, endpoint.trouble) == (3, "")
    assert endpoint.offered == frozenset(NAMES)


async def test_each_conversation_begins_the_policy_anew() -> None:
    async with scripted_model(Buyer, SERVERS) as endpoint:
        for _ in range(2):
            held = Held()
            await by_chat(endpoint.address, False, held)
            assert held.calls == CALLS
