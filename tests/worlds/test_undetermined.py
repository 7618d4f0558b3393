"""A hidden fact reads as missing, and nothing can be concluded from a listing that may hold more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.worlds.made import State, made
from worlds.model import Listing, Twin, Undetermined, Value
from worlds.reading import answers, visible
from worlds.task import TaskPair


def seen(pair: TaskPair, *hidden: str, twin: Twin = Twin.SAFE) -> State:
    """What the ordinary reads show of one twin under a mask."""
    state = visible(pair, answers(pair.world(twin)), frozenset(hidden))
    assert isinstance(state, State)
    return state


def test_a_hidden_fact_raises_with_its_path_when_it_is_read() -> None:
    state = seen(made(), "dues.most")
    with pytest.raises(Undetermined, match=r"dues\.most is not known") as lacking:
        _ = state.dues.most
    assert lacking.value.path == "dues.most"


def test_a_fact_that_is_shown_reads_as_its_value() -> None:
    state = seen(made(), "dues.most")
    assert state.boat.berth == 14
    assert state.boat.inspected_on is None


def test_a_name_that_is_no_field_is_an_ordinary_error() -> None:
    with pytest.raises(AttributeError):
        _ = seen(made()).boat.sails


def test_a_hidden_field_of_an_item_raises_with_the_path_of_the_item() -> None:
    pair = made(irrelevant=["other_boats[B-2].colour"])
    (other,) = seen(pair, "other_boats[B-2].colour").other_boats
    with pytest.raises(Undetermined, match=r"other_boats\[B-2\]\.colour"):
        _ = other.colour


def incomplete(*items: str) -> Listing[str]:
    return Listing(items, complete=False, where="boat.crew")


def test_a_complete_listing_is_like_a_tuple() -> None:
    crew = Listing(["ana", "tomas"])
    assert (len(crew), list(crew), "ana" in crew, "eve" in crew) == (2, ["ana", "tomas"], True, False)
    assert (crew.get("ana"), crew.get("eve")) == ("ana", None)


def test_what_is_visible_of_an_incomplete_listing_can_be_found() -> None:
    crew = incomplete("ana", "tomas")
    assert crew.visible == ("ana", "tomas")
    assert crew.get("tomas") == "tomas"
    assert "ana" in crew


def test_an_item_that_may_be_hidden_is_not_taken_for_absent() -> None:
    with pytest.raises(Undetermined, match=r"boat\.crew\[eve\] is not known"):
        incomplete("ana").get("eve")


LOOKS: dict[str, Callable[[Listing[str]], object]] = {
    "counting it": len,
    "asking whether it is empty": bool,
    "going through it": list,
    "making a set of it": set,
    "sorting it": sorted,
    "looking for what is not there": lambda crew: "eve" in crew,
    "joining its texts": ", ".join,
    "taking the greatest": max,
    "spreading it": lambda crew: [*crew],
    "going backwards": lambda crew: list(reversed(crew)),
    "comparing it with another": lambda crew: crew == ("ana",),
    "asking whether it differs": lambda crew: crew != ("ana",),
    "ordering it before another": lambda crew: crew < ("zoe",),
    "adding more to it": lambda crew: (*crew, "eve"),
    "joining it to another": lambda crew: crew + ("eve",),  # noqa: RUF005
    "taking the first": lambda crew: crew[0],
    "taking the last": lambda crew: crew[-1],
    "taking a part": lambda crew: crew[:1],
    "counting one": lambda crew: crew.count("eve"),
    "asking for a place": lambda crew: crew.index("ana"),
}


@pytest.mark.parametrize("look", LOOKS)
def test_an_incomplete_listing_cannot_be_looked_at_as_a_whole(look: str) -> None:
    LOOKS[look](Listing(["ana"]))
    with pytest.raises(Undetermined, match=r"boat\.crew"):
        LOOKS[look](incomplete("ana"))


def test_an_item_that_shows_is_met_before_the_missing_ones_are_missed() -> None:
    assert any(name == "ana" for name in incomplete("ana"))
    with pytest.raises(Undetermined):
        any(name == "eve" for name in incomplete("ana"))


def test_a_listing_is_incomplete_when_an_item_is_hidden() -> None:
    crew = seen(made(irrelevant=["boat.crew[ana]"]), "boat.crew[ana]").boat.crew
    assert crew.visible == ("tomas",)
    assert not crew.complete


def test_a_listing_is_incomplete_when_its_total_is_hidden_even_if_no_item_is() -> None:
    pair = made(
        safe={"dues.permits[P-1]": {"id": "P-1", "berth": "14", "status": "granted"}},
        critical=["dues.most", "dues.permits[P-1]"],
    )
    permits = seen(pair, "dues.permits[P-1]", twin=Twin.UNSAFE).dues.permits
    assert permits.visible == ()
    assert not permits.complete
    assert seen(pair, twin=Twin.UNSAFE).dues.permits.complete


def test_a_listing_that_is_hidden_whole_is_unknown_and_not_empty() -> None:
    crew = seen(made(irrelevant=["boat.crew"]), "boat.crew").boat.crew
    with pytest.raises(Undetermined, match=r"boat\.crew\[\]"):
        len(crew)
    with pytest.raises(Undetermined, match=r"boat\.crew\[ana\]"):
        crew.get("ana")


class Place(Value):
    town: str
    zone: str


def place(where: str, **known: str) -> Place:
    """A group of facts as `reading` makes it of what is shown."""
    partial = Place.model_construct(_fields_set=set(known))
    object.__setattr__(partial, "__dict__", dict(known))
    partial._where = where
    return partial


def test_two_groups_that_show_the_same_facts_are_equal_wherever_they_stand() -> None:
    assert place("order.sent_to", town="Umeå", zone="n") == place("customer.lives_in", town="Umeå", zone="n")
    assert place("order.sent_to", town="Umeå", zone="n") != place("customer.lives_in", town="Borås", zone="n")


def test_groups_of_which_a_part_is_hidden_are_not_taken_for_equal_or_different() -> None:
    with pytest.raises(Undetermined):
        _ = place("order.sent_to", town="Umeå") == place("customer.lives_in", town="Umeå")


def test_facts_cannot_be_changed() -> None:
    state = made().world(Twin.SAFE).state
    with pytest.raises(ValueError, match="frozen"):
        state.boat.colour = "red"
