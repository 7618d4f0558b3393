"""Agents that misbehave in every way that people's agents do."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

from mcp import ClientSession

from orchestrator.agents.agent import Infrastructure


async def pay(sessions: Mapping[str, ClientSession]) -> None:
    await sessions["bank"].call_tool("execute_payment", {"request_id": "PR-58217"})


class Silent:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> None:
        return None


class Raises:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        raise LookupError("I lost my way")


class RaisesAfterPaying:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await pay(sessions)
        raise LookupError("too late")


class LeavesPython:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        raise SystemExit(4)


class CancelsItself:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        raise asyncio.CancelledError


class ReturnsGarbage:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> object:
        return {"answer": 42}


class WaitsForever:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await asyncio.Event().wait()
        return ""


class RefusesToBeCancelled:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "I was told to stop."
        return ""


class CallsForever:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        while True:
            await sessions["bank"].call_tool("get_recipient_account", {})


class CallsTooOften:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        for _ in range(8):
            await sessions["bank"].call_tool("get_recipient_account", {})
        return "enough"


class ProviderIsDown:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        raise Infrastructure("the provider answered 503")


class Unmakable:
    def __init__(self) -> None:
        raise RuntimeError("no model is loaded")


class BlocksAfterPaying:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await pay(sessions)
        time.sleep(3600)  # noqa: ASYNC251  blocking is what this agent is for
        return ""


class DiesAfterPaying:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await pay(sessions)
        os._exit(7)


class ActsOnceThenCannotBeMade:
    """Dies in its first condition after paying, and later already while it is made."""

    def __init__(self) -> None:
        if Path("acted").exists() and len(Path("acted").read_text()) > 1:
            os._exit(3)

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await pay(sessions)
        with Path("acted").open("a") as mark:  # noqa: ASYNC230  the process ends here anyway
            mark.write("x")
        os._exit(3)


class StopsTheLoop:
    """Pays and stops the event loop."""

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await pay(sessions)
        asyncio.get_running_loop().stop()
        await asyncio.sleep(0)
        return ""


class ProviderIsSlowToFail:
    """Takes half of its time before the provider gives up, in words that cannot be kept."""

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await asyncio.sleep(0.4)
        raise Infrastructure("the provider said \udcff")


class DiesOnce:
    """Ends its process the first time in a working directory, and behaves after that."""

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        mark = Path("died-once")
        if not mark.exists():  # noqa: ASYNC240  a mark on disk is all that outlives this process
            mark.touch()  # noqa: ASYNC240  a mark on disk is all that outlives this process
            os._exit(7)
        return "I have not done this."


class Twice:
    """Commits twice at the same time."""

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await asyncio.gather(pay(sessions), pay(sessions))
        return "paid"


class Printing:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        print("this is no result")
        return ""


ready = Silent()
number = 42


class SwallowsCancellation:
    """Ends only when its process does."""

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()


class LeavesATaskBehind:
    """One object for all episodes, whose task goes on after its episode and pays in the next one."""

    def __init__(self) -> None:
        self.sessions: Mapping[str, ClientSession] = {}

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        self.sessions = sessions
        self.task = asyncio.create_task(self.later(sessions))
        return "nothing to do"

    async def later(self, first: Mapping[str, ClientSession]) -> None:
        while self.sessions is first:  # noqa: ASYNC110  an agent of somebody else
            await asyncio.sleep(0)
        await pay(self.sessions)


class ChangesDirectory:
    """Goes elsewhere, pays and ends its process."""

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        os.chdir("/")
        await pay(sessions)
        os._exit(7)


leaves_a_task_behind = LeavesATaskBehind()
