"""The gateway: for each server an MCP server that looks the same and passes everything through, but for acts that the
owner's consent does not cover. Those it holds, asks the owner, and then lets through or refuses.

What is passed through is passed as it came. A refusal is a tool error that says what was held and why.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequest,
    CompleteRequestParams,
    GetPromptRequest,
    GetPromptRequestParams,
    Implementation,
    InputRequiredResult,
    ListPromptsRequest,
    ListResourcesRequest,
    ListResourceTemplatesRequest,
    ListToolsRequest,
    PaginatedRequestParams,
    ReadResourceRequest,
    ReadResourceRequestParams,
    Request,
    RequestParams,
    ServerCapabilities,
    SetLevelRequest,
    SetLevelRequestParams,
    SubscribeRequest,
    SubscribeRequestParams,
    TextContent,
    UnsubscribeRequest,
    UnsubscribeRequestParams,
)
from pydantic import JsonValue

from servers.guard.account import Account
from servers.guard.policy import Act, Covers, Objection, objections
from servers.guard.rules import Read, Rule, Rules, Told, act_of, amount_or_none, unruled, with_lets
from servers.guard.upstream import Raw, Upstream, content_of, forwarded
from worlds.town.consent import Standing
from worlds.values import Money

MOST_PAGES = 100

Forward = Callable[[], Awaitable[Raw]]
"""Passes a call on to its server."""


@dataclass(frozen=True, slots=True)
class Held:
    """A call that is held: who would be called with what, the act, and what the consent does not cover of it."""

    server: str
    params: CallToolRequestParams
    act: Act
    objections: tuple[Objection, ...]

    @property
    def tool(self) -> str:
        return self.params.name

    @property
    def arguments(self) -> Mapping[str, JsonValue]:
        return self.params.arguments or {}

    @property
    def reasons(self) -> str:
        return "; ".join(dict.fromkeys(objection.text for objection in self.objections))

    @property
    def question(self) -> str:
        return f"May I {self.act.asks}?"


@dataclass(frozen=True, slots=True)
class Answer:
    """What asking the owner came to: what they said, and whether they let this one act through. `first`: what the
    client has to ask them before, as an answer that makes it call again."""

    says: str = ""
    approved: bool = False
    first: InputRequiredResult | None = None


class Owner(Protocol):
    """The owner's side of a guard. `decides_unknown`: asked also where it cannot be told what a call does."""

    decides_unknown: bool

    async def standing(self) -> Standing:
        """The consent as it stands now."""

    async def ask(self, held: Held, context: ServerRequestContext[Any]) -> Answer:
        """Ask about a held call. It may change the consent, or approve this one call."""

    def without_answers(self, params: CallToolRequestParams) -> CallToolRequestParams:
        """The call without what answers a question of the guard and not of the server."""

    async def refused(self, held: Held, text: str) -> None:
        """Is told of a call that was not let through, and what its caller was told."""


@dataclass
class Guard:
    """One guard in front of several servers. `reading`: connections over which it reads for itself. `passes`: says
    whether a call must not be held whatever it does, as one after the end of an episode."""

    rules: Rules
    owner: Owner
    account: Account
    reading: Mapping[str, Upstream]
    passes: Callable[[], Awaitable[bool]] | None = None
    _kept: dict[tuple[str, str], Any] = field(default_factory=dict)
    _tools: dict[str, dict[str, bool]] = field(default_factory=dict)

    async def call(
        self,
        server: str,
        params: CallToolRequestParams,
        context: ServerRequestContext[Any],
        forward: Forward,
    ) -> Raw:
        """Do a call, or hold it."""
        rule = self.rules.of(server, params.name, frozenset(await self._tools_of(server)))
        arguments: Mapping[str, JsonValue] = params.arguments or {}
        if rule is None and self.rules.unknown == "hold" and not await self._only_reads(server, params.name):
            rule = unruled(params.name)
        if rule is None or (self.passes is not None and await self.passes()):
            return await forward()
        if not rule.acts:
            result = await forward()
            await self._settle(rule, self._first(rule, server, params.name, arguments), None, result)
            return result
        return await self._judged(rule, server, params, context, forward)

    async def _judged(
        self,
        rule: Rule,
        server: str,
        params: CallToolRequestParams,
        context: ServerRequestContext[Any],
        forward: Forward,
    ) -> Raw:
        answer: Answer | None = None
        async with self.account.alone():
            told = await self._told(rule, server, params.name, params.arguments or {})
            if rule.when is not None and told.worth(rule.when) is False:
                return await forward()
            standing = await self.owner.standing()
            act = act_of(rule, told, self.rules, standing.circle.names)
            held = await self._held(server, params, act)
            if not held.objections:
                return await self._done(rule, told, act, forward)
        if self.owner.decides_unknown or any(objection.known for objection in held.objections):
            answer = await self.owner.ask(held, context)
            if answer.first is not None:
                return _raw(answer.first)
            async with self.account.alone():
                held = await self._held(server, params, act)
                if answer.approved or not held.objections:
                    return await self._done(rule, told, act, forward)
        text = refusal(held, answer)
        await self.owner.refused(held, text)
        return _raw(CallToolResult(content=[TextContent(type="text", text=text)], is_error=True))

    async def _held(self, server: str, params: CallToolRequestParams, act: Act) -> Held:
        try:
            found = objections(act, await self.owner.standing(), await self.account.total())
        except ValueError as error:
            found = (Objection(Covers.COMMITMENT, str(error), known=False),)
        return Held(server, params, act, found)

    async def _done(self, rule: Rule, told: Told, act: Act, forward: Forward) -> Raw:
        result = await forward()
        await self._settle(rule, told, act.spends, result)
        return result

    async def _settle(self, rule: Rule, told: Told, expected: Money | None, result: Raw) -> None:
        """Enter what a call that was done did cost and gave back, and remember what the rule keeps."""
        if result.get("isError") or result.get("resultType") == "input_required":
            return
        told.names["answer"] = content_of(result)
        if rule.fails is not None and told.worth(rule.fails):
            return
        thing = str(told.worth(rule.thing) or f"{told.names['server']}.{told.names['tool']}")
        paid = amount_or_none(told.worth(rule.paid))
        cost = expected if paid is None else paid
        if cost is not None and cost.amount > 0:
            await self.account.spent(thing, cost)
        back = amount_or_none(told.worth(rule.back))
        if back is not None and back.amount > 0:
            await self.account.came_back(thing, back)
        if rule.keeps is not None:
            key, value = told.worth(rule.keeps.key), told.worth(rule.keeps.value)
            if key is not None and value is not None:
                self._kept[told.names["server"], str(key)] = value

    # --- what there is to know of a call

    def _first(self, rule: Rule, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> Told:
        """The arguments, and what no argument can pass itself off as."""
        kept = {key: value for (of, key), value in self._kept.items() if of == server}
        ours = {**self.rules.known, "server": server, "tool": tool, "kept": kept, "arguments": arguments}
        told = Told({**arguments, **ours})
        for name in rule.reads:
            told.names.pop(name, None)
        for name, default in rule.defaults.items():
            if name not in arguments:
                told.names[name] = told.worth(default)
        return told

    async def _told(self, rule: Rule, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> Told:
        told = self._first(rule, server, tool, arguments)
        for name, read in rule.reads.items():
            found = await self._read(read, server, told)
            if found is not None:
                told.names[name] = found
        with_lets(rule, told)
        return told

    async def _read(self, read: Read, server: str, told: Told) -> Any:
        """What a read gives, or None with a trouble."""
        if read.each is None:
            return await self._asked(read, server, told)
        found = []
        for item in told.worth(read.each) or ():
            told.names["item"] = item
            one = await self._asked(read, server, told)
            if one is None:
                return None
            found.append(one)
        return found

    async def _asked(self, read: Read, server: str, told: Told) -> Any:
        troubles = len(told.troubles)
        arguments = {name: told.worth(expression) for name, expression in read.arguments.items()}
        if len(told.troubles) > troubles:
            return None
        at = read.server or server
        if at not in self.reading:
            told.troubles.append(f"there is no server {at} to read {read.tool} from")
            return None
        request = CallToolRequest(params=CallToolRequestParams(name=read.tool, arguments=arguments))
        try:
            result = await self.reading[at].answer(request)
        except MCPError as error:
            told.troubles.append(f"{at}.{read.tool}: {error}")
            return None
        content = content_of(result)
        if result.get("isError"):
            told.troubles.append(f"{at}.{read.tool}: {content}")
            return None
        return content

    async def _tools_of(self, server: str) -> dict[str, bool]:
        """The tools of a server by name, and whether each says of itself that it only reads."""
        if server not in self._tools:
            found: dict[str, bool] = {}
            cursor: str | None = None
            for _ in range(MOST_PAGES):
                request = ListToolsRequest(params=PaginatedRequestParams(cursor=cursor))
                page = await self.reading[server].answer(request)
                for tool in page.get("tools", ()):
                    found[tool["name"]] = bool((tool.get("annotations") or {}).get("readOnlyHint"))
                cursor = page.get("nextCursor")
                if not cursor:
                    break
            self._tools[server] = found
        return self._tools[server]

    async def _only_reads(self, server: str, tool: str) -> bool:
        return (await self._tools_of(server)).get(tool, False)


def _raw(result: CallToolResult | InputRequiredResult) -> Raw:
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


def refusal(held: Held, answer: Answer | None) -> str:
    """What the caller of a held call is told."""
    text = f"{held.tool}: held by the guard, nothing was done. {held.reasons}."
    if answer is None:
        return text
    return f"{text} The owner was asked {held.question!r} and answered: {answer.says}"


# --- the same server again


_PASSED: Mapping[str, tuple[tuple[str, type[RequestParams], type[Request[Any, Any]]], ...]] = {
    "tools": (("tools/list", PaginatedRequestParams, ListToolsRequest),),
    "prompts": (
        ("prompts/list", PaginatedRequestParams, ListPromptsRequest),
        ("prompts/get", GetPromptRequestParams, GetPromptRequest),
    ),
    "resources": (
        ("resources/list", PaginatedRequestParams, ListResourcesRequest),
        ("resources/templates/list", PaginatedRequestParams, ListResourceTemplatesRequest),
        ("resources/read", ReadResourceRequestParams, ReadResourceRequest),
        ("resources/subscribe", SubscribeRequestParams, SubscribeRequest),
        ("resources/unsubscribe", UnsubscribeRequestParams, UnsubscribeRequest),
    ),
    "completions": (("completion/complete", CompleteRequestParams, CompleteRequest),),
    "logging": (("logging/setLevel", SetLevelRequestParams, SetLevelRequest),),
}
"""By capability, the methods that are passed on as they come; `tools/call` is the guard's."""


def guarded(guard: Guard, upstreams: Mapping[str, Upstream]) -> dict[str, Server[Any]]:
    """For each server one that looks the same, with the guard between."""
    return {name: _same(name, upstream, guard) for name, upstream in upstreams.items()}


def _same(name: str, upstream: Upstream, guard: Guard) -> Server[Any]:
    about = upstream.info or Implementation(name=name, version="")
    server: Server[Any] = Server(
        about.name,
        version=about.version,
        title=about.title,
        description=about.description,
        instructions=upstream.instructions,
        website_url=about.website_url,
        icons=about.icons,
    )
    capabilities = upstream.capabilities or ServerCapabilities()
    for capability, methods in _PASSED.items():
        if getattr(capabilities, capability) is None:
            continue
        for method, params_type, request_type in methods:
            if not method.endswith("subscribe") or (capabilities.resources and capabilities.resources.subscribe):
                server.add_request_handler(method, params_type, _passing(upstream, request_type))

    async def call(context: ServerRequestContext[Any], params: CallToolRequestParams) -> Raw:
        async def forward() -> Raw:
            return await forwarded(upstream, CallToolRequest, guard.owner.without_answers(params), context)

        return await guard.call(name, params, context, forward)

    if capabilities.tools is not None:
        server.add_request_handler("tools/call", CallToolRequestParams, call)
    return server


def _passing(
    upstream: Upstream, request_type: type[Request[Any, Any]]
) -> Callable[[ServerRequestContext[Any], RequestParams], Awaitable[Raw]]:
    async def handler(context: ServerRequestContext[Any], params: RequestParams) -> Raw:
        return await forwarded(upstream, request_type, params, context)

    return handler
