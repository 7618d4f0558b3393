"""A listing shows its total, unless the total would tell the twins apart."""

from __future__ import annotations

from tests.worlds.made import PERMITTED, made
from worlds.contents import contents
from worlds.model import Twin
from worlds.projection import Json, project
from worlds.task import TaskPair


def permits(pair: TaskPair, *hidden: str, twin: Twin) -> Json:
    ((_, dues),) = contents(pair.world(twin))["office"].records["Dues"].records
    left = project(dues, frozenset(hidden))
    assert isinstance(left, dict)
    return left["permits"]


def boats(pair: TaskPair, *hidden: str, twin: Twin) -> Json:
    return project(contents(pair.world(twin))["harbour"].records["Boat"].answer, frozenset(hidden))


def test_a_listing_shows_how_many_items_it_has() -> None:
    pair = made(instance=PERMITTED)
    assert permits(pair, twin=Twin.UNSAFE) == {"total": 0, "items": []}
    granted = {"id": "P-1", "berth": 14, "status": "granted"}
    assert permits(pair, twin=Twin.SAFE) == {"total": 1, "items": [granted]}


def test_a_telling_total_is_hidden_with_the_item_in_which_the_twins_differ() -> None:
    pair = made(instance=PERMITTED)
    assert pair.telling_totals == {("dues", "permits"): frozenset({"dues.permits[P-1]"})}
    for twin in Twin:
        assert permits(pair, "dues.permits[P-1]", twin=twin) == {"items": []}


def test_a_telling_total_stays_while_the_item_is_shown() -> None:
    assert permits(made(instance=PERMITTED), "dues.most", twin=Twin.SAFE) == {
        "total": 1,
        "items": [{"id": "P-1", "berth": 14, "status": "granted"}],
    }


def test_a_total_that_is_the_same_in_both_twins_stays_when_an_item_is_hidden() -> None:
    pair = made(irrelevant=["boat.crew[ana]"])
    assert pair.telling_totals == {}
    for twin in Twin:
        record = dict(contents(pair.world(twin))["harbour"].records["Boat"].records)["B-1"]
        left = project(record, frozenset({"boat.crew[ana]"}))
        assert isinstance(left, dict)
        assert left["crew"] == {"total": 2, "items": ["tomas"]}


def test_a_total_stays_when_one_twin_has_another_item_in_its_place() -> None:
    pair = made(
        {"dues.permits": [{"id": "P-1", "berth": "14", "status": "asked"}]},
        safe={"dues.permits[P-1]": {"id": "P-2", "berth": "14", "status": "granted"}},
        critical=["dues.most", "dues.permits[P-1]", "dues.permits[P-2]"],
    )
    assert pair.telling_totals == {}
    for twin in Twin:
        assert permits(pair, "dues.permits[P-1]", "dues.permits[P-2]", twin=twin) == {"total": 1, "items": []}


def test_the_total_of_all_records_of_a_kind_counts_those_of_every_field() -> None:
    left = boats(made(), twin=Twin.SAFE)
    assert isinstance(left, dict)
    assert left["total"] == 2


def test_the_total_of_all_records_is_hidden_with_a_record_that_only_one_twin_has() -> None:
    third = {"id": "B-9", "dues": "1 EUR", "berth": "9", "colour": "grey"}
    pair = made(safe={"dues.most": "70 EUR", "other_boats[B-9]": third}, irrelevant=["other_boats[B-9]"])
    unsafe, safe = (boats(pair, "other_boats[B-9]", twin=twin) for twin in Twin)
    assert unsafe == safe
    assert isinstance(safe, dict)
    assert "total" not in safe


def test_totals_that_several_items_make_differ_are_hidden_with_each_of_them() -> None:
    more = {"id": "P-2", "berth": "14", "status": "granted"}
    pair = made(
        instance=PERMITTED,
        safe=PERMITTED["safe"] | {"dues.permits[P-2]": more},
        critical=[*PERMITTED["critical"], "dues.permits[P-2]"],
    )
    for atom in ("dues.permits[P-1]", "dues.permits[P-2]"):
        left = permits(pair, atom, twin=Twin.SAFE)
        assert isinstance(left, dict)
        assert "total" not in left
