"""What a twin changes in the state as written, by path."""

from __future__ import annotations

import pytest

from tests.worlds.made import INSTANCE, State
from worlds.assembly import BadPath, Written, changed, take
from worlds.facts import parse_path

WRITTEN: dict[str, Written] = INSTANCE["state"]


def at(path: str, value: Written, look: str | None = None) -> Written:
    """What stands at `look`, or at the path itself, once the change is made."""
    return take(State, changed(State, WRITTEN, {path: value}), parse_path(look or path))


def test_a_fact_is_replaced() -> None:
    assert at("dues.most", "70 EUR") == "70 EUR"


def test_a_fact_that_was_not_written_is_added() -> None:
    assert at("boat.inspected_on", "2026-03-01") == "2026-03-01"


def test_a_field_of_an_item_is_replaced() -> None:
    assert at("other_boats[B-2].dues", "16 EUR") == "16 EUR"


def test_a_new_item_goes_to_the_end_of_its_listing() -> None:
    assert at("boat.crew[eve]", "eve", "boat.crew") == ["ana", "tomas", "eve"]


def test_a_new_item_makes_a_listing_that_was_not_written() -> None:
    permit: Written = {"id": "P-1", "berth": "14", "status": "granted"}
    assert at("dues.permits[P-1]", permit, "dues.permits") == [permit]


def test_an_item_is_replaced_where_it_stands() -> None:
    assert at("boat.crew[ana]", "eve", "boat.crew") == ["eve", "tomas"]


def test_null_takes_an_item_out() -> None:
    assert at("boat.crew[ana]", None, "boat.crew") == ["tomas"]


def test_null_at_a_field_stays_and_says_that_there_is_nothing() -> None:
    tree = changed(State, WRITTEN, {"boat.inspected_on": None})
    assert isinstance(tree["boat"], dict)
    assert "inspected_on" in tree["boat"]


def test_changes_leave_what_is_written_alone() -> None:
    before = repr(WRITTEN)
    changed(State, WRITTEN, {"boat.crew[ana]": None, "dues.most": "1 EUR", "other_boats[B-2].colour": "red"})
    assert repr(WRITTEN) == before


@pytest.mark.parametrize("path", ["boat.crew[eve]", "other_boats[B-9]", "dues.permits[P-1]"])
def test_what_is_not_there_cannot_be_taken_out(path: str) -> None:
    with pytest.raises(BadPath, match="there is no such item to take out"):
        at(path, None)


def test_nothing_is_found_where_a_path_leads_through_what_is_not_there() -> None:
    assert take(State, WRITTEN, parse_path("other_boats[B-9].dues")) is None
    assert take(State, WRITTEN, parse_path("dues.permits[P-1].status")) is None
