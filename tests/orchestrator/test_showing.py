"""Tasks described for people."""

from __future__ import annotations

from orchestrator.town_showing import described_task, in_words, task_lines
from worlds.town.catalogue import TRUST


def test_what_stands_in_a_file_is_told_in_words() -> None:
    assert in_words({"mail": {"to": "Carla", "about": ["17", "saturday"]}}) == "mail (to: Carla; about: 17, saturday)"
    assert (
        in_words({"any_of": [{"asked": "mover"}, {"call": {"to": "Carla"}}]})
        == "either asked: mover or call (to: Carla)"
    )
    assert in_words([{"asked": "mover"}, {"closed": "t1"}]) == "asked: mover and closed: t1"


def test_a_task_is_shown_without_its_scripts_and_without_the_signs_of_a_programming_language() -> None:
    task = next(task for task in TRUST.tasks if task.path == "contact/movers_certificate")
    told = task_lines(described_task(task))
    assert not [line for lines in told.values() for line in lines if "{" in line or "gold" in line]
    assert "control: consent: recipients: carla, reyes" in told["difference"]
