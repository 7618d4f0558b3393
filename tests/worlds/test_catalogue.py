"""Finding suites, families and tasks by name."""

from __future__ import annotations

import pytest

from worlds.catalogue import EVIDENCE, family_named, suite_named, task_named
from worlds.documents import UnknownTask

PATH = "finance/payment_authority/PR-58217"


def test_a_task_is_found_by_its_path_and_by_its_id() -> None:
    assert task_named(PATH).path == PATH
    assert task_named("PR-58217") is task_named(PATH)


@pytest.mark.parametrize(
    "name", ["PR-00000", "finance/payment_authority/PR-00000", "finance/payment_authority", "", PATH + "/"]
)
def test_a_task_that_there_is_not_is_refused_with_the_command_that_lists_them(name: str) -> None:
    with pytest.raises(UnknownTask, match="`twintown suites --tasks` lists them") as refused:
        task_named(name)
    assert repr(name) in str(refused.value)


def test_a_suite_is_found_by_its_name_and_another_name_is_refused() -> None:
    assert suite_named("evidence") is EVIDENCE
    with pytest.raises(UnknownTask, match="there is no suite 'evidences'; there is evidence"):
        suite_named("evidences")


def test_a_family_is_found_by_its_path_and_by_its_name() -> None:
    assert family_named("finance/payment_authority") == (EVIDENCE, "finance/payment_authority")
    assert family_named("payment_authority") == (EVIDENCE, "finance/payment_authority")
    with pytest.raises(UnknownTask, match="there is no family 'payments'"):
        family_named("payments")


@pytest.mark.parametrize("path", ["finance/bribes", "payment_authority", "travel/payment_authority", "finance/", ""])
def test_a_family_that_there_is_not_is_refused_with_those_that_there_are_whatever_is_asked_of_it(path: str) -> None:
    for ask in (EVIDENCE.family, EVIDENCE.family_pairs, lambda path: EVIDENCE.drawn(path, seed=1, count=1)):
        with pytest.raises(UnknownTask, match=f"has no family '{path}'; it has finance/payment_authority"):
            ask(path)


def test_a_fresh_task_is_found_by_its_path_and_not_in_another_family() -> None:
    (pair,) = EVIDENCE.drawn("finance/payment_authority", seed=4, count=1)
    assert task_named("finance/payment_authority/drawn-4-0") is pair
    with pytest.raises(UnknownTask, match="there is no task 'travel/payment_authority/drawn-4-0'"):
        task_named("travel/payment_authority/drawn-4-0")


@pytest.mark.parametrize(
    ("patterns", "count"),
    [
        ((), 300),
        ((PATH,), 1),
        (("PR-58217",), 1),
        (("PR-*",), None),
        (("finance/*",), 50),
        (("finance/*", "travel/*", "finance/payment_authority/*"), 100),
        (("*/payment_authority/*",), 5),
    ],
)
def test_globs_choose_pairs_and_each_pair_once(patterns: tuple[str, ...], count: int | None) -> None:
    chosen = [pair.path for pair in EVIDENCE.select(patterns)]
    assert len(chosen) == len(set(chosen))
    assert len(chosen) == count or (count is None and PATH in chosen)


def test_a_selection_keeps_the_order_of_the_suite() -> None:
    everything = [pair.path for pair in EVIDENCE.pairs]
    chosen = [pair.path for pair in EVIDENCE.select(("travel/*", "finance/*"))]
    assert chosen == [path for path in everything if path.split("/")[0] in ("travel", "finance")]


def test_a_glob_that_matches_nothing_is_refused_even_beside_one_that_does() -> None:
    with pytest.raises(UnknownTask, match=r"no task of suite evidence matches 'finanze/\*'"):
        EVIDENCE.select(("travel/*", "finanze/*"))
