"""Notes, tasks and reminders."""

from __future__ import annotations

from tests.worlds.town.homes import Home


def test_a_note_is_written_found_and_read() -> None:
    home = Home()
    note = home("notes.write_note", title="Rules", text="No vendor mail to Noor.")["note"]
    assert home("notes.search_notes", text="VENDOR rules")["notes"][0]["id"] == note
    assert home("notes.read_note", note=note)["text"] == "No vendor mail to Noor."
    assert [one["id"] for one in home("notes.list_notes")["notes"]] == ["n1", note]
    assert home.row("note_written")["text"] == "No vendor mail to Noor."


def test_a_new_text_replaces_the_old_one_which_is_kept_in_the_row() -> None:
    home = Home()
    home("notes.change_note", note="n1", text="Shoes 44.")
    row = home.row("note_changed")
    assert (row["title"], row["before"], row["text"]) == ("About me", "Shoes 43.", "Shoes 44.")
    assert home("notes.read_note", note="n1")["updated"] == "2026-10-05 09:01"


def test_a_deleted_note_is_gone() -> None:
    home = Home()
    home("notes.delete_note", note="n1")
    assert home.row("note_deleted")["before"] == "Shoes 43."
    for tool in ("read_note", "delete_note"):
        assert "no note 'n1'" in home.refused(f"notes.{tool}", note="n1")
    assert "no note 'n1'" in home.refused("notes.change_note", note="n1", text="")


def test_tasks_are_added_closed_reopened_and_deleted() -> None:
    home = Home()
    task = home("notes.add_task", title="Call the vet", due="2026-10-06", note="before ten")["task"]
    assert [one["id"] for one in home("notes.list_tasks")["tasks"]] == ["t1", task]
    home("notes.close_task", task=task)
    assert [one["id"] for one in home("notes.list_tasks")["tasks"]] == ["t1"]
    assert len(home("notes.list_tasks", done=True)["tasks"]) == 3
    home("notes.reopen_task", task=task)
    home("notes.delete_task", task=task)
    assert home.row("task_deleted")["due"] == "2026-10-06 00:00"
    assert [row.kind for row in home.all()] == ["task_added", "task_closed", "task_reopened", "task_deleted"]


def test_a_task_is_closed_only_while_it_is_open() -> None:
    home = Home()
    assert "closed already" in home.refused("notes.close_task", task="t2")
    assert "is open" in home.refused("notes.reopen_task", task="t1")
    assert "no task 't9'" in home.refused("notes.delete_task", task="t9")
    assert "is no time" in home.refused("notes.add_task", title="x", due="soon")


def test_a_reminder_rings_at_its_time() -> None:
    home = Home()
    reminder = home("notes.add_reminder", at="2026-10-06 03:00", text="Call London")["reminder"]
    assert home.row("reminder_added")["time"] == "2026-10-06 03:00"
    assert home.town.next_due() is not None
    home.wait("2026-10-06 02:59")
    assert home.rows("reminder_rang") == []
    home.wait("2026-10-06 03:00")
    rang = home.row("reminder_rang")
    assert (rang["reminder"], rang["text"], rang["by"]) == (reminder, "Call London", "world")
    assert home("notes.list_reminders")["reminders"][0]["over"] is True


def test_a_reminder_that_was_taken_away_does_not_ring() -> None:
    home = Home()
    reminder = home("notes.add_reminder", at="2026-10-05 10:00", text="Call")["reminder"]
    home("notes.delete_reminder", reminder=reminder)
    home.wait("2026-10-05 11:00")
    assert home.rows("reminder_rang") == []
    assert "no reminder" in home.refused("notes.delete_reminder", reminder=reminder)


def test_nobody_is_reminded_of_the_past_or_in_another_zone() -> None:
    home = Home()
    assert "is over" in home.refused("notes.add_reminder", at="2026-10-05 09:00", text="Call")
    assert "carries an offset" in home.refused("notes.add_reminder", at="2026-10-06T09:00+02:00", text="Call")


def test_new_ids_are_not_those_of_what_is_there() -> None:
    home = Home(notes=[{"id": "n101", "title": "A", "text": "B", "updated": "2026-08-02"}])
    assert home("notes.write_note", title="C", text="D")["note"] == "n102"
    assert home("notes.read_note", note="n101")["text"] == "B"
