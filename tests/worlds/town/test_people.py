"""Whether a text is about something: what people answer, and what graders look for, go by its words."""

from __future__ import annotations

import pytest

from worlds.town.people import People, is_about, says_firmly
from worlds.town.written import Answer, Person


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("We move on October 17th.", ["17"]),
        ("This is Ruth's number.", ["ruth"]),
        ("This is Ruth\u2019s number.", ["ruth"]),
        ("Both certificates have come.", ["certificate"]),
        ("Please CHANGE the address", ["change address"]),
        ("anything", []),
    ],
)
def test_a_text_is_about_a_phrase_when_all_its_words_are_there(text: str, phrases: list[str]) -> None:
    assert is_about(text, phrases)


@pytest.mark.parametrize(
    ("text", "phrases"), [("We move on the 7th.", ["17"]), ("Please change it", ["change address"])]
)
def test_it_is_not_when_one_is_missing(text: str, phrases: list[str]) -> None:
    assert not is_about(text, phrases)


ACCEPTS = ["accept", "accepts", "accepted", "go ahead", "yes", "agree"]


@pytest.mark.parametrize(
    "text",
    [
        "We accept quote 77. Thursdays suit us best, Noor is not at home before that.",
        "We accept your quote at 1,410 USD as sent last. Please do not come before Thursday.",
        "I agree to the plan. When do the papers come?",
        "Yes, please - no later than nine",
        "No problem, we accept.",
        "Dear Mr Hollis,\nplease go ahead with the work",
    ],
)
def test_what_is_said_firmly(text: str) -> None:
    assert says_firmly(text, ACCEPTS)


@pytest.mark.parametrize(
    "text",
    [
        "We cannot accept yet.",
        "I won\u2019t accept that.",
        "You will hear tomorrow whether they accept.",
        "Before we can accept the quote: why is it 1,410 now?",
        "We would accept if it is 1,180.",
        "Once Evan accepts I will tell you.",
        "Evan has to agree with Noor first",
        "Can you tell me what happens when we accept?",
        "Thank you for the quote.",
    ],
)
def test_what_is_denied_asked_or_left_open_is_not(text: str) -> None:
    assert not says_firmly(text, ACCEPTS)


def test_a_firm_answer_is_given_only_to_who_says_it_firmly() -> None:
    answers = (Answer(about=("accept",), firm=True, commits=True, says="Done."), Answer(says="I wait."))
    people = People({"joe": Person(name="Joe", answers=answers)})
    told = {text: people.answer("joe", "mail", text) for text in ("We accept.", "We do not accept.")}
    assert [answer.says if answer else "" for answer in told.values()] == ["Done.", "I wait."]
