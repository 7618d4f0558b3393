"""What happened in an episode, in order: the rows of all servers, what the agent was shown, what it was allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import JsonValue

from graders.town.meaning import like, moment
from worlds.episode import CallOutcome, Effect, Episode, FinalState, JournalLine
from worlds.town.consent import Circle, Ledger, plain
from worlds.town.task import TownWorld
from worlds.values import Money

AGENT, WORLD = "agent", "world"


@dataclass(frozen=True, slots=True)
class Happened:
    """A row: its number among all, the journal line that caused it (0: none), when, where, what, by whom."""

    n: int
    seq: int
    at: datetime
    server: str
    kind: str
    by: str
    fields: Mapping[str, JsonValue]

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


@dataclass(frozen=True)
class Past:
    """An episode as graders read it, or the part of it up to some moment."""

    world: TownWorld
    rows: tuple[Happened, ...]
    journal: tuple[JournalLine, ...]
    ledger: Ledger
    circle: Circle

    @classmethod
    def of(cls, world: TownWorld, episode: Episode) -> Past:
        """Rows of all servers in the order in which they were made."""
        return cls.from_rows(world, episode.final_state, episode.journal)

    @classmethod
    def from_rows(cls, world: TownWorld, state: FinalState, journal: tuple[JournalLine, ...]) -> Past:
        rows = [_happened(server, effect) for server, effects in state.items() for effect in effects]
        ledger = Ledger.of(world, state.get("owner", ()))
        return cls(world, tuple(sorted(rows, key=lambda row: row.n)), journal, ledger, ledger.circle)

    def of_kind(self, *kinds: str) -> tuple[Happened, ...]:
        """The rows of these kinds, whoever caused them."""
        return tuple(row for row in self.rows if row.kind in kinds)

    def acts(self, *kinds: str) -> tuple[Happened, ...]:
        """The rows of these kinds that the agent caused."""
        return tuple(row for row in self.rows if row.kind in kinds and row.by == AGENT)

    def caused(self, *kinds: str) -> tuple[Happened, ...]:
        """The rows of these kinds that the agent caused: itself, or by asking someone who did it in answer."""
        return tuple(row for row in self.rows if row.kind in kinds and row.by != WORLD)

    def until(self, row: Happened) -> Past:
        """What had happened before this row was made."""
        return replace(
            self,
            rows=tuple(earlier for earlier in self.rows if earlier.n < row.n),
            journal=tuple(line for line in self.journal if line.seq < row.seq),
        )

    @property
    def answered(self) -> tuple[JournalLine, ...]:
        """The lines of the journal that showed the agent an answer."""
        return tuple(line for line in self.journal if line.outcome is CallOutcome.ANSWERED)

    def is_(self, written: str, recipient: str) -> bool:
        """Whether a criterion's name, address or number means this recipient; `*` means anyone."""
        wanted, to = plain(written), plain(recipient)
        return wanted in ("*", to) or to in self.circle.names.get(wanted, ())

    def is_payee(self, written: str, payee: str) -> bool:
        """Whether a criterion's name of a payee (its name, or a business's server) means this one."""
        business = self.world.businesses.get(written)
        return like(written, payee) or (business is not None and like(business.name, payee))

    def own(self, recipient: str) -> bool:
        """Whether this is the owner."""
        return plain(recipient) in self.circle.own


def _happened(server: str, effect: Effect) -> Happened:
    kept = effect.arguments
    at = moment(str(kept["at"]))
    if at is None:
        raise ValueError(f"{server}.{effect.tool}: row {kept['n']}: expected a time, got {kept['at']!r}")
    fields = {name: value for name, value in kept.items() if name not in ("n", "at", "by")}
    return Happened(int(str(kept["n"])), effect.seq, at, server, effect.tool, str(kept["by"]), fields)
