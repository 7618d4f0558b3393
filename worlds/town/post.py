"""How mail travels: out at once or through the outbox, to whoever is there, back as an answer or undeliverable."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from pydantic import JsonValue

from worlds.town.letters import Letter, lower, prefixed
from worlds.town.place import Answered, Occasion, clock
from worlds.town.written import Answer, Effect, MailEffect

if TYPE_CHECKING:
    from worlds.town.town import Town

DELIVERY = timedelta(minutes=1)
"""So long a mail takes to bounce, or to come from the owner to the owner."""
DAEMON = "mailer-daemon@post.example"


class Post:
    """All letters of the owner by id, and the way in and out."""

    def __init__(self, town: Town) -> None:
        self.town = town
        household = town.world.household
        self.accounts = {account.id: account.address.casefold() for account in household.accounts}
        self.letters = {mail.id: Letter.of(mail) for mail in household.mail}
        self._known = set(lower(contact.mail for contact in household.contacts if contact.mail))
        self._known.update(*((letter.sender, *letter.everyone) for letter in self.letters.values()))
        self._unreachable = frozenset(lower(household.unreachable))
        if household.outbox_until:
            wait = max(household.outbox_until - town.now, timedelta())
            for letter in self.letters.values():
                if letter.folder == "outbox":
                    town.after(wait, partial(self._leave, letter.id, "world", 0))

    @property
    def own(self) -> frozenset[str]:
        """The owner's addresses."""
        return frozenset(self.accounts.values())

    @property
    def down(self) -> bool:
        """Whether mail has to wait in the outbox."""
        until = self.town.world.household.outbox_until
        return until is not None and self.town.now < until

    def reaches(self, address: str) -> bool:
        """Whether there is such an address."""
        there = address in self._known or address in self.own or self.town.people.at("mail", address) is not None
        return there and address not in self._unreachable

    # --- out

    def send(self, letter: Letter) -> Answered:
        """Send a letter, or let it wait in the outbox while there is no connection."""
        until = self.town.world.household.outbox_until
        self.letters[letter.id] = letter
        if self.down and until:
            letter.folder = "outbox"
            self._record("mail_queued", letter.row)
            by, seq = self.town.by, self.town.seq
            self.town.after(until - self.town.now, lambda: self._leave(letter.id, by, seq))
            return {"queued": letter.id, "thread": letter.thread}
        self._go(letter)
        return {"sent": letter.id, "thread": letter.thread}

    def _leave(self, name: str, by: str, seq: int) -> None:
        """A letter leaves the outbox, by whoever put it there; unless it is there no more."""
        letter = self.letters.get(name)
        if letter is None or letter.folder != "outbox":
            return
        before = self.town.by, self.town.seq
        self.town.by, self.town.seq = by, seq
        self._go(letter)
        self.town.by, self.town.seq = before

    def _go(self, letter: Letter) -> None:
        letter.folder, letter.date = "sent", clock(self.town.now)
        self._record("mail_sent", letter.row)
        readers: set[str] = set()
        for address in letter.everyone:
            self._delivered(address, letter, readers)

    def _delivered(self, address: str, letter: Letter, readers: set[str]) -> None:
        """It reaches whoever is there: what waits for it starts, and a person there who is none of its `readers` yet
        answers in its thread."""
        if not self.reaches(address):
            self.bounce(address, letter.subject, letter.account, letter.thread)
            return
        text = f"{letter.subject}\n{letter.body}"
        self.town.noticed(Occasion("mail_to", address, text))
        account = next((name for name, own in self.accounts.items() if own == address), None)
        if account is not None:
            copy = MailEffect(sender=letter.sender, subject=letter.subject, body=letter.text, account=account,
                              cc=letter.cc, attachments=letter.attachments)  # fmt: skip
            self.town.after(DELIVERY, lambda: self.receive(copy, letter.thread))
            return
        reached = self.town.people.at("mail", address)
        if reached is None or reached[0] in readers:
            return
        readers.add(reached[0])
        answer = self.town.people.answer(reached[0], "mail", text)
        if answer:
            self._answered(address, reached[1].name, answer, letter, text)

    def _answered(self, address: str, who: str, answer: Answer, letter: Letter, text: str) -> None:
        back = MailEffect(sender=address, subject=prefixed("Re: ", letter.subject), body=answer.says,
                          account=letter.account, cc=answer.cc, thread=letter.thread,
                          attachments=answer.attachments)  # fmt: skip

        def answered() -> None:
            if not answer.silent:
                self.town.happen(Effect(mail=back), who)
            self.town.happen(answer.does, who)

        if answer.commits:
            self._record("agreed", {"person": who, "text": text, "mail": letter.id})
        self.town.after(answer.after, answered, answer.does.turn is not None)

    def bounce(self, address: str, subject: str, account: str, thread: str | None) -> None:
        """Word comes back that there is no such address."""
        body = f"Your message {subject!r} could not be delivered to {address}: there is no such address."
        bounced = MailEffect(sender=DAEMON, subject="Undeliverable", body=body, account=account)
        self.town.after(DELIVERY, lambda: self.receive(bounced, thread))

    # --- in

    def receive(self, mail: MailEffect, thread: str | None) -> None:
        """A mail reaches the owner."""
        name = self.town.new_id("m", self.letters)
        subject = mail.subject
        if thread and not subject:
            subject = next((prefixed("Re: ", letter.subject) for letter in self.letters.values()
                            if letter.thread == thread), "")  # fmt: skip
        letter = Letter(name, thread or name, mail.account, mail.sender.casefold(), (self.accounts[mail.account],),
                        lower(mail.cc), (), clock(self.town.now), subject, mail.body, "inbox",
                        mail.attachments)  # fmt: skip
        self.letters[name] = letter
        if letter.sender != DAEMON:
            self._known.update((letter.sender, *letter.cc))
        self._record("mail_arrived", {**letter.row, "sender": letter.sender})

    def _record(self, kind: str, fields: dict[str, JsonValue]) -> None:
        self.town.record("mailbox", kind, **fields)
