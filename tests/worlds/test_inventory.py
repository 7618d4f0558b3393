"""What the suite `evidence` holds, in numbers, and what all of its families and pairs keep to."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain

import pytest

from servers.tools import AUDIT_TOOLS, tools_by_system
from worlds.catalogue import EVIDENCE
from worlds.model import Prose, Twin, Value
from worlds.soundness import family_problems
from worlds.task import TaskPair

FAMILIES = [(domain, family) for domain, families in EVIDENCE.domains.items() for family in families]


@pytest.fixture(scope="module")
def pairs() -> tuple[TaskPair, ...]:
    return EVIDENCE.pairs


def test_there_are_six_domains_of_ten_families() -> None:
    assert {domain: len(families) for domain, families in EVIDENCE.domains.items()} == {
        "finance": 10, "cloud": 10, "commerce": 10, "communication": 10, "documents": 10, "travel": 10,
    }  # fmt: skip
    assert len({family.name for _, family in FAMILIES}) == 60


def test_there_are_three_hundred_pairs_fifty_in_each_domain(pairs: tuple[TaskPair, ...]) -> None:
    assert len(pairs) == 300
    assert set(Counter(pair.domain for pair in pairs).values()) == {50}


def test_families_have_three_to_seven_instances_and_fifty_four_of_them_five(pairs: tuple[TaskPair, ...]) -> None:
    sizes = Counter(Counter((pair.domain, pair.family.name) for pair in pairs).values())
    assert min(sizes) >= 3
    assert max(sizes) <= 7
    assert sizes[5] == 54
    assert sum(sizes.values()) == 60


def test_there_are_944_critical_and_419_irrelevant_facts(pairs: tuple[TaskPair, ...]) -> None:
    assert sum(len(pair.critical) for pair in pairs) == 944
    assert sum(len(pair.irrelevant) for pair in pairs) == 419


def test_each_pair_has_two_to_seven_critical_and_at_least_one_irrelevant_fact(pairs: tuple[TaskPair, ...]) -> None:
    assert {len(pair.critical) for pair in pairs} <= set(range(2, 8))
    assert all(pair.irrelevant for pair in pairs)
    assert all(len({atom.name for atom in pair.atoms}) == len(pair.atoms) for pair in pairs)


def test_there_are_6052_fixed_conditions(pairs: tuple[TaskPair, ...]) -> None:
    assert sum(2 + 4 * len(pair.atoms) for pair in pairs) == 6052


def test_an_id_names_one_task_of_the_suite(pairs: tuple[TaskPair, ...]) -> None:
    assert [name for name, count in Counter(pair.id for pair in pairs).items() if count > 1] == []


def test_every_unsafe_twin_is_forbidden_and_every_safe_twin_permitted(pairs: tuple[TaskPair, ...]) -> None:
    verdicts = Counter(tuple(pair.world(twin).judgement.permitted for twin in Twin) for pair in pairs)
    assert verdicts == {(False, True): 300}


def test_the_difference_of_every_pair_is_made_of_critical_facts(pairs: tuple[TaskPair, ...]) -> None:
    assert [pair.path for pair in pairs if not (pair.differing and pair.differing <= set(pair.critical))] == []


def test_every_requirement_of_every_family_is_broken_by_some_unsafe_twin(pairs: tuple[TaskPair, ...]) -> None:
    for domain, family in FAMILIES:
        broken = set(chain(*(p.violates[Twin.UNSAFE] for p in pairs if (p.domain, p.family) == (domain, family))))
        assert broken == {requirement.name for requirement in family.requirements}, family.name


@pytest.mark.parametrize(("domain", "family"), FAMILIES, ids=lambda part: part if isinstance(part, str) else part.name)
def test_every_host_can_take_the_tools_of_a_family(domain: str, family: object) -> None:
    found = next(found for of, found in FAMILIES if (of, found) == (domain, family))
    assert list(family_problems(found)) == []
    tools = [*chain(*tools_by_system(found).values()), *AUDIT_TOOLS]
    names = [tool.name for tool in tools]
    assert len(names) == len(set(names)) <= 40
    for system, of_system in tools_by_system(found).items():
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,19}", system)
        for tool in of_system:
            assert re.fullmatch(r"[a-z][a-z0-9_]{0,35}", tool.name)
            assert len(f"mcp__{system}__{tool.name}") <= 64
            assert 20 <= len(tool.description) <= 2000
            assert "  " not in tool.description


def texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Value):
        return list(chain(*(texts(getattr(value, name)) for name in type(value).model_fields)))
    return list(chain(*map(texts, value))) if isinstance(value, tuple) else []


def test_no_text_of_a_world_holds_an_unfilled_slot_outside_its_sentences(pairs: tuple[TaskPair, ...]) -> None:
    def plain(value: object) -> list[str]:
        if isinstance(value, Prose):
            return []
        if isinstance(value, Value):
            return list(chain(*(plain(getattr(value, name)) for name in type(value).model_fields)))
        return (
            [value] if isinstance(value, str) else list(chain(*map(plain, value))) if isinstance(value, tuple) else []
        )

    odd = [
        (pair.path, text) for pair in pairs for twin in Twin for text in plain(pair.world(twin).state) if "{" in text
    ]
    assert odd == []


def test_no_request_gives_the_verdict_or_the_machinery_away(pairs: tuple[TaskPair, ...]) -> None:
    telling = re.compile(
        r"\b(un)?safe\b|\bforbidden\b|\bpermitted\b|\btwin\b|\batom\b|\bmask|\bhidden\b|\baudit source\b", re.I
    )
    assert [(pair.path, pair.request) for pair in pairs if telling.search(pair.request)] == []


def test_no_world_shows_the_words_of_the_machinery(pairs: tuple[TaskPair, ...]) -> None:
    telling = re.compile(r"\btwin\b|\bunsafe\b|\bsuppressed evidence\b|seeds/|EpiSEM|Twintown", re.I)
    odd = [
        (pair.path, text)
        for pair in pairs
        for twin in Twin
        for text in texts(pair.world(twin).state)
        if telling.search(text)
    ]
    assert odd == []


def test_neither_twin_is_always_the_one_that_is_written(pairs: tuple[TaskPair, ...]) -> None:
    as_written = Counter((bool(pair.changes[Twin.UNSAFE]), bool(pair.changes[Twin.SAFE])) for pair in pairs)
    assert as_written[(True, False)] >= 60
    assert as_written[(False, True)] >= 60
