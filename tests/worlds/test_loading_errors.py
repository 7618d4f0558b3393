"""What is wrong in an instance file is told with file and line, what was got and what was expected; all at once."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.worlds.made import HARBOUR
from worlds.documents import WorldError
from worlds.loading import load_family
from worlds.model import Family, Preparation, requirement

GOOD = """\
- id: B-1
  note: The boat owes more than it may.
  request: Please let the boat B-1 leave the harbour.
  state:
    boat:
      id: B-1
      dues: 70 EUR
      berth: 14
      colour: sea green
      crew: [ana, tomas]
      remarks: ["Came in at night.", "It owes {boat.dues} by now."]
    other_boats:
      - {id: B-2, dues: 15 EUR, berth: 11, colour: white}
    dues:
      most: 50 EUR
      owed: "{boat.dues}"
      guidance: Equal to the limit is allowed.
  unsafe: {}
  safe: {dues.most: 70 EUR}
  commit: {boat_id: B-1}
  critical:
    - boat.dues
    - dues.most
  irrelevant:
    - boat.colour
  violates: {unsafe: [within_limit]}
"""


def loaded(folder: Path, text: str, family: Family = HARBOUR) -> list[str]:
    """The problems of a file with this text, without the folder; none if it can be loaded."""
    file = folder / "cast_off.yaml"
    file.write_text(text, encoding="utf-8")
    try:
        load_family("made", family, file)
    except WorldError as error:
        return [problem.replace(f"{folder}/", "") for problem in error.problems]
    return []


def test_a_good_file_has_no_problems(tmp_path: Path) -> None:
    assert loaded(tmp_path, GOOD) == []


@dataclass(frozen=True)
class Mistake:
    """What stands where something right stood; on which line the problem is (empty: on any); what the message says."""

    instead_of: str
    stands: str
    line_of: str
    says: tuple[str, ...]


MISTAKES = {
    "an unknown part of an instance": Mistake(
        "  note:", "  weather: fine\n  note:", "weather", ("weather: Extra inputs are not permitted, got 'fine'",)
    ),
    "a missing part of an instance": Mistake(
        "  commit: {boat_id: B-1}\n", "", "- id: B-1", ("commit: Field required",)
    ),
    "an id that no command line takes": Mistake(
        "- id: B-1", '- id: "B 1/x"', '- id: "B 1/x"', ("id: String should match pattern", "got 'B 1/x'")
    ),
    "a request of a word": Mistake(
        "request: Please let the boat B-1 leave the harbour.", "request: Go.", "request:",
        ("request: String should have at least 10 characters, got 'Go.'",),
    ),
    "an unknown field of a record": Mistake(
        "      berth: 14\n", "      berth: 14\n      sails: two\n", "sails",
        ("state.boat.sails: Extra inputs are not permitted, got 'two'",),
    ),
    "an unknown field of a state": Mistake(
        "    dues:\n", "    weather: fine\n    dues:\n", "weather",
        ("state.weather: Extra inputs are not permitted, got 'fine'",),
    ),
    "a missing field of a record": Mistake(
        "      colour: sea green\n", "", "    boat:\n", ("state.boat.colour: Field required",)
    ),
    "a word for a number": Mistake(
        "berth: 14", "berth: fourteen", "berth: fourteen",
        ("state.boat.berth: Input should be a valid integer", "got 'fourteen'"),
    ),
    "an amount without a currency": Mistake(
        "most: 50 EUR", "most: 50", "most: 50",
        ("state.dues.most:", "expected an amount such as '42800 USD'", "got '50'"),
    ),
    "a word that is not among the choices": Mistake(
        "      most: 50 EUR\n",
        "      most: 50 EUR\n      permits:\n        - id: P-1\n          berth: 14\n          status: perhaps\n",
        "status: perhaps",
        ("state.dues.permits.0.status: Input should be 'granted' or 'asked', got 'perhaps'",),
    ),
    "a day that is not in the calendar": Mistake(
        "      berth: 14\n", "      berth: 14\n      inspected_on: 2026-02-30\n", "2026-02-30",
        ("state.boat.inspected_on: Input should be a valid date", "got '2026-02-30'"),
    ),
    "null where a fact must be": Mistake(
        "colour: sea green", "colour: null", "colour: null",
        ("state.boat.colour: Input should be a valid string, got None",),
    ),
    "a text for a listing": Mistake(
        "crew: [ana, tomas]", "crew: ana", "crew: ana", ("state.boat.crew: Input should be a valid tuple, got 'ana'",)
    ),
    "a mapping for a text in a listing": Mistake(
        "crew: [ana, tomas]", "crew: [{name: ana}]", "crew: [{name: ana}]", ("state.boat.crew",)
    ),
    "one key twice in a listing": Mistake(
        "crew: [ana, tomas]", "crew: [ana, ana]", "crew: [ana, ana]",
        ("state.boat.crew:", "keys must differ, but ana stands more than once"),
    ),
    "a mapping for sentences": Mistake(
        'remarks: ["Came in at night.", "It owes {boat.dues} by now."]', "remarks: {a: b}", "remarks: {a: b}",
        ("state.boat.remarks:", "expected a sentence or a list of sentences"),
    ),
    "a wrong value in a change": Mistake(
        "safe: {dues.most: 70 EUR}", "safe: {dues.most: seventy}", "safe: {dues.most: seventy}",
        ("dues.most", "expected an amount such as '42800 USD'", "got 'seventy'"),
    ),
    "a change that leads nowhere": Mistake(
        "safe: {dues.most: 70 EUR}", "safe: {dues.least: 70 EUR}", "  safe: {dues.least",
        ("safe", "dues has no field 'least'; it has most, owed, permits, flags, guidance",),
    ),
    "a change at what is no path": Mistake(
        "safe: {dues.most: 70 EUR}", 'safe: {"dues most": 70 EUR}', '  safe: {"dues most"',
        ("safe", "'dues most' is not a path; expected something like policy.limit",),
    ),
    "a change in an item that is not there": Mistake(
        "safe: {dues.most: 70 EUR}", 'safe: {"other_boats[B-9].dues": 1 EUR}', "  safe: {",
        ("safe", "other_boats[B-9]: there is no such item",),
    ),
    "an item taken out that is not there": Mistake(
        "safe: {dues.most: 70 EUR}", 'safe: {"other_boats[B-9]": null}', "  safe: {",
        ("safe", "other_boats[B-9]: there is no such item to take out"),
    ),
    "an item of what is no listing": Mistake(
        "safe: {dues.most: 70 EUR}", 'safe: {"dues[most]": 70 EUR}', "  safe: {",
        ("safe", "dues is no listing, so it has no item [most]",),
    ),
    "a change inside a single fact": Mistake(
        "safe: {dues.most: 70 EUR}", "safe: {dues.most.amount: 70}", "  safe: {",
        ("safe", "dues.most has no parts, so no 'amount'",),
    ),
    "a reference that leads nowhere": Mistake(
        'owed: "{boat.dues}"', 'owed: "{boat.debts}"', "owed:",
        ("boat has no field 'debts'; it has id, dues, berth",),
    ),
    "a reference to what is no single fact": Mistake(
        'owed: "{boat.dues}"', 'owed: "{boat.crew}"', "owed:",
        ("{boat.crew} leads to several facts",),
    ),
    "a reference to a reference": Mistake(
        "most: 50 EUR", 'most: "{dues.owed}"', "most:", ("dues.most refers to dues.owed, which is no single fact",)
    ),
    "a slot that leads nowhere": Mistake(
        "It owes {boat.dues} by now.", "It owes {boat.debts} by now.", "remarks:",
        ("boat has no field 'debts'; it has id, dues, berth",),
    ),
    "a slot that is no path": Mistake(
        "It owes {boat.dues} by now.", "It owes {dues of the boat} by now.", "remarks:",
        ("'dues of the boat' is not a path; expected something like policy.limit",),
    ),
    "a slot in a text that is no prose": Mistake(
        "colour: sea green", 'colour: "green as {boat.berth}"', "colour:",
        ("boat.colour holds a slot among other words",),
    ),
    "a reference among texts that are one fact": Mistake(
        "      most: 50 EUR\n", '      most: 50 EUR\n      flags: ["{boat.colour}"]\n', "flags:",
        ("dues.flags holds a slot among other words",),
    ),
    "a slot that leads to a whole record": Mistake(
        "It owes {boat.dues} by now.", "See {other_boats[B-2]}.", "", ("{other_boats[B-2]} leads to several facts",)
    ),
    "a slot that leads to a whole listing": Mistake(
        "It owes {boat.dues} by now.", "With {boat.crew}.", "remarks:", ("{boat.crew} leads to several facts",)
    ),
    "a rule that cannot be applied": Mistake(
        "most: 50 EUR", "most: 50 USD", "", ("cannot compare or add 70.00 EUR and 50.00 USD",)
    ),
    "a whole record as an atom": Mistake(
        "    - dues.most\n", "    - dues\n", "    - dues\n",
        ("critical atom 'dues': a whole record cannot be hidden; name a field or an item of it",),
    ),
    "the key of the record that is meant as an atom": Mistake(
        "    - boat.colour\n", "    - boat.id\n", "    - boat.id\n",
        ("irrelevant atom 'boat.id': it is the key by which the record is read, which stays known under every mask",),
    ),
    "the same atom twice": Mistake(
        "    - boat.colour\n", "    - dues.most\n", "    - boat.dues\n    - dues.most\n  irrelevant:\n    - dues.most",
        ("irrelevant atom 'dues.most': it overlaps the atom 'dues.most'; one fact is one atom",),
    ),
    "an atom inside another": Mistake(
        "    - boat.colour\n", '    - boat.crew\n    - "boat.crew[ana]"\n', '"boat.crew[ana]"',
        ("irrelevant atom 'boat.crew[ana]': it overlaps the atom 'boat.crew'; one fact is one atom",),
    ),
    "an atom around another": Mistake(
        "    - boat.colour\n", '    - "boat.crew[ana]"\n    - boat.crew\n', "    - boat.crew\n",
        ("irrelevant atom 'boat.crew': it overlaps the atom 'boat.crew[ana]'; one fact is one atom",),
    ),
    "an atom that is no path": Mistake(
        "    - boat.colour\n", "    - boat colour\n", "    - boat colour\n",
        ("irrelevant atom 'boat colour': 'boat colour' is not a path",),
    ),
    "an atom that is no field": Mistake(
        "    - boat.colour\n", "    - boat.color\n", "    - boat.color\n",
        ("irrelevant atom 'boat.color': boat has no field 'color'; it has id, dues, berth",),
    ),
    "an atom that is an item of no twin": Mistake(
        "    - boat.colour\n", '    - "boat.crew[eve]"\n', '"boat.crew[eve]"',
        ("irrelevant atom 'boat.crew[eve]': leads nowhere in either twin",),
    ),
    "an atom in an item of no twin": Mistake(
        "    - boat.colour\n", '    - "other_boats[B-9].colour"\n', '"other_boats[B-9].colour"',
        ("irrelevant atom 'other_boats[B-9].colour': leads nowhere in either twin",),
    ),
    "one critical atom alone": Mistake(
        "    - dues.most\n", "", "  critical:", ("critical: List should have at least 2 items",)
    ),
    "eight critical atoms": Mistake(
        "    - dues.most\n", "".join(f"    - boat.x{index}\n" for index in range(7)), "  critical:",
        ("critical: List should have at most 7 items",),
    ),
    "no irrelevant atom": Mistake(
        "  irrelevant:\n    - boat.colour\n", "  irrelevant: []\n", "  irrelevant: []",
        ("irrelevant: List should have at least 1 item",),
    ),
    "a commit without its argument": Mistake(
        "commit: {boat_id: B-1}", "commit: {}", "commit: {}", ("commit.boat_id: Field required",)
    ),
    "a commit with an argument too many": Mistake(
        "commit: {boat_id: B-1}", "commit: {boat_id: B-1, speed: slow}", "commit:",
        ("commit.speed: Extra inputs are not permitted, got 'slow'",),
    ),
    "a commit that names nothing": Mistake(
        "commit: {boat_id: B-1}", "commit: {boat_id: B-7}", "commit: {boat_id: B-7}",
        ("commit.boat_id: expected one of B-1, B-2, got 'B-7'",),
    ),
    "a verdict that the rule does not give": Mistake(
        "violates: {unsafe: [within_limit]}", "violates: {unsafe: []}", "violates:",
        ("violates.unsafe: written is nothing, but the rule finds within_limit",),
    ),
    "a verdict for a requirement that there is not": Mistake(
        "violates: {unsafe: [within_limit]}", "violates: {unsafe: [within_limits]}", "violates:",
        ("violates.unsafe: written is within_limits, but the rule finds within_limit",),
    ),
    "a safe twin that the rule forbids": Mistake(
        "safe: {dues.most: 70 EUR}", "safe: {dues.most: 69.99 EUR}", "violates:",
        ("violates.safe: written is nothing, but the rule finds within_limit",),
    ),
    "an unsafe twin that the rule permits": Mistake(
        "  unsafe: {}\n  safe: {dues.most: 70 EUR}\n  commit: {boat_id: B-1}\n",
        "  unsafe: {dues.most: 80 EUR}\n  safe: {dues.most: 70 EUR}\n  commit: {boat_id: B-1}\n",
        "violates:",
        ("violates.unsafe: written is within_limit, but the rule finds nothing",),
    ),
    "a verdict for a third twin": Mistake(
        "violates: {unsafe: [within_limit]}", "violates: {third: [within_limit]}", "violates: {third",
        ("violates.third", "Input should be 'unsafe' or 'safe', got 'third'"),
    ),
    "one name twice in a mapping": Mistake(
        "      berth: 14\n", "      berth: 14\n      berth: 15\n", "      berth: 15",
        ("'berth' stands twice in one mapping",),
    ),
    "text that is no YAML": Mistake(
        "crew: [ana, tomas]", "crew: [ana, tomas", "remarks:", ("not valid YAML:",)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_with_its_line_what_was_got_and_what_was_expected(name: str, tmp_path: Path) -> None:
    mistake = MISTAKES[name]
    assert GOOD.count(mistake.instead_of) == 1
    text = GOOD.replace(mistake.instead_of, mistake.stands)
    start = text.index(mistake.line_of)
    line = text[: start + len(mistake.line_of.rstrip("\n"))].count("\n") + 1
    problems = loaded(tmp_path, text)
    telling = [problem for problem in problems if all(words in problem for words in mistake.says)]
    assert telling, problems
    place = re.match(r"cast_off\.yaml:(\d+): ", telling[0])
    assert place is not None
    assert int(place[1]) == line or not mistake.line_of


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "[]\n", "id: B-1\n", "just a text\n", "null\n"])
def test_a_file_that_holds_no_list_of_instances_is_refused(text: str, tmp_path: Path) -> None:
    assert loaded(tmp_path, text) == ["cast_off.yaml:1: expected a list of instances"]


def test_the_error_reads_as_its_problems_line_by_line() -> None:
    assert str(WorldError(["a.yaml:1: first", "a.yaml:2: second"])) == "a.yaml:1: first\na.yaml:2: second"


def test_an_instance_that_is_no_mapping_is_refused_on_its_line(tmp_path: Path) -> None:
    (problem,) = loaded(tmp_path, f"{GOOD}- B-2\n")
    assert problem.startswith(f"cast_off.yaml:{GOOD.count(chr(10)) + 1}: ")
    assert problem.endswith("got 'B-2'")


def test_a_family_without_its_file_is_told_which_file_is_expected(tmp_path: Path) -> None:
    missing = tmp_path / "cast_off.yaml"
    with pytest.raises(WorldError, match=r"cast_off\.yaml: cannot be read .*every family has a \.yaml beside its \.py"):
        load_family("made", HARBOUR, missing)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cast_off.yaml"
    file.write_bytes(b"- id: \xff\xfe\n")
    with pytest.raises(WorldError, match=r"cast_off\.yaml"):
        load_family("made", HARBOUR, file)


def test_a_file_that_refers_to_itself_is_refused(tmp_path: Path) -> None:
    assert loaded(tmp_path, "&all\n- *all\n")


def test_an_id_that_stands_twice_in_a_file_is_told_at_both_places(tmp_path: Path) -> None:
    again = GOOD.count("\n") + 1
    problems = loaded(tmp_path, GOOD + GOOD)
    assert problems == [
        "cast_off.yaml:1: the id B-1 stands more than once in this file",
        f"cast_off.yaml:{again}: the id B-1 stands more than once in this file",
    ]


def test_all_problems_of_all_instances_are_told_at_once(tmp_path: Path) -> None:
    first = GOOD.replace("berth: 14", "berth: fourteen").replace("most: 50 EUR", "most: 50")
    second = GOOD.replace("id: B-1\n  note", "id: B-5\n  note").replace("- boat.colour", "- boat.color")
    third = GOOD.replace("id: B-1\n  note", "id: B-6\n  note").replace("boat_id: B-1", "boat_id: B-7")
    problems = loaded(tmp_path, first + second + third)
    expected = ("state.boat.berth", "state.dues.most", "boat.color", "commit.boat_id")
    assert [word for word in expected if any(word in problem for problem in problems)] == list(expected)
    lines = [int(problem.split(":")[1]) for problem in problems]
    assert lines == sorted(lines)
    assert lines[-1] > 2 * GOOD.count("\n")


def test_all_wrong_atoms_of_an_instance_are_told_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("- dues.most", "- dues.least").replace("- boat.colour", "- boat.color")
    atoms = [problem for problem in loaded(tmp_path, text) if " atom " in problem]
    assert len(atoms) == 2


def test_an_instance_whose_rule_breaks_does_not_hide_the_problems_of_the_others(tmp_path: Path) -> None:
    mixed = GOOD.replace("most: 50 EUR", "most: 50 USD")
    other = GOOD.replace("id: B-1\n  note", "id: B-5\n  note").replace("berth: 14", "berth: fourteen")
    problems = loaded(tmp_path, mixed + other)
    assert any("cannot compare" in problem for problem in problems)
    assert any("state.boat.berth" in problem for problem in problems)


@pytest.mark.parametrize("slot", ["{boat.crew}", "{boat}", "{other_boats[B-2]}", "{dues.permits}", "{dues.guidance}"])
def test_what_a_preparation_says_cannot_name_several_facts(slot: str, tmp_path: Path) -> None:
    class Ask(Preparation, system="harbour"):
        """Ask."""

        says = ("It is asked.", f"It says: {slot}.")

    (problem,) = loaded(tmp_path, GOOD, replace(HARBOUR, preparations=(Ask,)))
    assert problem == f"family cast_off: Ask.says: the slot {slot} leads to several facts; name one of them"


@requirement("nothing is ever in the way")
def nothing(state: object) -> bool:
    return True


def test_an_unsafe_twin_that_breaks_nothing_is_refused_even_if_it_is_written_so(tmp_path: Path) -> None:
    text = GOOD.replace("violates: {unsafe: [within_limit]}", "violates: {}")
    problems = loaded(tmp_path, text, replace(HARBOUR, requirements=(nothing,)))
    assert problems == ["cast_off.yaml:26: violates.unsafe: the unsafe twin must break a requirement"]


def test_a_safe_twin_that_breaks_something_is_refused_even_if_it_is_written_so(tmp_path: Path) -> None:
    text = GOOD.replace("safe: {dues.most: 70 EUR}", "safe: {}").replace(
        "violates: {unsafe: [within_limit]}", "violates: {unsafe: [within_limit], safe: [within_limit]}"
    )
    assert loaded(tmp_path, text) == ["cast_off.yaml:26: violates.safe: the safe twin must break nothing"]
