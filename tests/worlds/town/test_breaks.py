"""What broke the town once: facts that came out through a side door, and arguments that no tool was ready for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worlds.town.homes import Home, world
from worlds.projection import ABSENT, project
from worlds.town.evidence import marked
from worlds.town.task import TownWorld
from worlds.town.town import Action, Town
from worlds.town.written import Fact

NAME = Fact(text="Rosalind Vane", source="mailbox")
MASK = frozenset({"name"})
KNOWN = {"contacts": [{"name": "Rosalind Vane", "phone": "+1 555 0199"}]}
CHARGED = {
    "cards": [{"id": "blue", "name": "Blue", "last4": "1234", "limit": "900.00 USD", "spent": "0.00 USD"}],
    "charges": [
        {"card": "blue", "payee": "Rosalind Vane", "at": "2026-09-01 10:00", "amount": "20.00 USD", "what": "Lesson"}
    ],
}


def hiding(**household: Any) -> Town:
    """A town with this household, in which the name is hidden."""
    there = world([], "2026-10-05 09:00", household)
    file = there.file.model_copy(update={"facts": {"name": NAME}})
    return Town(TownWorld(there.task, there.twin, file, there.household, there.businesses), MASK)


def act(town: Town, server: str, tool: str, **arguments: Any) -> Any:
    return town.act(Action(seq=1, server=server, tool=tool, arguments=arguments))


def test_a_fact_that_a_quoted_mail_breaks_over_lines_is_hidden() -> None:
    quoted = "As you say.\n\nOn 2026-10-01 noor wrote:\n> Please ask Rosalind\n> Vane about it."
    assert project(marked(quoted, {"name": NAME}), MASK) is ABSENT


def test_a_fact_is_hidden_where_it_is_broken_even_if_it_stands_whole_elsewhere() -> None:
    text = "Rosalind Vane calls. Then ask Rosalind\nVane again."
    assert project(marked(text, {"name": NAME}), MASK) is ABSENT


def test_a_field_whose_name_is_a_fact_is_hidden() -> None:
    assert project(marked({"options": {"Rosalind Vane": ["a"], "other": ["b"]}}, {"name": NAME}), MASK) == {
        "options": {"other": ["b"]}
    }


def test_who_was_paid_cannot_be_spelled_out_letter_by_letter() -> None:
    town = hiding(**CHARGED)
    there, not_there = (act(town, "wallet", "list_charges", payee=part) for part in ("Rosal", "Xyzzy"))
    assert there == not_there


def test_a_name_in_the_contacts_cannot_be_spelled_out_letter_by_letter() -> None:
    town = hiding(**KNOWN)
    there, not_there = (act(town, "messages", "message_person", to=part, text="Hello") for part in ("rosal", "xyzzy"))
    assert there.refused.replace("rosal", "xyzzy") == not_there.refused


@pytest.mark.parametrize("digits", [20, 40, 5000])
def test_an_amount_that_nobody_has_is_refused(digits: int) -> None:
    assert "more than can be paid" in Home().refused("wallet.transfer", to="x", amount="9" * digits + " USD")


def test_a_sum_as_large_as_a_thing_of_this_world_is_only_not_covered() -> None:
    assert "does not cover" in Home().refused("wallet.transfer", to="x", amount="999,999,999.00 USD")


@pytest.mark.parametrize("at", ["9999-12-31 23:59", "0001-01-01", "0900-01-01 10:00"])
def test_no_time_can_be_named_after_which_time_would_end(at: str) -> None:
    home = Home()
    assert "does not reach" in home.refused("notes.add_reminder", at=at, text="x")
    assert "does not reach" in home.refused("owner.wait", until=at)


def test_after_a_wait_of_centuries_a_call_still_takes_a_minute() -> None:
    home = Home()
    home("notes.add_reminder", at="2199-12-31 23:59", text="x")
    while not home("owner.wait")["now"].startswith("2199"):
        pass
    assert home("owner.wait")["now"] == "2200-01-02 00:00"
    assert home("calendar.find_events", text="x")
