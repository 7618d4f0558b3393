"""A host as the agent: what it does is graded by what the servers kept, and what is not its doing is never graded."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import psutil
import pytest

from orchestrator.agents.agent import Infrastructure, UnknownAgent
from orchestrator.agents.named import agent_named
from orchestrator.episode import Budget, run_episode
from orchestrator.grading import graded
from orchestrator.run import run
from orchestrator.runs import opened
from tests.orchestrator.hosts.fakes import PAYMENT, adapter_file, condition_of, fake
from worlds.catalogue import task_named
from worlds.episode import CallKind, Episode, Usage
from worlds.model import Twin

DUES = "contact/dues_reminders"
SERVERS = ("erp", "treasury_policy", "bank")


async def episode_of(folder: Path, mode: str, task: str = PAYMENT, seconds: float = 60.0) -> Episode:
    agent, condition = fake(folder, mode, task)
    return await run_episode(task_named(task), condition, agent, Budget(seconds=seconds))


async def test_what_a_host_did_is_graded_and_what_it_said_of_itself_is_kept(tmp_path: Path) -> None:
    agent, condition = fake(tmp_path, "commits")
    pair = task_named(PAYMENT)
    episode = await run_episode(pair, condition, agent)
    grade = graded(pair.world(Twin.UNSAFE), condition, episode)
    assert [line.kind for line in episode.journal] == [CallKind.COMMIT]
    assert grade.unsafe_commit
    assert episode.ending.message == '{"status": "done"}'
    assert episode.ending.usage == Usage(requests=2, input_tokens=100, output_tokens=7)
    assert episode.host_seconds is not None
    assert 0 < episode.host_seconds < episode.seconds


async def test_what_was_offered_listed_and_seen_is_kept(tmp_path: Path) -> None:
    access = (await episode_of(tmp_path, "looks")).access
    assert access is not None
    assert access.listed == tuple(access.offered) == SERVERS
    assert access.seen == tuple(sorted(tool for tools in access.offered.values() for tool in tools))


async def test_of_an_agent_in_this_process_it_is_known_too_what_was_offered_and_listed() -> None:
    pair, condition = task_named(PAYMENT), condition_of(PAYMENT)
    access = (await run_episode(pair, condition, agent_named("careful", "evidence")(pair, condition))).access
    assert access is not None
    assert tuple(access.offered) == SERVERS
    assert access.listed == SERVERS
    assert access.seen is None


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("cannot start", "ended with status 3; it complained: no licence found"),
        ("fails", "ended with status 4"),
        ("kills itself", "was killed by signal 9"),
        ("skips a server", "never listed the tools of erp"),
        ("is denied", "was denied calls of pay"),
        ("hides a tool", "its model was not offered get_payment_request"),
        ("is in trouble", "says that it failed: the provider is gone"),
        ("prints nothing", "printed no JSON but nothing"),
        ("prints no JSON", "printed no JSON but 'Hello there!'"),
        ("says nothing", "printed no message"),
    ],
)
async def test_what_is_not_the_agents_doing_is_never_graded(tmp_path: Path, mode: str, reason: str) -> None:
    with pytest.raises(Infrastructure, match=reason):
        await episode_of(tmp_path, mode)


async def test_a_host_that_fails_after_its_commit_is_graded(tmp_path: Path) -> None:
    episode = await episode_of(tmp_path, "commits and fails")
    assert [line.kind for line in episode.journal] == [CallKind.COMMIT]
    assert episode.ending.reason == ""


async def test_a_host_that_runs_out_of_time_is_unfinished_and_its_time_is_known(tmp_path: Path) -> None:
    episode = await episode_of(tmp_path, "hangs later", seconds=3)
    assert episode.ending.reason == "it did not end within 3 seconds"
    assert episode.host_seconds is not None
    assert episode.host_seconds > 1


async def test_a_host_that_hangs_before_it_lists_any_tools_is_not_graded(tmp_path: Path) -> None:
    with pytest.raises(Infrastructure, match="never listed the tools of erp, treasury_policy, bank"):
        await episode_of(tmp_path, "hangs", seconds=1)


async def test_a_host_that_prints_without_end_is_read_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestrator.hosts.process.MOST_PRINTED", 1000)
    with pytest.raises(Infrastructure, match="printed too much"):
        await episode_of(tmp_path, "prints much")


async def test_what_a_host_leaves_running_is_killed_whatever_session_and_environment_it_has(tmp_path: Path) -> None:
    episode = await episode_of(tmp_path, "leaves a child")
    left = int(episode.ending.message)
    assert not psutil.pid_exists(left) or psutil.Process(left).status() == psutil.STATUS_ZOMBIE


async def test_the_folders_of_a_host_are_gone_afterwards(tmp_path: Path) -> None:
    episode = await episode_of(tmp_path, "tells its home")
    assert episode.ending.message.endswith("/home")
    assert not Path(episode.ending.message).parent.exists()


async def test_the_owners_answer_is_the_next_turn_of_the_same_host(tmp_path: Path) -> None:
    episode = await episode_of(tmp_path, "asks", DUES)
    request = task_named(DUES).world(Twin.UNSAFE).request
    first, second, *_ = [line for line in episode.journal if line.kind is CallKind.TURN]
    assert first.arguments == {"message": "May I?"}
    assert second.arguments == {"message": f"{request} / {first.shown}"}


async def test_a_host_whose_adapter_cannot_resume_is_not_graded_where_it_has_a_further_turn(tmp_path: Path) -> None:
    agent, condition = fake(tmp_path, "asks", DUES, resumes=False)
    with pytest.raises(Infrastructure, match="no `resume`"):
        await run_episode(task_named(DUES), condition, agent)


async def test_a_host_inherits_nothing_but_what_its_adapter_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANARY", "a secret of the user's")
    monkeypatch.setenv("FAKE_KEY", "sk-passed-on")
    told = (await episode_of(tmp_path, "tells its environment")).ending.message
    assert "CANARY" not in told
    assert "FAKE_KEY" in told


async def test_what_a_host_was_given_in_secret_is_not_in_the_reason_of_its_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_KEY", "sk-very-secret")
    with pytest.raises(Infrastructure, match=r"went wrong with \*\*\*"):
        await episode_of(tmp_path, "fails")


def test_hosts_run_in_parallel_without_sharing_a_folder(tmp_path: Path) -> None:
    agent = f"host:{adapter_file(tmp_path, 'tells its home')}"
    tasks = [DUES, "loss/roof_mails"]
    _, ungraded = run("trust", [agent], tmp_path / "run", only=tasks, repeats=1, workers=2)
    assert ungraded == ()
    with opened(tmp_path / "run") as store:
        homes = [episode.ending.message for _, _, _, episode, _ in store.episodes()]
    assert len(homes) == len(set(homes)) == 4


def test_a_host_that_is_not_installed_stops_a_run_before_it_begins_with_a_line_on_how_to_get_it(tmp_path: Path) -> None:
    agent = f"host:{adapter_file(tmp_path, 'looks', program='no-such-host')}"
    with pytest.raises(UnknownAgent, match="host fake is not installed: its program no-such-host is on no PATH"):
        run("evidence", [agent], tmp_path / "run")
    assert not (tmp_path / "run").exists()


def is_the_host(process: psutil.Process) -> bool:
    try:
        return "hangs later" in process.cmdline()[:3]
    except psutil.Error:
        return False


WORKER = """
import asyncio, sys
from pathlib import Path
from orchestrator.episode import run_episode
from tests.orchestrator.hosts.fakes import PAYMENT, fake
from worlds.catalogue import task_named
agent, condition = fake(Path(sys.argv[1]), "hangs later")
asyncio.run(run_episode(task_named(PAYMENT), condition, agent))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the host's own process group is found")
async def test_a_host_does_not_outlive_its_worker(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[3])
    worker = await asyncio.create_subprocess_exec(sys.executable, "-c", WORKER, str(tmp_path), cwd=root)
    try:
        async with asyncio.timeout(60):
            hosts: list[psutil.Process] = []
            while not hosts:
                await asyncio.sleep(0)
                hosts = [each for each in psutil.Process(worker.pid).children(recursive=True) if is_the_host(each)]
        below = psutil.Process(worker.pid).children(recursive=True)
        place = Path(hosts[0].cwd()).parent
    finally:
        worker.kill()
        await worker.wait()
    _, alive = psutil.wait_procs([*below, *hosts], timeout=20)
    assert alive == []
    assert not place.exists()
