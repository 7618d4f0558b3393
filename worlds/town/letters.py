"""Mails as they lie in the mailbox, and what is read off them: heads, quotes, addresses, who an answer goes to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from worlds.town.place import Answered, Refusal, clock
from worlds.town.written import Attachment, Mail

_ADDRESS = re.compile(r"[a-z0-9._+'-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_NAMED = re.compile(r"[^<>]*<([^<>]*)>")
MOST_ADDRESSES = 50
"""So many addresses a field of a mail takes."""


@dataclass
class Letter:
    """A mail in the mailbox. Addresses are in lower case."""

    id: str
    thread: str
    account: str
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    date: str
    subject: str
    body: str
    folder: str
    attachments: tuple[Attachment, ...] = ()
    quoted: str = ""

    @classmethod
    def of(cls, mail: Mail) -> Letter:
        """A mail that is there at the start."""
        return cls(mail.id, mail.thread or mail.id, mail.account, mail.sender.casefold(), lower(mail.to),
                   lower(mail.cc), (), clock(mail.date), mail.subject, mail.body, mail.folder,
                   mail.attachments)  # fmt: skip

    @property
    def head(self) -> Answered:
        """What a list shows."""
        return {"id": self.id, "thread": self.thread, "from": self.sender, "to": list(self.to), "subject": self.subject,
                "date": self.date, "folder": self.folder}  # fmt: skip

    @property
    def whole(self) -> Answered:
        """What opening it shows."""
        shown: Answered = {**self.head, "account": self.account, "cc": list(self.cc), "body": self.text}
        if self.bcc:
            shown["bcc"] = list(self.bcc)
        if self.attachments:
            shown["attachments"] = [attachment.name for attachment in self.attachments]
        return shown

    @property
    def text(self) -> str:
        """The body with the history it quotes."""
        return f"{self.body}\n\n{self.quoted}" if self.quoted else self.body

    @property
    def everyone(self) -> tuple[str, ...]:
        """To, Cc and Bcc, each address once."""
        return tuple(dict.fromkeys((*self.to, *self.cc, *self.bcc)))

    @property
    def row(self) -> dict[str, JsonValue]:
        """What is kept of it when it is sent or saved."""
        return {
            "id": self.id, "thread": self.thread, "account": self.account, "to": list(self.to), "cc": list(self.cc),
            "bcc": list(self.bcc), "subject": self.subject, "body": self.text,
            "attachments": [attachment.name for attachment in self.attachments],
            "attached": "\n".join(attachment.text for attachment in self.attachments),
        }  # fmt: skip

    @property
    def quote(self) -> str:
        """How an answer quotes it, its own history included."""
        head = f"On {self.date} {self.sender} wrote:"
        return "\n".join([head, *(f"> {line}" for line in self.text.splitlines())])

    @property
    def fields(self) -> tuple[str, ...]:
        """The texts that a search looks through."""
        return (self.sender, *self.everyone, self.subject, self.text, *(each.name for each in self.attachments))


def answered_to(letter: Letter, own: frozenset[str], everyone: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """To and Cc of an answer: the sender (of an own mail those it went to), and with `everyone` all others on it."""
    to = letter.to if letter.sender in own else (letter.sender,)
    if not everyone:
        return to, ()
    return to, tuple(a for a in dict.fromkeys((*letter.to, *letter.cc)) if a not in own and a not in to)


def prefixed(prefix: str, subject: str) -> str:
    """`Re: ` or `Fwd: ` before a subject, once."""
    return subject if subject.casefold().startswith(prefix.casefold()) else f"{prefix}{subject}"


def lower(addresses: Iterable[str]) -> tuple[str, ...]:
    """Addresses in lower case, each once."""
    return tuple(dict.fromkeys(address.casefold() for address in addresses))


def addresses(given: list[str], what: str) -> tuple[str, ...]:
    """Addresses as `noor@post.example` or `Noor <noor@post.example>`. Raises Refusal."""
    if len(given) > MOST_ADDRESSES:
        raise Refusal(f"{what}: {len(given)} addresses are too many; {MOST_ADDRESSES} at most")
    return tuple(dict.fromkeys(_address(one, what) for one in given))


def is_address(text: str) -> bool:
    """Whether this is a mail address."""
    return _ADDRESS.fullmatch(text.casefold()) is not None


def _address(given: str, what: str) -> str:
    named = _NAMED.fullmatch(given.strip())
    address = (named[1] if named else given).strip().casefold()
    if not is_address(address):
        raise Refusal(f"{what}: {given!r} is not a mail address")
    return address


def age(letter: Letter) -> tuple[str, int]:
    """What letters are sorted by: their date, then the number in their id."""
    number = "".join(c for c in letter.id if c.isdigit())
    return letter.date, int(number or 0)


def heads(letters: Iterable[Letter]) -> Answered:
    """Lists newest first."""
    return {"mails": [letter.head for letter in sorted(letters, key=age, reverse=True)]}
