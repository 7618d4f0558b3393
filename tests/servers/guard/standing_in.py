"""Servers, an owner and a wire for the tests of the guard."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp import ClientSession
from mcp.server import Server, ServerRequestContext
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequest,
    GetPromptRequestParams,
    GetPromptResult,
    JSONRPCNotification,
    JSONRPCRequest,
    ListPromptsRequest,
    ListPromptsResult,
    ListResourcesRequest,
    ListResourcesResult,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptMessage,
    ReadResourceRequest,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
    Tool,
)

from servers.guard.account import MemoryAccount
from servers.guard.gateway import Answer, Guard, Held, guarded
from servers.guard.rules import Rules
from servers.guard.upstream import Connected
from servers.transports.era import Era
from servers.transports.memory import in_memory
from worlds.town.consent import Standing
from worlds.town.written import Consent

Context = ServerRequestContext[Any]
ANY = {"type": "object"}


@dataclass
class Shop:
    """A server that sells, and keeps what it was called with. `answers`: what each tool answers; a text is an error."""

    answers: Mapping[str, Any]
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def server(self) -> Server[Any]:
        async def tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
            return ListToolsResult(
                tools=[Tool(name=name, description=f"The tool {name}.", input_schema=ANY) for name in self.answers]
            )

        async def call(context: Context, params: CallToolRequestParams) -> CallToolResult:
            self.calls.append((params.name, dict(params.arguments or {})))
            found = self.answers[params.name]
            if isinstance(found, str):
                return CallToolResult(content=[TextContent(type="text", text=found)], is_error=True)
            text = TextContent(type="text", text=json.dumps(found))
            return CallToolResult(content=[text], structured_content=found)

        async def prompts(context: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
            return ListPromptsResult(prompts=[Prompt(name="greet", description="Say hello.")])

        async def prompt(context: Context, params: GetPromptRequestParams) -> GetPromptResult:
            said = TextContent(type="text", text=f"Hello {(params.arguments or {}).get('who')}")
            return GetPromptResult(messages=[PromptMessage(role="user", content=said)])

        async def resources(context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
            return ListResourcesResult(resources=[Resource(uri="shop://terms", name="terms", mime_type="text/plain")])

        async def resource(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
            return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, text="No returns.")])

        return Server(
            "shop",
            version="7",
            title="A shop",
            instructions="It sells things.",
            on_list_tools=tools,
            on_call_tool=call,
            on_list_prompts=prompts,
            on_get_prompt=prompt,
            on_list_resources=resources,
            on_read_resource=resource,
        )

    def done(self, tool: str) -> int:
        """How often a tool was called."""
        return sum(name == tool for name, _ in self.calls)


@dataclass
class Said:
    """An owner who answers every question alike. `grants`: what their first answer adds to the consent."""

    consent: Consent = field(default_factory=Consent)
    answer: Answer = field(default_factory=lambda: Answer("no"))
    grants: Consent = field(default_factory=Consent)
    decides_unknown: bool = False
    asked: list[Held] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    async def standing(self) -> Standing:
        standing = Standing().granted(self.consent)
        return standing.granted(self.grants) if self.asked else standing

    async def ask(self, held: Held, context: Context) -> Answer:
        self.asked.append(held)
        return self.answer

    def without_answers(self, params: CallToolRequestParams) -> CallToolRequestParams:
        return params

    async def refused(self, held: Held, text: str) -> None:
        self.refusals.append(text)


@asynccontextmanager
async def behind(rules: Rules, owner: Said, **servers: Server[Any]) -> AsyncIterator[dict[str, ClientSession]]:
    """Clients of these servers behind a guard."""
    async with in_memory(servers) as sessions:
        upstreams = {name: Connected(session) for name, session in sessions.items()}
        guard = Guard(rules, owner, MemoryAccount(), upstreams)
        async with in_memory(guarded(guard, upstreams)) as clients:
            yield clients


def rules(*written: dict[str, object], **more: object) -> Rules:
    return Rules.model_validate({"rules": written, **more})


def text_of(answer: CallToolResult) -> str:
    return "\n".join(block.text for block in answer.content if isinstance(block, TextContent))


GREETING: tuple[dict[str, Any], ...] = (
    {
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "wire", "version": "1"},
        },
    },
)


async def in_the_modern_era(server: Server[Any], requests: Sequence[Mapping[str, Any]]) -> list[str]:
    """The same over a session of the modern era, as the results came."""
    kinds = {
        "tools/list": ListToolsRequest,
        "tools/call": CallToolRequest,
        "prompts/list": ListPromptsRequest,
        "prompts/get": GetPromptRequest,
        "resources/list": ListResourcesRequest,
        "resources/read": ReadResourceRequest,
    }
    async with in_memory({"it": server}, Era.MODERN) as clients:
        here = Connected(clients["it"])
        asked = [kinds[each["method"]].model_validate({"params": each.get("params")}) for each in requests]
        told = [here.info, here.capabilities]
        return [
            *(str(each and each.model_dump_json()) for each in told),
            str(here.instructions),
            *[json.dumps(await here.answer(each)) for each in asked],
        ]


async def on_the_wire(server: Server[Any], requests: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a server writes in answer to these requests, after a greeting, as JSON."""
    written: list[str] = []
    async with create_client_server_memory_streams() as ((read, write), ours), anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, *ours, server.create_initialization_options())
        for number, request in enumerate((*GREETING, *requests)):
            await write.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=number, **request)))
            message = await read.receive()
            assert isinstance(message, SessionMessage)
            written.append(message.message.model_dump_json(by_alias=True, exclude_unset=True))
            if number == 0:
                ready = JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
                await write.send(SessionMessage(ready))
        tasks.cancel_scope.cancel()
    return written
