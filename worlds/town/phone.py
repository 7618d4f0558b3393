"""The owner's phone: calls to businesses with menus and clerks, to people, and to voicemail."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.hours import Hours
from worlds.town.people import digits
from worlds.town.place import Answered, Arguments, NoArguments, Occasion, Place, Refusal, Tool, clock
from worlds.town.written import Line

if TYPE_CHECKING:
    from worlds.town.town import Town

PATIENCE = timedelta(minutes=30)
"""After so long without a word or a key the other side has hung up."""
SHORTEST = 7
"""So many digits a number has without its country code; with fewer it has to match in full."""
NOT_IN_SERVICE = "The number you have dialled is not in service."
LOST = "I am sorry, I cannot help you with that. Is there anything else?"


@dataclass(frozen=True, slots=True)
class Listed:
    """A number that someone has: a business's line, a person by their key, or only a name in the contacts."""

    number: str
    who: str
    server: str = ""
    line: Line | None = None
    person: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """A line of a call's transcript."""

    date: str
    who: str
    text: str

    @property
    def shown(self) -> Answered:
        return {"date": self.date, "who": self.who, "text": self.text}


@dataclass
class Call:
    """A call. `person`: whom it is put through to, by key; `recording`: it is voicemail; `last`: when anything was
    said or pressed."""

    id: str
    number: str
    who: str
    began: datetime
    last: datetime
    listed: Listed | None = None
    person: str = ""
    recording: bool = False
    over: bool = False
    heard: list[Heard] = field(default_factory=list)

    def is_open(self, now: datetime) -> bool:
        """Whether both sides are still there."""
        return not self.over and now - self.last <= PATIENCE


class Calling(Arguments):
    number: str = Field(min_length=1, max_length=40, description="A phone number, as +1 555 0142.")


class Pressing(Arguments):
    call: str = Field(description="The call's id.")
    key: str = Field(min_length=1, max_length=2, description="A key: 0 to 9, * or #.")


class Saying(Arguments):
    call: str = Field(description="The call's id.")
    text: str = Field(min_length=1, max_length=4_000)


class OneCall(Arguments):
    call: str = Field(description="The call's id.")


class Phone(Place):
    """The owner's phone."""

    server = "phone"
    about = "The owner's phone: calling numbers, phone menus, talking, transcripts of calls."

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self.calls: dict[str, Call] = {}
        self._book = tuple(_book(town))
        self._hours = {one.server: Hours.parse(one.line.hours) for one in self._book if one.line}

    def tools(self) -> tuple[Tool, ...]:
        prepares, commits = CallKind.PREPARATION, CallKind.COMMIT
        return (
            Tool("list_calls", "The calls that were made, newest first.", NoArguments, self.list_calls),
            Tool("transcript", "All that was heard and said in a call.", OneCall, self.transcript),
            Tool("call", "Call a number.", Calling, self.call, commits),
            Tool("press", "Press a key in an open call.", Pressing, self.press, prepares),
            Tool("say", "Say something in an open call.", Saying, self.say, commits),
            Tool("hang_up", "End a call.", OneCall, self.hang_up, prepares),
        )

    # --- reads

    def list_calls(self, asked: NoArguments) -> Answered:
        calls: list[JsonValue] = [
            {"call": call.id, "number": call.number, "who": call.who, "date": clock(call.began),
             "open": call.is_open(self.town.now)}
            for call in reversed(self.calls.values())
        ]  # fmt: skip
        return {"calls": calls}

    def transcript(self, asked: OneCall) -> Answered:
        call = self._call(asked.call)
        return {"call": call.id, "number": call.number, "who": call.who, "lines": [line.shown for line in call.heard]}

    # --- acts

    def call(self, asked: Calling) -> Answered:
        open_ = next((call for call in self.calls.values() if call.is_open(self.town.now)), None)
        if open_:
            raise Refusal(f"call {open_.id} with {open_.who or open_.number} is still open; hang up first")
        wanted = digits(asked.number)
        if len(wanted) < 3 or set(asked.number) - set("+0123456789 ().-/"):
            raise Refusal(f"number: {asked.number!r} is no phone number")
        if wanted == digits(self.town.world.household.phone):
            raise Refusal("number: this is the owner's own number; it is busy")
        listed = self._listed(wanted)
        now = self.town.now
        call = Call(self.town.new_id("call"), listed.number if listed else asked.number.strip(), "", now, now, listed)
        self.calls[call.id] = call
        heard = self._pick_up(call, listed)
        self.record("call_placed", call=call.id, number=call.number, who=call.who, heard=heard,
                    voicemail=call.recording)  # fmt: skip
        self.town.noticed(Occasion("call_to", call.number))
        return {"call": call.id, "number": call.number, "heard": heard, "open": not call.over}

    def press(self, asked: Pressing) -> Answered:
        call = self._open(asked.call)
        menu = self._menu(call)
        if not menu or call.listed is None:
            raise Refusal("there is no menu in this call; a key does nothing")
        entry = call.listed.line.menu.get(asked.key) if call.listed.line else None
        if entry is None:
            raise Refusal(f"this is not a valid choice. {menu}")
        heard = entry.says
        if entry.person:
            heard = " ".join(part for part in (entry.says, self._put_through(call, entry.person)) if part)
        call.last = self.town.now
        self._hear(call, "owner", f"(pressed {asked.key})")
        self._hear(call, call.who, heard)
        self.record("pressed", call=call.id, number=call.number, key=asked.key, label=entry.label, heard=heard)
        return {"call": call.id, "heard": heard}

    def say(self, asked: Saying) -> Answered:
        call = self._open(asked.call)
        if not asked.text.strip():
            raise Refusal("text: there is nothing to say")
        if not call.person and not call.recording:
            raise Refusal(self._menu(call) or "this is a recording; nobody is listening")
        call.last = self.town.now
        self._hear(call, "owner", asked.text)
        reached = self.town.people.everyone[call.person] if call.person else None
        answer = self.town.people.answer(call.person, "phone", asked.text) if reached else None
        heard = LOST if reached and answer is None else ""
        if answer:
            heard = "" if answer.silent else answer.says
        name = reached.name if reached else call.who
        self.record("said", call=call.id, number=call.number, person=name, text=asked.text, heard=heard,
                    voicemail=call.recording)  # fmt: skip
        if heard:
            self._hear(call, name, heard)
        if answer and answer.commits:
            self.record("agreed", person=name, text=asked.text, call=call.id, number=call.number)
        self.town.noticed(Occasion("call_to", call.number, asked.text))
        if answer:
            self.town.happen(answer.does, name)
        return {"call": call.id, "heard": "(recorded)" if call.recording else heard or "(silence)"}

    def hang_up(self, asked: OneCall) -> Answered:
        call = self._open(asked.call)
        call.over = True
        self.record("hung_up", call=call.id, number=call.number)
        return {"ended": call.id}

    # --- inside

    def _pick_up(self, call: Call, listed: Listed | None) -> str:
        """Who or what answers, and what is heard first."""
        if listed is None:
            call.over = True
            heard = NOT_IN_SERVICE
        elif listed.line is None:
            call.who = listed.who
            heard = self._put_through(call, listed.person) if listed.person else self._record_for(call, listed.who)
        elif not self._hours[listed.server].holds(self.town.now):
            call.who, call.recording, heard = listed.who, True, listed.line.closed
        else:
            call.who, heard = listed.who, listed.line.greeting
            if listed.line.menu:
                heard = f"{heard} {self._menu(call)}"
            elif listed.line.person:
                self._put_through(call, listed.line.person)
        self._hear(call, call.who, heard)
        return heard

    def _put_through(self, call: Call, key: str) -> str:
        everyone = self.town.people.everyone
        server = call.listed.server if call.listed else ""
        call.person = f"{server}.{key}" if f"{server}.{key}" in everyone else key
        call.who = everyone[call.person].name
        return f"Hello, this is {call.who}."

    def _record_for(self, call: Call, who: str) -> str:
        call.recording = True
        return f"This is the voicemail of {who}. Please leave a message after the tone."

    def _menu(self, call: Call) -> str:
        """What the call's menu says, while no person and no recording answers."""
        line = call.listed.line if call.listed else None
        if line is None or call.person or call.recording:
            return ""
        return " ".join(f"Press {key} for {entry.label}." for key, entry in line.menu.items())

    def _hear(self, call: Call, who: str, text: str) -> None:
        call.heard.append(Heard(clock(self.town.now), who, text))

    def _listed(self, wanted: str) -> Listed | None:
        """Whose number this is, with or without its country code."""
        exact = next((one for one in self._book if digits(one.number) == wanted), None)
        if exact or len(wanted) < SHORTEST:
            return exact
        return next((one for one in self._book if digits(one.number).endswith(wanted)), None)

    def _call(self, name: str) -> Call:
        if name not in self.calls:
            raise Refusal(f"there is no call {name!r}")
        return self.calls[name]

    def _open(self, name: str) -> Call:
        call = self._call(name)
        if not call.is_open(self.town.now):
            raise Refusal(f"call {name} is over")
        return call


def _book(town: Town) -> list[Listed]:
    """Every number: businesses first, then people, then contacts who answer to nothing."""
    lines = [
        Listed(business.phone.number, business.name, server, business.phone)
        for server, business in town.world.businesses.items() if business.phone
    ]  # fmt: skip
    people = [Listed(number, person.name, _server(key), None, key) for key, person in town.world.people.items()
              for number in person.phone if number]  # fmt: skip
    contacts = [Listed(one.phone, one.name) for one in town.world.household.contacts if one.phone]
    return [*lines, *people, *contacts]


def _server(key: str) -> str:
    return key.partition(".")[0] if "." in key else ""
