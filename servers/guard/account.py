"""What was spent through a guard, by the thing it was spent on, so that what comes back of it counts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import anyio

from worlds.values import Money


class Account(Protocol):
    """Adds up over the life of a guard."""

    def alone(self) -> AbstractAsyncContextManager[None]:
        """While this is entered no other act is judged or done."""

    async def total(self) -> Money | None:
        """All that was spent and did not come back; None for nothing. Raises ValueError for several currencies."""

    async def spent(self, thing: str, amount: Money) -> None:
        """Something cost this."""

    async def came_back(self, thing: str, amount: Money) -> None:
        """This was given back; no more counts than was spent on it."""


class MemoryAccount:
    """For a guard that lives in one process, as long as an episode."""

    def __init__(self) -> None:
        self._by_thing: dict[str, Money] = {}
        self._one = anyio.Lock()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        async with self._one:
            yield

    async def total(self) -> Money | None:
        return summed(self._by_thing.values())

    async def spent(self, thing: str, amount: Money) -> None:
        self._by_thing[thing] = amount + self._by_thing.get(thing, amount * 0)

    async def came_back(self, thing: str, amount: Money) -> None:
        before = self._by_thing.get(thing)
        if before is not None and before.currency == amount.currency:
            self._by_thing[thing] = max(before - amount, before * 0)


def summed(amounts: Iterable[Money]) -> Money | None:
    """The sum of amounts in one currency; None for none."""
    total: Money | None = None
    for amount in amounts:
        total = amount if total is None else total + amount
    return total
