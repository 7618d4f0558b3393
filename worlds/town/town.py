"""The town as one deterministic machine: its state is what the ordered actions made of the world at its start.

A call takes a minute. What is due happens first, in the order of its time; then the tool runs. The same actions give
the same town, byte for byte, wherever they are applied: servers in processes of their own keep equal copies by
applying the same actions in the same order (docs/adr/0007).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from worlds.episode import CallOutcome
from worlds.episode import Effect as Kept
from worlds.model import NOTHING_HIDDEN, Mask
from worlds.town.calendar import CalendarPlace
from worlds.town.evidence import shown_text
from worlds.town.mailbox import Mailbox
from worlds.town.messages import Messages
from worlds.town.notes import Notes
from worlds.town.owner import Owner
from worlds.town.people import People, is_about
from worlds.town.phone import Phone
from worlds.town.place import Answered, Occasion, Place, Refusal, Tool, clock
from worlds.town.row import AGENT, WORLD, Row
from worlds.town.task import TownWorld
from worlds.town.wallet import Wallet
from worlds.town.website import Website
from worlds.town.written import Effect, Later, OutageEffect, Trigger

MINUTE = timedelta(minutes=1)


class Action(BaseModel):
    """One call as it reached the town, or with the tool TURN of `owner` the end of the agent's turn.

    `meant`: if a model listened to what the owner was asked, the facts that it took it for (an empty name: something
    that the intent does not answer); else the town's own understanding decides. `aside`: the agent is not shown the
    answer (a guard asked), so that it brings no word of the owner.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seq: int
    server: str
    tool: str
    arguments: dict[str, JsonValue]
    meant: tuple[str, ...] | None = None
    aside: bool = False


TURN = "(turn)"
"""The tool's name in the action that ends a turn; no server lists it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What an action got: an answer, or a refusal with its outcome."""

    content: Answered | None = None
    refused: str = ""
    outcome: CallOutcome = CallOutcome.ANSWERED


@dataclass(order=True)
class _Due:
    at: datetime
    n: int
    happen: Callable[[], None] = field(compare=False)
    speaks: bool = field(compare=False, default=False)


class Town:
    """The state of a world after some actions. `act` is the only way to change it."""

    def __init__(self, world: TownWorld, mask: Mask = NOTHING_HIDDEN) -> None:
        self.world = world
        self._hidden = {name: fact for name, fact in world.file.facts.items() if name in mask}
        self.now = world.scenario.now
        self.rows: list[Row] = []
        self.words: list[str] = []
        self.by = WORLD
        self.seq = 0
        self.meant: tuple[str, ...] | None = None
        self._due: list[_Due] = []
        self._waiting: list[tuple[Later, int]] = []
        self._outages: list[tuple[datetime, OutageEffect]] = []
        self._counter = 0
        self._ids: dict[str, int] = {}
        self.people = People(world.people)
        self.mailbox = Mailbox(self)
        self.messages = Messages(self)
        self.calendar = CalendarPlace(self)
        self.phone = Phone(self)
        self.wallet = Wallet(self)
        self.notes = Notes(self)
        self.owner = Owner(self)
        self.websites = {name: Website(self, business) for name, business in world.businesses.items()}
        own: tuple[Place, ...] = (
            self.owner, self.mailbox, self.messages, self.calendar, self.phone, self.wallet, self.notes,
        )  # fmt: skip
        self.places: dict[str, Place] = {place.server: place for place in (*own, *self.websites.values())}
        self.tools: dict[tuple[str, str], Tool] = {
            (server, tool.name): tool for server, place in self.places.items() for tool in place.tools()
        }
        for later in world.scenario.later:
            self._plan(later)

    # --- actions

    def act(self, action: Action) -> Reply:
        """Let a minute pass, then run the tool. A refusal leaves everything but the time as it was."""
        self.seq, self.by, self.meant = action.seq, WORLD, action.meant
        self._pass(self.now + MINUTE)
        self.by = AGENT
        try:
            if action.tool == TURN:
                return Reply(self.owner.turn(str(action.arguments["message"])))
            return self._answered(action)
        except Refusal as refusal:
            return Reply(refused=f"{action.tool}: {refusal}", outcome=CallOutcome.INVALID)
        finally:
            self.seq, self.by = 0, WORLD

    def _answered(self, action: Action) -> Reply:
        tool = self.tools.get((action.server, action.tool))
        if tool is None:
            listed = ", ".join(name for server, name in self.tools if server == action.server)
            raise Refusal(f"there is no such tool here; there is {listed}")
        arguments = parsed(tool, action.arguments)
        for until, outage in self._outages:
            if self.now < until and outage.server == action.server and outage.tool in (None, action.tool):
                return Reply(refused=outage.says, outcome=CallOutcome.ANSWERED)
        content = tool.run(arguments)
        if not action.aside and (said := self.owner.shown()):
            content = {**content, "owner_says": list(said)}
        return Reply(content)

    # --- time

    def after(self, wait: timedelta, happen: Callable[[], None], speaks: bool = False) -> None:
        """Let something happen later. `speaks`: the owner will say something then."""
        self._counter += 1
        heapq.heappush(self._due, _Due(self.now + wait, self._counter, happen, speaks))

    def next_due(self) -> datetime | None:
        """When the next thing happens, if anything is to happen."""
        return self._due[0].at if self._due else None

    def next_word(self) -> datetime | None:
        """When the owner says something next, if it is known that they will."""
        return min((due.at for due in self._due if due.speaks), default=None)

    def pass_until(self, until: datetime) -> None:
        """Let time pass, with everything that happens meanwhile; time never goes back."""
        by, seq, self.by = self.by, self.seq, WORLD
        self._pass(max(until, self.now))
        self.by, self.seq = by, seq

    def _pass(self, until: datetime) -> None:
        while self._due and self._due[0].at <= until:
            due = heapq.heappop(self._due)
            self.now = max(self.now, due.at)
            due.happen()
        self.now = until

    # --- what places tell each other

    def record(self, server: str, kind: str, **fields: JsonValue) -> None:
        """Keep a row of what happened."""
        self.rows.append(Row(len(self.rows) + 1, self.seq, self.now, server, kind, self.by, fields))

    def searchable(self, text: str) -> str:
        """What of a text a search may look through: a fact that is hidden cannot be found either."""
        return shown_text(text, self._hidden)

    def finds(self, wanted: str, fields: Iterable[str]) -> bool:
        """Whether a search for these words finds something with these texts: all words, in whatever letters."""
        whole = " ".join(self.searchable(field) for field in fields).casefold()
        return all(word in whole for word in wanted.casefold().split())

    def new_id(self, prefix: str, taken: Container[str] = ()) -> str:
        """The next id of a kind that nothing has yet, from 101: `m101`, `o101`, ..."""
        while True:
            self._ids[prefix] = self._ids.get(prefix, 100) + 1
            name = f"{prefix}{self._ids[prefix]}"
            if name not in taken:
                return name

    def noticed(self, occasion: Occasion) -> None:
        """Start whatever waits for this."""
        for index, (later, seen) in enumerate(self._waiting):
            if later.when is None or not _matches(later.when, occasion):
                continue
            self._waiting[index] = (later, seen + 1)
            if seen + 1 == later.when.count:
                self.after(later.after, partial(self.happen, later), later.turn is not None)

    def happen(self, effect: Effect, by: str = WORLD) -> None:
        """Let an effect happen now."""
        before, self.by = self.by, by
        if effect.order:
            self.websites[effect.order.at].order_changed(effect.order)
        if effect.booking:
            self.websites[effect.booking.at].booking_changed(effect.booking)
        if effect.page:
            self.websites[effect.page.at].page_changed(effect.page)
        if effect.stock:
            self.websites[effect.stock.at].stock_changed(effect.stock)
        if effect.slot:
            self.websites[effect.slot.at].slot_changed(effect.slot)
        if effect.outage:
            self._outages.append((self.now + effect.outage.lasts, effect.outage))
            self.record(effect.outage.server, "outage", until=clock(self.now + effect.outage.lasts))
        if effect.charge:
            self.wallet.charged(effect.charge)
        if effect.event:
            self.calendar.arrived(effect.event)
        if effect.mail:
            self.mailbox.arrived(effect.mail)
        if effect.message:
            self.messages.arrived(effect.message)
        if effect.turn:
            self.owner.spoke(effect.turn)
        self.by = before

    def _plan(self, later: Later) -> None:
        if later.at is not None:
            self.after(later.at - self.now, partial(self.happen, later), later.turn is not None)
        else:
            self._waiting.append((later, 0))

    # --- what is left

    def final_state(self) -> dict[str, tuple[Kept, ...]]:
        """By server, the rows of what happened."""
        state: dict[str, list[Kept]] = {server: [] for server in self.places}
        for row in self.rows:
            state[row.server].append(row.kept())
        return {server: tuple(kept) for server, kept in state.items()}


def _matches(trigger: Trigger, occasion: Occasion) -> bool:
    if trigger.kind != occasion.kind:
        return False
    wanted = str(getattr(trigger, trigger.kind)).casefold()
    names = [name.casefold() for name in (occasion.where, *occasion.also)]
    there = wanted == "*" or any(name == wanted or name.startswith(f"{wanted}/") for name in names)
    return there and is_about(occasion.text, trigger.about)


def parsed(tool: Tool, arguments: Mapping[str, JsonValue]) -> BaseModel:
    """The arguments, checked. Raises Refusal with all that is wrong."""
    try:
        return tool.arguments.model_validate(arguments, strict=True)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(str(part) for part in d['loc'])}: {d['msg']}" for d in error.errors())
        takes = ", ".join(tool.arguments.model_fields) or "no arguments"
        raise Refusal(f"{wrong}; it takes {takes}") from None
