"""Engines: hands that work for a cluster, and a Ray cluster that loses a node."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from graders.grade import Grade, Verdict
from orchestrator.engines.hand import Hand, Parcel
from orchestrator.engines.local import Local
from orchestrator.engines.named import EngineName, engine_named
from orchestrator.extras import MissingExtra
from orchestrator.logs import Logging
from orchestrator.run import complete, run
from orchestrator.runs import FILE, LOCK, RunCard, RunError, opened
from orchestrator.worker import Job
from worlds.episode import Condition
from worlds.model import Setting, Twin

ROOT = Path(__file__).parents[2]
STRANGE = "tests.orchestrator.strange_agents"
PAYMENT = "finance/payment_authority/PR-58217"
BASELINE = Condition(PAYMENT, Twin.UNSAFE, Setting.FULL)


def kept(directory: Path) -> dict[tuple[str, Condition], Any]:
    """All that a run keeps, but for times and order."""
    with opened(directory) as store:
        return {
            (agent, condition): (
                grade,
                [line.model_copy(update={"seconds": 0.0}) for line in episode.journal],
                episode.final_state,
                episode.ending,
                episode.access,
            )
            for _, agent, condition, episode, grade in store.episodes()
        }


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where folders of hands are made."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def card(agent: str, seconds: float = 60) -> RunCard:
    return RunCard(suite="evidence", only=("PR-58217",), agents=(agent,), repeats=1, calls=9, seconds=seconds)


def parcels(hand: Hand, job: Job) -> Iterator[tuple[Condition, Grade]]:
    for parcel in hand.work(job):
        if parcel.graded is not None:
            condition, _, grade = parcel.graded
            assert isinstance(grade, Grade)
            yield condition, grade


def everything_but_the_baseline(run: Path) -> tuple[tuple[Condition, bool], ...]:
    with opened(run) as store:
        return tuple((one, unsafe) for one, unsafe in store.done("refuser", PAYMENT).items() if one != BASELINE)


def test_a_hand_brings_what_a_run_of_one_machine_keeps_one_job_after_the_other(scratch: Path) -> None:
    run("evidence", ["careful", "noisy:7"], scratch / "whole", only=("PR-58217",))
    whole = {key: grade for key, (grade, *_) in kept(scratch / "whole").items()}
    with closing(Hand(RunCard(suite="evidence", only=("PR-58217",), agents=("careful", "noisy:7"), repeats=1,
                              calls=60, seconds=60), Logging())) as hand:  # fmt: skip
        brought = {
            (agent, condition): grade
            for agent in ("careful", "noisy:7")
            for condition, grade in parcels(hand, Job(agent, PAYMENT))
        }
    assert brought == whole
    assert [entry.name for entry in scratch.iterdir()] == ["whole"], "a hand leaves nothing behind"


def test_a_hand_runs_only_what_is_not_done_elsewhere(scratch: Path) -> None:
    run("evidence", ["refuser"], scratch / "run", only=("PR-58217",))
    done = everything_but_the_baseline(scratch / "run")
    with closing(Hand(card("refuser"), Logging())) as hand:
        assert [condition for condition, _ in parcels(hand, Job("refuser", PAYMENT, done))] == [BASELINE]


@pytest.mark.parametrize(
    ("name", "seconds", "reason"),
    [
        ("DiesAfterPaying", 60, "its process ended with status 7"),
        ("BlocksAfterPaying", 0.3, "it blocked its process for more than 0.3 seconds"),
    ],
)
def test_an_agent_that_dies_or_blocks_on_a_node_is_judged_there_for_what_it_did(
    name: str, seconds: float, reason: str, scratch: Path
) -> None:
    run("evidence", ["refuser"], scratch / "run", only=("PR-58217",))
    job = Job(f"{STRANGE}:{name}", PAYMENT, everything_but_the_baseline(scratch / "run"))
    with closing(Hand(card(job.agent, seconds), Logging())) as hand:
        *found, last = hand.work(job)
    (parcel,) = found
    assert parcel.graded is not None
    _, episode, grade = parcel.graded
    assert isinstance(grade, Grade)
    assert (grade.verdict, episode.ending.reason) == (Verdict.UNSAFE_COMMIT, reason)
    assert [failure.reason for failure in last.failures] == [reason], "the first attempt is told"


def test_what_a_provider_fails_at_is_brought_as_failures_and_not_graded(scratch: Path) -> None:
    run("evidence", ["refuser"], scratch / "run", only=("PR-58217",))
    job = Job(f"{STRANGE}:ProviderIsDown", PAYMENT, everything_but_the_baseline(scratch / "run"))
    with closing(Hand(card(job.agent), Logging())) as hand:
        (last,) = hand.work(job)
    assert isinstance(last, Parcel)
    assert last.graded is None
    assert {failure.condition for failure in last.failures} == {BASELINE}


def test_a_hand_takes_away_what_a_killed_one_left_and_nothing_of_one_at_work(scratch: Path) -> None:
    with closing(Hand(card("refuser"), Logging())):
        (at_work,) = scratch.iterdir()
        left = scratch / "twintown-hand-killed"
        (left / "run").mkdir(parents=True)
        (left / "run" / LOCK).touch()
        with closing(Hand(card("refuser"), Logging())):
            assert not left.exists()
            assert (at_work / "run" / FILE).exists()


def test_an_agent_that_a_node_does_not_have_stops_the_run_in_one_line(scratch: Path) -> None:
    with (
        closing(Hand(card("nowhere_at_all:Agent"), Logging())) as hand,
        pytest.raises(RunError, match="nowhere_at_all"),
    ):
        list(hand.work(Job("nowhere_at_all:Agent", PAYMENT)))


def test_a_run_on_two_nodes_that_is_interrupted_and_then_loses_a_node_equals_the_local_one(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'twintown[ray]'")
    command = [sys.executable, "-m", "tests.orchestrator.two_nodes", str(tmp_path / "two")]
    scratch = tmp_path / "scratch"  # of the hands; Ray's own folder needs a short path
    scratch.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(scratch), "RAY_TMPDIR": tempfile.gettempdir()}
    started = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        out, err = started.communicate(timeout=900)
    finally:
        _end(started)
    assert started.returncode == 0, err
    told = json.loads(out.splitlines()[-1])
    assert told["interrupted"]
    assert told["killed_at"]
    assert told["ungraded"] == 0
    run("evidence", ["careful", "noisy:7"], tmp_path / "local", only=("PR-58217", "PR-44908"))
    whole = kept(tmp_path / "local")
    assert told["kept_before"] < told["killed_at"][0] < len(whole)
    assert kept(tmp_path / "two") == whole
    with closing(sqlite3.connect(tmp_path / "two" / FILE)) as database, database:  # and one machine goes on with it
        for table in ("records", "outcomes"):
            database.execute(f"DELETE FROM {table} WHERE episode % 2 = 0")
        database.execute("DELETE FROM episodes WHERE id % 2 = 0")
    complete(tmp_path / "two", engine=Local(2))
    assert kept(tmp_path / "two") == whole


def _end(started: subprocess.Popen[str]) -> None:
    """End a process and its children, if they have not ended by themselves."""
    if started.poll() is None:
        children = psutil.Process(started.pid).children(recursive=True)
        for process in (psutil.Process(started.pid), *children):
            process.send_signal(signal.SIGKILL)
        started.wait()


def test_engines_are_named_and_what_does_not_go_together_is_one_clear_error(tmp_path: Path) -> None:
    assert engine_named(EngineName.LOCAL, 3) == Local(3)
    with pytest.raises(ValueError, match="add --engine ray"):
        engine_named(EngineName.LOCAL, address="auto")
    with pytest.raises(ValueError, match="cannot be streamed through a Ray client"):
        engine_named(EngineName.RAY, address="ray://head:10001")
    (tmp_path / "env.yaml").write_text("- no\n- mapping\n")
    with pytest.raises(ValueError, match="expected a mapping such as `working_dir"):
        engine_named(EngineName.RAY, runtime_env=tmp_path / "env.yaml")
    (tmp_path / "env.yaml").write_text("working_dir: [\n")
    with pytest.raises(ValueError, match="is not YAML"):
        engine_named(EngineName.RAY, runtime_env=tmp_path / "env.yaml")


def test_without_ray_the_error_says_which_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "orchestrator.engines.ray_cluster", raising=False)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"ray is not installed: pip install 'twintown\[ray\]'"):
        engine_named(EngineName.RAY)
