"""Two journals side by side: nothing is lost, order is kept, and they part where they part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from pydantic import JsonValue

from graders.alignment import Alignment, aligned
from worlds.episode import CallKind, CallOutcome, JournalLine

WORDS = ("read", "list", "pay")


def call(tool: str, shown: JsonValue = "as always", asked: JsonValue = "1") -> JournalLine:
    return JournalLine(
        seq=1,
        server="erp",
        tool=tool,
        arguments={"id": asked},
        kind=CallKind.READ,
        outcome=CallOutcome.ANSWERED,
        shown=shown,
        exposed=(),
        seconds=0.1,
    )


def journal(*calls: str | JournalLine) -> tuple[JournalLine, ...]:
    """Calls in order; of some only the tool is given."""
    lines = [call(one) if isinstance(one, str) else one for one in calls]
    return tuple(line.model_copy(update={"seq": seq, "seconds": seq / 10}) for seq, line in enumerate(lines, start=1))


def tools(alignment: Alignment) -> list[tuple[str | None, str | None]]:
    return [(step.first and step.first.tool, step.second and step.second.tool) for step in alignment.steps]


def every_pair() -> Iterator[tuple[Sequence[JournalLine], Sequence[JournalLine]]]:
    """All pairs of journals of up to four calls of three tools."""
    all_ = [journal(*calls) for length in range(5) for calls in product(WORDS, repeat=length)]
    yield from product(all_, all_[::7] + all_[-3:])


def test_every_line_of_either_journal_is_in_exactly_one_step_and_in_its_order() -> None:
    for first, second in every_pair():
        steps = aligned(first, second).steps
        assert tuple(step.first for step in steps if step.first) == first
        assert tuple(step.second for step in steps if step.second) == second
        assert all(step.first or step.second for step in steps)


def test_two_lines_stand_together_only_if_they_call_the_same_tool() -> None:
    for first, second in every_pair():
        for step in aligned(first, second).steps:
            if step.first and step.second:
                assert step.first.tool == step.second.tool
                assert step.same_call
            else:
                assert not step.same_call
                assert not step.same_answer


def test_equal_journals_do_not_part_and_others_do() -> None:
    for first, second in every_pair():
        same = [line.tool for line in first] == [line.tool for line in second]
        assert (aligned(first, second).part is None) == same
        assert (aligned(first, second).calls_part is None) == same


def test_what_comes_before_the_parting_is_the_same_in_both() -> None:
    for first, second in every_pair():
        alignment = aligned(first, second)
        before = alignment.steps[: alignment.part]
        assert all(step.same_call and step.same_answer for step in before)
        assert [line.tool for line in first[: len(before)]] == [line.tool for line in second[: len(before)]]


def test_a_call_that_only_one_makes_stands_alone() -> None:
    found = aligned(journal("read", "list", "pay"), journal("read", "pay"))
    assert tools(found) == [("read", "read"), ("list", None), ("pay", "pay")]
    assert found.calls_part == found.part == 1
    assert found.answers_part is None


def test_a_call_with_other_arguments_stands_beside_its_counterpart() -> None:
    found = aligned(journal("read", call("pay", asked=100)), journal("read", call("pay", asked=200)))
    assert tools(found) == [("read", "read"), ("pay", "pay")]
    assert not found.steps[1].same_call
    assert found.steps[1].same_answer
    assert found.calls_part == 1


def test_the_same_call_may_be_answered_otherwise_long_before_the_agents_part() -> None:
    found = aligned(journal(call("read", 30), "list", "pay"), journal(call("read", 50), "list"))
    assert found.answers_part == found.part == 0
    assert found.calls_part == 2


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), (1, 1.0), ("1", 1), (None, False), ([], {})])
def test_values_that_only_python_takes_for_equal_are_other_answers(one: JsonValue, other: JsonValue) -> None:
    assert aligned([call("read", one)], [call("read", other)]).answers_part == 0


def test_the_order_of_names_in_an_answer_does_not_matter() -> None:
    assert aligned([call("read", {"a": 1, "b": 2})], [call("read", {"b": 2, "a": 1})]).part is None


def test_an_answer_and_a_refusal_in_the_same_words_are_not_the_same() -> None:
    line = call("read")
    refused = line.model_copy(update={"outcome": CallOutcome.INVALID})
    assert aligned([line], [refused]).answers_part == 0


def test_times_and_numbers_are_not_compared() -> None:
    line = call("read")
    assert aligned([line], [line.model_copy(update={"seq": 9, "seconds": 7.0})]).part is None
