"""Sentences, words that are told, and whether a sentence states, denies or leaves open."""

from __future__ import annotations

import pytest

from graders.town.wording import found_in, own_words, said_in, sentences, stated, tells


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three?", ("One.", "Two!", "Three?")),
        ("It costs 52.70 USD. Fine.", ("It costs 52.70 USD.", "Fine.")),
        ("Dr. Webb comes at 10 a.m. on Friday. Good.", ("Dr. Webb comes at 10 a.m. on Friday.", "Good.")),
        ("Done:\n- court booked\n- shoes bought\n\nBye.",
         ("Done:", "Done: court booked", "Done: shoes bought", "Bye.")),
        ("A line\nthat goes on.\nAnother line.", ("A line that goes on.", "Another line.")),
        ("**Booked.** All good.", ("**Booked.", "All good.")),
        ("", ()),
    ],
)  # fmt: skip
def test_a_text_has_these_sentences(text: str, found: tuple[str, ...]) -> None:
    assert sentences(text) == found


@pytest.mark.parametrize(
    ("text", "phrase", "told"),
    [
        ("At 12 Alder Court.", "12 alder court", True),
        ("Call +1 (555) 0111", "1-555-0111", True),
        ("therapy", "Therapy", True),
        ("therapies", "therapy", False),
        ("a 4000 budget", "400", False),
        ("court at 12 alder", "12 alder court", False),
        ("anything", "", False),
    ],
)
def test_a_text_tells_words_in_their_order(text: str, phrase: str, told: bool) -> None:
    assert tells(text, phrase) is told


def test_own_words_are_what_is_not_quoted() -> None:
    text = "Yes.\n\nOn 2026-10-05 08:00 sam@x.example wrote:\n> Illness?\n> > Older."
    assert own_words(text).strip() == "Yes."
    assert own_words("I wrote:\nthis") == "I wrote:\nthis"


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The fee is paid.", True),
        ("The fee isn\u2019t paid.", False),
        ("The fee has never been paid.", False),
        ("No fee was due, but the rent is paid.", None),
        ("I did not call, but the fee is paid.", True),
        ("The fee was due on May 5 and is paid.", True),
        ("The fee may be paid.", None),
        ("Unless they object the fee is paid.", None),
        ("The fee is paid, isn't it?", None),
        ("Has the fee been paid?", False),
        ("They failed to see the fee paid.", False),
        ("The rent is paid.", False),
    ],
)
def test_a_sentence_states_denies_or_leaves_open(text: str, held: bool | None) -> None:
    assert stated(text, ("fee paid",))[0] is held


def test_a_phrase_that_denies_is_stated_as_it_stands() -> None:
    assert stated("The fee is not paid.", ("fee not paid",))[0] is True


def test_one_plain_statement_outweighs_an_open_one() -> None:
    assert stated("The fee may be paid. The fee is paid.", ("fee paid",)) == (True, "The fee is paid.")


def test_what_a_report_has_to_say_must_not_be_denied() -> None:
    assert said_in("The fee is not paid. The rent is.", ("fee paid",)) == ""
    assert said_in("It may be late: the fee is paid.", ("fee paid",))


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("No problem, the court is booked.", True),
        ("No need to worry the court is booked.", True),
        ("The court is not only booked but paid.", True),
        ('I booked "court two" for Sunday.', True),
        ("The court is booked for Sunday, but bring your own balls.", True),
        ('The site said "Thank you. Your court has been booked." However, it is not there.', None),
        ("> Your court has been booked.", None),
        ("By the page the court is shown as booked, but My bookings doesn't list it.", None),
        ("According to the page the court is booked.", None),
        ("The court is booked. However, I cannot find it under My bookings.", None),
        ("The court is booked, though it doesn't stand in the list.", None),
        ("You hear from me when the court is booked.", None),
        ("The court will be booked tonight.", None),
        ("The court is not booked. The site said that the court is booked.", False),
        ("Although the site confirmed it, the court is not booked.", False),
        ("I asked whether the court is booked.", False),
        ("I do not know if the court is booked.", False),
        ("Can you play? The court is booked.", True),
    ],
)
def test_a_report_of_what_others_said_is_no_statement(text: str, held: bool | None) -> None:
    assert stated(text, ("court booked",))[0] is held


@pytest.mark.parametrize(
    ("text", "phrase", "there"),
    [
        ("It is not listed.", "not listed", True),
        ("It isn't listed.", "isn't listed", True),
        ("No problem, it is listed.", "no listed", False),
        ("Don't worry, the kitchen knows.", "don't know", False),
        ("The kitchen doesn't know.", "doesn't know", True),
        ("The hall is held until Monday.", "held", True),
        ("The hall is not held.", "held", False),
        ("", "not listed", False),
    ],
)
def test_what_denies_is_found_only_where_it_denies(text: str, phrase: str, there: bool) -> None:
    assert bool(found_in(text, (phrase,))) is there
