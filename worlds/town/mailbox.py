"""The owner's mail: accounts, threads, drafts, outbox and sent kept apart, attachments, the address book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.letters import Letter, addresses, age, answered_to, heads, prefixed
from worlds.town.place import Answered, Arguments, NoArguments, Place, Refusal, Tool, clock
from worlds.town.post import Post
from worlds.town.written import Attachment, MailEffect

if TYPE_CHECKING:
    from worlds.town.town import Town

FOLDERS = ("inbox", "sent", "drafts", "outbox", "archive")


class Listing(Arguments):
    folder: str = Field("inbox", description="inbox, sent, drafts, outbox or archive.")
    account: str = Field("", description="Only this account; empty for all.")


class OneThread(Arguments):
    thread: str = Field(description="The thread's id.")


class Searching(Arguments):
    text: str = Field(min_length=1, max_length=400, description="Words to look for in addresses, subject and body.")


class Sending(Arguments):
    to: list[str] = Field(description="Mail addresses.")
    subject: str = Field(max_length=400)
    body: str = Field(max_length=20_000)
    cc: list[str] = Field([], description="Mail addresses that get a copy.")
    bcc: list[str] = Field([], description="Mail addresses that get a hidden copy.")
    account: str = Field("personal", description="The account to send from.")
    attach: list[str] = Field([], description="Attachments of mails in the mailbox, as MAIL_ID/NAME.")


class Drafting(Arguments):
    body: str = Field(max_length=20_000)
    to: list[str] = Field([], description="Mail addresses; may follow later.")
    subject: str = Field("", max_length=400)
    cc: list[str] = Field([], description="Mail addresses that get a copy.")
    bcc: list[str] = Field([], description="Mail addresses that get a hidden copy.")
    account: str = Field("personal", description="The account to send from; an answer goes from the one it came to.")
    attach: list[str] = Field([], description="Attachments of mails in the mailbox, as MAIL_ID/NAME.")
    answers: str = Field("", description="The id of the mail that it answers, for its thread, address and subject.")


class Replying(Arguments):
    message: str = Field(description="The id of the mail that is answered.")
    body: str = Field(max_length=20_000)
    everyone: bool = Field(False, description="Answer the sender and everyone on To and Cc.")
    quote: bool = Field(True, description="Quote the mail that is answered, with its history.")
    cc: list[str] = Field([], description="Further addresses that get a copy.")
    leave_out: list[str] = Field([], description="Addresses that would get the answer and shall not.")
    attach: list[str] = Field([], description="Attachments of mails in the mailbox, as MAIL_ID/NAME.")


class Forwarding(Arguments):
    message: str = Field(description="The id of the mail that is passed on.")
    to: list[str] = Field(description="Mail addresses.")
    body: str = Field("", max_length=20_000)
    cc: list[str] = Field([], description="Mail addresses that get a copy.")


class Editing(Arguments):
    draft: str = Field(description="The draft's id.")
    to: list[str] | None = Field(None, description="Mail addresses; left out, they stay as they are.")
    cc: list[str] | None = None
    bcc: list[str] | None = None
    subject: str | None = Field(None, max_length=400)
    body: str | None = Field(None, max_length=20_000)


class OneMail(Arguments):
    message: str = Field(description="The mail's id.")


class OneAttachment(Arguments):
    message: str = Field(description="The mail's id.")
    name: str = Field(description="The attachment's name.")


class FindingContact(Arguments):
    name: str = Field(min_length=1, max_length=200, description="A name, an address or a part of one.")


class Mailbox(Place):
    """The owner's mail."""

    server = "mailbox"
    about = "The owner's mail accounts: threads, search, drafts, sending, and the address book."

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self.post = Post(town)
        self.accounts = self.post.accounts
        self.letters = self.post.letters

    def tools(self) -> tuple[Tool, ...]:
        prepares, commits = CallKind.PREPARATION, CallKind.COMMIT
        return (
            Tool("list_accounts", "The owner's mail accounts.", NoArguments, self.list_accounts),
            Tool("list_mail", "The mails of a folder, newest first.", Listing, self.list_mail),
            Tool("read_mail", "One mail.", OneMail, self.read_mail),
            Tool("read_thread", "All mails of a thread, oldest first.", OneThread, self.read_thread),
            Tool("search", "Mails in all folders that hold all the words, newest first.", Searching, self.search),
            Tool("read_attachment", "The text of an attachment.", OneAttachment, self.read_attachment),
            Tool("find_contact", "Entries of the address book.", FindingContact, self.find_contact),
            Tool("save_draft", "Keep a mail as a draft, without sending it.", Drafting, self.save_draft, prepares),
            Tool("edit_draft", "Change a draft.", Editing, self.edit_draft, prepares),
            Tool("send_draft", "Send a draft, or a mail that is stuck in the outbox.", OneMail, self.send_draft,
                 commits),
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
        return heads(letter for letter in there if asked.account in ("", letter.account))

    def read_mail(self, asked: OneMail) -> Answered:
        return self._letter(asked.message).whole

    def read_thread(self, asked: OneThread) -> Answered:
        there = [letter for letter in self.letters.values() if letter.thread == asked.thread]
        if not there:
            raise Refusal(f"there is no thread {asked.thread!r}")
        return {"thread": asked.thread, "mails": [letter.whole for letter in sorted(there, key=age)]}

    def search(self, asked: Searching) -> Answered:
        return heads(letter for letter in self.letters.values() if self.town.finds(asked.text, letter.fields))

    def read_attachment(self, asked: OneAttachment) -> Answered:
        letter = self._letter(asked.message)
        for attachment in letter.attachments:
            if attachment.name == asked.name:
                return {"name": attachment.name, "text": attachment.text}
        raise Refusal(f"mail {letter.id} has no attachment {asked.name!r}")

    def find_contact(self, asked: FindingContact) -> Answered:
        found: list[JsonValue] = []
        for contact in self.town.world.household.contacts:
            if self.town.finds(asked.name, (contact.name, contact.mail, contact.phone, contact.handle, contact.note)):
                found.append({name: value for name, value in contact.model_dump().items() if value})
        return {"contacts": found}

    # --- acts

    def send(self, asked: Sending) -> Answered:
        address = self._account(asked.account)
        to, cc, bcc = _all_addresses(asked.to, asked.cc, asked.bcc)
        attachments = self._attachments(asked.attach)
        if not to:
            raise Refusal("to: at least one address is needed")
        name = self.town.new_id("m", self.letters)
        return self.post.send(Letter(name, name, asked.account, address, to, cc, bcc, clock(self.town.now),
                                     asked.subject, asked.body, "sent", attachments))  # fmt: skip

    def reply(self, asked: Replying) -> Answered:
        answered = self._received(asked.message)
        to, cc = answered_to(answered, self.post.own, asked.everyone)
        cc = tuple(a for a in dict.fromkeys((*cc, *addresses(asked.cc, "cc"))) if a not in to)
        left_out = addresses(asked.leave_out, "leave_out")
        for address in left_out:
            if address not in (*to, *cc):
                raise Refusal(f"leave_out: {address} would not get this answer")
        to, cc = (tuple(a for a in group if a not in left_out) for group in (to, cc))
        if not to:
            raise Refusal("leave_out: nobody would be left on To")
        attachments = self._attachments(asked.attach)
        quoted = answered.quote if asked.quote else ""
        letter = Letter(self.town.new_id("m", self.letters), answered.thread, answered.account,
                        self.accounts[answered.account], to, cc, (), clock(self.town.now),
                        prefixed("Re: ", answered.subject), asked.body, "sent", attachments, quoted)  # fmt: skip
        return {**self.post.send(letter), "to": list(to), "cc": list(cc)}

    def forward(self, asked: Forwarding) -> Answered:
        passed = self._received(asked.message)
        to, cc, _ = _all_addresses(asked.to, asked.cc, [])
        if not to:
            raise Refusal("to: at least one address is needed")
        name = self.town.new_id("m", self.letters)
        return self.post.send(Letter(name, name, passed.account, self.accounts[passed.account], to, cc, (),
                                     clock(self.town.now), prefixed("Fwd: ", passed.subject), asked.body, "sent",
                                     passed.attachments, passed.quote))  # fmt: skip

    def save_draft(self, asked: Drafting) -> Answered:
        answered = self._received(asked.answers) if asked.answers else None
        account = answered.account if answered else asked.account
        address = self._account(account)
        to, cc, bcc = _all_addresses(asked.to, asked.cc, asked.bcc)
        attachments = self._attachments(asked.attach)
        subject = asked.subject
        if answered:
            to = to or answered_to(answered, self.post.own, False)[0]
            subject = subject or prefixed("Re: ", answered.subject)
        name = self.town.new_id("m", self.letters)
        letter = Letter(name, answered.thread if answered else name, account, address, to, cc, bcc,
                        clock(self.town.now), subject, asked.body, "drafts", attachments)  # fmt: skip
        self.letters[name] = letter
        self.record("draft_saved", **letter.row)
        return {"draft": name, "thread": letter.thread, "to": list(to)}

    def edit_draft(self, asked: Editing) -> Answered:
        draft = self._draft(asked.draft)
        to, cc, bcc = (
            old if given is None else addresses(given, what)
            for old, given, what in (
                (draft.to, asked.to, "to"), (draft.cc, asked.cc, "cc"), (draft.bcc, asked.bcc, "bcc"))
        )  # fmt: skip
        before = draft.text
        draft.to, draft.cc, draft.bcc = to, cc, bcc
        draft.subject = draft.subject if asked.subject is None else asked.subject
        draft.body = draft.body if asked.body is None else asked.body
        self.record("draft_changed", **draft.row, before=before)
        return {"draft": draft.id}

    def send_draft(self, asked: OneMail) -> Answered:
        draft = self._letter(asked.message)
        if draft.folder == "outbox" and self.post.down:
            raise Refusal(f"mail {draft.id} waits in the outbox; there is no connection")
        if draft.folder not in ("drafts", "outbox"):
            raise Refusal(f"{draft.id!r} is no draft; it is in {draft.folder}")
        _all_addresses(list(draft.to), list(draft.cc), list(draft.bcc))
        if not draft.to:
            raise Refusal(f"draft {draft.id} has no address on To")
        return self.post.send(draft)

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
        self.record("mail_deleted", id=letter.id, thread=letter.thread, account=letter.account, folder=letter.folder,
                    sender=letter.sender, subject=letter.subject, before=letter.text)  # fmt: skip
        return {"deleted": letter.id}

    # --- what the town does here

    def arrived(self, mail: MailEffect) -> None:
        """A mail reaches the owner."""
        self.post.receive(mail, mail.thread)

    # --- inside

    def _account(self, name: str) -> str:
        if name not in self.accounts:
            raise Refusal(f"there is no account {name!r}; there is {', '.join(self.accounts)}")
        return self.accounts[name]

    def _letter(self, name: str) -> Letter:
        if name not in self.letters:
            raise Refusal(f"there is no mail {name!r}")
        return self.letters[name]

    def _received(self, name: str) -> Letter:
        letter = self._letter(name)
        if letter.folder in ("drafts", "outbox"):
            raise Refusal(f"mail {name} has not been sent; it is in {letter.folder}")
        return letter

    def _draft(self, name: str) -> Letter:
        letter = self._letter(name)
        if letter.folder != "drafts":
            raise Refusal(f"{name!r} is no draft; it is in {letter.folder}")
        return letter

    def _attachments(self, named: list[str]) -> tuple[Attachment, ...]:
        return tuple(self._attachment(one) for one in dict.fromkeys(named))

    def _attachment(self, named: str) -> Attachment:
        mail, _, name = named.partition("/")
        for attachment in self._letter(mail).attachments:
            if attachment.name == name:
                return attachment
        raise Refusal(f"attach: there is no attachment {named!r}; name it as MAIL_ID/NAME")


def _all_addresses(to: list[str], cc: list[str], bcc: list[str]) -> tuple[tuple[str, ...], ...]:
    return addresses(to, "to"), addresses(cc, "cc"), addresses(bcc, "bcc")
