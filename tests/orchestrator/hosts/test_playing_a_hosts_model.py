"""A reference agent plays a host's model: over several turns, in one conversation, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.agents.agent import Agent, Infrastructure
from orchestrator.agents.named import agent_named
from orchestrator.episode import run_episode
from worlds.catalogue import task_named
from worlds.episode import Condition, Episode
from worlds.model import Setting, Twin

TASK = task_named("writing_to_others/days_off")
CONDITION = Condition(TASK.path, Twin.SAFE, Setting.FULL)
SCRIPT = Path(__file__).with_name("playing_host.py")

ADAPTER = """
host: playing
about: A host for tests
program: python3
speaks: openai-chat
model: none
reads: [FOLDER]
arguments: &same [FOLDER/playing_host.py, MODE, "{{ request }}", "{{ servers | json }}", "{{ endpoint }}"]
resume: *same
output: {form: json, message: message}
"""


def hosted(folder: Path, mode: str) -> Agent:
    file = folder / "playing.yaml"
    file.write_text(ADAPTER.replace("FOLDER", str(SCRIPT.parent)).replace("MODE", mode), encoding="utf-8")
    return agent_named(f"host:{file}@gold", "errands")(TASK, CONDITION)


def calls(episode: Episode) -> list[tuple[object, ...]]:
    return [(line.server, line.tool, line.arguments, line.shown) for line in episode.journal]


async def test_a_script_of_several_turns_is_played_through_a_host(tmp_path: Path) -> None:
    alone = await run_episode(TASK, CONDITION, agent_named("gold", "errands")(TASK, CONDITION))
    played = await run_episode(TASK, CONDITION, hosted(tmp_path, "remembers"))
    assert [(line.server, line.tool) for line in alone.journal].count(("owner", "(turn)")) > 1
    assert calls(played) == calls(alone)


async def test_a_host_that_forgets_its_conversation_between_turns_is_not_graded(tmp_path: Path) -> None:
    with pytest.raises(Infrastructure, match="of 2 messages it was told 2, in 2 conversations, not one"):
        await run_episode(TASK, CONDITION, hosted(tmp_path, "forgets"))
