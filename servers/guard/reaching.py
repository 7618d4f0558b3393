"""Servers of others behind the guard, over stdio or HTTP: connected once, and again when the connection was lost.

What goes wrong with one is an error of its own calls; the guard and the other servers go on.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
from anyio.abc import TaskStatus
from mcp import Client, ClientSession, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.dispatcher import ProgressFnT
from mcp_types import CONNECTION_CLOSED, Implementation, Request, ServerCapabilities

from servers.guard.upstream import Connected, Raw

_log = logging.getLogger(__name__)
SECONDS_TO_READY = 60
_SLOW = f"it was not ready within {SECONDS_TO_READY} seconds"
SECONDS_PER_READ = 300.0
"""So long an answer over HTTP may take."""


class Unreachable(ValueError):
    """A server that cannot be reached at the start; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is: an address over HTTP, with headers."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)


@asynccontextmanager
async def _session(target: StdioServerParameters | Address) -> AsyncIterator[ClientSession]:
    async with AsyncExitStack() as stack:
        if isinstance(target, StdioServerParameters):
            client = Client(target, cache=None)
        else:
            http = httpx2.AsyncClient(headers=dict(target.headers), timeout=SECONDS_PER_READ)
            await stack.enter_async_context(http)
            client = Client(streamable_http_client(target.url, http_client=http), cache=None)
        await stack.enter_async_context(client)
        yield client.session


class Reached:
    """One server. It is connected in a task of its own, which opens and closes the connection."""

    def __init__(self, name: str, target: StdioServerParameters | Address) -> None:
        self._name, self._target = name, target
        self._session: ClientSession | None = None
        self._lost = anyio.Event()
        self._wanted = anyio.Event()
        self._tried = anyio.Event()
        self._why = ""
        self.info: Implementation | None = None
        self.capabilities: ServerCapabilities | None = None
        self.instructions: str | None = None

    async def run(self, *, task_status: TaskStatus[None]) -> None:
        """Keep it connected until cancelled. Raises Unreachable if it cannot be reached the first time."""
        first = True
        while True:
            self._wanted, self._lost = anyio.Event(), anyio.Event()
            tried = self._tried
            try:
                async with _session(self._target) as session:
                    self._session, self._why = session, ""
                    if first:
                        self.info = session.server_info
                        self.capabilities = session.server_capabilities
                        self.instructions = session.instructions
                        first = False
                        task_status.started()
                    tried.set()
                    await self._lost.wait()
            except Exception as error:
                self._why = _why(error)
                if first:
                    raise Unreachable(f"server {self._name} cannot be reached: {self._why}") from None
                _log.warning("server %s: %s", self._name, self._why)
            self._session = None
            tried.set()
            await self._wanted.wait()

    async def answer(self, request: Request[Any, Any], progress: ProgressFnT | None = None) -> Raw:
        session = self._session or await self._again()
        try:
            return await Connected(session).answer(request, progress)
        except MCPError as error:
            if error.error.code == CONNECTION_CLOSED:
                self._drop(session)
            raise
        except (httpx2.HTTPError, anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            self._drop(session)
            raise MCPError(CONNECTION_CLOSED, f"server {self._name}: {_why(error)}") from None

    def _drop(self, session: ClientSession) -> None:
        """Nobody uses this session any more; the next call wants a new one."""
        if self._session is session:
            self._session = None
            self._tried = anyio.Event()
            self._lost.set()

    async def _again(self) -> ClientSession:
        """Connect anew. Raises MCPError if that fails."""
        if self._tried.is_set():
            self._tried = anyio.Event()
        self._wanted.set()
        with anyio.move_on_after(SECONDS_TO_READY):
            await self._tried.wait()
        if self._session is None:
            why = self._why or _SLOW
            raise MCPError(CONNECTION_CLOSED, f"server {self._name} cannot be reached: {why}")
        return self._session


@asynccontextmanager
async def reached(targets: Mapping[str, StdioServerParameters | Address]) -> AsyncIterator[dict[str, Reached]]:
    """Connect to all of them. Raises Unreachable."""
    found = {name: Reached(name, target) for name, target in targets.items()}
    failure: Unreachable | None = None
    try:
        async with anyio.create_task_group() as tasks:
            for name, one in found.items():
                try:
                    with anyio.fail_after(SECONDS_TO_READY):
                        await tasks.start(one.run)
                except TimeoutError:
                    raise Unreachable(f"server {name} cannot be reached: {_SLOW}") from None
            yield found
            tasks.cancel_scope.cancel()
    except* Unreachable as group:
        failure = Unreachable(_why(group))
    if failure is not None:
        raise failure


def _why(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
