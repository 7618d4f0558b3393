"""Rules as data: what is refused, what an expression may do, and that those of the town leave no act out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from servers.guard.alone import load_consent
from servers.guard.expressions import Unknown, worth
from servers.guard.rules import Rule, Rules, RulesError, Told, act_of, load_rules, with_lets
from servers.guard.town import town_rules
from worlds.catalogue import task_named
from worlds.episode import CallKind
from worlds.model import Twin
from worlds.town.catalogue import TOWN_SUITES
from worlds.town.task import TownWorld
from worlds.town.town import Town
from worlds.values import Money

HARMLESS = {
    "answer_invitation",  # judged only where it accepts
    "cancel_booking",
    "cancel_order",
    "change_note",
    "change_order_address",
    "delete",
    "delete_note",
    "delete_task",
    "dispute_charge",
    "start_thread",
}
"""Acts that cost nothing, bind nobody and reach nobody: what they may lose the guard does not cover in the town."""


@cache
def worlds() -> tuple[TownWorld, ...]:
    return tuple(
        task.world(twin)
        for suite in TOWN_SUITES
        for task in (task_named(path) for path in suite.files)
        for twin in task.twins
    )


def act(rule: dict[str, object], **names: object):  # type: ignore[no-untyped-def]  # what it gives is looked into
    read = Rule.model_validate({"tool": "t", **rule})
    told = Told({"server": "s", "tool": "t", "kept": {}, **names})
    with_lets(read, told)
    return act_of(read, told, Rules(rules=()), {})


def test_every_act_that_a_tool_of_the_town_can_do_has_a_rule() -> None:
    rules, left = town_rules(), set()
    for world in worlds():
        if world.twin is not Twin.SAFE:
            continue  # the tools are the same in both
        town = Town(world)
        for (server, name), tool in town.tools.items():
            there = frozenset(each.name for each in town.places[server].tools())
            rule = rules.of(server, name, there)
            if tool.kind is CallKind.COMMIT and (rule is None or not rule.acts):
                left.add(name)
    assert left <= HARMLESS


def test_every_form_that_binds_is_known_to_the_rules_and_no_other() -> None:
    forms = {
        f"{business.server}/{form.id}": form.commits
        for world in worlds()
        for business in world.businesses.values()
        for form in business.forms
    }
    assert set(town_rules().known["binding"]) == {name for name, commits in forms.items() if commits}


def test_every_protected_outcome_stands_in_the_table() -> None:
    lines = {line.outcome: line for line in town_rules().covers}
    assert set(lines) == {"contact", "commitment", "privacy", "claim", "loss"}
    assert all(line.covered or line.not_covered for line in lines.values())


GUARD_PAGE = (Path(__file__).parents[3] / "docs" / "guard.md").read_text(encoding="utf-8")


def test_the_table_of_the_docs_is_that_of_the_rules() -> None:
    for line in town_rules().covers:
        assert f"| {line.outcome} | {line.covered} | {line.not_covered} |" in GUARD_PAGE


def test_the_examples_of_the_docs_can_be_used(tmp_path: Path) -> None:
    consent, rules = re.findall(r"```yaml\n(.*?)```", GUARD_PAGE, flags=re.DOTALL)
    (tmp_path / "consent.yaml").write_text(consent)
    (tmp_path / "rules.yaml").write_text(rules)
    standing = load_consent(tmp_path / "consent.yaml").standing
    assert standing.may_contact("carla@post.example")
    assert standing.may_commit("order at papercrane")
    assert not standing.may_contact("amos@post.example")
    assert len(load_rules(tmp_path / "rules.yaml").rules) == 3


def test_every_part_of_a_rule_is_documented() -> None:
    for part in Rule.model_fields:
        assert f"`{part}`" in GUARD_PAGE, part


def test_a_file_with_several_faults_tells_each_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text("unknown: maybe\nrules:\n  - tool: send\n    contacts: 'to +'\n    sends: x\n")
    with pytest.raises(RulesError) as raised:
        load_rules(file)
    told = str(raised.value)
    assert "rules.yaml:1: unknown" in told
    assert "rules.yaml:4: rules.0.contacts" in told
    assert "no expression" in told
    assert "rules.0.sends" in told


@pytest.mark.parametrize("text", ["- a", "rules: {", ""])
def test_what_is_no_file_of_rules_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(text)
    with pytest.raises(RulesError):
        load_rules(file)


def test_expressions_are_kept_in_a_sandbox() -> None:
    with pytest.raises(Unknown):
        worth("''.__class__.__mro__", {})


def test_a_field_is_read_even_if_it_is_called_like_a_method() -> None:
    assert worth("cart.items | length", {"cart": {"items": [1, 2]}}) == 2


def test_a_name_that_is_missing_is_unknown_and_not_empty() -> None:
    found = act({"contacts": "to + cc"}, to=["a@x.example"])
    assert found.recipients == ()
    assert "cc" in found.unknown[0]


def test_a_let_that_does_not_come_out_is_unknown_only_for_what_names_it() -> None:
    rule = {"lets": {"price": "offer.price"}, "contacts": "[to]"}
    assert act(rule, to="a@x.example").unknown == ()
    assert act({**rule, "spends": "price"}, to="a@x.example").unknown


def test_a_rule_can_say_in_its_own_words_what_cannot_be_told() -> None:
    assert act({"spends": "not_shown", "unclear": "no price is shown"}).unknown == ("no price is shown",)


def test_arguments_of_a_wrong_form_are_unknown() -> None:
    assert act({"contacts": "to"}, to={"a": 1}).unknown
    assert act({"spends": "amount"}, amount="a lot").unknown


def test_amounts_are_added_and_multiplied() -> None:
    assert worth("(price | money) * 2", {"price": "3.50 USD"}) == Money.parse("7 USD")
    assert worth("[a, b] | total", {"a": "3.50 USD", "b": "1 USD"}) == Money.parse("4.50 USD")


def test_lists_within_lists_are_laid_flat() -> None:
    days = [{"day": "mon", "slots": [{"id": 1}, {"id": 2}]}, {"day": "tue", "slots": [{"id": 3}]}]
    assert worth("days | flat('slots') | selectattr('id', 'equalto', 3) | first", {"days": days}) == {
        "day": "tue",
        "id": 3,
    }


@pytest.mark.parametrize(
    ("dialled", "reached"),
    [("555 0142", "+15550142"), ("+1 555 0142", "+1 555 0142"), ("1 555 0142", "1 555 0142"), ("911", "911")],
)
def test_a_number_dialled_without_its_country_is_completed(dialled: str, reached: str) -> None:
    assert worth("number | dialled('1')", {"number": dialled}) == reached
