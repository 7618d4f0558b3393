"""Servers over stdio that cannot be started, or that die, are told at once."""

from __future__ import annotations

import sys

import anyio
import pytest
from mcp import MCPError, StdioServerParameters

from servers.transports.era import Era
from servers.transports.stdio import over_stdio


def program(text: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=["-c", text])


def innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@pytest.mark.parametrize("era", list(Era))
@pytest.mark.parametrize("text", ["raise SystemExit(3)", "print('not a server')"])
async def test_a_program_that_ends_before_it_is_ready_is_an_error_at_once(text: str, era: Era) -> None:
    with anyio.fail_after(25), pytest.raises(Exception) as told:  # noqa: PT011  the SDK wraps it in groups; the innermost is looked at below
        async with over_stdio({"bank": program(text)}, era):
            pass
    assert isinstance(innermost(told.value), MCPError)
    assert "closed" in str(innermost(told.value)).lower()


async def test_a_program_that_there_is_not_is_an_error_at_once() -> None:
    with anyio.fail_after(25), pytest.raises(Exception) as told:  # noqa: PT011  the SDK wraps it in groups; the innermost is looked at below
        async with over_stdio({"bank": StdioServerParameters(command="/no/such/program", args=[])}):
            pass
    assert isinstance(innermost(told.value), FileNotFoundError)
