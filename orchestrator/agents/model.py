"""A model as the agent under test: `model:PROVIDER/NAME`, with the MCP sessions as its tools.

Through pydantic-ai, an extra (`pip install 'twintown[models]'`); any provider that it knows.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
from mcp import ClientSession
from mcp_types import CallToolResult, PaginatedRequestParams, TextContent, Tool
from pydantic_ai import Agent as ModelRunner
from pydantic_ai import RunContext, ToolDefinition
from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelContextWindowExceededError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    OutputTokenLimitExceeded,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_ai.usage import RunUsage, UsageLimits

from orchestrator.agents.agent import Infrastructure, Maker, Unavailable, UnknownAgent
from orchestrator.agents.instructions import INSTRUCTIONS as INSTRUCTIONS
from orchestrator.agents.instructions import instruction
from worlds.episode import Usage

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between the attempts at a request that fails for a reason that is not the model's."""

LONGEST_PAUSE = 30.0
"""A provider that asks for a longer wait has failed at once."""

MOST_REQUESTS = 10_000
MOST_UNKNOWN = 20
"""So often a model may call a tool by the same name that none has."""

MOST_LETTERS = 64
"""Of a tool's name, for every provider."""

NO_OBJECT = "arguments that are no JSON object"
"""The name under which a tool is sent what a model wrote in place of its arguments; no tool takes it."""

_OPENAI = "https://api.openai.com"


def model_agent(name: str, suite: str, harness: bool = False) -> Maker:
    """The maker for `model:PROVIDER/NAME`. `suite`: a key of INSTRUCTIONS; `harness`: with the longer instruction.
    Raises UnknownAgent.

    A model is made here once to see that it can be made, and afresh for each turn of each episode, because every
    episode has an event loop of its own.
    """
    provider, slash, model = name.removeprefix("model:").partition("/")
    if not (provider and slash and model.strip()):
        raise UnknownAgent(f"agent {name!r}: expected model:PROVIDER/NAME, such as model:anthropic/claude-sonnet-4-5")

    def make() -> Model:
        return infer_model(f"{_interface(provider)}:{model}")

    try:
        make()
    except Exception as error:  # no such provider, no key, no client of this provider
        reason = " ".join(str(error).partition(" To try Pydantic AI")[0].split())
        raise UnknownAgent(f"agent {name!r} cannot be had: {reason or type(error).__name__}") from None
    return lambda task, condition: ModelAgent(make, instruction(suite, harness))


def _interface(provider: str) -> str:
    """OpenAI's own address speaks Responses; any other that speaks like OpenAI surely has chat completions."""
    elsewhere = os.environ.get("OPENAI_BASE_URL", _OPENAI)
    return "openai-chat" if provider == "openai" and not elsewhere.startswith(_OPENAI) else provider


class ModelAgent:
    """A model that acts with the tools of its sessions. What was said stays from turn to turn.

    `make` makes the model, with an HTTP client of its own, in the event loop that it is used in; it is closed at the
    end of the turn.
    """

    def __init__(self, make: Callable[[], Model], instruction: str, pauses: Sequence[float] = PAUSES) -> None:
        self._make, self._instruction, self._pauses = make, instruction, pauses
        self._history: list[ModelMessage] = []
        self._spent = RunUsage()

    @property
    def usage(self) -> Usage:
        """Over all turns, of the answers that came. Tokens are unknown if one of the answers did not tell them."""
        spent = self._spent
        if not spent.requests or spent.unmeasured_requests:
            return Usage(requests=spent.requests or None)
        return Usage(requests=spent.requests, input_tokens=spent.input_tokens, output_tokens=spent.output_tokens)

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        """Raises Infrastructure if the provider fails, also if that is what the time ran out over."""
        model = _Patient(self._make(), self._pauses)
        settings = ModelSettings(framing_announcement="never")  # the instruction is all that is said to it
        if "max_retries" not in model.wrapped.unsupported_settings:
            settings["max_retries"] = 0  # ours are the only ones
        runner: ModelRunner[None, str | None] = ModelRunner(
            model,
            output_type=_TEXT_OR_NOTHING,
            instructions=self._instruction,
            toolsets=[await _tools_of(sessions)],
            model_settings=settings,
            retries={"tools": MOST_UNKNOWN, "output": 1},
        )
        try:
            async with runner:
                result = await runner.run(
                    request,
                    message_history=self._history,
                    usage=self._spent,
                    usage_limits=UsageLimits(request_limit=MOST_REQUESTS),
                )
        except asyncio.CancelledError:
            if model.trouble:
                raise Infrastructure(model.trouble) from None
            raise
        self._history = result.all_messages()
        return result.output


_TEXT_OR_NOTHING: Any = str | None  # a type form, which the library's own annotations do not cover


class _Patient(WrapperModel):
    """Tries a request again, a few times, that failed for a reason that is not the model's."""

    def __init__(self, wrapped: Model, pauses: Sequence[float]) -> None:
        super().__init__(wrapped)
        self._pauses = pauses
        self.trouble = ""
        """Why the request that is being made has failed so far."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Raises Infrastructure when there is no use in trying again, and Unavailable for a wrong key or name."""
        pauses = list(self._pauses)
        while True:
            try:
                answer = await super().request(messages, model_settings, model_request_parameters)
            except Exception as error:
                if not _is_infrastructure(error):
                    raise
                self.trouble = f"the model's provider failed: {type(error).__name__}: {error}"
                if isinstance(error, ModelAuthenticationError | ModelNotFoundError):
                    raise Unavailable(self.trouble) from error
                asked = getattr(error, "retry_after", None) or 0.0
                if not pauses or not _may_pass(error) or asked > LONGEST_PAUSE:
                    raise Infrastructure(self.trouble) from error
                await anyio.sleep(max(asked, pauses.pop(0)))
            else:
                self.trouble = ""
                return answer


def _is_infrastructure(error: Exception) -> bool:
    """Whether a request failed for a reason that is not the model's: an answer that is none is the provider's. A
    context that has grown too long, or an answer that was withheld or cut off, is the model's."""
    if isinstance(error, ModelContextWindowExceededError | ContentFilterError | OutputTokenLimitExceeded):
        return False
    return isinstance(error, ModelAPIError | UnexpectedModelBehavior | httpx2.HTTPError | OSError)


def _may_pass(error: Exception) -> bool:
    """Whether it can help to try again: not with a wrong key, an unknown name or an empty account."""
    return not isinstance(error, ModelRequestRejectedError | ModelQuotaExceededError)


@dataclass(frozen=True, slots=True)
class _Offered:
    """A tool of a session, by the name that the model knows it by."""

    name: str
    session: ClientSession
    tool: Tool


async def _tools_of(sessions: Mapping[str, ClientSession]) -> _Sessions:
    offered: dict[str, _Offered] = {}
    for server, session in sessions.items():
        for tool in await _listed(session):
            name = tool_name(server, tool.name, offered)
            offered[name] = _Offered(name, session, tool)
    return _Sessions(offered)


async def _listed(session: ClientSession) -> list[Tool]:
    page = await session.list_tools()
    tools = list(page.tools)
    while page.next_cursor:
        page = await session.list_tools(params=PaginatedRequestParams(cursor=page.next_cursor))
        tools += page.tools
    return tools


def tool_name(server: str, tool: str, taken: Mapping[str, object] | Sequence[str] = ()) -> str:
    """`server__tool`, in letters that every provider takes and not more of them than that, and unlike those taken."""
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", f"{server}__{tool}")
    if len(name) <= MOST_LETTERS and name not in taken:
        return name
    mark = hashlib.sha256(f"{server}\0{tool}".encode()).hexdigest()[:8]
    return f"{name[: MOST_LETTERS - len(mark) - 1]}_{mark}"


class _Sessions(AbstractToolset[None]):
    """The tools of the sessions, described as their servers do, called one after another in the order asked for."""

    def __init__(self, offered: Mapping[str, _Offered]) -> None:
        self._offered = offered

    @property
    def id(self) -> str:
        return "sessions"

    async def get_tools(self, ctx: RunContext[None]) -> dict[str, ToolsetTool[None]]:
        return {name: self._as_known(each) for name, each in self._offered.items()}

    def _as_known(self, each: _Offered) -> ToolsetTool[None]:
        definition = ToolDefinition(
            name=each.name,
            description=each.tool.description,
            parameters_json_schema=each.tool.input_schema,
            strict=False,  # else a provider's schema is made to fit, and is another
            sequential=True,
        )
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=0, args_validator=_Anything())

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[None], tool: ToolsetTool[None]
    ) -> str:
        """The answer's text, also that of an error: the model reads it, and nothing is raised."""
        each = self._offered[name]
        try:
            return _text(await each.session.call_tool(each.tool.name, tool_args))
        except Exception as error:  # by the protocol, or the connection
            return f"error: {error or type(error).__name__}"


def _text(answer: CallToolResult) -> str:
    blocks = [block.text if isinstance(block, TextContent) else f"[{block.type}]" for block in answer.content]
    return "\n".join(blocks)


class _Anything:
    """Lets everything through to the server, whose part it is to refuse and to keep what was called wrongly."""

    def validate_json(self, input: str | bytes | bytearray, **options: Any) -> dict[str, Any]:
        try:
            return self.validate_python(json.loads(input))
        except (ValueError, RecursionError):
            return {NO_OBJECT: input if isinstance(input, str) else bytes(input).decode(errors="replace")}

    def validate_python(self, input: Any, **options: Any) -> dict[str, Any]:
        return input if isinstance(input, dict) else {NO_OBJECT: input}
