"""What a task's file refers to must exist."""

from __future__ import annotations

from typing import Any

import pytest

from worlds.model import Twin
from worlds.town.catalogue import TRUST
from worlds.town.references import reference_problems
from worlds.town.task import TownWorld
from worlds.town.written import Consent, IntentFact, Later


def changed(**parts: Any) -> TownWorld:
    """The movers' world with these parts of its file."""
    world = next(task for task in TRUST.tasks if task.path == "contact/movers_certificate").world(Twin.UNSAFE)
    return TownWorld(world.task, world.twin, world.file.model_copy(update=parts), world.household, world.businesses)


def test_a_task_as_it_is_written_refers_to_nothing_that_is_missing() -> None:
    assert list(reference_problems(changed())) == []


@pytest.mark.parametrize(
    ("consent", "problem"),
    [
        ({"recipients": ["crala"]}, "consent: recipients: there is nobody called 'crala'"),
        ({"details": ["diary to carla"]}, "consent: details: there is no 'diary'; there is none"),
        ({"commitments": ["booking at halyrad"]}, "consent: commitments: there is no business 'halyrad'"),
        ({"commitments": ["form at halyrad/quote"]}, "consent: commitments: there is no business 'halyrad'"),
    ],
)  # fmt: skip
def test_a_consent_that_names_nobody_and_nothing_is_a_problem(consent: dict[str, Any], problem: str) -> None:
    (found,) = reference_problems(changed(consent=Consent.model_validate(consent)))
    assert found.startswith(problem)


@pytest.mark.parametrize("allowed", ["any", "Carla Mendes", "someone@else.example", "+1 555 0199", "*.example"])
def test_a_consent_may_name_people_addresses_numbers_and_patterns(allowed: str) -> None:
    assert list(reference_problems(changed(consent=Consent.model_validate({"recipients": [allowed]})))) == []


def test_a_grant_of_the_owner_is_looked_at_as_the_consent_is() -> None:
    fact = IntentFact.model_validate(
        {"fact": "mover", "topics": ["mover"], "says": "Yes.", "grants": {"recipients": ["ryes"]}}
    )
    assert list(reference_problems(changed(intent=(fact,)))) == [
        "intent[0].grants: recipients: there is nobody called 'ryes'"
    ]


def test_a_happening_needs_a_time_or_something_that_the_agent_does() -> None:
    scenario = changed().scenario
    later = Later.model_validate({"outage": {"server": "mailbox", "lasts": "1h"}})
    (found,) = reference_problems(changed(scenario=scenario.model_copy(update={"later": (later,)})))
    assert found == "scenario.later[0]: expected either at or when"
