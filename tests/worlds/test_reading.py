"""The state that answers amount to, with what the audit source told."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.worlds.made import PERMITTED, State, made
from worlds.catalogue import EVIDENCE
from worlds.contents import audit_facts
from worlds.judging import judge
from worlds.model import Mask, Twin, Undetermined
from worlds.projection import Json
from worlds.reading import Read, answers, observed, reads, visible
from worlds.task import TaskPair


def told(pair: TaskPair, twin: Twin, mask: Mask) -> dict[str, Json]:
    return {fact.fact: fact.value for name in sorted(mask) for fact in audit_facts(pair.world(twin), name)}


def state(pair: TaskPair, twin: Twin, *hidden: str, audited: bool = False) -> State:
    mask = frozenset(hidden)
    found = visible(pair, answers(pair.world(twin)), mask, told(pair, twin, mask) if audited else None)
    assert isinstance(found, State)
    return found


def test_the_reads_show_each_kind_of_record_once_and_the_meant_one_by_its_key() -> None:
    assert [(read.system, read.tool, dict(read.arguments)) for read in reads(made())] == [
        ("harbour", "get_boat", {"id": "B-1"}),
        ("harbour", "list_boats", {}),
        ("office", "get_dues", {}),
    ]


@pytest.mark.parametrize("twin", list(Twin))
def test_what_the_reads_show_of_a_complete_world_is_its_state(twin: Twin) -> None:
    pair = made(instance=PERMITTED)
    seen, true = state(pair, twin), pair.world(twin).state
    assert isinstance(true, State)
    for name in ("dues", "berth", "colour", "insured", "inspected_on", "crew"):
        assert getattr(seen.boat, name) == getattr(true.boat, name)
    assert [boat.id for boat in seen.other_boats] == [boat.id for boat in true.other_boats]
    assert [permit.model_dump() for permit in seen.dues.permits] == [
        permit.model_dump() for permit in true.dues.permits
    ]
    assert judge(pair.family, seen) == pair.world(twin).judgement


def test_the_meant_record_is_not_taken_for_one_of_the_others() -> None:
    assert [boat.id for boat in state(made(), Twin.SAFE).other_boats] == ["B-2"]


def test_prose_is_left_out_because_rules_never_read_it() -> None:
    with pytest.raises(Undetermined):
        _ = state(made(), Twin.SAFE).boat.remarks


def test_nothing_is_known_where_nothing_was_read() -> None:
    seen = observed(made(), [])
    with pytest.raises(Undetermined, match="boat is not known"):
        _ = seen.boat


def test_a_refused_answer_shows_nothing() -> None:
    read = Read("office", "get_dues", {}, reads(made())[2].kind)
    with pytest.raises(Undetermined, match="dues is not known"):
        _ = observed(made(), [(read, None)]).dues


def test_what_the_audit_source_told_is_known() -> None:
    assert str(state(made(), Twin.SAFE, "dues.most", audited=True).dues.most) == "70.00 EUR"


def test_what_the_audit_source_told_is_known_also_where_a_record_repeats_it() -> None:
    pair = made()
    with pytest.raises(Undetermined):
        _ = state(pair, Twin.SAFE, "boat.dues").dues.owed
    assert str(state(pair, Twin.SAFE, "boat.dues", audited=True).dues.owed) == "70.00 EUR"


def test_the_audit_source_can_tell_null() -> None:
    pair = made(irrelevant=["boat.inspected_on"])
    assert state(pair, Twin.SAFE, "boat.inspected_on", audited=True).boat.inspected_on is None


@pytest.mark.parametrize(("twin", "keys"), [(Twin.UNSAFE, []), (Twin.SAFE, ["P-1"])])
def test_a_listing_whose_item_and_total_were_told_is_complete_again(twin: Twin, keys: list[str]) -> None:
    permits = state(made(instance=PERMITTED), twin, "dues.permits[P-1]", audited=True).dues.permits
    assert [permit.id for permit in permits] == keys


def test_an_item_that_was_told_joins_the_ones_that_show() -> None:
    pair = made(irrelevant=["boat.crew[ana]"])
    assert sorted(state(pair, Twin.SAFE, "boat.crew[ana]", audited=True).boat.crew) == ["ana", "tomas"]


def test_a_whole_listing_that_was_told_is_complete() -> None:
    pair = made(irrelevant=["boat.crew"])
    assert list(state(pair, Twin.SAFE, "boat.crew", audited=True).boat.crew) == ["ana", "tomas"]


def test_a_field_of_an_item_that_was_told_is_known() -> None:
    pair = made(irrelevant=["other_boats[B-2].colour"])
    (other,) = state(pair, Twin.SAFE, "other_boats[B-2].colour", audited=True).other_boats
    assert other.colour == "white"


def test_a_record_that_was_told_is_one_of_the_others() -> None:
    pair = made(irrelevant=["other_boats[B-2]"])
    with pytest.raises(Undetermined):
        len(state(pair, Twin.SAFE, "other_boats[B-2]").other_boats)
    (other,) = state(pair, Twin.SAFE, "other_boats[B-2]", audited=True).other_boats
    assert (other.id, str(other.dues)) == ("B-2", "15.00 EUR")


def test_what_is_told_does_not_change_the_answers_from_which_it_is_restored() -> None:
    pair = made(instance=PERMITTED)
    evidence = answers(pair.world(Twin.SAFE))
    mask = frozenset({"dues.permits[P-1]"})
    before = repr(evidence)
    visible(pair, evidence, mask, told(pair, Twin.SAFE, mask))
    assert repr(evidence) == before
    assert not visible(pair, evidence, mask).dues.permits.complete


FIRST_OF_EACH_DOMAIN = [f"{domain}/{families[0].name}" for domain, families in EVIDENCE.domains.items()]


@pytest.mark.parametrize("path", FIRST_OF_EACH_DOMAIN)
def test_under_every_mask_of_critical_facts_what_is_left_is_never_misjudged_and_the_audit_source_makes_it_whole(
    path: str,
) -> None:
    _, family = EVIDENCE.family(path)
    for pair in EVIDENCE.family_pairs(path):
        for twin in Twin:
            world = pair.world(twin)
            evidence = answers(world)
            masks = [frozenset(c) for size in range(4) for c in combinations(pair.critical, size)]
            for mask in (*masks, pair.everything):
                partial = judge(family, visible(pair, evidence, mask)).permitted
                assert partial in (None, world.judgement.permitted), (pair.path, twin, mask)
                whole = judge(family, visible(pair, evidence, mask, told(pair, twin, mask)))
                assert whole == world.judgement, (pair.path, twin, mask)
