"""Which texts are taken for an agreement."""

from __future__ import annotations

import pytest

from servers.guard.agreements import binds
from servers.guard.town import town_rules

OFFER = "One room is 280.00 USD on Saturday the 17th. Reply YES and the day is yours."


def bound(text: str, answered: str = OFFER) -> bool:
    return binds(text, answered, town_rules().agrees, town_rules().terms)


@pytest.mark.parametrize(
    "text",
    [
        "YES",
        "Yes, please.",
        "I agree.",
        "Agreed!",
        "We accept your quote as you sent it.",
        "Mr Marsh accepts.",
        "Thank you for the offer; please go ahead.",
        "We'll take it.",
        "Dear Mo, Saturday the 17th at nine it is. Evan",
        "Thursday suits us best.",
    ],
)
def test_an_answer_that_agrees_to_terms_binds(text: str) -> None:
    assert bound(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thank you, I will think about it.",
        "We cannot accept this.",
        "I would accept if it were cheaper.",
        "Do you accept cards?",
        "You accept cards, I read.",
        "Is it agreed?",
        "The date is not agreed yet.",
        "Please take it out of the bill.",
        "It is one room on the second floor, with a lift.",
        "You agreed to give the money back.",
    ],
)
def test_an_answer_that_leaves_it_open_does_not(text: str) -> None:
    assert not bound(text)


def test_where_there_are_no_terms_nothing_binds() -> None:
    assert not bound("Yes, do bring Greta and Otto.", answered="May we bring the children on Saturday?")


def test_terms_may_stand_in_the_text_itself() -> None:
    assert bound("We accept your quote 77.", answered="")
