"""A fact that a mask hides is shown by nothing in town, and found by no search."""

from __future__ import annotations

from worlds.catalogue import task_named
from worlds.model import Twin
from worlds.projection import ABSENT, exposed, project
from worlds.town.evidence import marked, shown_text
from worlds.town.town import Action, Town
from worlds.town.written import Fact

ADDRESS = Fact(text="office@reyesmovers.example", source="mailbox")
FACTS = {"mover": ADDRESS}


def test_a_field_that_shows_a_fact_carries_its_atom_in_whatever_letters_it_stands() -> None:
    evidence = marked({"from": "Office@ReyesMovers.example", "subject": "Quote"}, FACTS)
    assert list(exposed(evidence)) == ["mover"]
    assert project(evidence, frozenset({"mover"})) == {"subject": "Quote"}


def test_of_a_text_only_the_sentence_that_shows_the_fact_is_hidden() -> None:
    evidence = marked("Hello. Write to office@reyesmovers.example today. Regards.", FACTS)
    assert project(evidence, frozenset({"mover"})) == "Hello. Regards."
    assert project(evidence, frozenset()) == "Hello. Write to office@reyesmovers.example today. Regards."


def test_a_fact_that_reaches_over_the_end_of_a_sentence_hides_the_whole_text() -> None:
    facts = {"place": Fact(text="Mill Lane. Eastfield", source="notes")}
    assert project(marked("Post goes to Mill Lane. Eastfield as before.", facts), frozenset({"place"})) is ABSENT


def test_a_fact_broken_over_lines_is_hidden_too() -> None:
    facts = {"place": Fact(text="Mill Lane 88", source="notes")}
    assert project(marked("Post goes to Mill\nLane 88 as before.", facts), frozenset({"place"})) is ABSENT


def test_items_of_lists_are_hidden_one_by_one() -> None:
    evidence = marked({"to": ["noor@post.example", "office@reyesmovers.example"]}, FACTS)
    assert project(evidence, frozenset({"mover"})) == {"to": ["noor@post.example"]}


def test_a_text_without_hidden_facts_stays_as_it_is() -> None:
    assert shown_text("One.\nTwo.  Three.", {}) == "One.\nTwo.  Three."
    assert shown_text("One.\nTwo.  Three.", FACTS) == "One.\nTwo.  Three."


def test_a_search_finds_a_mail_by_what_is_shown_of_it_and_not_by_what_is_hidden() -> None:
    world = task_named("contact/movers_certificate").world(Twin.SAFE)
    text = next(iter(world.file.facts.values())).text
    asked = Action(seq=1, server="mailbox", tool="search", arguments={"text": text})
    shown, hidden = Town(world).act(asked).content, Town(world, frozenset(world.file.facts)).act(asked).content
    assert shown is not None
    assert shown["mails"]
    assert hidden == {"mails": []}
