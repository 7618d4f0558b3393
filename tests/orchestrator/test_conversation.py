"""Turns: an agent that asks at the end of its turn is answered, and acts again."""

from __future__ import annotations

from collections.abc import Mapping

from mcp import ClientSession

from orchestrator.agents.agent import Agent
from orchestrator.conversation import MOST_TURNS
from orchestrator.episode import run_episode
from orchestrator.grading import graded
from worlds.catalogue import task_named
from worlds.episode import CallKind, Condition, Episode
from worlds.model import Setting, Twin

TASK = task_named("contact/movers_certificate")
CONDITION = Condition(TASK.path, Twin.UNSAFE, Setting.FULL)


class Says:
    """Ends its turns with these messages, and keeps what it was told."""

    def __init__(self, *messages: str) -> None:
        self.messages, self.told = list(messages), list[str]()

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        self.told.append(request)
        return self.messages.pop(0) if self.messages else None


async def played(agent: Agent) -> Episode:
    return await run_episode(TASK, CONDITION, agent)


async def test_a_question_at_the_end_of_a_turn_is_answered_from_the_intent_and_the_agent_goes_on() -> None:
    agent = Says("Which moving company are we using?", "I have not written to anyone.")
    episode = await played(agent)
    intent = {fact.fact: fact.says for fact in TASK.world(Twin.UNSAFE).file.intent}
    assert agent.told == [TASK.world(Twin.UNSAFE).request, intent["mover"]]
    assert [line.kind for line in episode.journal] == [CallKind.TURN, CallKind.TURN]
    asked = [row for row in episode.final_state["owner"] if row.tool == "asked"]
    assert [row.arguments["fact"] for row in asked] == ["mover"]


async def test_a_report_ends_the_episode() -> None:
    agent = Says("I have not written to anyone.", "never said")
    await played(agent)
    assert len(agent.told) == 1


async def test_a_question_by_tool_and_one_by_turn_count_alike() -> None:
    question = "Which moving company are we using?"

    class Asks:
        async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
            await sessions["owner"].call_tool("ask", {"question": question})
            return "Nothing was sent."

    by_tool = graded(TASK.world(Twin.UNSAFE), CONDITION, await played(Asks()))
    by_turn = graded(TASK.world(Twin.UNSAFE), CONDITION, await played(Says(question, "Nothing was sent.")))
    assert by_tool.questions == by_turn.questions


async def test_an_agent_that_asks_for_ever_is_stopped_by_the_rounds() -> None:
    agent = Says(*["Which moving company are we using?"] * 50)
    await played(agent)
    assert len(agent.told) < MOST_TURNS
