"""Over streamable HTTP: one process, one address per server. Ports come from the system, on loopback."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
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
from starlette.types import Receive, Scope, Send

from servers.transports.era import Era, greet

HOST = "127.0.0.1"
SECONDS_TO_READY = 30

_LOCAL_ONLY = TransportSecuritySettings(
    enable_dns_rebinding_protection=True,
    allowed_hosts=["127.0.0.1:*", "localhost:*", "[::1]:*"],
    allowed_origins=["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"],
)


class Gateway:
    """An HTTP server at which MCP servers come and go, each at an address that cannot be guessed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._managers: dict[str, StreamableHTTPSessionManager] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        manager = self._managers.get(scope.get("path", ""))
        if manager is None:
            await PlainTextResponse("there is no server at this address", status_code=404)(scope, receive, send)
        else:
            await manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def mounted(self, servers: Mapping[str, Server[object]]) -> AsyncIterator[dict[str, str]]:
        """Serve these servers; yields the address of each."""
        prefix = secrets.token_hex(8)
        paths = {name: f"/{prefix}/{name}/mcp" for name in servers}
        async with AsyncExitStack() as stack:
            for name, server in servers.items():
                manager = StreamableHTTPSessionManager(server, json_response=True, security_settings=_LOCAL_ONLY)
                await stack.enter_async_context(manager.run())
                self._managers[paths[name]] = manager
            try:
                yield {name: f"http://{HOST}:{self._port}{path}" for name, path in paths.items()}
            finally:
                for path in paths.values():
                    del self._managers[path]


class _Uvicorn(uvicorn.Server):
    """Says when it is ready, and leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = anyio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def gateway(port: int = 0) -> AsyncIterator[Gateway]:
    """An HTTP server on loopback; port 0 lets the system choose. Raises OSError if the port is taken."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        app = Gateway(listening.getsockname()[1])
        config = uvicorn.Config(app, log_level="warning", lifespan="off", timeout_graceful_shutdown=2)
        server = _Uvicorn(config)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [listening])
            with anyio.fail_after(SECONDS_TO_READY):
                await server.ready.wait()
            try:
                yield app
            finally:
                server.should_exit = True


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
