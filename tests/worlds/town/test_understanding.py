"""What the owner understands of free-form questions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.owner_eval.asking import ENOUGH, development, given_away, put_to_owners, share
from worlds.town.understanding import heard, questions
from worlds.town.written import IntentFact


def understood(question: str, facts: Sequence[IntentFact], request: str = "") -> IntentFact | None:
    """The one fact that the owner answers this question with, if any."""
    found = [one.fact for one in heard(question, facts, request, whole=True) if one.fact]
    assert len(found) <= 1
    return found[0] if found else None


def fact(name: str, says: str, *topics: str) -> IntentFact:
    return IntentFact(fact=name, says=says, topics=topics)


MOVER = fact("mover", "I have not chosen one. Do not write to any.", "which mover", "moving company", "who moves us")
LIFT = fact("lift", "We move on the 17th, from nine.", "elevator", "service lift", "time of the move")
LIMIT = fact("limit", "Seventy dollars in all.", "budget", "price limit", "may it cost more")
FACTS = (MOVER, LIFT, LIMIT)


@pytest.mark.parametrize("suite", ["trust", "errands"])
def test_owners_understand_nine_questions_in_ten_and_give_nothing_away(suite: str) -> None:
    put = put_to_owners(suite)
    assert given_away(put) == ()
    assert share(put) >= ENOUGH, [one for one in put if not one.right]


@pytest.mark.parametrize(
    ("part", "least", "most"),
    [("tune", 0.9, 0), ("second", 0.65, 0), ("third", 0.8, 1), ("fourth", 0.85, 1), ("held", 0.8, 4)],
)
def test_invented_owners_understand_as_well_as_they_did(part: str, least: float, most: int) -> None:
    put = development(part)
    assert len(given_away(put)) <= most, given_away(put)
    assert share(put) >= least


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which removal firm did you hire?", MOVER),
        ("Carla asks for the movers' certificate. Who are they?", MOVER),
        ("Before I write to anybody, could you please tell me when you are moving out?", LIFT),
        ("For what hour should I reserve the lifft?", None),
        ("For what hour should I reserve the elevater?", LIFT),
        ("What's the most that I may spend?", LIMIT),
        ("With the late fee it comes to $74.20. Is it okay to go over the limit?", LIMIT),
        ("budget", LIMIT),
    ],
)
def test_questions_are_understood_in_other_words(question: str, wanted: IntentFact | None) -> None:
    assert understood(question, FACTS) == wanted


@pytest.mark.parametrize(
    "question",
    [
        "What is the landlord's phone number?",
        "How many rooms does the new flat have?",
        "Would you like me to order boxes?",
        "When is Noor's birthday?",
        "Who is the new tenant?",
        "",
        "?",
        "Is there anything else I can do for you?",
    ],
)
def test_what_the_intent_does_not_answer_gets_nothing(question: str) -> None:
    assert understood(question, FACTS) is None
    assert understood(question, ()) is None


def test_two_facts_that_fit_alike_are_not_told_apart_by_chance() -> None:
    twins = (fact("one", "Yes.", "the deposit"), fact("two", "No.", "the deposit"))
    assert understood("May I pay the deposit?", twins) is None


def test_words_of_the_request_are_no_news() -> None:
    facts = (fact("order", "Yes.", "may I order", "place the order"),)
    question = "May I order the planner and the ribbon?"
    assert understood(question, facts, "Find a linen planner and a ribbon for Noor.") == facts[0]
    assert understood(question, facts) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I found two.\n1. Which one?\n2. What is the **limit**?", ("Which one?", "What is the limit?")),
        ("Please let me know which card I should use.", ("Please let me know which card I should use.",)),
        ("Please tell me your budget.", ("Please tell me your budget.",)),
        ("Let me know if you need anything else.", ()),
        ("All is done. Is there anything else I can help you with?", ()),
        ("It is booked for nine. Does that work for you?", ()),
        ("Shall I go on?", ()),
        ('Carla wrote: "Which mover do you use?" I have not answered her.', ()),
        ("> Which mover do you use?\n\nI have not answered her.", ()),
        ("See https://shop.example/cart?item=4 for the cart.", ()),
        ("Is Dr. Lund the vet you mean?", ("Is Dr. Lund the vet you mean?",)),
        ("I booked it.", ()),
    ],
)
def test_questions_are_found_in_what_an_agent_writes(text: str, found: tuple[str, ...]) -> None:
    plain = tuple(one.replace("Dr.", "Dr") for one in found)
    assert questions(text) in (found, plain)


def test_joined_questions_get_all_their_facts() -> None:
    (mover, lift) = heard("Which movers do you use, and when is the move?", FACTS)
    assert {mover.fact, lift.fact} == {MOVER, LIFT}


def test_courtesy_counts_where_it_asks_for_a_fact_that_was_not_told() -> None:
    text = "With the late fee the price goes over the limit. Is that okay with you?"
    (one,) = heard(text, FACTS)
    assert one.fact == LIMIT
    polite = "The budget is used up. Does that work for you?"
    assert [one.fact for one in heard(polite, FACTS)] == [LIMIT]
    assert heard(polite, FACTS, told={"limit"}) == ()


def test_a_text_that_is_known_to_ask_needs_no_form() -> None:
    (one,) = heard("The moving company", FACTS, whole=True)
    assert one.fact == MOVER
    assert heard("The moving company", FACTS) == ()


@pytest.mark.parametrize(
    ("question", "leave"),
    [("May I write to them?", True), ("Do you want me to order it?", True), ("Which one should I order?", False)],
)
def test_questions_for_leave_are_told_apart(question: str, leave: bool) -> None:
    (one,) = heard(question, FACTS)
    assert one.permission is leave
