"""Whether a text is about something: what people answer, and what graders look for, go by its words."""

from __future__ import annotations

import pytest

from worlds.town.people import is_about


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
