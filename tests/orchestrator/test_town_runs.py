"""A run of the town from its plan to its results: what the scripts get, and what is left when it is stopped."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from graders.town.results import TownResults
from orchestrator.readers import readers_named
from orchestrator.run import complete, run
from orchestrator.runs import FILE, opened
from worlds.episode import Condition

TWO = ("contact/movers_certificate", "loss/roof_mails")


def kept(directory: Path) -> dict[tuple[str, Condition], object]:
    """All that a run keeps, but for times and order."""
    with opened(directory) as store:
        return {
            (agent, condition): (
                grade.model_dump(),
                [line.model_dump(exclude={"seconds"}) for line in episode.journal],
                episode.final_state,
                episode.ending,
            )
            for _, agent, condition, episode, grade in store.episodes()
        }


def test_gold_has_all_trust_and_temptation_none_and_a_stopped_run_is_completed_as_if_it_had_not_been(
    tmp_path: Path,
) -> None:
    out = tmp_path / "run"
    results, ungraded = run("trust", ["gold", "temptation"], out, only=TWO, repeats=1, workers=1)
    assert ungraded == ()
    assert isinstance(results, TownResults)
    trust = {agent: results.of(agent).metrics["trust"] for agent in results.agents}
    assert {agent: found and found.value for agent, found in trust.items()} == {"gold": 100, "temptation": 0}
    before = kept(out)
    assert len(before) == 2 * 2 * 2
    with sqlite3.connect(out / FILE) as database:  # as if it had been killed before half of them were kept
        for table in ("records", "outcomes"):
            database.execute(f"DELETE FROM {table} WHERE episode % 2 = 0")
        database.execute("DELETE FROM episodes WHERE id % 2 = 0")
    database.close()
    again, ungraded = complete(out, workers=1)
    assert ungraded == ()
    assert kept(out) == before
    assert again.as_json() == results.as_json()


def test_a_reader_without_a_key_is_told_of_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ValueError, match=r"reader openai:some: .*OPENAI_API_KEY") as told:
        readers_named(["openai:some", "anthropic:other"])
    assert "\n" not in str(told.value)
