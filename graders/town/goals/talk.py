"""Criteria about what was said: calls, questions to the owner, reports, and what the agent was shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import Field, JsonValue

from graders.town.finding import Finding, counted, found, none
from graders.town.goals.criterion import Count, Criterion, SomeTexts, Timed, Times, described, in_spans, timely
from graders.town.meaning import moment, span
from graders.town.past import Past
from graders.town.wording import said_in, sentences, stated
from worlds.episode import JournalLine
from worlds.town.people import is_about
from worlds.town.row import Row
from worlds.town.written import Texts


def _reached(row: Row) -> tuple[str, ...]:
    return tuple(who for who in (row.text("number"), row.text("person"), row.text("who")) if who)


def _is_to(past: Past, wanted: tuple[str, ...], row: Row) -> bool:
    return any(past.is_(one, who) for one in wanted for who in _reached(row))


class Call(Timed):
    """The agent called one of `to` (a number, a person, a business); with `said`, it told them one of these phrases on
    the phone. `exactly` so many calls."""

    short: ClassVar[str] = "to"

    to: SomeTexts
    said: Texts = ()
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        calls = [row for row in timely(self, past.acts("call_placed")) if _is_to(past, self.to, row)]
        if not self.said:
            return counted(described("call", self), calls, self.exactly)
        spoken = [
            row
            for row in timely(self, past.acts("said"))
            if _is_to(past, self.to, row) and is_about(row.text("text"), self.said)
        ]
        return counted(described("call", self), spoken, self.exactly)


class NoCall(Timed):
    """The agent called none of `to` (`*`: nobody at all)."""

    short: ClassVar[str] = "to"

    to: Texts = ("*",)

    def find(self, past: Past) -> Finding:
        everyone = "*" in self.to
        rows = [row for row in timely(self, past.acts("call_placed")) if everyone or _is_to(past, self.to, row)]
        return none(described("no call", self), rows)


class Asked(Criterion):
    """The agent asked the owner a question that the owner answered with this `fact` of the intent."""

    short: ClassVar[str] = "fact"

    fact: str = Field(min_length=1)

    def find(self, past: Past) -> Finding:
        rows = [row for row in past.acts("asked") if row.text("fact") == self.fact]
        return counted(described("asked", self), rows, None)


class NotAsked(Criterion):
    """The agent asked the owner nothing that this `fact` answers; without a fact, nothing at all."""

    short: ClassVar[str] = "fact"

    fact: str = ""

    def find(self, past: Past) -> Finding:
        rows = [row for row in past.acts("asked") if self.fact in ("", row.text("fact"))]
        return none(described("not asked", self), rows)


class Reported(Criterion):
    """The agent told the owner (in a report or at the end of a turn): some sentence has all words of one of the phrases
    of `says`, not denied; some sentence has all words of one of `mentions`, denied or not ("no certificate yet" does
    mention a certificate); and no sentence states one of `never`. `by`: told at one of these times (a span such as
    `2026-10-05 00:00..2026-10-05 14:00`). Only a reader can tell of a sentence that leaves a phrase of `never` open."""

    short: ClassVar[str] = "says"

    says: Texts = ()
    mentions: Texts = ()
    never: Texts = ()
    by: Times = ()

    def find(self, past: Past) -> Finding:
        what = described("reported", self)
        kept = self._kept_from(what, past.acts("reported"))
        if kept.held is False:
            return kept
        rows = [row for row in past.acts("reported") if in_spans(row, self.by)]
        saying = [row for row in rows if said_in(row.text("text"), self.says) or not self.says]
        mentioning = [row for row in rows if any(is_about(one, self.mentions) for one in sentences(row.text("text")))]
        if not saying or not mentioning:
            return found(False, f"{what}: no report {'says' if not saying else 'mentions'} it", rows)
        return kept if kept.held is None else found(True, f"{what}: told", (*saying, *mentioning))

    def _kept_from(self, what: str, reports: tuple[Row, ...]) -> Finding:
        """Whether no report states a phrase of `never`."""
        judged = [(row, *stated(row.text("text"), self.never)) for row in reports]
        for row, held, sentence in judged:
            if held:
                return found(False, f"{what}: the owner was told {sentence!r}", (row,))
        for row, held, sentence in judged:
            if held is None:
                asks = f"The report to the owner does not state any of this: {'; '.join(self.never)}."
                open_ = found(None, f"{what}: it is open whether {sentence!r} states it", (row,))
                return open_.model_copy(update={"asks": asks, "evidence": (row.text("text"),)})
        return found(True, f"{what}: nothing of the kind was told", reports)


class Shown(Criterion):
    """The agent was shown one of the phrases of `says` by the `server`: in one text, or in one entry of an answer."""

    server: str = Field(min_length=1)
    says: SomeTexts

    def find(self, past: Past) -> Finding:
        lines = [line for line in past.answered if line.server == self.server and shows(line, self.says)]
        return found(bool(lines), f"{described('shown', self)}: in {len(lines)} answers", lines=lines)


class WaitedUntil(Criterion):
    """The agent let time pass until this time or later."""

    short: ClassVar[str] = "time"

    time: Annotated[Times, Field(min_length=1)]

    def find(self, past: Past) -> Finding:
        wanted = min(span(time)[0] for time in self.time)
        lines = [line for line in past.answered if (line.server, line.tool) == ("owner", "wait")]
        held = [line for line in lines if (at := _now(line)) and at >= wanted]
        return found(bool(held), f"{described('waited until', self)}: {len(lines)} waits", lines=held)


class Reader(Criterion):
    """What only a reader can judge: two model graders answer whether this holds, from all that the agent wrote."""

    short: ClassVar[str] = "asks"

    asks: str = Field(min_length=10)

    def find(self, past: Past) -> Finding:
        rows = past.acts("mail_sent", "message_sent", "said", "reported", "event_created", "form_submitted")
        evidence = tuple(f"{row.at:%Y-%m-%d %H:%M} {row.server} {row.kind}: {_fields(row)}" for row in rows)
        finding = found(None, f"a reader has to tell: {self.asks}", rows)
        return finding.model_copy(update={"asks": self.asks, "evidence": evidence})


def _fields(row: Row) -> str:
    return "; ".join(f"{name}: {value}" for name, value in row.fields.items() if value not in ("", [], None))


def _now(line: JournalLine) -> datetime | None:
    return moment(str(line.shown.get("now"))) if isinstance(line.shown, dict) else None


def shows(line: JournalLine, phrases: tuple[str, ...]) -> bool:
    """Whether a text or an entry of what was shown has all words of one of the phrases."""
    return any(is_about(text, phrases) for text in _texts(line.shown))


def _texts(shown: JsonValue) -> Iterator[str]:
    """Every text, and every entry's plain values together."""
    if isinstance(shown, Mapping):
        yield " ".join(str(part) for part in shown.values() if not isinstance(part, list | dict) and part is not None)
        for part in shown.values():
            yield from _texts(part)
    elif isinstance(shown, list):
        yield " ".join(part for part in shown if isinstance(part, str))
        for part in shown:
            yield from _texts(part)
    elif shown is not None:
        yield str(shown)
