"""A model for Inspect that plays a policy: what the policy calls becomes the model's tool calls, one after another."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from inspect_ai.model import ChatMessage, ChatMessageTool, ChatMessageUser, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolInfo
from mcp import ClientSession
from mcp_types import CallToolResult, TextContent

from orchestrator.agents.agent import Agent

Making = Callable[[str], Agent]
"""Makes the agent for a request."""


@dataclass
class Played:
    """One sample at a time: its first message starts an agent, each tool's answer lets it go on."""

    make: Making
    told: list[list[ChatMessage]] = field(default_factory=list)
    offered: list[ToolInfo] = field(default_factory=list)

    async def __call__(self, messages: list[ChatMessage], tools: list[ToolInfo], *rest: object) -> ModelOutput:
        self.told.append(list(messages))
        self.offered = tools
        if isinstance(messages[-1], ChatMessageUser) and len(messages) <= 2:
            self._calls: asyncio.Queue[tuple[str, Mapping[str, Any]]] = asyncio.Queue()
            self._answers: asyncio.Queue[str] = asyncio.Queue()
            servers = dict.fromkeys(tool.name.partition("__")[0] for tool in tools)
            sessions = {server: cast(ClientSession, _Session(server, self._calls, self._answers)) for server in servers}
            self._acting = asyncio.ensure_future(self.make(messages[-1].text).act(messages[-1].text, sessions))
        elif isinstance(messages[-1], ChatMessageTool):
            await self._answers.put(messages[-1].text)
        calling = asyncio.ensure_future(self._calls.get())
        await asyncio.wait({self._acting, calling}, return_when=asyncio.FIRST_COMPLETED)
        if calling.done():
            name, arguments = calling.result()
            output = ModelOutput.for_tool_call("mockllm/model", name, dict(arguments))
        else:
            calling.cancel()
            output = ModelOutput.from_content("mockllm/model", self._acting.result() or "")
        output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=13)
        return output


@dataclass(frozen=True)
class _Session:
    server: str
    calls: asyncio.Queue[tuple[str, Mapping[str, Any]]]
    answers: asyncio.Queue[str]

    async def call_tool(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        await self.calls.put((f"{self.server}__{tool}", arguments))
        text = await self.answers.get()
        try:
            content = json.loads(text)
        except ValueError:
            content = None
        structured = content if isinstance(content, dict) else None
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)


def model_playing(make: Making) -> Model:
    """A model of Inspect that plays the agents of this maker. Only for one sample at a time."""
    return get_model("mockllm/model", custom_outputs=Played(make), memoize=False)
