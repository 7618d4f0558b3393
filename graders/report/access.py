"""Equal access, as a section: what every agent was offered, listed and called, and whether it was the same for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graders.parity import Parity
from graders.report.document import Table
from worlds.episode import Condition
from worlds.model import Setting, Twin

Place = tuple[str, Twin, Setting]
"""Task, twin and setting: what is at hand depends on nothing else."""
Offer = tuple[int | None, int | None]
"""Servers at hand, and tools that they offer."""


@dataclass(slots=True)
class Reach:
    """What one agent could reach over its episodes, and what it used. Sums are over the episodes of which it is known.

    `seen`: tools that the agent's model was offered, over `seen_known` episodes; `foreign`: episodes in which these
    were more than the world offers; `missing`: in which they were fewer. `unlisted`: episodes in which the tools of
    some server were never listed.
    """

    episodes: int = 0
    known: int = 0
    servers: int = 0
    tools: int = 0
    listed: int = 0
    unlisted: int = 0
    seen_known: int = 0
    seen: int = 0
    foreign: int = 0
    missing: int = 0
    called: int = 0
    offers: dict[Place, set[Offer]] = field(default_factory=dict)

    def add(self, condition: Condition, parity: Parity) -> None:
        """Take in one episode."""
        self.episodes += 1
        self.called += parity.called
        place = (condition.task, condition.twin, condition.setting)
        if parity.servers is None or parity.tools is None or parity.listed is None:
            return
        self.offers.setdefault(place, set()).add((parity.servers, parity.tools))
        self.known += 1
        self.servers += parity.servers
        self.tools += parity.tools
        self.listed += parity.listed
        self.unlisted += parity.listed < parity.servers
        if parity.seen is not None:
            self.seen_known += 1
            self.seen += parity.seen
            self.foreign += parity.seen > parity.tools
            self.missing += parity.seen < parity.tools

    def as_json(self) -> dict[str, int]:
        """The counts, without the offers."""
        return {name: getattr(self, name) for name in _COUNTED}


_COUNTED = (
    *("episodes", "known", "servers", "tools", "listed", "unlisted", "seen_known", "seen", "foreign", "missing"),
    "called",
)


def unequal(reaches: Mapping[str, Reach]) -> tuple[str, ...]:
    """The tasks in which two agents were not offered as many servers and tools in the same place, in order of path."""
    offers: dict[Place, set[Offer]] = {}
    for reach in reaches.values():
        for place, found in reach.offers.items():
            offers.setdefault(place, set()).update(found)
    return tuple(sorted({task for (task, _, _), found in offers.items() if len(found) > 1}))


def access_table(suite: str, reaches: Mapping[str, Reach]) -> Table:
    """Agents down; means an episode."""
    heads = (
        "agent", "episodes", "servers at hand", "tools offered", "servers listed", "tools the model saw",
        "different tools called", "a server never listed", "more tools than the world's", "fewer tools", "not known",
    )  # fmt: skip
    note = (
        "Means an episode; the last four columns count episodes. An agent that knows the tools it wants need not list"
        " them. What a model saw is known for hosts and models that say it."
    )
    return Table(f"{suite}: offered, listed, called", heads, tuple(_row(*one) for one in reaches.items()), note)


def _row(agent: str, reach: Reach) -> tuple[str, ...]:
    seen = f"{reach.seen / reach.seen_known:.1f}" if reach.seen_known else "not known"
    of = reach.seen_known
    return (
        agent,
        f"{reach.episodes:,}",
        _mean(reach.servers, reach.known),
        _mean(reach.tools, reach.known),
        _mean(reach.listed, reach.known),
        seen,
        _mean(reach.called, reach.episodes),
        f"{reach.unlisted:,}" if reach.known else "not known",
        f"{reach.foreign:,}" if of else "not known",
        f"{reach.missing:,}" if of else "not known",
        f"{reach.episodes - reach.known:,}",
    )


def _mean(total: int, count: int) -> str:
    return f"{total / count:.1f}" if count else "not known"
