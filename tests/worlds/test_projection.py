"""What is left of evidence under a mask, and how evidence is stored."""

from __future__ import annotations

import json

import pytest

from worlds.projection import ABSENT, Evidence, Json, Sentences, exposed, from_stored, project, to_stored


def fact(value: str | int | bool | None, *atoms: str) -> Evidence:
    return Evidence(value, frozenset(atoms))


SENT_TO = frozenset({"order.sent_to"})
ORDER = Evidence(
    {
        "id": fact("SO-1"),
        "amount": fact("70.00 EUR", "order.amount"),
        "cancelled": fact(None, "order.cancelled"),
        "gift": fact(False),
        "lines": Evidence(
            {
                "total": fact(2, "order.lines[b]"),
                "items": Evidence((fact("a"), fact("b", "order.lines[b]"))),
            }
        ),
        "sent_to": Evidence({"town": fact("Umeå"), "zone": fact(3, "order.sent_to.zone")}, SENT_TO),
        "notes": Evidence(
            Sentences(
                (
                    fact("It comes to 70.00 EUR.", "order.amount"),
                    fact("Call first."),
                    fact("70.00 EUR to zone 3.", "order.amount", "order.sent_to.zone"),
                )
            )
        ),
    }
)

WHOLE: Json = {
    "id": "SO-1",
    "amount": "70.00 EUR",
    "cancelled": None,
    "gift": False,
    "lines": {"total": 2, "items": ["a", "b"]},
    "sent_to": {"town": "Umeå", "zone": 3},
    "notes": "It comes to 70.00 EUR. Call first. 70.00 EUR to zone 3.",
}


def left(*hidden: str) -> dict[str, Json]:
    content = project(ORDER, frozenset(hidden))
    assert isinstance(content, dict)
    return content


def test_without_a_mask_everything_is_shown() -> None:
    assert left() == WHOLE


def test_a_hidden_field_leaves_no_key_no_null_and_no_hint() -> None:
    assert isinstance(WHOLE, dict)
    for atom, key in (("order.cancelled", "cancelled"), ("order.sent_to", "sent_to")):
        shown = left(atom)
        assert shown == {name: value for name, value in WHOLE.items() if name != key}
        assert list(shown) == [name for name in WHOLE if name != key]


def test_null_is_a_value_and_is_shown() -> None:
    assert left("order.amount")["cancelled"] is None


def test_a_hidden_part_of_a_group_leaves_the_rest_of_the_group() -> None:
    assert left("order.sent_to.zone")["sent_to"] == {"town": "Umeå"}


def test_a_hidden_item_leaves_no_gap() -> None:
    assert left("order.lines[b]")["lines"] == {"items": ["a"]}


def test_a_fact_is_hidden_in_every_place() -> None:
    shown = left("order.amount")
    assert "amount" not in shown
    assert shown["notes"] == "Call first."
    assert "70" not in json.dumps(shown)


def test_a_hidden_sentence_leaves_the_others_joined_as_if_it_had_never_been() -> None:
    assert left("order.sent_to.zone")["notes"] == "It comes to 70.00 EUR. Call first."


def test_a_text_without_sentences_is_absent() -> None:
    assert project(Evidence(Sentences(())), frozenset()) is ABSENT
    assert project(Evidence(Sentences((fact("Only this.", "a"),))), frozenset({"a"})) is ABSENT


def test_a_part_of_several_facts_goes_with_any_of_them() -> None:
    both = fact("a and b", "a", "b")
    assert project(both, frozenset({"a"})) is ABSENT
    assert project(both, frozenset({"b", "c"})) is ABSENT
    assert project(both, frozenset({"c"})) == "a and b"


def test_a_group_of_which_everything_is_hidden_is_an_empty_group() -> None:
    assert project(Evidence({"a": fact(1, "a")}), frozenset({"a"})) == {}
    assert project(Evidence((fact(1, "a"),)), frozenset({"a"})) == []


def test_the_exposed_atoms_count_one_for_each_place_that_is_shown() -> None:
    assert sorted(exposed(ORDER)) == [
        "order.amount", "order.amount", "order.amount", "order.cancelled", "order.lines[b]", "order.lines[b]",
        "order.sent_to", "order.sent_to.zone", "order.sent_to.zone",
    ]  # fmt: skip


def test_what_is_hidden_exposes_nothing() -> None:
    assert "order.amount" not in set(exposed(ORDER, frozenset({"order.amount"})))
    address = Evidence({"zone": fact(3, "order.sent_to.zone")}, SENT_TO)
    assert list(exposed(address, SENT_TO)) == []


def test_a_sentence_that_is_hidden_for_one_fact_does_not_expose_the_other() -> None:
    sentence = Evidence(Sentences((fact("a and b", "a", "b"),)))
    assert list(exposed(sentence, frozenset({"a"}))) == []


@pytest.mark.parametrize(
    "evidence",
    [
        ORDER,
        fact(None),
        fact(True, "a"),
        fact(0, "a", "b"),
        fact("", "a"),
        fact("ünï \u2028 \U0001f980"),
        fact(-(10**30)),
        Evidence({}),
        Evidence(()),
        Evidence(Sentences(()), frozenset({"a"})),
        Evidence({"v": fact(1), "a": fact(2), "f": Evidence(()), "i": Evidence({})}),
    ],
)
def test_stored_evidence_reads_back_as_it_was(evidence: Evidence) -> None:
    stored = json.loads(json.dumps(to_stored(evidence), ensure_ascii=False))
    again = from_stored(stored)
    assert again == evidence
    assert type(again.content) is type(evidence.content)


def test_evidence_is_stored_the_same_whatever_the_order_of_its_atoms() -> None:
    assert json.dumps(to_stored(fact(1, "b", "a", "c"))) == json.dumps(to_stored(fact(1, "c", "b", "a")))


@pytest.mark.parametrize(
    "stored",
    [None, [], "text", {"a": []}, {"a": [], "x": 1}, {"a": [], "v": 1.5}, {"a": [], "v": [1]}, {"a": 1, "v": 1}],
)
def test_what_is_no_stored_evidence_is_refused(stored: Json) -> None:
    with pytest.raises(ValueError, match="not stored evidence"):
        from_stored(stored)
