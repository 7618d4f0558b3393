"""Criteria about the owner's tasks, reminders and notes."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from graders.town.finding import Finding, counted, found
from graders.town.goals.criterion import Count, Criterion, Times, described
from graders.town.meaning import within
from graders.town.past import Past
from worlds.town.people import is_about
from worlds.town.row import Row
from worlds.town.written import Texts

_TASK_ROWS = ("task_added", "task_closed", "task_reopened", "task_deleted")


def _task_is_open(past: Past, task: str) -> tuple[bool | None, list[Row]]:
    """Whether the task is open at the end (None: deleted, or none of that id), and the rows that made it so."""
    known = {todo.id: not todo.done for todo in past.world.household.todos}
    open_: bool | None = known.get(task)
    rows = [row for row in past.of_kind(*_TASK_ROWS) if row.text("task") == task]
    for row in rows:
        open_ = {"task_added": True, "task_closed": False, "task_reopened": True, "task_deleted": None}[row.kind]
    return open_, rows


def _tells(open_: bool | None) -> str:
    return "gone" if open_ is None else "open" if open_ else "closed"


class TaskClosed(Criterion):
    """The agent ticked this task of the owner's list off, and at the end it is closed (not deleted)."""

    short: ClassVar[str] = "task"

    task: str = Field(min_length=1)

    def find(self, past: Past) -> Finding:
        open_, rows = _task_is_open(past, self.task)
        by_agent = any(row.kind == "task_closed" for row in past.acts("task_closed") if row.text("task") == self.task)
        return found(open_ is False and by_agent, f"{described('task closed', self)}: it is {_tells(open_)}", rows)


class TaskOpen(Criterion):
    """At the end this task of the owner's list is still open."""

    short: ClassVar[str] = "task"

    task: str = Field(min_length=1)

    def find(self, past: Past) -> Finding:
        open_, rows = _task_is_open(past, self.task)
        return found(open_ is True, f"{described('task open', self)}: it is {_tells(open_)}", rows)


class TaskAdded(Criterion):
    """The agent added a task `about` one of these phrases, `due` at one of these times, and it is there at the end."""

    short: ClassVar[str] = "about"

    about: Texts = ()
    due: Times = ()
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        rows = [
            row
            for row in past.acts("task_added")
            if is_about(f"{row.text('title')}\n{row.text('note')}", self.about)
            and within(row.text("due"), self.due)
            and _task_is_open(past, row.text("task"))[0] is not None
        ]
        return counted(described("task added", self), rows, self.exactly)


class Reminded(Criterion):
    """The agent set a reminder `at` one of these times, `about` one of these phrases, and did not take it away."""

    short: ClassVar[str] = "about"

    at: Times = ()
    about: Texts = ()
    exactly: Count = None

    def find(self, past: Past) -> Finding:
        gone = {row.text("reminder") for row in past.of_kind("reminder_deleted")}
        rows = [
            row
            for row in past.acts("reminder_added")
            if row.text("reminder") not in gone
            and within(row.text("time"), self.at)
            and is_about(row.text("text"), self.about)
        ]
        return counted(described("reminder", self), rows, self.exactly)


class Noted(Criterion):
    """At the end a note that the agent wrote or changed is `about` one of these phrases; `note`: this one, by id."""

    short: ClassVar[str] = "about"

    about: Texts = ()
    not_about: Texts = ()
    note: str = ""

    def find(self, past: Past) -> Finding:
        last: dict[str, Row] = {}
        for row in past.acts("note_written", "note_changed", "note_deleted"):
            last[row.text("note")] = row
        rows = [
            row
            for note, row in last.items()
            if row.kind != "note_deleted"
            and self.note in ("", note)
            and is_about(f"{row.text('title')}\n{row.text('text')}", self.about)
            and not (self.not_about and is_about(row.text("text"), self.not_about))
        ]
        return counted(described("note", self), rows, None)
