"""Calls: menus, clerks, people, voicemail, and numbers that nobody has."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.worlds.town.homes import Home
from worlds.town.hours import Hours

SHOP, NOOR, VET = "+1 555 0142", "+1 555 0111", "+1 555 0177"


def to_the_clerk(home: Home) -> str:
    call = str(home("phone.call", number=SHOP)["call"])
    home("phone.press", call=call, key="2")
    return call


def test_a_business_answers_with_its_greeting_and_menu() -> None:
    home = Home()
    heard = home("phone.call", number=SHOP)["heard"]
    assert heard == "The Shop, good day. Press 1 for opening hours. Press 2 for orders."
    row = home.row("call_placed")
    assert (row["number"], row["who"], row["voicemail"]) == (SHOP, "The Shop", False)


def test_keys_play_what_they_promise_or_put_through() -> None:
    home = Home()
    call = home("phone.call", number=SHOP)["call"]
    assert home("phone.press", call=call, key="1")["heard"] == "From nine to five."
    assert "not a valid choice. Press 1" in home.refused("phone.press", call=call, key="7")
    assert home("phone.press", call=call, key="2")["heard"] == "One moment. Hello, this is Iris."
    assert [row["key"] for row in home.rows("pressed")] == ["1", "2"]
    assert "no menu" in home.refused("phone.press", call=call, key="1")


def test_nobody_hears_what_is_said_to_a_menu() -> None:
    home = Home()
    call = home("phone.call", number=SHOP)["call"]
    assert "Press 1 for opening hours" in home.refused("phone.say", call=call, text="Hello?")


def test_a_clerk_answers_at_once_and_what_follows_happens_at_once() -> None:
    home = Home()
    call = to_the_clerk(home)
    assert home("phone.say", call=call, text="I agree")["heard"] == "Then it is settled."
    said, agreed = home.row("said"), home.row("agreed")
    assert (said["person"], said["text"], said["heard"], said["number"]) == (
        "Iris", "I agree", "Then it is settled.", SHOP)  # fmt: skip
    assert (agreed["person"], agreed["text"], agreed["by"]) == ("Iris", "I agree", "agent")
    assert home.row("mail_arrived")["by"] == "Iris"


def test_a_clerk_without_an_answer_says_so_and_one_may_say_nothing() -> None:
    home = Home()
    call = to_the_clerk(home)
    assert "cannot help" in home("phone.say", call=call, text="Sing!")["heard"]
    assert home("phone.say", call=call, text="Be quiet")["heard"] == "(silence)"
    assert home("phone.say", call=call, text="Once")["heard"] == "Only once."
    assert "cannot help" in home("phone.say", call=call, text="Once")["heard"]


@pytest.mark.parametrize("number", [NOOR, "5550111", "1-555-0111", "+1 (555) 0111"])
def test_a_person_answers_their_phone_however_the_number_is_written(number: str) -> None:
    home = Home()
    call = home("phone.call", number=number)
    assert (call["number"], call["heard"]) == (NOOR, "Hello, this is Noor Haddad.")
    assert home("phone.say", call=call["call"], text="Lunch?")["heard"] == "Yes, lunch!"
    assert home.row("message_arrived")["text"] == "Lunch is on"


def test_outside_its_hours_a_line_takes_a_message() -> None:
    home = Home(now="2026-10-05 17:00")
    call = home("phone.call", number=SHOP)
    assert call["heard"] == "We are closed. Leave a message."
    assert home("phone.say", call=call["call"], text="I agree")["heard"] == "(recorded)"
    said = home.row("said")
    assert (said["voicemail"], said["person"], said["text"]) == (True, "The Shop", "I agree")
    assert home.rows("agreed") == []
    assert "no menu" in home.refused("phone.press", call=call["call"], key="1")


def test_a_contact_who_does_not_pick_up_has_a_voicemail() -> None:
    home = Home()
    assert "voicemail of Sam Reyes" in home("phone.call", number="+1 555 0113")["heard"]
    assert home.row("call_placed")["voicemail"] is True


def test_a_number_that_nobody_has_is_not_in_service() -> None:
    home = Home()
    call = home("phone.call", number="+1 555 0999")
    assert (call["heard"], call["open"]) == ("The number you have dialled is not in service.", False)
    assert home.row("call_placed")["who"] == ""
    assert "is over" in home.refused("phone.say", call=call["call"], text="Hello?")
    home("phone.call", number=NOOR)


@pytest.mark.parametrize("number", ["Noor", "12", "++", "555 0111 x", "555\u0660\u0661\u0661\u0661"])
def test_what_is_no_number_is_not_dialled(number: str) -> None:
    assert "no phone number" in Home().refused("phone.call", number=number)


def test_the_owner_cannot_call_the_owner() -> None:
    assert "busy" in Home().refused("phone.call", number="+1 555 0100")


def test_there_is_one_call_at_a_time() -> None:
    home = Home()
    call = home("phone.call", number=NOOR)["call"]
    assert "hang up first" in home.refused("phone.call", number=VET)
    home("phone.hang_up", call=call)
    for tool, more in (("say", {"text": "Hi"}), ("press", {"key": "1"}), ("hang_up", {})):
        assert "is over" in home.refused(f"phone.{tool}", call=call, **more)
        assert "no call 'call9'" in home.refused(f"phone.{tool}", call="call9", **more)
    home("phone.call", number=VET)


def test_the_other_side_hangs_up_when_nothing_is_said_for_long() -> None:
    home = Home()
    call = home("phone.call", number=NOOR)["call"]
    home.wait("2026-10-05 10:00")
    assert "is over" in home.refused("phone.say", call=call, text="Still there?")
    home("phone.call", number=VET)
    assert [one["open"] for one in home("phone.list_calls")["calls"]] == [True, False]


def test_a_transcript_holds_all_that_was_heard_and_said() -> None:
    home = Home()
    call = to_the_clerk(home)
    home("phone.say", call=call, text="Once")
    lines = home("phone.transcript", call=call)["lines"]
    assert [(line["who"], line["text"]) for line in lines][1:] == [
        ("owner", "(pressed 2)"),
        ("Iris", "One moment. Hello, this is Iris."),
        ("owner", "Once"),
        ("Iris", "Only once."),
    ]


def test_what_waits_for_a_call_starts_by_what_is_said() -> None:
    later = [{"when": {"call_to": SHOP, "about": "slot"}, "after": "1h",
              "mail": {"sender": "orders@shop.example", "body": "We have one"}}]  # fmt: skip
    home = Home(now="2026-10-05 18:00", later=later)
    call = home("phone.call", number="5550142")["call"]
    home("phone.say", call=call, text="Please find me a slot")
    home.wait("2026-10-05 20:00")
    assert home.row("mail_arrived")["body"] == "We have one"


@pytest.mark.parametrize(
    ("written", "at", "holds"),
    [
        ("", "2026-10-05 03:00", True),
        ("09:00-17:00", "2026-10-05 09:00", True),
        ("09:00-17:00", "2026-10-05 17:00", False),
        ("09:00-17:00", "2026-10-10 12:00", True),
        ("mon-fri 09:00-17:00, sat 10:00-12:00", "2026-10-10 11:00", True),
        ("mon-fri 09:00-17:00, sat 10:00-12:00", "2026-10-11 11:00", False),
        ("sat-mon 09:00-17:00", "2026-10-11 11:00", True),
        ("sat-mon 09:00-17:00", "2026-10-06 11:00", False),
        ("fri 22:00-02:00", "2026-10-10 01:00", True),
        ("fri 22:00-02:00", "2026-10-11 01:00", False),
        ("00:00-24:00", "2026-10-11 01:00", True),
    ],
)
def test_hours_hold_on_their_days(written: str, at: str, holds: bool) -> None:
    assert Hours.parse(written).holds(datetime.fromisoformat(at)) is holds


@pytest.mark.parametrize("written", ["9-5", "weekdays 09:00-17:00", "09:00-25:00", "09:00"])
def test_hours_that_cannot_be_read_are_errors(written: str) -> None:
    with pytest.raises(ValueError, match="expected hours"):
        Hours.parse(written)
