"""What the systems hold, and what the audit source knows of each fact."""

from __future__ import annotations

import pytest

from tests.worlds.made import PERMITTED, Boat, made
from worlds.catalogue import pair_named
from worlds.contents import AuditFact, audit_facts, audit_subjects, contents, known_names
from worlds.model import Record, Twin
from worlds.projection import project
from worlds.task import TaskPair

GRANTED = {"id": "P-1", "berth": 14, "status": "granted"}


def test_each_system_holds_its_own_kinds_of_record_and_answers() -> None:
    held = contents(made().world(Twin.SAFE))
    assert {system: sorted(parts.records) for system, parts in held.items()} == {
        "harbour": ["Boat"],
        "office": ["Dues"],
    }
    assert {system: sorted(parts.answers) for system, parts in held.items()} == {"harbour": ["warm_up"], "office": []}


def test_records_of_one_kind_stand_in_the_order_of_their_keys_whichever_is_meant() -> None:
    for key in ("A-9", "B-1", "Z-9"):
        request = f"Please let the boat {key} leave the harbour."
        pair = made({"boat.id": key}, request=request, commit={"boat_id": key})
        table = contents(pair.world(Twin.SAFE))["harbour"].records["Boat"]
        assert [name for name, _ in table.records] == sorted([key, "B-2"])


def test_a_record_without_a_key_is_kept_under_no_key() -> None:
    ((key, evidence),) = contents(made().world(Twin.SAFE))["office"].records["Dues"].records
    assert key == ""
    shown = project(evidence, frozenset())
    assert isinstance(shown, dict)
    assert shown["most"] == "70.00 EUR"


def test_a_record_shows_its_fields_in_the_order_in_which_they_are_declared() -> None:
    record = dict(contents(made().world(Twin.SAFE))["harbour"].records["Boat"].records)["B-1"]
    shown = project(record, frozenset())
    assert isinstance(shown, dict)
    assert list(shown) == list(Boat.model_fields)


def test_the_names_that_an_action_may_use_are_those_of_either_twin() -> None:
    third = {"id": "B-9", "dues": "1 EUR", "berth": "9", "colour": "grey"}
    pair = made(safe={"dues.most": "70 EUR", "other_boats[B-9]": third}, irrelevant=["other_boats[B-9]"])
    assert known_names(pair, Boat) == {"B-1", "B-2", "B-9"}


def test_the_audit_source_can_be_asked_about_what_the_commit_names() -> None:
    assert audit_subjects(made()) == ("B-1",)


def test_the_audit_source_tells_a_fact_with_the_value_of_its_twin_and_where_it_would_show() -> None:
    pair = made()
    told = [audit_facts(pair.world(twin), "dues.most") for twin in Twin]
    assert told == [
        (AuditFact("dues.most", "get_dues", "50.00 EUR"),),
        (AuditFact("dues.most", "get_dues", "70.00 EUR"),),
    ]


@pytest.mark.parametrize(
    ("atom", "value"),
    [
        ("boat.insured", True),
        ("boat.berth", 14),
        ("boat.inspected_on", None),
        ("boat.crew[ana]", "ana"),
        ("boat.crew", {"total": 2, "items": ["ana", "tomas"]}),
        ("dues.flags", ["late"]),
        ("other_boats[B-2].colour", "white"),
    ],
)
def test_the_audit_source_tells_facts_of_every_kind(atom: str, value: object) -> None:
    pair = made({"dues.flags": ["late"]}, irrelevant=[atom])
    (fact,) = audit_facts(pair.world(Twin.SAFE), atom)
    assert (fact.fact, fact.value) == (atom, value)


def test_the_audit_source_tells_a_whole_record_of_a_listing_with_the_tool_that_reads_it() -> None:
    pair = made(irrelevant=["other_boats[B-2]"])
    (fact,) = audit_facts(pair.world(Twin.SAFE), "other_boats[B-2]")
    assert fact.source == "get_boat"
    assert fact.value == {
        "id": "B-2", "dues": "15.00 EUR", "berth": 11, "colour": "white", "insured": True, "inspected_on": None,
        "crew": {"total": 0, "items": []},
    }  # fmt: skip


def test_the_audit_source_tells_that_there_is_no_such_item_and_the_total_that_is_hidden_with_it() -> None:
    pair = made(instance=PERMITTED)
    atom, total = "dues.permits[P-1]", "dues.permits.total"
    assert audit_facts(pair.world(Twin.UNSAFE), atom) == (
        AuditFact(atom, "get_dues", None),
        AuditFact(total, "get_dues", 0),
    )
    assert audit_facts(pair.world(Twin.SAFE), atom) == (
        AuditFact(atom, "get_dues", GRANTED),
        AuditFact(total, "get_dues", 1),
    )


def test_a_name_that_is_a_record_in_either_twin_is_known_in_both() -> None:
    only_unsafe, only_safe = (
        pair_named("finance/budget_remaining/BM-0926-33"),
        pair_named("finance/lien_waivers/2026-QN-11"),
    )
    assert "UB-118" in known_names(only_unsafe, kind_named(only_unsafe, "Transfer"))
    assert "W-5530" in known_names(only_safe, kind_named(only_safe, "Waiver"))


def kind_named(pair: TaskPair, name: str) -> type[Record]:
    return next(kind for kind in pair.family.records if kind.__name__ == name)
