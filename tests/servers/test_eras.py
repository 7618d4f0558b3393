"""Beginning a session in either era of the protocol."""

from __future__ import annotations

from typing import cast

import pytest
from mcp import ClientSession, MCPError
from mcp_types import METHOD_NOT_FOUND, REQUEST_TIMEOUT
from mcp_types.version import LATEST_PROTOCOL_VERSION

from servers.transports.era import Era, greet
from tests.servers.opened import opened
from tests.worlds.made import made

VERSIONS = {Era.MODERN: LATEST_PROTOCOL_VERSION, Era.HANDSHAKE: "2025-11-25"}


class Session:
    """A client session whose server answers the greeting with these errors first."""

    def __init__(self, *codes: int) -> None:
        self._codes = list(codes)
        self.asked: list[str] = []

    async def discover(self) -> None:
        await self._ask("discover")

    async def initialize(self) -> None:
        await self._ask("initialize")

    async def _ask(self, how: str) -> None:
        self.asked.append(how)
        if self._codes:
            raise MCPError(self._codes.pop(0), f"{how} failed")


async def greeted(session: Session, era: Era) -> list[str]:
    await greet(cast(ClientSession, session), era)
    return session.asked


async def test_each_era_begins_in_its_own_way() -> None:
    assert await greeted(Session(), Era.HANDSHAKE) == ["initialize"]
    assert await greeted(Session(), Era.MODERN) == ["discover"]


async def test_a_server_that_is_slow_to_start_is_asked_again() -> None:
    assert await greeted(Session(REQUEST_TIMEOUT, REQUEST_TIMEOUT), Era.MODERN) == ["discover"] * 3


@pytest.mark.parametrize("era", list(Era))
async def test_a_server_that_refuses_is_not_asked_again(era: Era) -> None:
    session = Session(METHOD_NOT_FOUND)
    with pytest.raises(MCPError, match="failed"):
        await greeted(session, era)
    assert len(session.asked) == 1


@pytest.mark.parametrize("era", list(Era))
async def test_the_era_of_a_session_is_the_one_that_was_asked_for(era: Era) -> None:
    async with opened(made(), era=era) as world:
        assert {client.protocol_version for client in world.clients.values()} == {VERSIONS[era]}
