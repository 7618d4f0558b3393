"""A model of Inspect as the agent under test: Inspect calls models and tools, and behind the tools are our sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, execute_tools, get_model
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolCall, ToolDef, ToolParams, ToolResult
from inspect_ai.util import LimitExceededError
from mcp import ClientSession
from mcp_types import PaginatedRequestParams, TextContent, Tool

from orchestrator.agents.agent import Infrastructure
from orchestrator.agents.model import NO_OBJECT, tool_name
from worlds.episode import Usage

CUT_SHORT = ("max_tokens", "model_length", "content_filter")
"""Reasons for which a model stops that are not an end of its turn."""


class InspectAgent:
    """Calls the model of a sample until it calls no more tools. What was said stays in the state from turn to turn.

    `limit`: the limit of Inspect that it ran into, to be raised again when its episode is kept.
    """

    def __init__(self, state: TaskState) -> None:
        self._state = state
        self._outputs: list[ModelOutput] = []
        self._turns = 0
        self.limit: LimitExceededError | None = None

    @property
    def usage(self) -> Usage:
        """Over all turns. Tokens are unknown if one of the answers did not tell them."""
        known = [output.usage for output in self._outputs if output.usage is not None]
        requests = len(self._outputs) or None
        if not known or len(known) < len(self._outputs):
            return Usage(requests=requests)
        return Usage(
            requests=requests,
            input_tokens=sum(usage.input_tokens for usage in known),
            output_tokens=sum(usage.output_tokens for usage in known),
        )

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        """Raises Infrastructure if the provider fails, and LimitExceededError at a limit of Inspect."""
        offered = await offered_tools(sessions)
        if self._turns:  # the first request is the sample's input
            self._state.messages.append(ChatMessageUser(content=request))
        self._turns += 1
        try:
            return await self._until_it_ends(offered)
        except LimitExceededError as limit:
            self.limit = limit
            raise

    async def _until_it_ends(self, offered: list[ToolDef]) -> str:
        while True:
            output = await self._generated(offered)
            self._state.output = output
            self._state.messages.append(output.message)
            if not output.message.tool_calls:
                if output.stop_reason in CUT_SHORT:
                    raise RuntimeError(f"the model was cut short: {output.stop_reason}")
                return output.message.text
            called = await execute_tools([*self._state.messages[:-1], as_written(output.message)], taking_all(offered))
            self._state.messages.extend(called.messages)

    async def _generated(self, offered: list[ToolDef]) -> ModelOutput:
        try:
            output = await get_model().generate(self._state.messages, tools=offered)
        except LimitExceededError:
            raise
        except Exception as error:
            raise Infrastructure(f"the model's provider failed: {type(error).__name__}: {error}") from error
        self._outputs.append(output)
        return output


async def offered_tools(sessions: Mapping[str, ClientSession]) -> list[ToolDef]:
    """The tools of the sessions under the names that `--agent model:` gives them, described as their servers do."""
    offered: dict[str, ToolDef] = {}
    for server, session in sessions.items():
        for tool in await _listed(session):
            name = tool_name(server, tool.name, offered)
            offered[name] = ToolDef(
                _calling(session, tool.name),
                name=name,
                description=tool.description or tool.name,
                parameters=ToolParams.model_validate(tool.input_schema),
                parallel=False,
                max_output=0,
            )
    return list(offered.values())


def taking_all(offered: list[ToolDef]) -> list[ToolDef]:
    """The same tools with any arguments, so that a wrong call reaches its server, whose part it is to refuse it."""
    return [
        ToolDef(
            tool.tool,
            name=tool.name,
            description=tool.description,
            parameters=ToolParams(additionalProperties=True),
            parallel=False,
            max_output=0,
        )
        for tool in offered
    ]


def as_written(message: ChatMessageAssistant) -> ChatMessageAssistant:
    """The message with arguments that are no JSON object sent as they stand, under a name that no tool takes."""
    return message.model_copy(update={"tool_calls": [_sendable(call) for call in message.tool_calls or []]})


def _sendable(call: ToolCall) -> ToolCall:
    if call.parse_error is None:
        return call
    return ToolCall(id=call.id, function=call.function, arguments={NO_OBJECT: json.dumps(call.arguments)})


def _calling(session: ClientSession, tool: str) -> Any:
    async def execute(**kwargs: Any) -> ToolResult:
        try:
            answer = await session.call_tool(tool, kwargs)
        except Exception as error:  # by the protocol, or the connection
            return f"error: {error or type(error).__name__}"
        blocks = [block.text if isinstance(block, TextContent) else f"[{block.type}]" for block in answer.content]
        return "\n".join(blocks)

    return execute


async def _listed(session: ClientSession) -> list[Tool]:
    page = await session.list_tools()
    tools = list(page.tools)
    while page.next_cursor:
        page = await session.list_tools(params=PaginatedRequestParams(cursor=page.next_cursor))
        tools += page.tools
    return tools
