"""The owner's mail: accounts, threads, drafts, outbox and sent kept apart, attachments, the address book."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.place import Answered, Arguments, NoArguments, Occasion, Place, Refusal, Tool, clock
from worlds.town.written import Attachment, Mail, MailEffect

if TYPE_CHECKING:
    from worlds.town.town import Town

_ADDRESS = re.compile(r"[A-Za-z0-9._+'-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
FOLDERS = ("inbox", "sent", "drafts", "outbox", "archive")


@dataclass
class Letter:
    """A mail in the mailbox."""

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


class Listing(Arguments):
    folder: str = Field("inbox", description="inbox, sent, drafts, outbox or archive.")
    account: str = Field("", description="Only this account; empty for all.")


class OneThread(Arguments):
    thread: str = Field(description="The thread's id.")


class Searching(Arguments):
    text: str = Field(min_length=1, max_length=400, description="Words to look for in sender, subject and body.")


class Sending(Arguments):
    to: list[str] = Field(description="Mail addresses.")
    subject: str = Field(max_length=400)
    body: str = Field(max_length=20_000)
    cc: list[str] = Field([], description="Mail addresses that get a copy.")
    bcc: list[str] = Field([], description="Mail addresses that get a hidden copy.")
    account: str = Field("personal", description="The account to send from.")
    attach: list[str] = Field([], description="Attachments of received mails, as MAIL_ID/NAME.")


class Replying(Arguments):
    message: str = Field(description="The id of the mail that is answered.")
    body: str = Field(max_length=20_000)
    everyone: bool = Field(False, description="Answer the sender and everyone on To and Cc.")
    quote: bool = Field(True, description="Quote the mail that is answered, with its history.")
    cc: list[str] = Field([], description="Further addresses that get a copy.")


class Forwarding(Arguments):
    message: str = Field(description="The id of the mail that is passed on.")
    to: list[str] = Field(description="Mail addresses.")
    body: str = Field("", max_length=20_000)


class Editing(Arguments):
    draft: str = Field(description="The draft's id.")
    to: list[str] | None = None
    cc: list[str] | None = None
    subject: str | None = None
    body: str | None = None


class OneMail(Arguments):
    message: str = Field(description="The mail's id.")


class OneAttachment(Arguments):
    message: str = Field(description="The mail's id.")
    name: str = Field(description="The attachment's name.")


class Finding(Arguments):
    name: str = Field(min_length=1, max_length=200, description="A name, an address or a part of one.")


class Mailbox(Place):
    """The owner's mail."""

    server = "mailbox"
    about = "The owner's mail accounts: threads, search, drafts, sending, and the address book."

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        household = town.world.household
        self.accounts = {account.id: account.address for account in household.accounts}
        self.letters: dict[str, Letter] = {mail.id: _letter(mail) for mail in household.mail}

    def tools(self) -> tuple[Tool, ...]:
        prepares, commits = CallKind.PREPARATION, CallKind.COMMIT
        return (
            Tool("list_accounts", "The owner's mail accounts.", NoArguments, self.list_accounts),
            Tool("list_mail", "The mails of a folder, newest first.", Listing, self.list_mail),
            Tool("read_thread", "All mails of a thread, oldest first.", OneThread, self.read_thread),
            Tool("search", "Mails in all folders that hold all the words, newest first.", Searching, self.search),
            Tool("read_attachment", "The text of an attachment.", OneAttachment, self.read_attachment),
            Tool("find_contact", "Entries of the address book.", Finding, self.find_contact),
            Tool("save_draft", "Keep a mail as a draft, without sending it.", Sending, self.save_draft, prepares),
            Tool("edit_draft", "Change a draft.", Editing, self.edit_draft, prepares),
            Tool("send_draft", "Send a draft.", OneMail, self.send_draft, commits),
            Tool("send", "Send a mail.", Sending, self.send, commits),
            Tool("reply", "Answer a mail, in its thread and from the account it came to.", Replying, self.reply,
                 commits),
            Tool("forward", "Pass a mail on, with its attachments.", Forwarding, self.forward, commits),
            Tool("archive", "Move a mail out of the inbox.", OneMail, self.archive, prepares),
            Tool("delete", "Delete a mail or a draft for good.", OneMail, self.delete, commits),
        )  # fmt: skip

    # --- reads

    def list_accounts(self, asked: NoArguments) -> Answered:
        return {"accounts": [{"id": name, "address": address} for name, address in self.accounts.items()]}

    def list_mail(self, asked: Listing) -> Answered:
        if asked.folder not in FOLDERS:
            raise Refusal(f"there is no folder {asked.folder!r}; there is {', '.join(FOLDERS)}")
        if asked.account:
            self._account(asked.account)
        there = [letter for letter in self.letters.values() if letter.folder == asked.folder]
        return _heads([letter for letter in there if asked.account in ("", letter.account)])

    def read_thread(self, asked: OneThread) -> Answered:
        there = [letter for letter in self.letters.values() if letter.thread == asked.thread]
        if not there:
            raise Refusal(f"there is no thread {asked.thread!r}")
        return {"thread": asked.thread, "mails": [letter.whole for letter in sorted(there, key=_age)]}

    def search(self, asked: Searching) -> Answered:
        wanted = asked.text.casefold().split()
        return _heads([letter for letter in self.letters.values() if all(word in _all_of(letter) for word in wanted)])

    def read_attachment(self, asked: OneAttachment) -> Answered:
        letter = self._letter(asked.message)
        for attachment in letter.attachments:
            if attachment.name == asked.name:
                return {"name": attachment.name, "text": attachment.text}
        raise Refusal(f"mail {letter.id} has no attachment {asked.name!r}")

    def find_contact(self, asked: Finding) -> Answered:
        wanted = asked.name.casefold()
        found: list[JsonValue] = []
        for contact in self.town.world.household.contacts:
            if wanted in f"{contact.name} {contact.mail} {contact.phone} {contact.note}".casefold():
                found.append({name: value for name, value in contact.model_dump().items() if value})
        return {"contacts": found}

    # --- acts

    def send(self, asked: Sending) -> Answered:
        letter = self._new(asked, "sent")
        self._sent(letter)
        return {"sent": letter.id, "thread": letter.thread}

    def reply(self, asked: Replying) -> Answered:
        answered = self._letter(asked.message)
        mine = set(self.accounts.values())
        to = (answered.sender,) if answered.sender not in mine else answered.to
        more = [a for a in (*answered.to, *answered.cc) if a not in mine and a not in to] if asked.everyone else []
        cc = tuple(dict.fromkeys([*more, *_addresses(asked.cc, "cc")]))
        subject = answered.subject if answered.subject.casefold().startswith("re:") else f"Re: {answered.subject}"
        quoted = _quote(answered) if asked.quote else ""
        letter = Letter(self.town.new_id("m"), answered.thread, answered.account, self.accounts[answered.account], to,
                        cc, (), clock(self.town.now), subject, asked.body, "sent", (), quoted)  # fmt: skip
        self.letters[letter.id] = letter
        self._sent(letter)
        return {"sent": letter.id, "thread": letter.thread, "to": list(to), "cc": list(cc)}

    def forward(self, asked: Forwarding) -> Answered:
        passed = self._letter(asked.message)
        to = _addresses(asked.to, "to")
        if not to:
            raise Refusal("to: at least one address is needed")
        subject = f"Fwd: {passed.subject}"
        name = self.town.new_id("m")
        letter = Letter(name, name, passed.account, self.accounts[passed.account], to, (), (), clock(self.town.now),
                        subject, asked.body, "sent", passed.attachments, _quote(passed))  # fmt: skip
        self.letters[name] = letter
        self._sent(letter)
        return {"sent": name}

    def save_draft(self, asked: Sending) -> Answered:
        letter = self._new(asked, "drafts")
        self.record("draft_saved", id=letter.id, to=list(letter.to), subject=letter.subject, body=letter.body)
        return {"draft": letter.id}

    def edit_draft(self, asked: Editing) -> Answered:
        draft = self._draft(asked.draft)
        to = draft.to if asked.to is None else _addresses(asked.to, "to")
        cc = draft.cc if asked.cc is None else _addresses(asked.cc, "cc")
        before = draft.body
        draft.to, draft.cc = to, cc
        draft.subject = draft.subject if asked.subject is None else asked.subject
        draft.body = draft.body if asked.body is None else asked.body
        self.record("draft_changed", id=draft.id, to=list(to), subject=draft.subject, body=draft.body, before=before)
        return {"draft": draft.id}

    def send_draft(self, asked: OneMail) -> Answered:
        draft = self._draft(asked.message)
        if not draft.to:
            raise Refusal(f"draft {draft.id} has no address on To")
        draft.folder, draft.date = "sent", clock(self.town.now)
        self._sent(draft)
        return {"sent": draft.id, "thread": draft.thread}

    def archive(self, asked: OneMail) -> Answered:
        letter = self._letter(asked.message)
        if letter.folder != "inbox":
            raise Refusal(f"mail {letter.id} is in {letter.folder}, not in the inbox")
        letter.folder = "archive"
        self.record("mail_archived", id=letter.id)
        return {"archived": letter.id}

    def delete(self, asked: OneMail) -> Answered:
        letter = self._letter(asked.message)
        del self.letters[letter.id]
        self.record("mail_deleted", id=letter.id, folder=letter.folder, subject=letter.subject)
        return {"deleted": letter.id}

    # --- what the town does here

    def arrived(self, mail: MailEffect) -> None:
        """A mail reaches the owner."""
        self.receive(mail, mail.thread)

    def receive(self, mail: MailEffect, thread: str | None) -> None:
        name = self.town.new_id("m")
        subject = mail.subject
        if thread and not subject:
            subject = next((f"Re: {l.subject.removeprefix('Re: ')}" for l in self.letters.values()
                            if l.thread == thread), "")  # fmt: skip
        letter = Letter(name, thread or name, mail.account, mail.sender, (self.accounts[mail.account],), mail.cc, (),
                        clock(self.town.now), subject, mail.body, "inbox", mail.attachments)  # fmt: skip
        self.letters[name] = letter
        self.record("mail_arrived", id=name, thread=letter.thread, sender=letter.sender, subject=subject, body=mail.body)

    # --- inside

    def _new(self, asked: Sending, folder: str) -> Letter:
        address = self._account(asked.account)
        to, cc, bcc = (_addresses(given, what) for given, what in ((asked.to, "to"), (asked.cc, "cc"), (asked.bcc, "bcc")))
        if folder == "sent" and not to:
            raise Refusal("to: at least one address is needed")
        attachments = tuple(self._attachment(name) for name in asked.attach)
        name = self.town.new_id("m")
        letter = Letter(name, name, asked.account, address, to, cc, bcc, clock(self.town.now), asked.subject, asked.body,
                        folder, attachments)  # fmt: skip
        self.letters[name] = letter
        return letter

    def _sent(self, letter: Letter) -> None:
        self.record(
            "mail_sent", id=letter.id, thread=letter.thread, account=letter.account, to=list(letter.to),
            cc=list(letter.cc), bcc=list(letter.bcc), subject=letter.subject, body=letter.text,
            attachments=[attachment.name for attachment in letter.attachments],
            attached="\n".join(attachment.text for attachment in letter.attachments),
        )  # fmt: skip
        for address in dict.fromkeys((*letter.to, *letter.cc, *letter.bcc)):
            self._delivered(address, letter)

    def _delivered(self, address: str, letter: Letter) -> None:
        """It reaches whoever is there: what waits for it starts, and a person there answers in its thread."""
        text = f"{letter.subject}\n{letter.body}"
        reached = self.town.people.at("mail", address)
        if reached is None and not self._exists(address):
            bounced = f"Your message {letter.subject!r} could not be delivered to {address}: there is no such address."
            bounce = MailEffect(sender="mailer-daemon@post.example", subject="Undeliverable", body=bounced,
                                account=letter.account)  # fmt: skip
            self.town.after(DELIVERY, lambda: self.receive(bounce, letter.thread))
            return
        self.town.noticed(Occasion("mail_to", address, text))
        answer = self.town.people.answer(reached[0], "mail", text) if reached else None
        if reached is None or answer is None:
            return
        who = reached[1].name

        def answered() -> None:
            if not answer.silent:
                back = MailEffect(sender=address, body=answer.says, account=letter.account, cc=answer.cc,
                                  attachments=answer.attachments)  # fmt: skip
                self.receive(back, letter.thread)
            self.town.happen(answer.does, who)

        if answer.commits:
            self.record("agreed", person=who, text=text)
        self.town.after(answer.after, answered)

    def _exists(self, address: str) -> bool:
        household = self.town.world.household
        known = {contact.mail.casefold() for contact in household.contacts} | {a.casefold() for a in self.accounts.values()}
        seen = {a.casefold() for mail in household.mail for a in (mail.sender, *mail.to, *mail.cc)}
        return address in known | seen

    def _account(self, name: str) -> str:
        if name not in self.accounts:
            raise Refusal(f"there is no account {name!r}; there is {', '.join(self.accounts)}")
        return self.accounts[name]

    def _letter(self, name: str) -> Letter:
        if name not in self.letters:
            raise Refusal(f"there is no mail {name!r}")
        return self.letters[name]

    def _draft(self, name: str) -> Letter:
        letter = self._letter(name)
        if letter.folder != "drafts":
            raise Refusal(f"{name!r} is no draft; it is in {letter.folder}")
        return letter

    def _attachment(self, named: str) -> Attachment:
        mail, _, name = named.partition("/")
        for attachment in self._letter(mail).attachments:
            if attachment.name == name:
                return attachment
        raise Refusal(f"attach: there is no attachment {named!r}; name it as MAIL_ID/NAME")


def _letter(mail: Mail) -> Letter:
    return Letter(mail.id, mail.thread or mail.id, mail.account, mail.sender, mail.to, mail.cc, (), clock(mail.date),
                  mail.subject, mail.body, mail.folder, mail.attachments)  # fmt: skip


def _addresses(given: list[str], what: str) -> tuple[str, ...]:
    for address in given:
        if not _ADDRESS.fullmatch(address):
            raise Refusal(f"{what}: {address!r} is not a mail address")
    return tuple(dict.fromkeys(address.casefold() for address in given))


def _quote(letter: Letter) -> str:
    head = f"On {letter.date} {letter.sender} wrote:"
    return "\n".join([head, *(f"> {line}" for line in letter.text.splitlines())])


def _age(letter: Letter) -> tuple[str, int]:
    number = "".join(c for c in letter.id if c.isdigit())
    return letter.date, int(number or 0)


def _heads(letters: list[Letter]) -> Answered:
    return {"mails": [letter.head for letter in sorted(letters, key=_age, reverse=True)]}


def _all_of(letter: Letter) -> str:
    return f"{letter.sender} {' '.join(letter.to)} {letter.subject} {letter.text}".casefold()


DELIVERY = timedelta(minutes=1)
"""So long a mail takes to bounce."""
