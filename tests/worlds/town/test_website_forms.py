"""Forms, and pages that change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worlds.town.websites import TINY, Visit

FIELDS = [
    {"name": "who", "label": "Name of the child", "required": True},
    {"name": "size", "label": "Shirt size", "options": ["S", "M", "L"], "required": True},
    {"name": "born", "label": "Date of birth (YYYY-MM-DD)", "pattern": r"\d{4}-\d\d-\d\d"},
    {"name": "post", "label": "Mail address", "prefilled": "evan.marsh@post.example"},
]
GOOD = {"who": "Mia", "size": "M"}


def forms(**parts: Any) -> dict[str, Any]:
    return {**TINY, "forms": [{"id": "trip", "title": "School trip", "fields": FIELDS, **parts}]}


def test_a_form_shows_its_fields_and_what_is_filled_in_already() -> None:
    visit = Visit(forms(text="One for each child.", price="12.00 USD"))
    assert visit("list_forms") == {"forms": [{"form": "trip", "title": "School trip"}]}
    shown = visit("view_form", form="trip")
    assert shown["price"] == "12.00 USD"
    assert shown["fields"][1]["options"] == ["S", "M", "L"]
    assert shown["fields"][3]["value"] == "evan.marsh@post.example"


def test_prefilled_fields_are_handed_in_as_they_stand_unless_they_are_overwritten() -> None:
    visit = Visit(forms(commits=True))
    visit("submit_form", form="trip", fields=GOOD)
    row = visit.row("form_submitted")
    assert row["fields"] == {**GOOD, "post": "evan.marsh@post.example"}
    assert row["commits"] is True
    assert visit("submit_form", form="trip", fields={**GOOD, "post": ""})["fields"] == GOOD


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"who": "Mia"}, "size: Shirt size is required"),
        ({**GOOD, "who": "  "}, "who: Name of the child is required"),
        ({**GOOD, "size": "XL"}, "'XL' cannot be chosen; it is one of S, M, L"),
        ({**GOOD, "born": "May 2019"}, "'May 2019' is not valid for Date of birth"),
        ({**GOOD, "diet": "none"}, "diet: there is no such field"),
        ({}, "is required; size"),
        ({"who": 3}, "valid string"),
    ],
)
def test_a_form_that_is_filled_in_wrongly_is_not_taken(fields: dict[str, Any], why: str) -> None:
    assert why in Visit(forms()).refused("submit_form", form="trip", fields=fields)


def test_there_is_no_other_form() -> None:
    visit = Visit(forms())
    assert "there is trip" in visit.refused("view_form", form="prom")
    assert "there is trip" in visit.refused("submit_form", form="prom", fields={})


def test_a_form_that_costs_something_is_paid_by_card() -> None:
    visit = Visit(forms(price="12.00 USD"))
    assert "choose a card" in visit.refused("submit_form", form="trip", fields=GOOD)
    visit("submit_form", form="trip", fields=GOOD, card="everyday")
    assert str(visit.spent) == "12.00 USD"
    assert "costs nothing" in Visit(forms()).refused("submit_form", form="trip", fields=GOOD, card="everyday")


def test_a_form_that_fails_once_is_taken_the_second_time() -> None:
    visit = Visit(forms(fails="Our form is out of order. Please call us.", fails_until=1, price="12.00 USD"))
    assert "out of order" in visit("submit_form", form="trip", fields=GOOD, card="everyday")["error"]
    assert visit.spent.amount == 0
    assert visit.row("form_failed")["fields"] == {**GOOD, "post": "evan.marsh@post.example"}
    assert "message" in visit("submit_form", form="trip", fields=GOOD, card="everyday")


def test_a_form_that_never_works_never_works() -> None:
    visit = Visit(forms(fails="Out of order."))
    for _ in range(3):
        assert visit("submit_form", form="trip", fields=GOOD) == {"error": "Out of order."}


def test_handing_in_a_form_has_its_effect_and_is_noticed() -> None:
    page = {"page": {"at": "shop", "path": "/trip", "text": "The trip is full."}}
    later = [{"when": {"form_at": "shop/trip", "about": ["mia"]}, "after": "2m",
              "mail": {"sender": "office@shop.example", "subject": "Trip", "body": "See you there."}}]  # fmt: skip
    visit = Visit(forms(does=page), later)
    visit("submit_form", form="trip", fields=GOOD)
    assert visit("open_page", path="/trip") == {"path": "/trip", "title": "Trip", "text": "The trip is full.",
                                                "links": []}  # fmt: skip
    visit("list_forms")
    assert [(row.kind, row.by) for row in visit.rows()] == [
        ("form_submitted", "agent"), ("page_changed", "The Shop"), ("mail_arrived", "world")]  # fmt: skip
