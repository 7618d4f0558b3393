"""Calendars: occurrences and zones, parts of a series, and guests who are told once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worlds.town.homes import MUM, NOOR, SAM, Home

BOSS = "boss@work.example"


def starts(home: Home, first: str, last: str, calendar: str = "") -> list[tuple[str, str]]:
    listed = home("calendar.list_events", first_day=first, last_day=last, calendar=calendar)
    return [(one["id"], one["start"]) for one in listed["events"]]


def choir(home: Home, first: str = "2026-10-01", last: str = "2026-10-31") -> list[str]:
    return [start[5:] for name, start in starts(home, first, last) if name == "e1"]


def told(home: Home, kind: str) -> list[str]:
    return [row["to"] for row in home.rows(kind)]


def test_calendars_say_who_sees_them() -> None:
    assert Home()("calendar.list_calendars")["calendars"][1] == {"id": "shared", "name": "Home", "shared_with": [NOOR]}


def test_days_list_every_occurrence_in_order_and_in_the_owners_time() -> None:
    home = Home()
    assert starts(home, "2026-10-07", "2026-10-09") == [
        ("e2", "2026-10-07 09:00"), ("e4", "2026-10-08 04:00"), ("e1", "2026-10-08 19:30"), ("e3", "2026-10-09 19:00"),
    ]  # fmt: skip
    assert starts(home, "2026-10-09", "2026-10-09", "shared") == [("e3", "2026-10-09 19:00")]
    assert starts(home, "2026-10-10", "2026-10-14") == []


def test_a_monthly_event_is_left_out_of_months_without_its_day_and_after_its_end() -> None:
    home = Home()
    rent = [start for name, start in starts(home, "2026-08-01", "2027-03-31") if name == "e5"]
    assert rent == ["2026-08-31 08:00", "2026-10-31 08:00", "2026-12-31 08:00"]


def test_an_event_in_another_zone_keeps_its_own_time_when_clocks_change() -> None:
    home = Home()
    event = home(
        "calendar.create_event", title="Call", start="2026-10-23 09:00", zone="Europe/London", repeats="weekly"
    )
    assert event["start"] == "2026-10-23 04:00"
    assert [s for n, s in starts(home, "2026-10-23", "2026-11-13") if n == event["event"]] == [
        "2026-10-23 04:00", "2026-10-30 05:00", "2026-11-06 04:00", "2026-11-13 04:00",
    ]  # fmt: skip
    row = home.row("event_created")
    assert (row["start"], row["local_start"], row["zone"]) == ("2026-10-23 04:00", "2026-10-23 09:00", "Europe/London")
    shown = home("calendar.list_events", first_day="2026-10-30", last_day="2026-10-30")["events"][0]
    assert shown["local"] == "2026-10-30 09:00 to 2026-10-30 10:00"


def test_an_event_that_reaches_into_a_day_is_listed_on_it() -> None:
    home = Home()
    home("calendar.create_event", title="Night train", start="2026-10-12 22:00", end="2026-10-13 06:00")
    assert len(starts(home, "2026-10-13", "2026-10-13")) == 1
    assert len(starts(home, "2026-10-14", "2026-10-14")) == 0


@pytest.mark.parametrize(
    ("first", "last", "why"),
    [
        ("2026-10-09", "2026-10-08", "before"),
        ("2026-10-09", "2028-10-08", "more than a year"),
        ("May", "2026-10-08", "is no time"),
        ("0001-01-01", "0001-01-02", "does not reach the year 1"),
        ("9999-12-31", "9999-12-31", "does not reach"),
    ],
)
def test_days_that_make_no_sense_are_not_listed(first: str, last: str, why: str) -> None:
    assert why in Home().refused("calendar.list_events", first_day=first, last_day=last)


def test_an_event_tells_everything_about_itself() -> None:
    home = Home()
    shown = home("calendar.view_event", event="e1")
    assert (shown["repeats"], shown["next"]["occurrence"], shown["guests"]) == ("weekly", "2026-10-08", [SAM])
    dinner = home("calendar.view_event", event="e3")
    assert (dinner["shared_with"], dinner["not_invited_yet"]) == ([NOOR], [NOOR, "Aunt"])
    assert home("calendar.view_event", event="e2")["answer"] == "open"


def test_events_are_found_by_words_of_title_place_notes_and_guests() -> None:
    home = Home()
    assert [one["id"] for one in home("calendar.find_events", text="choir hall sam")["events"]] == ["e1"]
    assert home("calendar.find_events", text="opera")["events"] == []


def test_an_event_with_guests_invites_each_once_and_keeps_who_sees_it() -> None:
    home = Home()
    event = home("calendar.create_event", calendar="shared", title="Dentist", start="2026-10-20 10:00", notes="root",
                 guests=[SAM, MUM, SAM.upper(), "evan@post.example"])  # fmt: skip
    assert event["invited"] == [MUM, SAM]
    assert event["end"] == "2026-10-20 11:00"
    row = home.row("event_created")
    assert (row["shared_with"], row["title"], row["notes"], row["by"]) == ([NOOR], "Dentist", "root", "agent")
    assert told(home, "invitation_sent") == [SAM, MUM]
    assert home.rows("invitation_sent")[0]["notes"] == "root"


def test_an_invitation_to_an_address_that_nobody_has_bounces() -> None:
    home = Home()
    home("calendar.create_event", title="Tea", start="2026-10-20 10:00", guests=["sam@pots.example"])
    home.wait("2026-10-05 10:00")
    assert home.row("mail_arrived")["subject"] == "Undeliverable"


def test_what_waits_for_a_mail_to_a_guest_starts_by_an_invitation() -> None:
    home = Home(later=[{"when": {"mail_to": SAM, "about": "tea"}, "mail": {"sender": SAM, "body": "Gladly"}}])
    home("calendar.create_event", title="Tea", start="2026-10-20 10:00", guests=[SAM])
    home.wait("2026-10-05 10:00")
    assert home.row("mail_arrived")["body"] == "Gladly"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"start": "tomorrow"}, "is no time"),
        ({"start": "2026-10-20T10:00Z"}, "carries an offset"),
        ({"end": "2026-10-20 09:00"}, "not after"),
        ({"end": "2028-10-20 09:00"}, "more than a year"),
        ({"calendar": "club"}, "no calendar 'club'"),
        ({"guests": ["Sam"]}, "not a mail address"),
        ({"zone": "London"}, "no time zone 'London'"),
        ({"zone": "Europe/Nowhere"}, "no time zone"),
        ({"zone": "../../etc/passwd"}, "no time zone"),
        ({"repeats": "daily"}, "repeats: it is"),
        ({"until": "2026-12-01"}, "does not repeat"),
        ({"until": "2026-10-01", "repeats": "weekly"}, "before the event's start"),
        ({"title": ""}, "at least 1 character"),
    ],
)
def test_an_event_that_makes_no_sense_is_not_entered(wrong: dict[str, Any], why: str) -> None:
    assert why in Home().refused("calendar.create_event", **{"title": "T", "start": "2026-10-20 10:00", **wrong})


def test_a_repeating_event_is_changed_or_deleted_only_with_a_scope() -> None:
    home = Home()
    assert "it takes this, following, all" in home.refused("calendar.delete_event", event="e1")
    assert "takes the day" in home.refused("calendar.delete_event", event="e1", scope="this")
    assert "scope: it is" in home.refused("calendar.delete_event", event="e1", scope="one")
    wrong = {"event": "e1", "scope": "this", "occurrence": "2026-10-09"}
    assert "does not take place on 2026-10-09" in home.refused("calendar.delete_event", **wrong)
    assert "it takes" in home.refused("calendar.update_event", event="e1", title="x")


def test_one_occurrence_is_deleted_and_the_guests_are_told_of_it_once() -> None:
    home = Home()
    home("calendar.delete_event", event="e1", scope="this", occurrence="2026-10-08")
    row = home.row("event_deleted")
    assert (row["event"], row["scope"], row["occurrence"], row["start"]) == (
        "e1", "this", "2026-10-08", "2026-10-08 19:30")  # fmt: skip
    assert told(home, "cancellation_sent") == [SAM]
    assert home.row("cancellation_sent")["start"] == "2026-10-08 19:30"
    assert choir(home) == ["10-01 19:30", "10-15 19:30", "10-22 19:30", "10-29 19:30"]
    refused = home.refused("calendar.delete_event", event="e1", scope="this", occurrence="2026-10-08")
    assert "does not take place" in refused
    assert home("calendar.view_event", event="e1")["left_out"] == ["2026-10-08"]


def test_an_occurrence_and_all_later_ones_are_deleted() -> None:
    home = Home()
    home("calendar.delete_event", event="e1", scope="following", occurrence="2026-10-15")
    assert choir(home) == ["10-01 19:30", "10-08 19:30"]
    assert choir(home, "2026-11-01", "2027-05-01") == []
    assert home.row("event_deleted")["scope"] == "following"


def test_a_series_that_is_deleted_from_its_first_occurrence_is_gone() -> None:
    home = Home()
    home("calendar.delete_event", event="e1", scope="following", occurrence="2026-09-03")
    assert home.row("event_deleted")["scope"] == "all"
    assert "no event 'e1'" in home.refused("calendar.view_event", event="e1")


def test_a_whole_series_is_deleted_and_the_guests_are_told_once() -> None:
    home = Home()
    home("calendar.delete_event", event="e1", scope="all")
    assert choir(home) == []
    assert told(home, "cancellation_sent") == [SAM]


def test_guests_who_were_never_invited_are_not_told_that_it_is_off() -> None:
    home = Home()
    assert home("calendar.delete_event", event="e3")["told"] == []
    assert told(home, "cancellation_sent") == []
    assert home.row("event_deleted")["shared_with"] == [NOOR]


def test_an_event_of_another_organiser_is_declined_when_it_is_deleted() -> None:
    home = Home()
    home("calendar.delete_event", event="e2")
    answer = home.row("answer_sent")
    assert (answer["to"], answer["answer"]) == (BOSS, "declined")
    home = Home()
    home("calendar.answer_invitation", event="e2", answer="declined")
    assert home("calendar.delete_event", event="e2")["told"] == []
    assert len(home.rows("answer_sent")) == 1


def test_a_changed_event_keeps_its_length_and_its_guests_are_told_once() -> None:
    home = Home()
    home("calendar.create_event", title="Tea", start="2026-10-20 10:00", end="2026-10-20 10:45", guests=[SAM])
    home("calendar.update_event", event="e101", start="2026-10-21 11:00", where="Café")
    row = home.row("event_changed")
    assert (row["start"], row["end"], row["where"]) == ("2026-10-21 11:00", "2026-10-21 11:45", "Café")
    assert (row["before"]["start"], row["before"]["where"], row["scope"]) == ("2026-10-20 10:00", "", "all")
    assert told(home, "update_sent") == [SAM]
    assert "nothing would change" in home.refused("calendar.update_event", event="e101", where="Café")
    assert "not after" in home.refused("calendar.update_event", event="e101", end="2026-10-21 10:00")


def test_one_occurrence_is_moved_and_the_series_stays() -> None:
    home = Home()
    moved = home("calendar.update_event", event="e1", scope="this", occurrence="2026-10-08", start="2026-10-09 18:00")
    row = home.row("event_changed")
    assert (row["event"], row["entry"], row["occurrence"]) == ("e1", moved["event"], "2026-10-08")
    assert row["before"]["start"] == "2026-10-08 19:30"
    assert choir(home) == ["10-01 19:30", "10-15 19:30", "10-22 19:30", "10-29 19:30"]
    assert ("e101", "2026-10-09 18:00") in starts(home, "2026-10-09", "2026-10-09")
    assert home("calendar.view_event", event="e101").get("repeats") is None
    assert told(home, "update_sent") == [SAM]


def test_all_later_occurrences_are_moved() -> None:
    home = Home()
    given = {"event": "e1", "scope": "following", "occurrence": "2026-10-15", "start": "2026-10-16 19:00"}
    home("calendar.update_event", **given)
    listed = starts(home, "2026-10-01", "2026-10-31", "personal")
    assert [start[5:] for name, start in listed if name in ("e1", "e101")] == [
        "10-01 19:30", "10-08 19:30", "10-16 19:00", "10-23 19:00", "10-30 19:00"]  # fmt: skip


def test_a_whole_series_moves_as_the_named_occurrence_does() -> None:
    home = Home()
    home("calendar.delete_event", event="e1", scope="this", occurrence="2026-10-08")
    home("calendar.update_event", event="e1", scope="all", occurrence="2026-10-15", start="2026-10-16 20:00")
    assert choir(home) == ["10-02 20:00", "10-16 20:00", "10-23 20:00", "10-30 20:00"]
    home("calendar.update_event", event="e1", scope="all", title="Choir practice")
    assert choir(home)[0] == "10-02 20:00"


def test_an_event_can_move_to_another_calendar_where_others_see_it() -> None:
    home = Home()
    home("calendar.update_event", event="e4", calendar="shared", notes="salary")
    assert home.row("event_changed")["shared_with"] == [NOOR]
    assert home.row("event_changed")["before"]["shared_with"] == []
    assert "no calendar" in home.refused("calendar.update_event", event="e4", calendar="club")


def test_only_its_organiser_changes_an_event() -> None:
    home = Home()
    for tool, more in (
        ("update_event", {"title": "x"}),
        ("invite", {"guests": [SAM]}),
        ("uninvite", {"guests": [SAM]}),
    ):
        assert "only the organiser" in home.refused(f"calendar.{tool}", event="e2", **more)


def test_an_invitation_is_answered_to_its_organiser() -> None:
    home = Home()
    home("calendar.answer_invitation", event="e2", answer="accepted", comment="I bring the numbers")
    row = home.row("answer_sent")
    assert (row["to"], row["answer"], row["comment"], row["title"]) == (
        BOSS, "accepted", "I bring the numbers", "Board")  # fmt: skip
    assert "accepted already" in home.refused("calendar.answer_invitation", event="e2", answer="accepted")
    home("calendar.answer_invitation", event="e2", answer="tentative")
    assert home("calendar.view_event", event="e2")["answer"] == "tentative"
    assert "answer: it is" in home.refused("calendar.answer_invitation", event="e2", answer="yes")
    assert "no invitation" in home.refused("calendar.answer_invitation", event="e1", answer="accepted")
    assert "no event 'e9'" in home.refused("calendar.answer_invitation", event="e9", answer="accepted")


def test_guests_who_stand_there_uninvited_are_invited_when_it_is_asked_for() -> None:
    home = Home()
    assert home("calendar.invite", event="e3")["invited"] == [NOOR]
    assert told(home, "invitation_sent") == [NOOR]
    assert "already invited" in home.refused("calendar.invite", event="e3", guests=[NOOR])
    assert home("calendar.invite", event="e3", guests=[SAM])["invited"] == [SAM]
    assert home("calendar.view_event", event="e3")["guests"] == [NOOR, "Aunt", SAM]
    assert "not a mail address" in home.refused("calendar.invite", event="e3", guests=["Bob"])


def test_guests_are_taken_off_and_told_if_they_knew() -> None:
    home = Home()
    home("calendar.uninvite", event="e3", guests=["Aunt", NOOR])
    assert told(home, "cancellation_sent") == []
    home("calendar.uninvite", event="e1", guests=[SAM])
    assert told(home, "cancellation_sent") == [SAM]
    assert "not among them" in home.refused("calendar.uninvite", event="e1", guests=[SAM])
    home("calendar.delete_event", event="e1", scope="all")
    assert told(home, "cancellation_sent") == [SAM]


def test_someone_invites_the_owner() -> None:
    home = Home()
    home.happens(event={"title": "Party", "start": "2026-10-10 18:00", "end": "2026-10-10 23:00", "organiser": NOOR,
                        "guests": ["evan@post.example", MUM], "notes": "Bring wine"})  # fmt: skip
    row = home.row("event_arrived")
    assert (row["event"], row["answer"], row["notes"]) == ("e101", "open", "Bring wine")
    assert home("calendar.view_event", event="e101")["created_by"] == NOOR
    home("calendar.answer_invitation", event="e101", answer="accepted")
    assert home.row("answer_sent")["to"] == NOOR
