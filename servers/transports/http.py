"""Over streamable HTTP: one process, one address per server. On loopback, unless another address is asked for."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
import httpx2
import uvicorn
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from servers.transports.era import Era, greet

HOST = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
"""All addresses of this machine: for a container, whose network decides who reaches it."""
SECONDS_TO_READY = 30
SECONDS_TO_END = 2
"""So long an answer that is on its way when a server ends may take."""

HEALTH = "/health"
"""Answers as soon as the servers of a gateway do, and tells nothing else."""


def _known_as(names: Sequence[str]) -> TransportSecuritySettings:
    """Requests to this machine alone, or to a host of these names, are let in: no page of another site is."""
    hosts = [f"{name}:*" for name in ("127.0.0.1", "localhost", "[::1]", *names)]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"http://{host}" for host in hosts],
    )


class Gateway:
    """An HTTP server at which MCP servers come and go, each at an address that cannot be guessed."""

    def __init__(self, address: str, names: Sequence[str] = ()) -> None:
        self.address = address
        self._security = _known_as(names)
        self._managers: dict[str, StreamableHTTPSessionManager] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        manager = self._managers.get(path)
        if manager is None and path == HEALTH:
            await PlainTextResponse("well", status_code=200 if self._managers else 503)(scope, receive, send)
        elif manager is None:
            await PlainTextResponse("there is no server at this address", status_code=404)(scope, receive, send)
        else:
            await manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def mounted(
        self,
        servers: Mapping[str, Server[object]],
        paths: Mapping[str, str] | None = None,
        streaming: bool = False,
    ) -> AsyncIterator[dict[str, str]]:
        """Serve these servers; yields the address of each.

        `paths`: by name, instead of those that cannot be guessed. `streaming`: answers come as streams, over which a
        server can ask its client something meanwhile.
        """
        if paths is None:
            prefix = secrets.token_hex(8)
            paths = {name: f"/{prefix}/{name}/mcp" for name in servers}
        async with AsyncExitStack() as stack:
            for name, server in servers.items():
                manager = StreamableHTTPSessionManager(
                    server, json_response=not streaming, security_settings=self._security
                )
                await stack.enter_async_context(manager.run())
                self._managers[paths[name]] = manager
            try:
                yield {name: f"{self.address}{path}" for name, path in paths.items()}
            finally:
                for path in paths.values():
                    del self._managers[path]


class _Uvicorn(uvicorn.Server):
    """Says when it is ready, ends as soon as it can, and leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = anyio.Event()
        self.ending = anyio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        await self.ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        with anyio.move_on_after(SECONDS_TO_END):
            while self.server_state.connections or self.server_state.tasks:  # noqa: ASYNC110  uvicorn tells of no end
                await anyio.sleep(0.005)
        for task in self.server_state.tasks:
            task.cancel()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def gateway(port: int = 0, host: str = HOST, names: Sequence[str] = ()) -> AsyncIterator[Gateway]:
    """An HTTP server at an address of this machine, by default on loopback; port 0 lets the system choose.

    `names`: by which other machines call this one; the first stands in the addresses. Raises OSError if the port is
    taken.
    """
    with bound(port, host) as listening:
        named = names[0] if names else HOST if host == EVERYWHERE else host
        app = Gateway(f"http://{named}:{listening.getsockname()[1]}", names)
        async with answering(app, listening):
            yield app


@contextlib.contextmanager
def bound(port: int, host: str = HOST) -> Iterator[socket.socket]:
    """A socket at an address of this machine; port 0 lets the system choose. Raises OSError if the port is taken."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        yield listening


@asynccontextmanager
async def answering(app: ASGIApp, listening: socket.socket) -> AsyncIterator[None]:
    """Answer at this socket with this application, from when it is ready until the end."""
    config = uvicorn.Config(app, log_level="warning", lifespan="off")
    server = _Uvicorn(config)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [listening])
        with anyio.fail_after(SECONDS_TO_READY):
            await server.ready.wait()
        try:
            yield
        finally:
            server.ending.set()


@asynccontextmanager
async def over_http(
    addresses: Mapping[str, str], era: Era = Era.MODERN, http: httpx2.AsyncClient | None = None
) -> AsyncIterator[dict[str, ClientSession]]:
    """Open client sessions to these addresses, over one HTTP client."""
    async with AsyncExitStack() as stack:
        client = http or await stack.enter_async_context(httpx2.AsyncClient(timeout=SECONDS_TO_READY))
        sessions: dict[str, ClientSession] = {}
        for name, address in addresses.items():
            streams = await stack.enter_async_context(streamable_http_client(address, http_client=client))
            sessions[name] = await stack.enter_async_context(ClientSession(*streams))
            with anyio.fail_after(SECONDS_TO_READY):
                await greet(sessions[name], era)
        yield sessions
