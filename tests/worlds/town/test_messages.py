"""Message threads: who is in them, who answers, and who cannot be reached."""

from __future__ import annotations

import pytest

from tests.worlds.town.homes import Home


def texts(home: Home, thread: str) -> list[tuple[str, str]]:
    return [(one["from"], one["text"]) for one in home("messages.read_thread", thread=thread)["messages"]]


def test_threads_are_listed_with_their_members_and_last_message() -> None:
    family, sam = Home()("messages.list_threads")["threads"]
    assert family["members"] == ["Noor", "Mum"]
    assert family["last"][0]["text"] == "Soup on Sunday?"
    assert (sam["thread"], sam["last"]) == ("t-sam", [])


def test_messages_are_found_in_every_thread() -> None:
    home = Home()
    assert home("messages.search_messages", text="mum SUNDAY")["messages"][0]["thread"] == "family"
    assert home("messages.search_messages", text="mum monday")["messages"] == []


def test_a_message_reaches_the_thread_and_its_members_answer_there_after_a_while() -> None:
    home = Home()
    home("messages.send_message", thread="family", text="Lunch tomorrow?")
    row = home.row("message_sent")
    assert (row["thread"], row["members"], row["text"]) == ("family", ["Noor", "Mum"], "Lunch tomorrow?")
    assert len(texts(home, "family")) == 2
    home.wait("2026-10-05 09:21")
    assert texts(home, "family")[-2:] == [("Evan", "Lunch tomorrow?"), ("Noor", "Lunch sounds good.")]
    arrived = home.row("message_arrived")
    assert (arrived["sender"], arrived["by"]) == ("Noor", "Noor Haddad")


def test_someone_who_stays_silent_may_still_act() -> None:
    home = Home()
    home("messages.send_message", thread="family", text="It is a secret")
    home.wait("2026-10-05 10:00")
    assert home.row("charge")["by"] == "Noor Haddad"
    assert home.rows("message_arrived") == []


def test_an_answer_that_commits_makes_what_was_written_an_agreement() -> None:
    home = Home()
    home("messages.message_person", to="Noor", text="Seven oclock is fine")
    agreed = home.row("agreed")
    assert (agreed["person"], agreed["text"], agreed["by"]) == ("Noor Haddad", "Seven oclock is fine", "agent")


@pytest.mark.parametrize("to", ["Sam Okafor", "sam okafor", "+1 555 0112", "(1) 555-0112"])
def test_one_person_is_written_to_by_handle_name_or_number_in_the_thread_that_is_there(to: str) -> None:
    home = Home()
    assert home("messages.message_person", to=to, text="Hi")["thread"] == "t-sam"
    home.wait("2026-10-05 09:30")
    assert texts(home, "t-sam") == [("Evan", "Hi"), ("Sam Okafor", "Got it")]


def test_a_first_message_opens_a_thread_and_the_next_one_stays_in_it() -> None:
    home = Home()
    first = home("messages.message_person", to="Ruth Marsh", text="Hi")
    assert first["members"] == ["Mum"]
    assert home("messages.message_person", to="+1 555 0114", text="Again")["thread"] == first["thread"] == "th101"


def test_a_number_that_is_not_in_the_contacts_is_reached_if_someone_has_it() -> None:
    home = Home()
    thread = home("messages.message_person", to="+1 555 0177", text="Any slot?")["thread"]
    home.wait("2026-10-05 11:00")
    assert texts(home, thread)[-1] == ("+1 555 0177", "Come at ten")
    assert "cannot receive messages" in home.refused("messages.message_person", to="+1 555 0199", text="Any slot?")


def test_a_name_that_several_have_or_nobody_has_is_not_guessed() -> None:
    contacts = [{"name": "Jo Li", "phone": "+1 555 0120"}, {"name": "Jo Li", "phone": "+1 555 0121"}]
    home = Home(contacts=contacts)
    assert "several people" in home.refused("messages.message_person", to="Jo Li", text="Hi")
    assert home("messages.message_person", to="+1 555 0121", text="Hi")["members"] == ["+1 555 0121"]
    home = Home()
    refused = home.refused("messages.message_person", to="Sam", text="Hi")
    assert "Sam Okafor (+1 555 0112)" in refused
    assert "Sam Reyes (+1 555 0113)" in refused
    assert "neither a handle nor a number" in home.refused("messages.message_person", to="Old Friend", text="Hi")


def test_a_group_is_started_with_several_people() -> None:
    home = Home()
    thread = home("messages.start_thread", to=["Noor", "+1 555 0112", "Noor"])["thread"]
    assert home.row("thread_started")["members"] == ["Noor", "Sam Okafor"]
    home("messages.send_message", thread=thread, text="Hello both")
    assert home.row("message_sent")["members"] == ["Noor", "Sam Okafor"]
    assert "at least two" in home.refused("messages.start_thread", to=["Noor", "+1 555 0111"])
    assert "no 'Zed'" in home.refused("messages.start_thread", to=["Noor", "Zed"])


@pytest.mark.parametrize(("thread", "text", "why"), [("gone", "Hi", "no thread 'gone'"), ("family", "  ", "nothing")])
def test_nothing_is_sent_to_no_thread_or_without_a_text(thread: str, text: str, why: str) -> None:
    assert why in Home().refused("messages.send_message", thread=thread, text=text)


def test_a_message_without_a_text_opens_no_thread() -> None:
    assert "nothing to send" in Home().refused("messages.message_person", to="Mum", text=" ")


def test_others_write_into_threads_and_open_new_ones() -> None:
    home = Home()
    home.happens(message={"thread": "family", "sender": "Mum", "text": "Bring bread"})
    home.happens(message={"thread": "Sam Okafor", "sender": "Sam Okafor", "text": "Late"})
    home.happens(message={"thread": "stranger", "sender": "+1 555 0190", "text": "Reply YES"})
    assert texts(home, "family")[-1] == ("Mum", "Bring bread")
    assert texts(home, "t-sam") == [("Sam Okafor", "Late")]
    assert texts(home, "stranger") == [("+1 555 0190", "Reply YES")]


@pytest.mark.parametrize("where", ["t-sam", "Sam Okafor", "*"])
def test_what_waits_for_a_message_starts_once_by_thread_or_person(where: str) -> None:
    later = [{"when": {"message_in": where, "about": "ready", "count": 2}, "after": "5m",
              "message": {"thread": "t-sam", "sender": "Sam Okafor", "text": "On my way"}}]  # fmt: skip
    home = Home(later=later)
    home("messages.send_message", thread="t-sam", text="Ready?")
    home.wait("2026-10-05 10:00")
    assert ("Sam Okafor", "On my way") not in texts(home, "t-sam")
    home("messages.send_message", thread="t-sam", text="I am ready")
    home.wait("2026-10-05 11:00")
    assert ("Sam Okafor", "On my way") in texts(home, "t-sam")
