"""The databases: what they hold, and that records never change and effects are never undone, even by SQL."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from servers.store import file_store, final_state, image, memory_stores
from tests.worlds.made import PERMITTED, Boat, CastOff, Dues, State, made
from worlds.contents import audit_facts, contents
from worlds.episode import Effect
from worlds.model import Commit, Family, Record, Twin, WorldState
from worlds.soundness import family_problems

PAIR = made(instance=PERMITTED)
WORLD = PAIR.world(Twin.SAFE)
CASTING_OFF = Effect(seq=3, tool="cast_off", arguments={"boat_id": "B-1", "note": "ünï"})


async def test_a_store_holds_the_evidence_of_its_system() -> None:
    async with memory_stores({name: image(WORLD, name) for name in ("harbour", "office", "audit")}) as stores:
        held = contents(WORLD)
        assert {name: stores[name].held for name in ("harbour", "office")} == held
        assert stores["audit"].held.records == {}
        told = [(atom.name, fact) for atom in PAIR.atoms for fact in audit_facts(WORLD, atom.name)]
        assert list(stores["audit"].facts) == told
        assert stores["harbour"].facts == ()


async def test_effects_are_kept_in_the_store_of_their_server() -> None:
    async with memory_stores({name: image(WORLD, name) for name in ("harbour", "office")}) as stores:
        await stores["harbour"].add_effect(CASTING_OFF)
        await stores["harbour"].add_effect(Effect(seq=1, tool="warm_up", arguments={}))
        state = await final_state(stores)
    assert [effect.seq for effect in state["harbour"]] == [1, 3]
    assert state["harbour"][1] == CASTING_OFF
    assert state["office"] == ()


async def test_two_sessions_of_one_world_have_nothing_in_common() -> None:
    seeds = {"harbour": image(WORLD, "harbour")}
    async with memory_stores(seeds) as ours, memory_stores(seeds) as theirs:
        await ours["harbour"].add_effect(CASTING_OFF)
        assert await theirs["harbour"].effects() == ()


async def test_a_store_in_a_file_keeps_its_effects_after_it_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "harbour.sqlite"
    file.write_bytes(image(WORLD, "harbour"))
    async with file_store(file) as store:
        assert store.held == contents(WORLD)["harbour"]
        await store.add_effect(CASTING_OFF)
    async with file_store(file) as again:
        assert await again.effects() == (CASTING_OFF,)


@pytest.fixture
def database(tmp_path: Path) -> sqlite3.Connection:
    file = tmp_path / "harbour.sqlite"
    file.write_bytes(image(WORLD, "harbour"))
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("INSERT INTO effects VALUES (3, 'cast_off', '{}')")
    return connection


CHANGES = [
    "UPDATE records SET evidence = '{}'",
    "UPDATE records SET key = 'B-7' WHERE key = 'B-1'",
    "DELETE FROM records WHERE key = 'B-1'",
    "INSERT INTO records VALUES ('Boat', 'B-7', 9, '{}')",
    "INSERT OR REPLACE INTO records VALUES ('Boat', 'B-1', 0, '{}')",
    "UPDATE totals SET evidence = '{}'",
    "DELETE FROM totals",
    "INSERT OR REPLACE INTO totals VALUES ('Boat', '{}')",
    "UPDATE answers SET evidence = '{}'",
    "DELETE FROM answers",
    "INSERT INTO answers VALUES ('cast_off', '{}')",
    "INSERT INTO facts VALUES ('a', 'b', 'c', 'd')",
    'UPDATE effects SET arguments = \'{"boat_id": "B-2"}\'',
    "UPDATE effects SET seq = 1",
    "UPDATE OR REPLACE effects SET tool = 'warm_up'",
    "DELETE FROM effects",
    "DELETE FROM effects WHERE seq = 3",
    "INSERT INTO effects VALUES (3, 'warm_up', '{}')",
    "INSERT OR REPLACE INTO effects VALUES (3, 'warm_up', '{}')",
    "REPLACE INTO effects (seq, tool) VALUES (3, 'warm_up')",
    "INSERT INTO effects VALUES (3, 'x', '{}') ON CONFLICT (seq) DO UPDATE SET tool = 'warm_up'",
]


@pytest.mark.parametrize("change", CHANGES)
def test_neither_records_nor_effects_can_be_changed_by_sql(change: str, database: sqlite3.Connection) -> None:
    before = list(database.iterdump())
    with pytest.raises(sqlite3.DatabaseError):
        database.execute(change)
    assert list(database.iterdump()) == before
    database.close()


@pytest.mark.parametrize(
    "change", ["UPDATE facts SET value = '1'", "DELETE FROM facts", "REPLACE INTO facts SELECT * FROM facts"]
)
def test_what_the_audit_source_knows_cannot_be_changed_by_sql(change: str, tmp_path: Path) -> None:
    file = tmp_path / "audit.sqlite"
    file.write_bytes(image(WORLD, "audit"))
    connection = sqlite3.connect(file, isolation_level=None)
    assert connection.execute("SELECT count(*) FROM facts").fetchone()[0] > 3
    with pytest.raises(sqlite3.DatabaseError, match="records never change"):
        connection.execute(change)
    connection.close()


def test_further_effects_can_be_added(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO effects VALUES (4, 'warm_up', '{}')")
    assert database.execute("SELECT count(*) FROM effects").fetchone() == (2,)
    database.close()


@pytest.mark.parametrize("names", [("order", "group"), ("index", "select"), ("main", "temp"), ("table", "values")])
async def test_a_system_may_have_any_name_that_the_check_of_families_allows(names: tuple[str, str]) -> None:
    class Ship(Record, system=names[0], read="get_ship", key="id"):
        """Ship: number."""

        id: str

    class Rules(Record, system=names[1], read="get_rules"):
        """Rules: text."""

        text: str

    class Harbour(WorldState):
        ship: Ship
        rules: Rules

    class Sail(Commit, system=names[0]):
        """Sail."""

    family = Family("sailing", "It may.", dict.fromkeys(names, "It."), Harbour, Sail, ())
    if list(family_problems(family)):
        return  # refused where families are checked
    async with memory_stores(dict.fromkeys(names, image(WORLD, "harbour"))) as stores:
        await stores[names[0]].add_effect(CASTING_OFF)
        assert await stores[names[0]].effects() == (CASTING_OFF,)


def test_an_image_is_the_same_bytes_each_time_it_is_made() -> None:
    first = image(WORLD, "harbour")
    image.cache_clear()
    assert image(WORLD, "harbour") == first
    assert image(PAIR.world(Twin.UNSAFE), "office") != image(WORLD, "office")


def test_the_made_up_family_is_what_these_tests_take_it_for() -> None:
    assert (Boat.access.system, Dues.access.system, CastOff.system) == ("harbour", "office", "harbour")
    assert set(State.model_fields) == {"boat", "other_boats", "dues"}
