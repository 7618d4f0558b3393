"""A fact in a second place: references, and sentences with slots. Hiding the fact hides every place."""

from __future__ import annotations

import pytest

from tests.worlds.made import made
from worlds.contents import contents
from worlds.documents import WorldError
from worlds.model import Twin
from worlds.projection import Absent, Json, project
from worlds.task import TaskPair


def shown(pair: TaskPair, *hidden: str, twin: Twin = Twin.UNSAFE) -> dict[str, dict[str, Json]]:
    """What is left of each record under a mask, by key; the office's under its kind."""
    found: dict[str, dict[str, Json]] = {}
    for held in contents(pair.world(twin)).values():
        for kind, table in held.records.items():
            for key, record in table.records:
                left = project(record, frozenset(hidden))
                if isinstance(left, dict):
                    found[key or kind] = left
    return found


def test_a_reference_shows_the_fact_that_it_repeats() -> None:
    assert shown(made())["Dues"]["owed"] == "70.00 EUR"


def test_a_reference_follows_the_twin() -> None:
    pair = made(unsafe={"boat.dues": "90 EUR"}, safe={"boat.dues": "40 EUR"}, irrelevant=["boat.colour"])
    assert [shown(pair, twin=twin)["Dues"]["owed"] for twin in Twin] == ["90.00 EUR", "40.00 EUR"]


def test_hiding_a_fact_hides_the_fields_that_repeat_it() -> None:
    left = shown(made(), "boat.dues")
    assert "dues" not in left["B-1"]
    assert "owed" not in left["Dues"]
    assert "70" not in repr(left)


def test_hiding_another_fact_leaves_a_reference_alone() -> None:
    assert shown(made(), "dues.most")["Dues"]["owed"] == "70.00 EUR"


def test_a_reference_to_a_fact_inside_a_hidden_item_goes_with_the_item() -> None:
    pair = made({"dues.owed": "{other_boats[B-2].dues}"}, irrelevant=["other_boats[B-2]"])
    assert "owed" not in shown(pair, "other_boats[B-2]")["Dues"]


def test_a_reference_to_what_is_not_there_says_that_there_is_nothing() -> None:
    third = {"id": "B-9", "dues": "1 EUR", "berth": "9", "colour": "grey"}
    pair = made(
        {"dues.owed": "{other_boats[B-9].dues}"},
        safe={"dues.most": "70 EUR", "other_boats[B-9]": third},
        irrelevant=["other_boats[B-9]"],
    )
    assert [shown(pair, twin=twin)["Dues"]["owed"] for twin in Twin] == [None, "1.00 EUR"]
    assert all("owed" not in shown(pair, "other_boats[B-9]", twin=twin)["Dues"] for twin in Twin)


def test_sentences_are_shown_as_one_text_with_their_slots_filled() -> None:
    assert shown(made())["B-1"]["remarks"] == "Came in at night. It owes 70.00 EUR by now."


def test_hiding_a_fact_drops_the_sentences_that_tell_it_and_keeps_the_others() -> None:
    assert shown(made(), "boat.dues")["B-1"]["remarks"] == "Came in at night."


def test_a_text_that_loses_every_sentence_is_absent() -> None:
    pair = made({"boat.remarks": ["It owes {boat.dues}.", "{boat.dues} is what it owes."]})
    assert "remarks" not in shown(pair, "boat.dues")["B-1"]


def test_a_sentence_with_two_slots_goes_with_either_fact() -> None:
    pair = made({"dues.guidance": ["At {dues.most}, {boat.dues} is too much.", "Ask."]})
    assert shown(pair, "boat.dues")["Dues"]["guidance"] == "Ask."
    assert shown(pair, "dues.most")["Dues"]["guidance"] == "Ask."
    assert shown(pair)["Dues"]["guidance"] == "At 50.00 EUR, 70.00 EUR is too much. Ask."


def test_a_sentence_whose_slot_is_null_is_left_out() -> None:
    written = {"boat.remarks": ["Inspected on {boat.inspected_on}.", "Came in at night."]}
    assert shown(made(written))["B-1"]["remarks"] == "Came in at night."
    dated = made(written | {"boat.inspected_on": "2026-03-01"})
    assert shown(dated)["B-1"]["remarks"] == "Inspected on 2026-03-01. Came in at night."


def test_a_sentence_about_an_item_that_is_not_there_is_left_out() -> None:
    pair = made(
        {"dues.guidance": ["P-1 is {dues.permits[P-1].status}.", "Ask."]},
        safe={"dues.permits[P-1]": {"id": "P-1", "berth": "14", "status": "granted"}},
        critical=["dues.most", "dues.permits[P-1]"],
    )
    assert [shown(pair, twin=twin)["Dues"]["guidance"] for twin in Twin] == ["Ask.", "P-1 is granted. Ask."]
    hidden = [shown(pair, "dues.permits[P-1]", twin=twin)["Dues"] for twin in Twin]
    assert hidden[0] == hidden[1]


def test_a_sentence_about_an_item_goes_when_the_item_or_its_fact_is_hidden() -> None:
    written = {"boat.remarks": ["Beside it lies a {other_boats[B-2].colour} one."]}
    for atom in ("other_boats[B-2]", "other_boats[B-2].colour"):
        pair = made(written, irrelevant=[atom])
        assert "remarks" in shown(pair)["B-1"]
        assert "remarks" not in shown(pair, atom)["B-1"]


def test_a_sentence_cannot_name_a_whole_listing_of_which_an_item_may_be_hidden() -> None:
    with pytest.raises(WorldError, match=r"\{boat\.crew\} leads to several facts; name one of them"):
        made({"boat.remarks": ["With {boat.crew} on board."]}, irrelevant=["boat.crew[ana]"])


def test_what_a_preparation_says_is_prose_too() -> None:
    says = contents(made().world(Twin.SAFE))["harbour"].answers["warm_up"]
    assert project(says, frozenset()) == "The engine is warm. The boat owes 70.00 EUR."
    assert project(says, frozenset({"boat.dues"})) == "The engine is warm."


@pytest.mark.parametrize(
    ("path", "value", "sentence", "text"),
    [
        ("boat.insured", "true", "Insured: {boat.insured}.", "Insured: yes."),
        ("boat.insured", "false", "Insured: {boat.insured}.", "Insured: no."),
        ("dues.flags", ["late", "loud"], "Marked {dues.flags}.", "Marked late, loud."),
        ("boat.berth", "7", "At berth {boat.berth}.", "At berth 7."),
        ("dues.owed", "1200 EUR", "Owes {dues.owed}.", "Owes 1,200.00 EUR."),
    ],
)
def test_facts_of_every_kind_stand_in_a_sentence_as_people_write_them(
    path: str, value: str | list[str], sentence: str, text: str
) -> None:
    assert (
        shown(made({path: list(value) if isinstance(value, list) else value, "boat.remarks": sentence}))["B-1"][
            "remarks"
        ]
        == text
    )


def test_a_hidden_record_of_a_listing_is_absent_altogether() -> None:
    pair = made(irrelevant=["other_boats[B-2]"])
    assert "B-2" not in shown(pair, "other_boats[B-2]")
    held = contents(pair.world(Twin.SAFE))["harbour"].records["Boat"]
    assert isinstance(project(dict(held.records)["B-2"], frozenset({"other_boats[B-2]"})), Absent)
