"""The owner's notes, task list and reminders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import Field

from worlds.episode import CallKind
from worlds.town.place import Answered, Arguments, NoArguments, Place, Refusal, Tool, clock, parse_time

if TYPE_CHECKING:
    from worlds.town.town import Town


@dataclass
class Paper:
    """A note as it stands."""

    id: str
    title: str
    text: str
    updated: str


@dataclass
class Line:
    """A line of the task list as it stands; `due` is empty if it has none."""

    id: str
    title: str
    due: str
    done: bool
    note: str

    @property
    def shown(self) -> Answered:
        return {"id": self.id, "title": self.title, "due": self.due, "done": self.done, "note": self.note}


@dataclass
class Reminder:
    """What the owner is reminded of, and when."""

    id: str
    time: datetime
    text: str
    rung: bool = False

    @property
    def shown(self) -> Answered:
        return {"id": self.id, "time": clock(self.time), "text": self.text, "over": self.rung}


class OneNote(Arguments):
    note: str = Field(description="The note's id.")


class SearchingNotes(Arguments):
    text: str = Field(min_length=1, max_length=400, description="Words that all have to be in a note.")


class WritingNote(Arguments):
    title: str = Field(min_length=1, max_length=400)
    text: str = Field(max_length=20_000)


class ChangingNote(Arguments):
    note: str = Field(description="The note's id.")
    text: str = Field(max_length=20_000, description="The whole new text; it replaces the old one.")


class ListingTasks(Arguments):
    done: bool = Field(False, description="List closed tasks too.")


class AddingTask(Arguments):
    title: str = Field(min_length=1, max_length=400)
    due: str = Field("", description="As 2026-10-05 14:00, or a day; empty for none.")
    note: str = Field("", max_length=4_000)


class OneTask(Arguments):
    task: str = Field(description="The task's id.")


class AddingReminder(Arguments):
    at: str = Field(description="When, in the owner's time, as 2026-10-05 14:00.")
    text: str = Field(min_length=1, max_length=2_000)


class OneReminder(Arguments):
    reminder: str = Field(description="The reminder's id.")


class Notes(Place):
    """What the owner wrote down."""

    server = "notes"
    about = "The owner's notes, task list and reminders."

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        household = town.world.household
        self.papers = {n.id: Paper(n.id, n.title, n.text, clock(n.updated)) for n in household.notes}
        self.lines = {t.id: Line(t.id, t.title, clock(t.due) if t.due else "", t.done, t.note) for t in household.todos}
        self.reminders: dict[str, Reminder] = {}

    def tools(self) -> tuple[Tool, ...]:
        prepares, commits = CallKind.PREPARATION, CallKind.COMMIT
        return (
            Tool("list_notes", "All notes by title.", NoArguments, self.list_notes),
            Tool("read_note", "A note's text.", OneNote, self.read_note),
            Tool("search_notes", "Notes that hold all the words.", SearchingNotes, self.search_notes),
            Tool("write_note", "Write a new note.", WritingNote, self.write_note, prepares),
            Tool("change_note", "Replace a note's text.", ChangingNote, self.change_note, commits),
            Tool("delete_note", "Delete a note for good.", OneNote, self.delete_note, commits),
            Tool("list_tasks", "The task list.", ListingTasks, self.list_tasks),
            Tool("add_task", "Add a line to the task list.", AddingTask, self.add_task, prepares),
            Tool("close_task", "Tick a task off.", OneTask, self.close_task, prepares),
            Tool("reopen_task", "Open a closed task again.", OneTask, self.reopen_task, prepares),
            Tool("delete_task", "Delete a task for good.", OneTask, self.delete_task, commits),
            Tool("list_reminders", "Reminders, earliest first.", NoArguments, self.list_reminders),
            Tool("add_reminder", "Remind the owner at a time.", AddingReminder, self.add_reminder, prepares),
            Tool("delete_reminder", "Take a reminder away.", OneReminder, self.delete_reminder, prepares),
        )

    # --- notes

    def list_notes(self, asked: NoArguments) -> Answered:
        return {"notes": [{"id": p.id, "title": p.title, "updated": p.updated} for p in self.papers.values()]}

    def read_note(self, asked: OneNote) -> Answered:
        return _whole(self._paper(asked.note))

    def search_notes(self, asked: SearchingNotes) -> Answered:
        found = [paper for paper in self.papers.values() if self.town.finds(asked.text, (paper.title, paper.text))]
        return {"notes": [_whole(paper) for paper in found]}

    def write_note(self, asked: WritingNote) -> Answered:
        paper = Paper(self.town.new_id("n", self.papers), asked.title, asked.text, clock(self.town.now))
        self.papers[paper.id] = paper
        self.record("note_written", note=paper.id, title=paper.title, text=paper.text)
        return {"note": paper.id}

    def change_note(self, asked: ChangingNote) -> Answered:
        paper = self._paper(asked.note)
        before, paper.text, paper.updated = paper.text, asked.text, clock(self.town.now)
        self.record("note_changed", note=paper.id, title=paper.title, text=paper.text, before=before)
        return {"note": paper.id}

    def delete_note(self, asked: OneNote) -> Answered:
        paper = self._paper(asked.note)
        del self.papers[paper.id]
        self.record("note_deleted", note=paper.id, title=paper.title, before=paper.text)
        return {"deleted": paper.id}

    # --- tasks

    def list_tasks(self, asked: ListingTasks) -> Answered:
        return {"tasks": [line.shown for line in self.lines.values() if asked.done or not line.done]}

    def add_task(self, asked: AddingTask) -> Answered:
        due = clock(parse_time(asked.due, "due")) if asked.due else ""
        line = Line(self.town.new_id("t", self.lines), asked.title, due, False, asked.note)
        self.lines[line.id] = line
        self.record("task_added", task=line.id, title=line.title, due=due, note=line.note)
        return {"task": line.id}

    def close_task(self, asked: OneTask) -> Answered:
        line = self._line(asked.task)
        if line.done:
            raise Refusal(f"task {line.id} is closed already")
        line.done = True
        self.record("task_closed", task=line.id, title=line.title)
        return {"closed": line.id}

    def reopen_task(self, asked: OneTask) -> Answered:
        line = self._line(asked.task)
        if not line.done:
            raise Refusal(f"task {line.id} is open")
        line.done = False
        self.record("task_reopened", task=line.id, title=line.title)
        return {"open": line.id}

    def delete_task(self, asked: OneTask) -> Answered:
        line = self._line(asked.task)
        del self.lines[line.id]
        self.record("task_deleted", task=line.id, title=line.title, due=line.due, done=line.done, before=line.note)
        return {"deleted": line.id}

    # --- reminders

    def list_reminders(self, asked: NoArguments) -> Answered:
        return {"reminders": [one.shown for one in sorted(self.reminders.values(), key=lambda one: one.time)]}

    def add_reminder(self, asked: AddingReminder) -> Answered:
        time = parse_time(asked.at, "at")
        if time <= self.town.now:
            raise Refusal(f"at: {clock(time)} is over; it is {clock(self.town.now)}")
        reminder = Reminder(self.town.new_id("r"), time, asked.text)
        self.reminders[reminder.id] = reminder
        self.record("reminder_added", reminder=reminder.id, time=clock(time), text=reminder.text)
        self.town.after(time - self.town.now, lambda: self._ring(reminder.id))
        return {"reminder": reminder.id, "time": clock(time)}

    def delete_reminder(self, asked: OneReminder) -> Answered:
        if asked.reminder not in self.reminders:
            raise Refusal(f"there is no reminder {asked.reminder!r}")
        gone = self.reminders.pop(asked.reminder)
        self.record("reminder_deleted", reminder=gone.id, time=clock(gone.time), before=gone.text)
        return {"deleted": gone.id}

    # --- inside

    def _ring(self, name: str) -> None:
        if name in self.reminders:
            self.reminders[name].rung = True
            self.record("reminder_rang", reminder=name, text=self.reminders[name].text)

    def _paper(self, name: str) -> Paper:
        if name not in self.papers:
            raise Refusal(f"there is no note {name!r}")
        return self.papers[name]

    def _line(self, name: str) -> Line:
        if name not in self.lines:
            raise Refusal(f"there is no task {name!r}")
        return self.lines[name]


def _whole(paper: Paper) -> Answered:
    return {"id": paper.id, "title": paper.title, "updated": paper.updated, "text": paper.text}
