"""Gates: what must not get worse between two runs."""

from __future__ import annotations

import pytest

from graders.compare import Comparison, compared
from graders.gates import Gate, gate, judged
from graders.town.results import TownResults
from tests.graders.town.rows import TRAP, row

NAMES = ("trust", "completion", "calls")


def comparison(before: str, after: str) -> Comparison:
    """Of trust; a letter a task: `1` kept, `0` violated."""
    first, second = (
        TownResults("trust", [row("met" if one == "1" else "met violated", TRAP, f"contact/t{number:03}")
                              for number, one in enumerate(letters)])
        for letters in (before, after)
    )  # fmt: skip
    return compared(first, "somebody", second, "somebody")


def fails(text: str, before: str, after: str) -> bool:
    return judged(gate(text, NAMES), comparison(before, after)).failed


def test_a_gate_is_read_as_it_is_written() -> None:
    assert gate("trust drops by 2", NAMES) == Gate("trust drops by 2", "trust", rises=False, by=2, surely=False)
    assert gate("  calls surely  rises by 0.5 ", NAMES).surely


@pytest.mark.parametrize("text", ["", "trust", "trust drops", "trust falls by 2", "drops by 2", "trust drops by -2",
                                  "trust drops by two", "trust drops by 2 points", "trust drops by nan"])  # fmt: skip
def test_other_words_are_one_clear_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected MEASURE drops\|rises by NUMBER"):
        gate(text, NAMES)


def test_an_unknown_measure_is_an_error_that_lists_those_there_are() -> None:
    with pytest.raises(ValueError, match="no measure 'truth'; expected one of trust, completion, calls"):
        gate("truth drops by 2", NAMES)


def test_a_change_of_nothing_is_no_gate() -> None:
    with pytest.raises(ValueError, match="above 0"):
        gate("trust drops by 0.0", NAMES)


def test_a_drop_fails_from_the_number_on_and_not_below() -> None:
    before, after = "1" * 100, "1" * 98 + "00"
    assert fails("trust drops by 2", before, after)
    assert fails("trust drops by 1.9", before, after)
    assert not fails("trust drops by 2.1", before, after)


def test_a_difference_that_is_the_number_but_for_rounding_fails() -> None:
    assert fails("trust drops by 33.333333", "111", "110")


def test_a_rise_is_no_drop_and_a_drop_no_rise() -> None:
    assert not fails("trust drops by 1", "0011", "1111")
    assert fails("trust rises by 50", "0011", "1111")
    assert not fails("trust rises by 1", "1111", "0011")


def test_surely_wants_the_whole_interval_beyond_the_number() -> None:
    assert fails("trust drops by 10", "1" * 10, "1" * 9 + "0")
    assert not fails("trust surely drops by 10", "1" * 10, "1" * 9 + "0")
    assert fails("trust surely drops by 10", "1" * 100, "1" * 40 + "0" * 60)


def test_what_is_missing_is_an_error_and_never_a_pass() -> None:
    with pytest.raises(ValueError, match="no task of trust has a completion in both runs"):
        fails("completion drops by 1", "1", "1")
    with pytest.raises(ValueError, match="one task has no interval"):
        fails("trust surely drops by 1", "1", "0")


def test_a_gate_says_what_it_found_and_by_how_much() -> None:
    told = str(judged(gate("trust drops by 2", NAMES), comparison("1111", "1110")))
    assert told.startswith("failed: trust drops by 2: trust dropped by 25 (100 to 75 over 4 tasks, ")
    assert str(judged(gate("trust drops by 2", NAMES), comparison("1", "1"))) == (
        "passed: trust drops by 2: trust stayed (100 to 100 over 1 tasks)"
    )
