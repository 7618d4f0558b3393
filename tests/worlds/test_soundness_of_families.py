"""What every host needs of a family's names and tools, and what a family must declare."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.worlds.made import HARBOUR, Boat, CastOff, Dues, State, WarmUp
from worlds.model import Commit, Family, Listing, Preparation, Record, Value, WorldState
from worlds.soundness import family_problems, tools_of


def family(names: dict[str, str | None], systems: int = 2) -> Family:
    """A family with records of so many systems; `names` are those of the first record's and the commit's tools."""

    class Thing(Record, system="first", read=names.get("read", "get_thing"), list=names.get("list"), key="id"):
        """A thing."""

        id: str

    kinds: dict[str, type[Record]] = {"thing": Thing}
    for number in range(1, systems):

        class More(Record, system=f"system_{number}", read=f"get_more_{number}"):
            """More."""

            note: str

        kinds[f"more_{number}"] = More

    state = type("Things", (WorldState,), {"__annotations__": kinds, "__module__": __name__})
    commit = type(names.get("commit") or "DoIt", (Commit,), {"__module__": __name__}, system="first")
    described = {"first": "The first."} | {f"system_{number}": "More." for number in range(1, systems)}
    return Family("things", "It may be done.", described, state, commit, ())


def problems(found: Family) -> list[str]:
    return list(family_problems(found))


def test_a_sound_family_has_no_problems() -> None:
    assert problems(HARBOUR) == []
    assert [problems(family({}, systems=count)) for count in (2, 3, 4)] == [[], [], []]


@pytest.mark.parametrize("count", [1, 5])
def test_a_family_has_two_to_four_systems(count: int) -> None:
    assert problems(family({}, systems=count)) == [
        f"family things: expected two to four systems of record, got {count}"
    ]


@pytest.mark.parametrize("name", ["Get_thing", "get-thing", "get thing", "1_thing", "get_thïng", "", "audit", "g" * 37])
def test_a_tool_has_a_name_that_every_host_takes(name: str) -> None:
    (problem,) = problems(family({"list": name or "_"}))
    assert repr(name or "_") in problem
    assert "must be a-z, 0-9 and _, at most 36 letters, and not 'audit'" in problem


@pytest.mark.parametrize("name", ["Office", "the-office", "audit", "o" * 21])
def test_a_system_has_a_name_that_every_host_takes(name: str) -> None:
    class Office(Record, system=name, read="get_office"):
        """The office."""

        note: str

    class Offices(WorldState):
        boat: Boat
        office: Office

    made = Family("offices", "It may go.", {"harbour": "Boats.", name: "It."}, Offices, CastOff, ())
    (problem,) = problems(made)
    assert repr(name) in problem
    assert "at most 20 letters" in problem


def test_the_longest_names_are_allowed() -> None:
    assert problems(family({"list": "g" * 36})) == []


def test_no_two_tools_are_alike() -> None:
    assert problems(family({"list": "get_thing"})) == ["family things: two tools are called 'get_thing'"]
    assert problems(family({"commit": "Escalate"})) == ["family things: two tools are called 'escalate'"]
    assert problems(family({"commit": "GetThing"})) == ["family things: two tools are called 'get_thing'"]


def test_a_world_offers_at_most_forty_tools() -> None:
    steps = [type(f"Step{number}", (Preparation,), {}, system="first") for number in range(37)]
    most = replace(family({}), preparations=tuple(steps[:36]))
    assert len(tools_of(most)) + 1 == 40
    assert problems(most) == []
    assert problems(replace(most, preparations=tuple(steps))) == ["family things: expected at most 40 tools, got 41"]


def test_a_rule_states_no_number() -> None:
    (problem,) = problems(replace(HARBOUR, rule="At most 50 EUR may be owed."))
    assert "the rule is always shown, so it may state no number" in problem


def test_the_tools_of_a_family_are_its_reads_its_preparations_and_its_commit() -> None:
    assert tools_of(HARBOUR) == ["get_boat", "list_boats", "search_boats", "get_dues", "warm_up", "cast_off"]


def test_a_tools_name_is_its_class_in_small_letters_with_underscores() -> None:
    assert (CastOff.tool, WarmUp.tool) == ("cast_off", "warm_up")


@pytest.mark.parametrize("systems", [{"harbour": "Boats."}, {"harbour": "Boats.", "office": "Dues.", "yard": "More."}])
def test_a_family_describes_exactly_the_systems_that_it_uses(systems: dict[str, str]) -> None:
    with pytest.raises(TypeError, match=r"family cast_off: systems are \['harbour', 'office'\], but described are"):
        replace(HARBOUR, systems=systems)


def test_records_that_no_tool_returns_are_refused() -> None:
    class Silent(Record, system="office", search="search_silent", key="id"):
        """Only found by a search."""

        id: str

    class WithSilent(State):
        silent: Silent

    class WithSilents(State):
        silents: Listing[Silent] = Listing()

    for state in (WithSilent, WithSilents):
        with pytest.raises(TypeError, match="no tool returns the records of the state's field 'silent"):
            replace(HARBOUR, state=state)


def test_a_state_holds_records_and_nothing_else() -> None:
    class WithNumber(State):
        number: int

    with pytest.raises(TypeError, match="a state's fields are a Record or a Listing of Records, not"):
        replace(HARBOUR, state=WithNumber)


@pytest.mark.filterwarnings("ignore:Field name")
@pytest.mark.parametrize("name", ["key", "access", "system", "tool", "says"])
def test_a_field_with_a_name_that_the_model_uses_is_refused_at_once(name: str) -> None:
    with pytest.raises(TypeError, match=f"a field cannot be called {name}; rename it"):
        type("Named", (Value,), {"__annotations__": {name: str}, "__module__": __name__})


def test_a_listing_of_values_without_a_key_is_refused() -> None:
    class Nameless(Value):
        text: str

    class Holder(Value):
        items: Listing[Nameless]

    with pytest.raises(TypeError, match="Nameless is listed but declares no key"):
        Holder.model_validate({"items": [{"text": "a"}]})


def test_the_kinds_of_record_and_their_fields_stand_in_the_order_of_the_state() -> None:
    assert HARBOUR.records == (Boat, Dues)
    assert HARBOUR.fields_of == {Boat: ("boat", "other_boats"), Dues: ("dues",)}
