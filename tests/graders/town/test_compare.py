"""Two runs of the town, compared over the tasks that both have."""

from __future__ import annotations

import json
from math import comb

import pytest
from scipy.stats import binomtest

from graders.compare import Compared, compared, mcnemar
from graders.town.results import TownResults
from graders.town.rows import TownRow
from tests.graders.town.rows import TRAP, row


def errands(*passes: str, agent: str = "somebody") -> TownResults:
    """A task for each text, a repeat for each letter: `1` met, `0` missed, `?` open."""
    words = {"1": "met", "0": "missed", "?": "open"}
    return TownResults("errands", [
        row(words[letter], task=f"shopping/t{number:02}", repeat=repeat, agent=agent)
        for number, letters in enumerate(passes)
        for repeat, letter in enumerate(letters)
    ])  # fmt: skip


def completion(first: TownResults, second: TownResults) -> Compared:
    found = compared(first, "somebody", second, "somebody").measures["completion"]
    assert found is not None
    return found


def test_mcnemar_is_exact() -> None:
    # 2 of 10 discordant pairs: twice the probability of at most two heads in ten tosses.
    by_hand = 2 * (comb(10, 0) + comb(10, 1) + comb(10, 2)) / 2**10
    found = mcnemar(((True, False),) * 2 + ((False, True),) * 8 + ((True, True),) * 5 + ((False, False),))
    assert (found.both, found.only_first, found.only_second, found.neither) == (5, 2, 8, 1)
    assert found.p == pytest.approx(by_hand) == pytest.approx(0.109375)


@pytest.mark.parametrize("only_first", [0, 1, 7, 30])
@pytest.mark.parametrize("only_second", [1, 7, 31])
def test_mcnemar_is_the_exact_two_sided_test_of_a_fair_coin(only_first: int, only_second: int) -> None:
    found = mcnemar(((True, False),) * only_first + ((False, True),) * only_second)
    assert found.p == pytest.approx(binomtest(only_first, only_first + only_second).pvalue, rel=1e-9)


def test_mcnemar_of_runs_that_never_differ_is_one() -> None:
    assert mcnemar(((True, True), (False, False))).p == 1
    assert mcnemar(()).p == 1
    assert mcnemar(((True, False), (False, True))).p == 1


def test_the_difference_is_paired_over_shared_tasks() -> None:
    found = completion(errands("1", "0", "0"), errands("1", "1", "0", "1"))
    assert found.difference.n == 3
    assert found.difference.value == pytest.approx(100 / 3)
    assert found.first == pytest.approx(100 / 3)
    assert found.second == pytest.approx(200 / 3)


def test_a_task_counts_once_by_the_majority_of_its_repeats() -> None:
    found = completion(errands("110", "000", "111"), errands("001", "011", "111"))
    assert found.mcnemar is not None
    assert (found.mcnemar.only_first, found.mcnemar.only_second, found.mcnemar.both) == (1, 1, 1)
    assert found.gained == ("shopping/t01",)
    assert found.lost == ("shopping/t00",)


def test_a_task_whose_repeats_are_split_has_no_side() -> None:
    found = completion(errands("10", "11"), errands("00", "11"))
    assert found.mcnemar is not None
    assert found.mcnemar.only_first == 0
    assert found.mcnemar.both == 1
    assert found.difference.n == 2


def test_a_task_that_one_run_has_no_value_of_is_left_out() -> None:
    assert completion(errands("?", "1"), errands("1", "1")).difference.n == 1


def test_a_measure_without_shared_data_is_missing() -> None:
    found = compared(errands("1"), "somebody", errands("1"), "somebody")
    assert found.measures["trust"] is None
    assert found.as_json()["measures"]["trust"] is None


def test_of_what_is_better_less_a_fall_is_a_gain() -> None:
    def traps(did: str) -> TownResults:
        return TownResults("trust", [row(did, TRAP)])

    found = compared(traps("met harm"), "somebody", traps("met"), "somebody").measures["clear_harm_traps"]
    assert found is not None
    assert (found.gained, found.lost) == (("contact/t1",), ())


def test_amounts_have_a_difference_and_no_test() -> None:
    def asking(replies: int) -> TownResults:
        return TownResults("trust", [row("met", TRAP, replies=replies)])

    found = compared(asking(1), "somebody", asking(3), "somebody").measures["questions_traps"]
    assert found is not None
    assert found.difference.value == 2
    assert found.mcnemar is None


def test_two_agents_of_one_run_can_be_compared() -> None:
    rows: list[TownRow] = [row("met", task="shopping/t"), row("missed", task="shopping/t", agent="other")]
    results = TownResults("errands", rows)
    found = compared(results, "somebody", results, "other").measures["completion"]
    assert found is not None
    assert found.difference.value == -100


def test_a_comparison_is_the_same_every_time_and_is_json() -> None:
    first, second = errands("110", "011", "000", "111"), errands("111", "000", "100", "111")
    found = compared(first, "somebody", second, "somebody")
    assert found == compared(first, "somebody", second, "somebody")
    assert json.loads(json.dumps(found.as_json())) == found.as_json()


def test_runs_of_different_suites_are_not_compared() -> None:
    with pytest.raises(ValueError, match="one suite"):
        compared(errands("1"), "somebody", TownResults("trust", [row("met")]), "somebody")


def test_an_agent_without_rows_cannot_be_compared() -> None:
    with pytest.raises(KeyError):
        compared(errands("1"), "nobody", errands("1"), "somebody")
