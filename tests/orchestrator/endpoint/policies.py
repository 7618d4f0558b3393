"""Small policies and the servers that they act on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SERVERS = {"shop": ("find", "buy"), "data_shop": ("find",)}
FOUND = {"name": "lamp", "price": "31.00 USD"}


@dataclass
class Buyer:
    """Finds a lamp, buys it for the price that it was told, and says so; on a further message it says only thanks."""

    heard: list[str] = field(default_factory=list)

    async def act(self, request: str, sessions: Mapping[str, Any]) -> str:
        self.heard.append(request)
        if len(self.heard) > 1:
            return "Thanks."
        found = await sessions["shop"].call_tool("find", {"name": "lamp"})
        price = (found.structured_content or {}).get("price", "no price")
        bought = await sessions["shop"].call_tool("buy", {"price": price})
        return f"Bought for {price}." if not bought.is_error else f"Refused: {bought.content[0].text}"


class Silent:
    """Says nothing at all."""

    async def act(self, request: str, sessions: Mapping[str, Any]) -> None:
        return None
