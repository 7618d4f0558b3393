"""Fresh instances from a seed: the same everywhere, and sound."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from worlds.catalogue import EVIDENCE, Drawing, task_named
from worlds.documents import UnknownTask
from worlds.drawing import Draw, part
from worlds.draws import RECIPES
from worlds.model import Twin

ZONE = timezone(timedelta(hours=2))
DIGESTS = """
import hashlib, json
from worlds.drawing import Draw
from worlds.draws import RECIPES
for path, recipe in sorted(RECIPES.items()):
    drawn = json.dumps([recipe(Draw(path, 5, number)) for number in range(3)])
    print(path, hashlib.sha256(drawn.encode()).hexdigest())
"""


def pick(number: int = 0, seed: int = 7, family: str = "golden") -> Draw:
    return Draw(family, seed, number)


def test_the_values_of_a_seed_never_change() -> None:
    draw = pick(3)
    assert [draw.integer(0, 9) for _ in range(8)] == [7, 7, 9, 4, 5, 5, 0, 2]
    assert draw.integer(-50, 50, 5) == -20
    assert draw.integer(0, 10**15) == 311010669675148
    assert draw.choice("abcdefgh") == "f"
    assert [draw.chance(30) for _ in range(6)] == [True, False, True, False, False, True]
    assert draw.shuffled(range(6)) == [1, 0, 4, 2, 5, 3]
    assert draw.several("abcdef", 3) == ["c", "a", "f"]
    assert draw.decimal("0.9000", "1.1000", "0.0005") == Decimal("1.0050")
    assert draw.day(date(2026, 1, 1), date(2026, 12, 31)) == date(2026, 6, 11)
    first = datetime(2026, 3, 1, 8, tzinfo=ZONE)
    assert draw.moment(first, first + timedelta(days=1)).isoformat() == "2026-03-01T14:50:00+02:00"
    assert draw.identifier("PR-####/??") == "PR-5450/KZ"
    assert (draw.company(("Freight", "Optics")), draw.person(), draw.town()) == (
        "Selthorpe Freight",
        "Ada Ostfield",
        "Quillby",
    )


def test_the_stream_is_sha256_over_its_name_and_a_counter() -> None:
    numbers = [
        int.from_bytes(hashlib.sha256(f"draw|golden|7|3|{index}".encode()).digest()[:8], "big") for index in (0, 1)
    ]
    draw = pick(3)
    assert [draw.integer(0, 999) for _ in numbers] == [number % 1000 for number in numbers]


def test_every_recipe_draws_the_same_in_another_process_with_other_hashes() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "4242"}
    told = subprocess.run(
        [sys.executable, "-c", DIGESTS], env=environment, capture_output=True, text=True, check=True, timeout=120
    ).stdout
    here = [
        f"{path} {hashlib.sha256(json.dumps([recipe(Draw(path, 5, n)) for n in range(3)]).encode()).hexdigest()}"
        for path, recipe in sorted(RECIPES.items())
    ]
    assert told.splitlines() == here


def test_another_family_seed_or_number_is_another_stream() -> None:
    streams = [pick(0), pick(1), pick(0, seed=8), pick(0, family="golden2")]
    drawn = [tuple(stream.integer(0, 10**9) for _ in range(4)) for stream in streams]
    assert len(set(drawn)) == 4


def test_whole_numbers_reach_both_ends_and_keep_their_steps() -> None:
    draw = pick()
    drawn = Counter(draw.integer(10, 30, 5) for _ in range(300))
    assert set(drawn) == {10, 15, 20, 25, 30}
    assert min(drawn.values()) > 30
    assert {draw.integer(4, 4) for _ in range(3)} == {4}


def test_a_chance_is_as_likely_as_it_says() -> None:
    draw = pick()
    assert 230 < sum(draw.chance(25) for _ in range(1000)) < 270 + 30
    assert all(draw.chance(100) for _ in range(50))
    assert not any(draw.chance(0) for _ in range(50))


def test_decimals_days_and_instants_stay_within_their_bounds_and_steps() -> None:
    draw = pick()
    numbers = {draw.decimal("0.95", "1.05", "0.05") for _ in range(60)}
    assert numbers == {Decimal("0.95"), Decimal("1.00"), Decimal("1.05")}
    days = {draw.day(date(2026, 2, 27), date(2026, 3, 2)) for _ in range(80)}
    assert sorted(days) == [date(2026, 2, 27), date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 2)]
    first = datetime(2026, 3, 1, 8, tzinfo=ZONE)
    moments = {draw.moment(first, first + timedelta(minutes=30), 15) for _ in range(60)}
    assert sorted(moments) == [first, first + timedelta(minutes=15), first + timedelta(minutes=30)]
    assert {moment.tzinfo for moment in moments} == {ZONE}


def test_a_shuffle_keeps_everything_and_several_are_different_ones() -> None:
    draw = pick()
    assert sorted(draw.shuffled("abcdef")) == list("abcdef")
    for _ in range(30):
        assert len(set(draw.several("abcdef", 4))) == 4


def test_no_name_is_drawn_twice_in_one_draw() -> None:
    draw = pick()
    made = [draw.identifier("##") for _ in range(60)] + [draw.town() for _ in range(15)]
    made += [draw.person() for _ in range(50)] + [draw.company(("Pumps",)) for _ in range(50)]
    assert len(set(made)) == len(made)


def test_a_pattern_that_is_used_up_is_an_error_and_no_endless_search() -> None:
    draw = pick()
    for _ in range(10):
        draw.identifier("#")
    with pytest.raises(ValueError, match="nothing new is left to draw after 1000 tries"):
        draw.identifier("#")


def test_a_part_that_is_no_mapping_is_named() -> None:
    assert part({"state": {"boat": {"berth": "1"}}}, "state", "boat") == {"berth": "1"}
    with pytest.raises(TypeError, match=r"state\.boat of the drawn instance is no mapping"):
        part({"state": {"boat": "B-1"}}, "state", "boat")


def test_every_family_has_a_recipe() -> None:
    assert sorted(RECIPES) == sorted(EVIDENCE.families)


@pytest.mark.parametrize("domain", list(EVIDENCE.domains))
def test_what_the_recipes_draw_loads_as_pairs_with_opposite_verdicts(domain: str) -> None:
    for family in EVIDENCE.domains[domain]:
        for pair in EVIDENCE.drawn(f"{domain}/{family.name}", seed=20261130, count=3):
            verdicts = [pair.world(twin).judgement.permitted for twin in Twin]
            assert verdicts == [False, True], pair.path
            assert pair.differing
            assert pair.differing <= set(pair.critical), pair.path


def test_a_fresh_pair_is_found_by_its_name() -> None:
    (first, second) = EVIDENCE.drawn("finance/payment_authority", seed=3, count=2)
    assert (first.path, second.path) == (
        "finance/payment_authority/drawn-3-0",
        "finance/payment_authority/drawn-3-1",
    )
    assert task_named(second.path) is second
    assert first.written != second.written


def test_fresh_pairs_are_selected_like_the_written_ones() -> None:
    pairs = EVIDENCE.select(("finance/payment_authority/*",), Drawing(seed=3, per_family=2))
    assert [pair.id for pair in pairs] == ["drawn-3-0", "drawn-3-1"]


def test_no_fresh_pair_is_drawn_of_a_family_that_there_is_not() -> None:
    with pytest.raises(
        UnknownTask, match="suite evidence has no family 'finance/bribes'; it has finance/payment_authority"
    ):
        EVIDENCE.drawn("finance/bribes", seed=1, count=1)
