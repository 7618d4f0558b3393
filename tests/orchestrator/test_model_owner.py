"""A model may listen for the owner: it picks facts of the intent, and the owner says what the intent says."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from mcp import ClientSession
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from orchestrator.agents.agent import Infrastructure
from orchestrator.episode import run_episode
from orchestrator.model_owner import facts_in, model_ear
from servers.hearing import Ear
from worlds.catalogue import task_named
from worlds.episode import Condition
from worlds.model import Setting, Twin

TASK = task_named("contact/movers_certificate")
CONDITION = Condition(TASK.path, Twin.UNSAFE, Setting.FULL)
INTENT = TASK.world(Twin.UNSAFE).file.intent


def ear(says: str) -> Ear:
    def answers(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(says if "piano" in str(messages) else "nothing")])

    return model_ear("made:up", FunctionModel(answers))


class Asks:
    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        await sessions["owner"].call_tool("ask", {"question": "Hmm, and who carries the piano?"})
        return "Nothing was sent."


@pytest.mark.parametrize(("says", "fact"), [("mover", "mover"), ("unanswered", ""), ("I think it is the mover", "")])
async def test_what_the_model_hears_decides_and_what_is_said_is_the_intents(says: str, fact: str) -> None:
    episode = await run_episode(TASK, CONDITION, Asks(), ear=ear(says))
    (asked,) = [row for row in episode.final_state["owner"] if row.tool == "asked" and row.arguments["way"] == "tool"]
    assert asked.arguments["fact"] == fact
    said = {each.fact: each.says for each in INTENT}
    if fact:
        assert asked.arguments["answer"] == said[fact]
    else:
        assert asked.arguments["answer"] not in said.values()


async def test_a_model_that_fails_is_a_failure_of_ours_and_no_grade() -> None:
    def fails(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise ConnectionError("away")

    with pytest.raises(Infrastructure):
        await run_episode(TASK, CONDITION, Asks(), ear=model_ear("made:up", FunctionModel(fails)))


def test_only_names_of_facts_are_facts() -> None:
    assert facts_in("nothing", INTENT) == ()
    assert facts_in("mover, elevator", INTENT) == ("mover", "elevator")
    assert facts_in("the weather, mover", INTENT) == ("", "mover")
    assert facts_in("", INTENT) == ("",)
