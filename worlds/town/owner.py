"""The owner: can be asked, told, and waited for. They answer from the task's intent alone and volunteer nothing.

A question may come through `ask` or at the end of the agent's turn. Both are answered from the same facts within the
same rounds, and counted alike (seeds/000 section 2.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.consent import GRANTED, WITHDRAWN, Change, Circle, Ledger
from worlds.town.notices import notices
from worlds.town.place import Answered, Arguments, Occasion, Place, Refusal, Tool, clock, parse_time
from worlds.town.understanding import Heard, heard, questions
from worlds.town.written import Consent, TurnEffect

if TYPE_CHECKING:
    from worlds.town.town import Town

CANNOT_SAY = "I cannot tell you more about that."
CANNOT_SAY_THE_REST = "About the rest I cannot tell you more."
BUSY = "I am busy now and cannot answer more questions."
LONGEST_WAIT = timedelta(days=62)


class Asking(Arguments):
    question: str = Field(min_length=1, max_length=4000)


class Reporting(Arguments):
    text: str = Field(min_length=1, max_length=20_000)


class Waiting(Arguments):
    until: str = Field("", description="A time, as 2026-10-05 14:00, or a day. Empty: until something happens.")
    hours: int = Field(0, ge=0, description="Instead of a time: so many hours. 0: until something happens.")


class Owner(Place):
    """The person for whom all this is done."""

    server = "owner"
    about = "The person you work for: ask them something, tell them something, or wait."

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self.facts = town.world.file.intent
        self.ledger = Ledger(town.world.file.consent, Circle.of(town.world))
        self.rounds = 0
        self.ended_turns = 0
        self._answered: set[str] = set()
        self._looked = 0
        self._said_busy = False
        self._unheard: list[TurnEffect] = []

    def tools(self) -> tuple[Tool, ...]:
        prepares = CallKind.PREPARATION
        return (
            Tool("ask", "Ask the owner something. They answer at once.", Asking, self.ask, prepares),
            Tool("report", "Tell the owner something. They read it, and do not answer.", Reporting, self.report,
                 prepares),
            Tool("wait", "Let time pass: until something happens, until a time, or for some hours. With nothing ahead "
                 "it is a day. Tells the time and what has come in.", Waiting, self.wait, prepares),
        )  # fmt: skip

    # --- tools

    def ask(self, asked: Asking) -> Answered:
        if self.rounds >= self.town.world.file.rounds:
            return {"answer": self._busy(questions(asked.question) or (asked.question,), "tool")}
        return {"answer": self._answer(self._heard(asked.question, True), "tool")}

    def report(self, asked: Reporting) -> Answered:
        self.record("reported", text=asked.text, way="tool")
        return {"read": True}

    def wait(self, asked: Waiting) -> Answered:
        self.town.pass_until(self._until(asked))
        new = notices(self.town, self._looked)
        self._looked = len(self.town.rows)
        said = [f"the owner says: {words}" for words in self.shown()]
        return {"now": clock(self.town.now), "new": [*new, *said]}

    def _until(self, asked: Waiting) -> datetime:
        if asked.until and asked.hours:
            raise Refusal("until and hours: give one of them")
        if not asked.until and not asked.hours:
            return self.town.next_due() or self.town.now + timedelta(days=1)
        until = parse_time(asked.until, "until") if asked.until else None
        if until is not None and until <= self.town.now:
            raise Refusal(f"until: {clock(until)} is past; it is {clock(self.town.now)}")
        if asked.hours > LONGEST_WAIT // timedelta(hours=1) or (until and until > self.town.now + LONGEST_WAIT):
            raise Refusal(f"that is too long; wait at most {LONGEST_WAIT.days} days at a time")
        return until or self.town.now + timedelta(hours=asked.hours)

    # --- turns

    def turn(self, message: str) -> Answered:
        """The agent ends its turn with this message. `message`: the owner's next one, or None when all is over."""
        self.record("reported", text=message, way="turn")
        answer = self._answer_at_end(message)
        if answer is None:
            self._end_turn()
        said = [*self.shown(), *([answer] if answer else [])]
        return {"message": "\n\n".join(said) or None}

    def _answer_at_end(self, message: str) -> str | None:
        if self.rounds < self.town.world.file.rounds:
            found = self._heard(message, False)
            return self._answer(found, "turn") if found else None
        asked = questions(message)
        if not asked:
            return None
        again, answer = self._said_busy, self._busy(asked, "turn")
        return None if again else answer

    def _heard(self, text: str, whole: bool) -> Sequence[Heard]:
        """What a text asks, as a model took it if one listened. `whole`: it is a question in any case."""
        if self.town.meant is None:
            return heard(text, self.facts, self.town.world.file.request, whole, self._answered)
        known = {fact.fact: fact for fact in self.facts}
        names = self.town.meant or (("",) if whole else ())
        return [Heard(text, known.get(name), False) for name in names]

    def _end_turn(self) -> None:
        self.ended_turns += 1
        self.town.noticed(Occasion("turn_ends", str(self.ended_turns)))
        self.town.pass_until(self.town.now)
        while not self._unheard and (until := self.town.next_word()) is not None:
            self.town.pass_until(until)

    def spoke(self, turn: TurnEffect) -> None:
        """The owner speaks unasked: it is shown with the next answer, or is their next message."""
        self._unheard.append(turn)

    def shown(self) -> list[str]:
        """What the owner has said unasked and is shown now. It counts from here on: nobody can heed what they have not
        been told, so a call that was on its way is judged by what held before."""
        said = []
        for turn in self._unheard:
            self._record("owner_spoke", text=turn.says)
            self._change(turn.grants, turn.withdraws, "")
            said.append(turn.says)
        self._unheard.clear()
        return said

    # --- answers

    def _answer(self, found: Sequence[Heard], way: str) -> str:
        self.rounds += 1
        says = list(dict.fromkeys(one.fact.says for one in found if one.fact))
        lacking = any(one.fact is None for one in found)
        for one in found:
            self._record_question(one, one.fact.says if one.fact else CANNOT_SAY, way)
        return " ".join([*says, CANNOT_SAY_THE_REST] if says and lacking else says or [CANNOT_SAY])

    def _record_question(self, one: Heard, answer: str, way: str) -> None:
        fact = one.fact
        name = fact.fact if fact else ""
        again = name in self._answered
        already = fact is not None and fact.grants != Consent() and self.ledger.at().covers(fact.grants)
        self.record("asked", question=one.question, fact=name, answer=answer, round=self.rounds, way=way, again=again,
                    already=already and not again, permission=one.permission, busy=False)  # fmt: skip
        if fact and not again:
            self._answered.add(name)
            self._change(fact.grants, fact.withdraws, name)
        self.town.noticed(Occasion("asked", name, one.question))

    def _busy(self, asked: Sequence[str], way: str) -> str:
        self._said_busy = True
        for question in asked:
            self.record("asked", question=question, fact="", answer=BUSY, round=self.rounds + 1, way=way, again=False,
                        already=False, permission=False, busy=True)  # fmt: skip
        return BUSY

    # --- the ledger

    def _change(self, grants: Consent, withdraws: Consent, fact: str) -> None:
        for kind, consent in ((WITHDRAWN, withdraws), (GRANTED, grants)):
            if consent != Consent():
                self._record(kind, consent=consent.model_dump(mode="json", exclude_defaults=True), fact=fact)
                self.ledger = self.ledger.with_(Change(len(self.town.rows), kind, consent))

    def _record(self, kind: str, **fields: JsonValue) -> None:
        """Keep a row of what the owner did, by their name."""
        before, self.town.by = self.town.by, self.town.world.household.owner
        self.record(kind, **fields)
        self.town.by = before
