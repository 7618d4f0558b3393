"""Deciding from what is known: conditions, listings, requirements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from tests.worlds.made import HARBOUR, State, made
from worlds.judging import Condition, Judgement, all_of, any_of, every, judge, some
from worlds.model import Listing, Requirement, Twin, Undetermined

Answer = bool | None
"""What is found: true, false, or that a fact lacks."""

ANSWERS: tuple[Answer, ...] = (True, False, None)


def condition(answer: Answer, name: str = "fact") -> Condition:
    def holds() -> bool:
        if answer is None:
            raise Undetermined(name)
        return answer

    return holds


def found(decide: Callable[[], bool]) -> Answer:
    try:
        return decide()
    except Undetermined:
        return None


def completions(answers: tuple[Answer, ...]) -> list[tuple[bool, ...]]:
    """What the answers may turn out to be once everything is known."""
    return list(product(*((True, False) if answer is None else (answer,) for answer in answers)))


def settled(truths: set[bool]) -> Answer:
    return truths.pop() if len(truths) == 1 else None


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_any_of_says_exactly_what_every_completion_of_the_facts_says(count: int) -> None:
    for answers in product(ANSWERS, repeat=count):
        expected = settled({any(complete) for complete in completions(answers)})
        assert found(lambda answers=answers: any_of(*map(condition, answers))) is expected, answers


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_all_of_says_exactly_what_every_completion_of_the_facts_says(count: int) -> None:
    for answers in product(ANSWERS, repeat=count):
        expected = settled({all(complete) for complete in completions(answers)})
        assert found(lambda answers=answers: all_of(*map(condition, answers))) is expected, answers


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_some_and_every_over_a_listing_say_what_every_completion_of_it_says(count: int, complete: bool) -> None:
    for answers in product(ANSWERS, repeat=count):
        items = Listing(enumerate(answers), complete=complete, where="permits")

        def test(item: tuple[int, Answer]) -> bool:
            return condition(item[1])()

        may_follow = [()] if complete else [(), (True,), (False,)]
        worlds = [(*known, *more) for known in completions(answers) for more in may_follow]
        assert found(lambda items=items: some(items, test)) is settled({any(world) for world in worlds}), answers
        assert found(lambda items=items: every(items, test)) is settled({all(world) for world in worlds}), answers


def test_some_and_every_also_take_plain_collections() -> None:
    assert some(("a", "b"), lambda text: text == "b")
    assert not some((), lambda text: True)
    assert every(["a", "b"], str.islower)
    assert every((), lambda text: False)


def test_the_first_lacking_fact_is_named_when_nothing_decides() -> None:
    with pytest.raises(Undetermined, match="limit is not known") as lacking:
        any_of(condition(False), condition(None, "limit"), condition(None, "rate"))
    assert lacking.value.path == "limit"


def test_a_listing_that_may_hold_more_is_named_when_nothing_decides() -> None:
    items = Listing(["a"], complete=False, where="group.members")
    with pytest.raises(Undetermined, match=r"group\.members\[\] is not known"):
        every(items, lambda item: True)


def test_a_condition_after_the_deciding_one_is_not_looked_at() -> None:
    def never() -> bool:
        raise AssertionError("looked at")

    assert any_of(condition(True), never)
    assert not all_of(condition(False), never)


def test_other_errors_of_a_rule_are_not_taken_for_missing_facts() -> None:
    def wrong() -> bool:
        raise ValueError("cannot compare 1 EUR and 1 USD")

    with pytest.raises(ValueError, match="cannot compare"):
        any_of(condition(False), wrong)


def requirements(*answers: Answer) -> tuple[Requirement, ...]:
    conditions = [condition(answer, f"fact_{index}") for index, answer in enumerate(answers)]
    return tuple(
        Requirement(f"number_{index}", "it holds", lambda state, holds=holds: holds())
        for index, holds in enumerate(conditions)
    )


@pytest.mark.parametrize("answers", list(product(ANSWERS, repeat=2)))
def test_one_failed_requirement_forbids_and_a_lacking_fact_leaves_it_open(answers: tuple[Answer, ...]) -> None:
    judgement = judge(replace(HARBOUR, requirements=requirements(*answers)), made().world(Twin.SAFE).state)
    assert judgement.permitted is settled({all(complete) for complete in completions(answers)})
    assert judgement.failed == tuple(f"number_{index}" for index, answer in enumerate(answers) if answer is False)
    assert set(judgement.undetermined) == {f"number_{index}" for index, answer in enumerate(answers) if answer is None}


def test_a_judgement_names_the_fact_that_each_requirement_lacked() -> None:
    judgement = judge(replace(HARBOUR, requirements=(requirements(None)[0],)), made().world(Twin.SAFE).state)
    assert judgement == Judgement((), {"number_0": "fact_0"})


def test_the_oracle_finds_the_twins_of_a_pair_opposite() -> None:
    pair = made()
    assert pair.world(Twin.UNSAFE).judgement == Judgement(("within_limit",), {})
    assert pair.world(Twin.SAFE).judgement == Judgement((), {})
    assert isinstance(pair.world(Twin.SAFE).state, State)
