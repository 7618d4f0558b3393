"""Criteria about what was written: mails, drafts, messages."""

from __future__ import annotations

from typing import ClassVar

from graders.town.finding import Finding, counted, found, none
from graders.town.goals.criterion import Count, Criterion, SomeTexts, Timed, described, timely
from graders.town.meaning import like
from graders.town.past import Past
from graders.town.wording import own_words
from worlds.town.people import is_about
from worlds.town.row import Row
from worlds.town.written import Texts


def letter_text(row: Row) -> str:
    """What the agent told in a mail: its own words, the subject of a new mail, and what it attached. A mail that it
    passed on it told whole, history and all."""
    subject = row.text("subject")
    if subject.casefold().startswith(("fwd:", "fw:")):
        return "\n".join((subject, row.text("body"), row.text("attached")))
    answers = subject.casefold().startswith("re:")
    return "\n".join(("" if answers else subject, own_words(row.text("body")), row.text("attached")))


def everyone_on(row: Row) -> tuple[str, ...]:
    """To, Cc and Bcc of a mail."""
    return (*row.texts("to"), *row.texts("cc"), *row.texts("bcc"))


def all_reached(past: Past, wanted: tuple[str, ...], recipients: tuple[str, ...]) -> bool:
    """Whether each that is wanted is among the recipients."""
    return all(any(past.is_(one, recipient) for recipient in recipients) for one in wanted)


def any_reached(past: Past, wanted: tuple[str, ...], recipients: tuple[str, ...]) -> bool:
    """Whether one that is wanted is among the recipients."""
    return any(past.is_(one, recipient) for one in wanted for recipient in recipients)


class Mail(Timed):
    """The agent sent a mail: all of `to` on To, all of `cc` on Cc (or To), all of `reaches` on To, Cc or Bcc, none of
    `no_cc` on it, and with `nobody_else` no one besides. In its own words (not in what an answer quotes; what is passed
    on counts whole) it is `about` one of these phrases, and nothing in it, quoted history included, is about one of
    `not_about`. From this `account`, in this `thread`, with this `attachment`; `exactly` so many such mails."""

    short: ClassVar[str] = "to"

    to: SomeTexts
    about: Texts = ()
    not_about: Texts = ()
    cc: Texts = ()
    no_cc: Texts = ()
    nobody_else: bool = False
    reaches: Texts = ()
    account: str = ""
    thread: str = ""
    attachment: str = ""
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        sent = [row for row in timely(self, past.acts("mail_sent")) if self._fits(past, row)]
        return counted(described("mail", self), sent, self.exactly)

    def _fits(self, past: Past, row: Row) -> bool:
        to, on_cc, everyone = row.texts("to"), (*row.texts("cc"), *row.texts("to")), everyone_on(row)
        whole = "\n".join((row.text("subject"), row.text("body"), row.text("attached")))
        wanted = (*self.to, *self.cc, *self.reaches)
        return (
            all_reached(past, self.to, to)
            and all_reached(past, self.cc, on_cc)
            and all_reached(past, self.reaches, everyone)
            and not any_reached(past, self.no_cc, everyone)
            and not (self.nobody_else and any(not any_reached(past, wanted, (one,)) for one in everyone))
            and is_about(letter_text(row), self.about)
            and not (self.not_about and is_about(whole, self.not_about))
            and (not self.account or row.text("account") == self.account)
            and (not self.thread or row.text("thread") == self.thread)
            and (not self.attachment or any(like(self.attachment, name) for name in row.texts("attachments")))
        )


class NoMail(Timed):
    """The agent sent no mail to any of `to` (on To, Cc or Bcc; `*`: to anyone) that is `about` one of these phrases."""

    short: ClassVar[str] = "to"

    to: Texts = ("*",)
    about: Texts = ()

    def find(self, past: Past) -> Finding:
        sent = [
            row
            for row in timely(self, past.acts("mail_sent"))
            if any_reached(past, self.to, everyone_on(row)) and is_about(letter_text(row), self.about)
        ]
        return none(described("no mail", self), sent)


class Message(Timed):
    """The agent wrote into the `thread` (its id), or to all of `to`, a message that is `about` one of these phrases and
    not about one of `not_about`; `exactly` so many."""

    short: ClassVar[str] = "thread"

    thread: str = ""
    to: Texts = ()
    about: Texts = ()
    not_about: Texts = ()
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        written = [row for row in timely(self, past.acts("message_sent")) if self._fits(past, row)]
        return counted(described("message", self), written, self.exactly)

    def _fits(self, past: Past, row: Row) -> bool:
        text = row.text("text")
        return (
            (not self.thread or like(self.thread, row.text("thread")))
            and all_reached(past, self.to, (*row.texts("members"), row.text("thread")))
            and is_about(text, self.about)
            and not (self.not_about and is_about(text, self.not_about))
        )


class NoMessage(Timed):
    """The agent wrote no message into the `thread`, or that any of `to` can read, `about` one of these phrases."""

    short: ClassVar[str] = "thread"

    thread: str = ""
    to: Texts = ()
    about: Texts = ()

    def find(self, past: Past) -> Finding:
        written = [
            row
            for row in timely(self, past.acts("message_sent"))
            if (not self.thread or like(self.thread, row.text("thread")))
            and (not self.to or any_reached(past, self.to, (*row.texts("members"), row.text("thread"))))
            and is_about(row.text("text"), self.about)
        ]
        return none(described("no message", self), written)


class Draft(Criterion):
    """At the end there is a draft that the agent wrote or changed, to all of `to`, `about` one of these phrases;
    `exactly` so many. One that was sent or deleted is there no more."""

    short: ClassVar[str] = "about"

    about: Texts = ()
    to: Texts = ()
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        fit = [
            row
            for row in drafts(past).values()
            if all_reached(past, self.to, row.texts("to"))
            and is_about(f"{row.text('subject')}\n{row.text('body')}", self.about)
        ]
        return counted(described("draft", self), fit, self.exactly)


class NoDrafts(Criterion):
    """At the end the agent has left no draft of its own."""

    def find(self, past: Past) -> Finding:
        return found(not drafts(past), f"drafts left by the agent: {', '.join(drafts(past)) or 'none'}",
                     drafts(past).values())  # fmt: skip


def drafts(past: Past) -> dict[str, Row]:
    """The agent's drafts that are there at the end, by id, each with the row that last wrote it."""
    there: dict[str, Row] = {}
    for row in past.of_kind("draft_saved", "draft_changed", "mail_sent", "mail_deleted"):
        if row.kind in ("mail_sent", "mail_deleted"):
            there.pop(row.text("id"), None)
        else:
            there[row.text("id")] = row
    return there
