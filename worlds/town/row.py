"""A row: something that happened in the town, as its servers keep it and graders read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from worlds.episode import Effect
from worlds.values import Money

AGENT, WORLD = "agent", "world"
_BESIDE = ("n", "at", "by")


@dataclass(frozen=True, slots=True)
class Row:
    """Its number among all, the journal line that caused it (0: none), when, at which server, what, by whom (`agent`,
    `world` or a person's name), and what it says."""

    n: int
    seq: int
    at: datetime
    server: str
    kind: str
    by: str
    fields: Mapping[str, JsonValue]

    def kept(self) -> Effect:
        """As a final state keeps it: `n`, `at` and `by` stand beside what it says."""
        told = {**self.fields, "n": self.n, "at": f"{self.at:%Y-%m-%d %H:%M}", "by": self.by}
        return Effect.model_construct(seq=self.seq, tool=self.kind, arguments=told)

    @classmethod
    def read(cls, server: str, effect: Effect) -> Row:
        """A row as a final state kept it. Raises ValueError if it has no number, time or doer."""
        kept = effect.arguments
        try:
            n, at, by = int(str(kept["n"])), datetime.fromisoformat(str(kept["at"])), str(kept["by"])
        except (KeyError, ValueError):
            raise ValueError(
                f"{server}.{effect.tool}: line {effect.seq}: expected a row with n, at and by, got {kept!r}"
            ) from None
        fields = {name: value for name, value in kept.items() if name not in _BESIDE}
        return cls(n, effect.seq, at, server, effect.tool, by, fields)

    def text(self, name: str) -> str:
        """A field as a text; empty if it is missing or null."""
        value = self.fields.get(name)
        return "" if value is None else str(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A field as texts: the items of a list, or the one text if there is one."""
        value = self.fields.get(name)
        if isinstance(value, list):
            return tuple(str(item) for item in value)
        return () if value in (None, "") else (str(value),)

    def money(self, name: str) -> Money | None:
        """A field as an amount; None if it is missing or none."""
        try:
            return Money.parse(self.fields.get(name))
        except ValueError:
            return None
