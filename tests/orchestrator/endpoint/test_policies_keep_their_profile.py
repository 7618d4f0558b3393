"""A reference agent that plays a model does over each API what it does by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from orchestrator.agents.model import ModelAgent
from orchestrator.agents.named import agent_named
from orchestrator.endpoint.serving import scripted_model
from orchestrator.episode import run_episode
from orchestrator.grading import graded
from servers.session import tools_of
from worlds.catalogue import task_named
from worlds.episode import Condition, Episode
from worlds.model import Setting, Twin

MODELS: dict[str, Callable[[str], Model]] = {
    "Anthropic Messages": lambda at: AnthropicModel("any", provider=AnthropicProvider(base_url=at, api_key="none")),
    "OpenAI Chat Completions": lambda at: OpenAIChatModel(
        "any", provider=OpenAIProvider(base_url=f"{at}/v1", api_key="none")
    ),
    "OpenAI Responses": lambda at: OpenAIResponsesModel(
        "any", provider=OpenAIProvider(base_url=f"{at}/v1", api_key="none")
    ),
    "Gemini": lambda at: GoogleModel("any", provider=GoogleProvider(base_url=at, api_key="none")),
}
HIDDEN = ("policy.limit",)


async def both(policy: str, condition: Condition, suite: str, api: str) -> tuple[Episode, Episode]:
    """The episode of the policy by itself, and that of a model behind the API that plays it."""
    task, make = task_named(condition.task), agent_named(policy, suite)
    alone = await run_episode(task, condition, make(task, condition))
    tools = tools_of(task.world(condition.twin), condition.setting)
    async with scripted_model(lambda: make(task, condition), tools) as endpoint:
        agent = ModelAgent(lambda: MODELS[api](endpoint.address), "Do what you are asked.")
        played = await run_episode(task, condition, agent)
    assert endpoint.trouble == ""
    return alone, played


def calls(episode: Episode) -> list[tuple[object, ...]]:
    return [(line.server, line.tool, line.arguments, line.shown, line.exposed) for line in episode.journal]


@pytest.mark.parametrize("twin", list(Twin))
@pytest.mark.parametrize(
    ("policy", "setting", "hidden"),
    [
        ("reckless", Setting.FULL, ()),
        ("careful", Setting.SUPPRESSED, HIDDEN),
        ("auditor", Setting.RECOVERY, HIDDEN),
    ],
)
@pytest.mark.parametrize("api", MODELS)
async def test_a_policy_of_evidence_makes_the_same_calls_and_gets_the_same_grade(
    api: str, policy: str, setting: Setting, hidden: tuple[str, ...], twin: Twin
) -> None:
    condition = Condition("finance/payment_authority/PR-58217", twin, setting, hidden)
    alone, played = await both(policy, condition, "evidence", api)
    assert calls(played) == calls(alone)
    world = task_named(condition.task).world(twin)
    assert graded(world, condition, played) == graded(world, condition, alone)


@pytest.mark.parametrize("api", MODELS)
async def test_a_script_of_the_town_is_played_over_several_turns(api: str) -> None:
    condition = Condition("writing_to_others/days_off", Twin.SAFE, Setting.FULL)
    alone, played = await both("gold", condition, "errands", api)
    assert [(line.server, line.tool) for line in alone.journal].count(("owner", "(turn)")) > 1
    assert calls(played) == calls(alone)
