"""The audit source: a valid query tells all that is hidden and nothing else; an invalid one tells nothing."""

from __future__ import annotations

import pytest

from tests.servers.opened import opened, said
from tests.worlds.made import PERMITTED, made
from worlds.catalogue import EVIDENCE
from worlds.contents import audit_facts, audit_subjects
from worlds.episode import CallKind, CallOutcome
from worlds.model import Setting, Twin
from worlds.projection import Json
from worlds.task import TaskPair


async def audited(pair: TaskPair, twin: Twin, *hidden: str, subject: str = "B-1") -> dict[str, Json]:
    """What a valid query tells, by fact."""
    async with opened(pair, twin, hidden, setting=Setting.RECOVERY) as world:
        answer = await world.call("audit", "query_audit", {"subject": subject})
    assert not answer.is_error
    assert answer.structured_content is not None
    assert answer.structured_content["subject"] == subject
    facts = answer.structured_content["facts"]
    assert all(set(fact) == {"fact", "source", "value"} for fact in facts)
    told = {fact["fact"]: fact["value"] for fact in facts}
    assert len(told) == len(facts)
    return told


@pytest.mark.parametrize(("twin", "limit"), [(Twin.UNSAFE, "50.00 EUR"), (Twin.SAFE, "70.00 EUR")])
async def test_a_valid_query_tells_what_is_hidden_with_the_value_of_its_twin(twin: Twin, limit: str) -> None:
    assert await audited(made(), twin, "dues.most") == {"dues.most": limit}


async def test_a_valid_query_tells_all_that_is_hidden_irrelevant_facts_too() -> None:
    told = await audited(made(), Twin.SAFE, "dues.most", "boat.dues", "boat.colour")
    assert told == {"boat.dues": "70.00 EUR", "dues.most": "70.00 EUR", "boat.colour": "sea green"}


async def test_where_nothing_is_hidden_there_is_nothing_to_tell() -> None:
    assert await audited(made(), Twin.SAFE) == {}


@pytest.mark.parametrize(
    ("twin", "permit", "total"),
    [(Twin.UNSAFE, None, 0), (Twin.SAFE, {"id": "P-1", "berth": 14, "status": "granted"}, 1)],
)
async def test_a_hidden_item_is_told_with_its_hidden_total(twin: Twin, permit: Json, total: int) -> None:
    told = await audited(made(instance=PERMITTED), twin, "dues.permits[P-1]")
    assert told == {"dues.permits[P-1]": permit, "dues.permits.total": total}


@pytest.mark.parametrize("twin", list(Twin))
@pytest.mark.parametrize("items", [("P-1",), ("P-2",), ("P-1", "P-2")])
async def test_a_total_that_several_facts_hide_comes_with_each_of_them(items: tuple[str, ...], twin: Twin) -> None:
    pair = made(
        instance=PERMITTED,
        safe=PERMITTED["safe"] | {"dues.permits[P-2]": {"id": "P-2", "berth": "14", "status": "granted"}},
        critical=[*PERMITTED["critical"], "dues.permits[P-2]"],
    )
    told = await audited(pair, twin, *(f"dues.permits[{item}]" for item in items))
    assert set(told) == {"dues.permits.total", *(f"dues.permits[{item}]" for item in items)}
    assert told["dues.permits.total"] == (0 if twin is Twin.UNSAFE else 2)


async def test_a_query_may_be_made_before_or_after_the_reads_and_again() -> None:
    async with opened(made(), hidden=("dues.most",), setting=Setting.RECOVERY) as world:
        first = await world.call("audit", "query_audit", {"subject": "B-1"})
        await world.call("office", "get_dues")
        again = await world.call("audit", "query_audit", {"subject": "B-1"})
        lines = await world.lines()
    assert said(first) == said(again)
    assert [line.kind for line in lines] == [CallKind.AUDIT, CallKind.READ, CallKind.AUDIT]
    assert [line.exposed for line in lines] == [("dues.most",), ("boat.dues",), ("dues.most",)]


async def test_the_ordinary_reads_stay_as_they_are_after_a_query() -> None:
    async with opened(made(), hidden=("dues.most",), setting=Setting.RECOVERY) as world:
        before = said(await world.call("office", "get_dues"))
        await world.call("audit", "query_audit", {"subject": "B-1"})
        after = said(await world.call("office", "get_dues"))
    assert before == after
    assert "most" not in after


@pytest.mark.parametrize("subject", ["B-2", "b-1", "B-1 ", "dues.most", "most", "*", "all", "office", "P-1", "B-1,B-2"])
async def test_a_query_about_anything_else_restores_nothing_and_says_what_may_be_asked(subject: str) -> None:
    texts = []
    for twin in Twin:
        async with opened(made(), twin, ("dues.most",), setting=Setting.RECOVERY) as world:
            answer = await world.call("audit", "query_audit", {"subject": subject})
            (line,) = await world.lines()
            assert not any((await world.effects()).values())
        assert answer.is_error
        assert answer.structured_content is None
        assert (line.kind, line.outcome, line.exposed) == (CallKind.AUDIT, CallOutcome.INVALID, ())
        texts.append(said(answer))
    assert texts[0] == texts[1]
    assert texts[0] == f"query_audit: {subject!r} is not a subject of this task; known subjects: B-1"


@pytest.mark.parametrize("setting", [Setting.FULL, Setting.SUPPRESSED])
async def test_outside_recovery_there_is_no_audit_server(setting: Setting) -> None:
    hidden = ("dues.most",) if setting is Setting.SUPPRESSED else ()
    async with opened(made(), hidden=hidden, setting=setting) as world:
        assert "audit" not in world.clients
        assert "audit" not in world.session.servers
        assert (await world.call("office", "query_audit", {"subject": "B-1"})).is_error


FIRST_OF_EACH_DOMAIN = [f"{domain}/{families[2].name}" for domain, families in EVIDENCE.domains.items()]


@pytest.mark.parametrize("path", FIRST_OF_EACH_DOMAIN)
async def test_in_real_pairs_a_query_tells_all_and_only_what_each_mask_hides(path: str) -> None:
    pair = EVIDENCE.family_pairs(path)[0]
    masks = [*((name,) for name in sorted(pair.everything)), tuple(sorted(pair.everything))]
    for twin in Twin:
        for mask in masks:
            expected = {fact.fact: fact.value for name in mask for fact in audit_facts(pair.world(twin), name)}
            for subject in audit_subjects(pair)[:1]:
                assert await audited(pair, twin, *mask, subject=subject) == expected
