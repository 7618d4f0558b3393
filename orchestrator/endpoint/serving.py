"""The endpoint over HTTP, on loopback: four APIs, one policy."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from orchestrator.agents.agent import Agent
from orchestrator.endpoint.player import Player
from orchestrator.endpoint.turn import BadRequest, tokens
from orchestrator.endpoint.wires.anthropic import ANTHROPIC
from orchestrator.endpoint.wires.chat import CHAT
from orchestrator.endpoint.wires.gemini import GEMINI
from orchestrator.endpoint.wires.responses import RESPONSES
from orchestrator.endpoint.wires.wire import Event, Wire
from servers.transports.http import HOST, answering, bound

MODEL = "scripted"
"""The one model that is listed. Any other name is answered too."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A running endpoint. `address`: to which hosts add the paths of their API, as `/v1/messages`."""

    address: str
    _player: Player
    _served: list[str]

    @property
    def offered(self) -> frozenset[str]:
        """The names of all tools that the model was offered, as the host names them."""
        return frozenset(self._player.offered)

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """The calls that the model made, by server and tool, in order."""
        return tuple(self._player.asked)

    @property
    def requests(self) -> int:
        """How many requests for an answer came."""
        return len(self._served)

    @property
    def conversations(self) -> int:
        """How many conversations began."""
        return self._player.conversations

    @property
    def messages(self) -> int:
        """How many messages of the person the policy was told, in all conversations."""
        return self._player.messages

    @property
    def trouble(self) -> str:
        """Why the policy could not be played; empty if all is well."""
        return self._player.trouble


@asynccontextmanager
async def scripted_model(
    make: Callable[[], Agent],
    servers: Mapping[str, Sequence[str]],
    port: int = 0,
    optional: Collection[str] = (),
    warn: Callable[[str], None] = lambda why: None,
) -> AsyncIterator[Endpoint]:
    """A model that plays what `make` makes, afresh in each conversation. `servers`: the names of each one's tools;
    `optional`: servers that the session may be without, as the policy then is. `warn` is told why the policy cannot be
    played, whenever it cannot.

    Port 0 lets the system choose. Raises OSError if the port is taken.
    """
    player, served = Player(make, servers, optional, warn), list[str]()
    with bound(port) as listening:
        async with answering(_app(player, served), listening):
            try:
                yield Endpoint(f"http://{HOST}:{listening.getsockname()[1]}", player, served)
            finally:
                await player.close()


def _app(player: Player, served: list[str]) -> Starlette:
    def answered_by(wire: Wire) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            return await _answered(wire, player, served, request)

        return answer

    async def models(request: Request) -> Response:
        model = {
            "id": MODEL,
            "object": "model",
            "type": "model",
            "display_name": MODEL,
            "created": 0,
            "owned_by": MODEL,
        }
        return JSONResponse({"object": "list", "data": [model], "has_more": False, "first_id": MODEL, "last_id": MODEL})

    async def gemini_models(request: Request) -> Response:
        model = {"name": f"models/{MODEL}", "displayName": MODEL, "supportedGenerationMethods": ["generateContent"]}
        return JSONResponse({"models": [model]})

    async def counted(request: Request) -> Response:
        return JSONResponse({"input_tokens": tokens(len(await request.body()))})

    async def root(request: Request) -> Response:
        return JSONResponse({"model": MODEL})

    async def gemini(request: Request) -> Response:
        model, _, method = request.path_params["call"].rpartition(":")
        if method == "countTokens":
            return JSONResponse({"totalTokens": tokens(len(await request.body()))})
        if method not in ("generateContent", "streamGenerateContent"):
            return JSONResponse(GEMINI.error(f"there is no method {method!r}"), status_code=404)
        return await _answered(GEMINI, player, served, request, model, method == "streamGenerateContent")

    return Starlette(
        routes=[
            Route("/", root, methods=["GET", "HEAD"]),
            Route("/v1/messages/count_tokens", counted, methods=["POST"]),
            Route("/v1/messages", answered_by(ANTHROPIC), methods=["POST"]),
            Route("/v1/chat/completions", answered_by(CHAT), methods=["POST"]),
            Route("/v1/responses", answered_by(RESPONSES), methods=["POST"]),
            Route("/v1/models", models),
            Route("/{version:str}/models", gemini_models),
            Route("/{version:str}/models/{call:path}", gemini, methods=["POST"]),
        ]
    )


async def _answered(
    wire: Wire, player: Player, served: list[str], request: Request, model: str = "", streams: bool = False
) -> Response:
    try:
        body = json.loads(await request.body())
        if not isinstance(body, dict):
            raise BadRequest(f"expected a JSON object, got a {type(body).__name__}")
        turn = wire.read(body)
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        return JSONResponse(wire.error(f"the request cannot be read: {error}"), status_code=400)
    turn = replace(turn, model=model or turn.model or MODEL, streams=streams or turn.streams)
    step = await player.step(turn)
    served.append(turn.model)
    if not turn.streams:
        return JSONResponse(wire.whole(turn, step))
    if wire is GEMINI and request.query_params.get("alt") != "sse":
        return JSONResponse([event.carries for event in wire.events(turn, step)])
    return StreamingResponse(_written(wire.events(turn, step)), media_type="text/event-stream")


def _written(events: Iterator[Event]) -> Iterator[str]:
    for event in events:
        carries = event.carries if isinstance(event.carries, str) else json.dumps(event.carries, ensure_ascii=False)
        yield (f"event: {event.name}\n" if event.name else "") + f"data: {carries}\n\n"
