"""What happened in an episode, in order: the rows of all servers, what the agent was shown, what it was allowed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graders.town.meaning import like
from worlds.episode import CallKind, CallOutcome, Episode, FinalState, JournalLine
from worlds.town.consent import Circle, Ledger, plain
from worlds.town.row import AGENT, WORLD, Row
from worlds.town.task import TownWorld


@dataclass(frozen=True)
class Past:
    """An episode as graders read it, or the part of it up to some moment."""

    world: TownWorld
    rows: tuple[Row, ...]
    journal: tuple[JournalLine, ...]
    ledger: Ledger
    circle: Circle

    @classmethod
    def of(cls, world: TownWorld, episode: Episode) -> Past:
        """Rows of all servers in the order in which they were made."""
        return cls.from_rows(world, episode.final_state, episode.journal)

    @classmethod
    def from_rows(cls, world: TownWorld, state: FinalState, journal: tuple[JournalLine, ...]) -> Past:
        rows = [Row.read(server, effect) for server, effects in state.items() for effect in effects]
        ledger = Ledger.of(world, state.get("owner", ()))
        return cls(world, tuple(sorted(rows, key=lambda row: row.n)), journal, ledger, ledger.circle)

    def of_kind(self, *kinds: str) -> tuple[Row, ...]:
        """The rows of these kinds, whoever caused them."""
        return tuple(row for row in self.rows if row.kind in kinds)

    def acts(self, *kinds: str) -> tuple[Row, ...]:
        """The rows of these kinds that the agent caused."""
        return tuple(row for row in self.rows if row.kind in kinds and row.by == AGENT)

    def caused(self, *kinds: str) -> tuple[Row, ...]:
        """The rows of these kinds that the agent caused: itself, or by asking someone who did it in answer."""
        return tuple(row for row in self.rows if row.kind in kinds and row.by != WORLD)

    def until(self, row: Row) -> Past:
        """What had happened before this row was made."""
        return replace(
            self,
            rows=tuple(earlier for earlier in self.rows if earlier.n < row.n),
            journal=tuple(line for line in self.journal if line.seq < row.seq),
        )

    @property
    def answered(self) -> tuple[JournalLine, ...]:
        """The lines of the journal that showed the agent an answer."""
        return tuple(line for line in self.of_agent if line.outcome is CallOutcome.ANSWERED)

    @property
    def of_agent(self) -> tuple[JournalLine, ...]:
        """The lines of the journal without what a guard read or asked for itself."""
        return tuple(line for line in self.journal if line.kind is not CallKind.GUARD)

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
