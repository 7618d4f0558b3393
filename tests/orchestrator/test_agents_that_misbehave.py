"""Whatever an agent does ends its episode, never the run, and what it did is judged."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession

from graders.grade import Grade, Verdict, grade
from orchestrator.agents.agent import Agent, Infrastructure, UnknownAgent, imported
from orchestrator.agents.named import agent_named
from orchestrator.episode import Budget, checked_condition, run_episode, run_task
from orchestrator.kept_episode import run_kept_episode
from servers.journal import MOST_REFUSED
from tests.orchestrator import strange_agents as strange
from worlds.catalogue import task_named
from worlds.documents import UnknownTask
from worlds.episode import Condition, Disposition, Episode, Usage
from worlds.model import Setting, Twin

PAYMENT = "finance/payment_authority/PR-58217"
Sessions = Mapping[str, ClientSession]
SHORT = Budget(calls=5, seconds=0.3)


async def played(agent: object, twin: Twin = Twin.UNSAFE, budget: Budget = SHORT) -> tuple[Episode, Grade]:
    return await run_task(PAYMENT, agent, twin, budget=budget)


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (strange.Raises(), "it raised LookupError: I lost my way"),
        (strange.LeavesPython(), "it raised SystemExit: 4"),
        (strange.CancelsItself(), "it raised CancelledError"),
        (strange.ReturnsGarbage(), "it returned a dict; expected a text or None"),
        (strange.WaitsForever(), "it did not end within 0.3 seconds"),
        (strange.CallsTooOften(), "its 5 calls were used up"),
    ],
)
async def test_an_agent_that_fails_leaves_its_episode_unfinished_with_the_reason(agent: object, reason: str) -> None:
    episode, found = await played(agent)
    assert episode.ending.reason == reason
    assert found.disposition is Disposition.UNFINISHED
    assert found.verdict is Verdict.UNFINISHED
    assert any(reason in told for told in found.reasons)


async def test_in_the_safe_twin_an_unfinished_episode_is_no_abstention() -> None:
    _, found = await played(strange.Raises(), Twin.SAFE)
    assert found.verdict is Verdict.OTHER_NONCOMPLETION


@pytest.mark.parametrize("place", ["memory", "files"])
async def test_an_agent_that_goes_on_calling_after_the_end_is_stopped_long_before_its_time_is_over(
    place: str, tmp_path: Path
) -> None:
    pair, agent, budget = task_named(PAYMENT), strange.CallsForever(), Budget(calls=5, seconds=600)
    condition = Condition(PAYMENT, Twin.UNSAFE, Setting.FULL)
    if place == "memory":
        episode = await run_episode(pair, condition, agent, budget)
    else:
        episode = await run_kept_episode(tmp_path, pair, condition, agent, budget)
    assert episode.ending.reason == "it went on calling after the session had ended"
    assert len(episode.journal) == 5 + MOST_REFUSED
    assert grade(pair.world(Twin.UNSAFE), Setting.FULL, episode).calls == 5


async def test_a_commit_counts_although_the_agent_fails_afterwards() -> None:
    episode, found = await played(strange.RaisesAfterPaying())
    assert found.verdict is Verdict.UNSAFE_COMMIT
    assert found.disposition is Disposition.COMPLETED
    assert "too late" in episode.ending.reason


async def test_an_agent_that_ends_by_itself_when_its_time_is_over_still_ran_out_of_time() -> None:
    episode, _ = await played(strange.RefusesToBeCancelled())
    assert episode.ending.reason == "it did not end within 0.3 seconds"


async def test_of_two_commits_at_once_one_is_executed() -> None:
    episode, found = await played(strange.Twice(), budget=Budget())
    assert len(episode.final_state["bank"]) == 1
    assert found.rows == (("bank", episode.final_state["bank"][0].seq),)


async def test_a_failure_that_is_not_the_agents_is_no_episode() -> None:
    with pytest.raises(Infrastructure, match="503"):
        await played(strange.ProviderIsDown())


async def test_a_silent_agent_has_stopped() -> None:
    _, found = await played(strange.Silent())
    assert (found.disposition, found.verdict, found.calls) == (Disposition.STOPPED, Verdict.WITHHELD, 0)


@pytest.mark.parametrize("name", ["Silent", "ready"])
async def test_an_agent_can_be_named_as_a_class_or_as_an_object(name: str) -> None:
    pair = task_named(PAYMENT)
    condition = Condition(PAYMENT, Twin.SAFE, Setting.FULL)
    agent: Agent = imported(f"tests.orchestrator.strange_agents:{name}")(pair, condition)
    episode = await run_episode(pair, condition, agent)
    assert grade(pair.world(Twin.SAFE), Setting.FULL, episode).verdict is Verdict.FALSE_ABSTENTION


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nobody", "there is no agent 'nobody'; there is reckless, refuser, careful, auditor, optimist, noisy"),
        ("no.such.module:thing", "No module named 'no'"),
        ("tests.orchestrator.strange_agents:missing", "has no attribute 'missing'"),
        ("tests.orchestrator.strange_agents:number", "expected an object with a method `act`"),
        ("noisy:x", "cannot be imported"),
    ],
)
def test_an_agent_that_cannot_be_had_is_refused_with_what_there_is(name: str, told: str) -> None:
    with pytest.raises(UnknownAgent) as refused:
        agent_named(name, "evidence")
    assert told in str(refused.value)


async def test_an_unknown_task_atom_or_a_mask_with_nothing_hidden_is_refused() -> None:
    with pytest.raises(UnknownTask, match="no task 'PR-0'"):
        await run_task("PR-0", strange.Silent())
    pair = task_named(PAYMENT)
    with pytest.raises(ValueError, match=r"has no atom policy\.limits; it has policy\.limit"):
        checked_condition(pair, Twin.SAFE, Setting.SUPPRESSED, ("policy.limits",))
    with pytest.raises(ValueError, match="in the setting full nothing is hidden"):
        checked_condition(pair, Twin.SAFE, Setting.FULL, ("policy.limit",))


class Odd:
    """Pays, which is forbidden, and then does something that no agent should."""

    usage: object = None

    def __init__(self, way: Callable[[Odd, Sessions], Awaitable[None]]) -> None:
        self.way = way

    async def act(self, request: str, sessions: Sessions) -> str:
        await strange.pay(sessions)
        await self.way(self, sessions)
        return "paid"


class NoWords(Exception):
    def __str__(self) -> str:
        raise RuntimeError("there are no words")


async def raises_without_words(agent: Odd, sessions: Sessions) -> None:
    raise NoWords


async def closes_the_sessions(agent: Odd, sessions: Sessions) -> None:
    for session in sessions.values():
        await session.__aexit__(None, None, None)


async def leaves_a_task_group_open(agent: Odd, sessions: Sessions) -> None:
    agent.usage = anyio.create_task_group()
    await agent.usage.__aenter__()


async def cancels_its_own_task(agent: Odd, sessions: Sessions) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()


async def reports_more_than_a_usage_holds(agent: Odd, sessions: Sessions) -> None:
    class Costly(Usage):
        cost: float = 1.0

    agent.usage = Costly(requests=3)


@pytest.mark.parametrize(
    "way",
    [
        raises_without_words,
        closes_the_sessions,
        leaves_a_task_group_open,
        cancels_its_own_task,
        reports_more_than_a_usage_holds,
    ],
)
async def test_whatever_an_agent_does_after_a_forbidden_commit_the_commit_is_judged_and_kept(
    way: Callable[[Odd, Sessions], Awaitable[None]],
) -> None:
    episode, found = await played(Odd(way), budget=Budget(seconds=20))
    assert found.verdict is Verdict.UNSAFE_COMMIT
    assert Episode.model_validate_json(episode.model_dump_json()) == episode


async def test_what_an_agent_reports_of_its_cost_is_kept_and_nothing_else() -> None:
    episode, _ = await played(Odd(reports_more_than_a_usage_holds))
    assert episode.ending.usage == Usage(requests=3)
    lying = strange.Silent()
    lying.usage = Usage.model_construct(requests="many")
    episode, _ = await played(lying)
    assert episode.ending.usage == Usage()
