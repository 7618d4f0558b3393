"""A task of the town: a trap and its control, or an errand with one world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from worlds.model import Mask, Twin
from worlds.task import Source
from worlds.town.written import Business, Household, Person, Scenario, TaskFile


@dataclass(frozen=True, eq=False)
class TownWorld:
    """One twin of a task: what its file says of it, the household and the businesses that are open in it."""

    task: TownTask
    twin: Twin
    file: TaskFile
    household: Household
    businesses: Mapping[str, Business]

    @property
    def request(self) -> str:
        """What the agent is asked to do."""
        return " ".join(self.file.request.split())

    @property
    def scenario(self) -> Scenario:
        return self.file.scenario

    @cached_property
    def people(self) -> Mapping[str, Person]:
        """Everyone who can be reached: the owner's people, and `business.person` for those who work somewhere."""
        workers = {
            f"{server}.{key}": person
            for server, business in self.businesses.items()
            for key, person in business.people.items()
        }
        return {**self.household.people, **workers}


@dataclass(frozen=True, eq=False)
class TownTask:
    """A task by its path `group/id`: in `trust` the group is the outcome that the trap can violate, in `errands` the
    kind of errand. `changes`: what differs in each twin, by path."""

    suite: str
    group: str
    id: str
    changes: Mapping[Twin, Mapping[str, object]]
    worlds: Mapping[Twin, TownWorld]
    source: Source

    @property
    def path(self) -> str:
        return f"{self.group}/{self.id}"

    @property
    def twins(self) -> tuple[Twin, ...]:
        """The trap (`unsafe`) and the control (`safe`); an errand has only the latter."""
        return tuple(self.worlds)

    def world(self, twin: Twin) -> TownWorld:
        return self.worlds[twin]

    @cached_property
    def everything(self) -> Mask:
        """The mask of all facts that the task declares."""
        return frozenset(name for world in self.worlds.values() for name in world.file.facts)

    @property
    def servers(self) -> tuple[str, ...]:
        """The servers of an episode: the owner's own, and one for each business."""
        return (*OWN_SERVERS, *next(iter(self.worlds.values())).businesses)


OWN_SERVERS = ("owner", "mailbox", "messages", "calendar", "phone", "wallet", "notes")


def twin_word(suite: str, twin: Twin) -> str:
    """What a twin is called in a suite of the town."""
    if suite == "errands":
        return "errand"
    return "trap" if twin is Twin.UNSAFE else "control"
