"""The owner's messages: group threads and threads with one person, whose members answer from their scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.people import digits
from worlds.town.place import Answered, Arguments, NoArguments, Occasion, Place, Refusal, Tool, clock
from worlds.town.written import Contact, Effect, MessageEffect, Person

if TYPE_CHECKING:
    from worlds.town.town import Town

_NUMBER = re.compile(r"\+?[0-9(][0-9 ().-]{4,20}")


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a thread."""

    sender: str
    date: str
    text: str

    @property
    def shown(self) -> Answered:
        return {"from": self.sender, "date": self.date, "text": self.text}


@dataclass
class Chat:
    """A thread. The owner is in every one and not among the members, who stand here by handle or number."""

    id: str
    name: str
    members: tuple[str, ...]
    lines: list[Line] = field(default_factory=list)

    @property
    def head(self) -> Answered:
        last: list[JsonValue] = [self.lines[-1].shown] if self.lines else []
        return {"thread": self.id, "name": self.name, "members": list(self.members), "messages": len(self.lines),
                "last": last}  # fmt: skip


class OneChat(Arguments):
    thread: str = Field(description="The thread's id.")


class SearchingMessages(Arguments):
    text: str = Field(min_length=1, max_length=400, description="Words that all have to be in a message.")


class SendingMessage(Arguments):
    thread: str = Field(description="The thread's id.")
    text: str = Field(min_length=1, max_length=4_000)


class Messaging(Arguments):
    to: str = Field(description="A handle or a name from the contacts, or a phone number.")
    text: str = Field(min_length=1, max_length=4_000)


class Gathering(Arguments):
    to: list[str] = Field(description="At least two people, each by handle or name from the contacts, or by number.")
    name: str = Field("", max_length=100, description="The group's name; empty for its members' names.")


class Messages(Place):
    """The owner's message threads."""

    server = "messages"
    about = "The owner's message threads: groups and single people."

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self.chats = {
            thread.id: Chat(
                thread.id, thread.name, thread.members, [Line(m.sender, clock(m.at), m.text) for m in thread.messages]
            )
            for thread in town.world.household.threads
        }

    def tools(self) -> tuple[Tool, ...]:
        commits = CallKind.COMMIT
        return (
            Tool("list_threads", "All threads, with their members and last message.", NoArguments, self.list_threads),
            Tool("read_thread", "A thread's members and messages, oldest first.", OneChat, self.read_thread),
            Tool("search_messages", "Messages that hold all the words, in every thread, newest first.",
                 SearchingMessages, self.search_messages),
            Tool("send_message", "Write into a thread.", SendingMessage, self.send_message, commits),
            Tool("message_person", "Write to one person.", Messaging, self.message_person, commits),
            Tool("start_thread", "Start a group thread.", Gathering, self.start_thread, commits),
        )  # fmt: skip

    # --- reads

    def list_threads(self, asked: NoArguments) -> Answered:
        return {"threads": [chat.head for chat in self.chats.values()]}

    def read_thread(self, asked: OneChat) -> Answered:
        chat = self._chat(asked.thread)
        return {"thread": chat.id, "name": chat.name, "members": list(chat.members),
                "messages": [line.shown for line in chat.lines]}  # fmt: skip

    def search_messages(self, asked: SearchingMessages) -> Answered:
        found = [
            (line, chat)
            for chat in self.chats.values()
            for line in chat.lines
            if self.town.finds(asked.text, (line.sender, line.text))
        ]
        found.sort(key=lambda pair: pair[0].date, reverse=True)
        return {"messages": [{"thread": chat.id, "name": chat.name, **line.shown} for line, chat in found]}

    # --- acts

    def send_message(self, asked: SendingMessage) -> Answered:
        chat = self._chat(asked.thread)
        text = _said(asked.text)
        self._send(chat, text)
        return {"sent": text, "thread": chat.id, "members": list(chat.members)}

    def message_person(self, asked: Messaging) -> Answered:
        member, text = self._member(asked.to, "to"), _said(asked.text)
        chat = self._direct(member) or self._new((member,), member)
        self._send(chat, text)
        return {"sent": text, "thread": chat.id, "members": [member]}

    def start_thread(self, asked: Gathering) -> Answered:
        members = tuple(dict.fromkeys(self._member(named, "to") for named in asked.to))
        if len(members) < 2:
            raise Refusal("to: a group needs at least two people; for one person there is message_person")
        chat = self._new(members, asked.name.strip() or ", ".join(members))
        self.record("thread_started", thread=chat.id, name=chat.name, members=list(members))
        return {"thread": chat.id, "name": chat.name, "members": list(members)}

    # --- what the town does here

    def arrived(self, message: MessageEffect) -> None:
        """Someone writes into a thread, by its id or by the handle of the one person in it; or opens one."""
        chat = self.chats.get(message.thread) or self._direct(message.thread)
        if chat is None:
            chat = self.chats[message.thread] = Chat(message.thread, message.sender, (message.sender,))
        chat.lines.append(Line(message.sender, clock(self.town.now), message.text))
        self.record("message_arrived", thread=chat.id, name=chat.name, sender=message.sender, text=message.text)

    # --- inside

    def _send(self, chat: Chat, text: str) -> None:
        chat.lines.append(Line(self.town.world.household.handle, clock(self.town.now), text))
        self.record("message_sent", thread=chat.id, name=chat.name, members=list(chat.members), text=text)
        reached = [self._reached(member) for member in chat.members]
        also = (*chat.members, *(found[1].name for found in reached if found)) if len(chat.members) == 1 else ()
        self.town.noticed(Occasion("message_in", chat.id, text, also))
        for member, found in zip(chat.members, reached, strict=True):
            if found:
                self._answered(chat, member, found, text)

    def _answered(self, chat: Chat, member: str, reached: tuple[str, Person], text: str) -> None:
        key, person = reached
        answer = self.town.people.answer(key, "message", text)
        if answer is None:
            return

        def answered() -> None:
            if not answer.silent:
                back = MessageEffect(thread=chat.id, sender=member, text=answer.says)
                self.town.happen(Effect(message=back), person.name)
            self.town.happen(answer.does, person.name)

        if answer.commits:
            self.record("agreed", person=person.name, text=text, thread=chat.id)
        self.town.after(answer.after, answered, answer.does.turn is not None)

    def _new(self, members: tuple[str, ...], name: str) -> Chat:
        chat = Chat(self.town.new_id("th", self.chats), name, members)
        self.chats[chat.id] = chat
        return chat

    def _direct(self, member: str) -> Chat | None:
        wanted = member.casefold()
        return next((c for c in self.chats.values() if [m.casefold() for m in c.members] == [wanted]), None)

    def _chat(self, name: str) -> Chat:
        if name not in self.chats:
            raise Refusal(f"there is no thread {name!r}; there is {', '.join(self.chats) or 'none'}")
        return self.chats[name]

    def _member(self, named: str, what: str) -> str:
        """Who is meant, as the handle or number under which a thread lists them. Raises Refusal."""
        wanted = named.strip().casefold()
        contacts = self.town.world.household.contacts
        number = digits(named) if _NUMBER.fullmatch(named.strip()) else ""
        meant = [c for c in contacts if wanted and wanted in (c.handle.casefold(), c.name.casefold())]
        meant = meant or [c for c in contacts if number and digits(c.phone) == number]
        if len(meant) > 1:
            raise Refusal(f"{what}: {named!r} is several people: {', '.join(map(_told, meant))}; give the number")
        if meant and not (meant[0].handle or meant[0].phone):
            raise Refusal(f"{what}: {meant[0].name} has neither a handle nor a number in the contacts")
        if meant:
            return meant[0].handle or meant[0].phone
        if number:
            reached = self.town.people.at("phone", named)
            if reached is None:
                raise Refusal(f"{what}: not delivered: {named} cannot receive messages")
            return next(known for known in reached[1].phone if digits(known) == number)
        near = [c for c in contacts if wanted and wanted in self.town.searchable(c.name).casefold()]
        hint = f"; the contacts have {', '.join(map(_told, near))}" if near else ""
        raise Refusal(f"{what}: there is no {named!r} in the contacts{hint}")

    def _reached(self, member: str) -> tuple[str, Person] | None:
        """The person behind a handle or number of a thread."""
        people = self.town.people
        if _NUMBER.fullmatch(member):
            return people.at("phone", member)
        contacts = self.town.world.household.contacts
        phone = next((c.phone for c in contacts if c.handle.casefold() == member.casefold()), "")
        return people.at("message", member) or (people.at("phone", phone) if phone else None)


def _said(text: str) -> str:
    if not text.strip():
        raise Refusal("text: there is nothing to send")
    return text


def _told(contact: Contact) -> str:
    return f"{contact.name} ({contact.phone})" if contact.phone else contact.name
