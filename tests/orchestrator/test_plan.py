"""The plan: fixed conditions first, then the boundary search, then the witness's counterparts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from orchestrator.plan import fixed_conditions, fixed_count, next_condition
from worlds.catalogue import EVIDENCE, task_named
from worlds.episode import Condition
from worlds.model import Setting, Twin
from worlds.task import TaskPair

PAIR = task_named("finance/payment_authority/PR-71155")  # four critical atoms, one irrelevant
SUPPRESSED_UNSAFE = (Twin.UNSAFE, Setting.SUPPRESSED)


def played(pair: TaskPair, unsafe: Callable[[Condition], bool], repeats: int = 1) -> list[Condition]:
    done: dict[Condition, bool] = {}
    while (condition := next_condition(pair, done, (), repeats)) is not None:
        assert condition not in done
        done[condition] = unsafe(condition)
    return list(done)


def searched(conditions: list[Condition]) -> list[Condition]:
    return [condition for condition in conditions if len(condition.hidden) > 1]


def place(condition: Condition) -> tuple[Twin, Setting]:
    return condition.twin, condition.setting


def test_the_fixed_conditions_of_the_suite_are_the_seeds_6052() -> None:
    assert fixed_count(EVIDENCE.pairs) == 6052
    assert sum(1 for pair in EVIDENCE.pairs for _ in fixed_conditions(pair)) == 6052


def test_fixed_conditions_are_both_twins_in_full_and_every_atom_alone_in_both_twins_and_settings() -> None:
    fixed = list(fixed_conditions(PAIR))
    assert len(fixed) == len(set(fixed)) == 2 + 4 * 5
    assert [place(condition) for condition in fixed[:2]] == [(Twin.UNSAFE, Setting.FULL), (Twin.SAFE, Setting.FULL)]
    for atom in PAIR.atoms:
        assert sum(condition.hidden == (atom.name,) for condition in fixed) == 4


def test_an_agent_that_never_fails_is_searched_through_every_critical_subset_in_order_of_size() -> None:
    found = searched(played(PAIR, lambda condition: False))
    expected = [frozenset(names) for size in (2, 3, 4) for names in combinations(PAIR.critical, size)]
    assert [condition.mask for condition in found] == expected
    assert {place(condition) for condition in found} == {SUPPRESSED_UNSAFE}


def test_a_failure_with_full_evidence_ends_the_search_but_not_the_fixed_conditions() -> None:
    conditions = played(PAIR, lambda condition: condition.twin is Twin.UNSAFE)
    assert conditions == list(fixed_conditions(PAIR))


def test_a_failure_with_one_fact_hidden_needs_no_search() -> None:
    hidden = (PAIR.critical[2],)
    conditions = played(PAIR, lambda condition: place(condition) == SUPPRESSED_UNSAFE and condition.hidden == hidden)
    assert conditions == list(fixed_conditions(PAIR))


def test_the_first_unsafe_mask_ends_the_search_and_is_run_in_its_three_counterparts() -> None:
    witness = frozenset(PAIR.critical[1:3])
    found = searched(played(PAIR, lambda c: place(c) == SUPPRESSED_UNSAFE and c.mask == witness))
    masks = [frozenset(names) for names in combinations(PAIR.critical, 2)]
    until = masks[: masks.index(witness) + 1]
    assert [condition.mask for condition in found[: len(until)]] == until
    assert {(place(condition), condition.mask) for condition in found[len(until) :]} == {
        ((Twin.SAFE, Setting.SUPPRESSED), witness),
        ((Twin.UNSAFE, Setting.RECOVERY), witness),
        ((Twin.SAFE, Setting.RECOVERY), witness),
    }


def test_what_happens_elsewhere_does_not_steer_the_search() -> None:
    def everywhere_but(condition: Condition) -> bool:
        return place(condition) != SUPPRESSED_UNSAFE and condition.setting is not Setting.FULL

    assert searched(played(PAIR, everywhere_but)) == searched(played(PAIR, lambda condition: False))


def test_with_repeats_each_condition_is_run_so_often_and_one_failure_makes_a_mask_unsafe() -> None:
    witness = frozenset(PAIR.critical[:2])
    conditions = played(
        PAIR, lambda c: place(c) == SUPPRESSED_UNSAFE and c.mask == witness and c.repeat == 1, repeats=3
    )
    assert len(conditions) == 3 * (2 + 4 * 5) + 3 * 4
    assert {condition.mask for condition in searched(conditions)} == {witness}


def test_a_condition_that_cannot_be_graded_is_passed_over_and_the_search_does_not_go_beyond_it() -> None:
    done: dict[Condition, bool] = {}
    lost = Condition(PAIR.path, Twin.UNSAFE, Setting.SUPPRESSED, tuple(sorted(PAIR.critical[:2])))
    failed: set[Condition] = set()
    while (condition := next_condition(PAIR, done, failed)) is not None:
        if condition == lost:
            failed.add(condition)
        else:
            done[condition] = False
    assert failed == {lost}
    assert len(done) == 2 + 4 * 5


def test_the_search_goes_on_where_an_earlier_run_stopped() -> None:
    whole = played(PAIR, lambda condition: False)
    half = dict.fromkeys(whole[:25], False)
    rest: list[Condition] = []
    while (condition := next_condition(PAIR, {**half, **dict.fromkeys(rest, False)}, ())) is not None:
        rest.append(condition)
    assert whole == [*half, *rest]
