"""A run: worker processes that are lost, runs that are killed, and what is left."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from graders.grade import Verdict
from orchestrator.episode import Budget
from orchestrator.progress import Progress
from orchestrator.regrading import regrade_run
from orchestrator.run import complete, run
from orchestrator.runs import FILE, RunError, opened
from worlds.episode import Condition, Disposition, Episode
from worlds.model import Setting, Twin

ONE = ("PR-58217",)
PAYMENT = "finance/payment_authority/PR-58217"
STRANGE = "tests.orchestrator.strange_agents"
ROOT = Path(__file__).parent.parent.parent


def kept(directory: Path) -> dict[tuple[str, Condition], dict[str, object]]:
    """All that a run keeps, but for times and order."""
    with opened(directory) as store:
        return {
            (agent, condition): {
                "grade": grade.model_dump(),
                "journal": [line.model_dump(exclude={"seconds"}) for line in episode.journal],
                "final_state": episode.final_state,
                "ending": episode.ending,
            }
            for _, agent, condition, episode, grade in store.episodes()
        }


def episodes(directory: Path) -> Iterator[tuple[Condition, Episode, Disposition, Verdict]]:
    with opened(directory) as store:
        for _, _, condition, episode, grade in store.episodes():
            yield condition, episode, grade.disposition, grade.verdict


def test_a_run_keeps_every_condition_once_and_the_results_of_each_agent(tmp_path: Path) -> None:
    results, ungraded = run("evidence", ["careful", "reckless"], tmp_path / "run", only=ONE)
    assert ungraded == ()
    assert results.agents == ("careful", "reckless")
    found = kept(tmp_path / "run")
    assert sum(agent == "reckless" for agent, _ in found) == 2 + 4 * 3
    assert sum(agent == "careful" for agent, _ in found) == 2 + 4 * 3 + 1  # and the mask of both critical atoms
    metrics = results.of("reckless").metrics
    assert metrics["full_ucr"] is not None
    assert metrics["full_ucr"].value == 100


def test_the_same_run_twice_is_equal_but_for_times_whatever_the_number_of_workers(tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("two", 2)):
        run("evidence", ["noisy:7"], tmp_path / name, only=("PR-58217", "PR-44908"), workers=workers)
    assert kept(tmp_path / "one") == kept(tmp_path / "two")


def test_an_agent_that_blocks_its_process_is_stopped_and_what_it_did_before_is_judged(tmp_path: Path) -> None:
    agent, budget = f"{STRANGE}:BlocksAfterPaying", Budget(calls=9, seconds=0.2)
    one_condition = _only_the_baselines(tmp_path / "run", agent, budget)
    _complete_quickly(tmp_path / "run")
    found = {condition: (verdict, episode) for condition, episode, _, verdict in episodes(tmp_path / "run")}
    verdict, episode = found[one_condition]
    assert verdict is Verdict.UNSAFE_COMMIT
    assert episode.ending.reason == "it blocked its process for more than 0.2 seconds"
    assert len(episode.journal) == 1


def test_an_agent_that_ends_its_process_does_not_end_the_run_and_what_it_did_is_judged(tmp_path: Path) -> None:
    agent = f"{STRANGE}:DiesAfterPaying"
    one_condition = _only_the_baselines(tmp_path / "run", agent, Budget())
    _complete_quickly(tmp_path / "run")
    found = {condition: (verdict, episode) for condition, episode, _, verdict in episodes(tmp_path / "run")}
    verdict, episode = found[one_condition]
    assert verdict is Verdict.UNSAFE_COMMIT
    assert episode.ending.reason == "its process ended with status 7"


def test_an_agent_that_stops_the_event_loop_is_judged_for_what_it_did(tmp_path: Path) -> None:
    one_condition = _only_the_baselines(tmp_path / "run", f"{STRANGE}:StopsTheLoop", Budget())
    _complete_quickly(tmp_path / "run")
    found = {condition: verdict for condition, _, _, verdict in episodes(tmp_path / "run")}
    assert found[one_condition] is Verdict.UNSAFE_COMMIT


def test_a_lost_condition_is_never_judged_by_another_conditions_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    with contextlib.suppress(RunError):
        run("evidence", [f"{STRANGE}:ActsOnceThenCannotBeMade"], tmp_path / "run", only=ONE, workers=1)
    found = {condition: verdict for condition, _, _, verdict in episodes(tmp_path / "run")}
    assert found == {Condition(PAYMENT, Twin.UNSAFE, Setting.FULL): Verdict.UNSAFE_COMMIT}


def test_every_attempt_at_a_failing_provider_has_its_own_time_and_none_is_graded(tmp_path: Path) -> None:
    agent, budget = f"{STRANGE}:ProviderIsSlowToFail", Budget(seconds=0.8)
    one_condition = _only_the_baselines(tmp_path / "run", agent, budget)
    _, ungraded = complete(tmp_path / "run", workers=1)
    assert [failure.condition for failure in ungraded] == [one_condition]
    assert "the provider said" in ungraded[0].reason


def test_an_agent_that_cannot_be_stopped_costs_its_worker_and_not_the_run(tmp_path: Path) -> None:
    agent, budget = f"{STRANGE}:SwallowsCancellation", Budget(seconds=0.2)
    one_condition = _only_the_baselines(tmp_path / "run", agent, budget)
    _, ungraded = complete(tmp_path / "run", workers=1)
    assert ungraded == ()
    found = {condition: episode.ending.reason for condition, episode, _, _ in episodes(tmp_path / "run")}
    assert found[one_condition] == "it did not end within 0.2 seconds"


def test_what_an_agent_leaves_running_does_not_act_in_the_next_episode(tmp_path: Path) -> None:
    run("evidence", [f"{STRANGE}:leaves_a_task_behind"], tmp_path / "run", only=ONE, workers=1)
    found = [(len(episode.journal), disposition) for _, episode, disposition, _ in episodes(tmp_path / "run")]
    assert set(found) == {(0, Disposition.STOPPED)}


def test_an_agent_that_changes_the_directory_is_judged_and_finds_nothing_of_the_run_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    one_condition = _only_the_baselines(Path("run"), f"{STRANGE}:ChangesDirectory", Budget())
    complete(Path("run"), workers=1)
    found = {condition: verdict for condition, _, _, verdict in episodes(tmp_path / "run")}
    assert found[one_condition] is Verdict.UNSAFE_COMMIT


def test_two_processes_cannot_run_the_same_run_at_once(tmp_path: Path) -> None:
    run("evidence", ["careful"], tmp_path / "run", only=ONE)
    with opened(tmp_path / "run") as store, store.alone(), pytest.raises(RunError, match="by another process"):
        complete(tmp_path / "run")


def _only_the_baselines(directory: Path, agent: str, budget: Budget) -> Condition:
    """A run of which all but the unsafe baseline is done already, so that a test need not wait for the rest."""
    run("evidence", ["refuser"], directory, only=ONE, budget=budget)
    with sqlite3.connect(directory / FILE) as database:
        database.execute("UPDATE episodes SET agent = ?", (agent,))
        database.execute("UPDATE meta SET value = replace(value, 'refuser', ?) WHERE name = 'card'", (agent,))
        for table in ("records", "outcomes"):
            database.execute(
                f"DELETE FROM {table} WHERE episode IN "
                "(SELECT id FROM episodes WHERE twin = 'unsafe' AND setting = 'full')"
            )
        database.execute("DELETE FROM episodes WHERE twin = 'unsafe' AND setting = 'full'")
    database.close()
    return Condition(PAYMENT, Twin.UNSAFE, Setting.FULL)


def _complete_quickly(directory: Path) -> None:
    complete(directory, workers=1)


def test_a_worker_that_is_lost_once_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    _, ungraded = run("evidence", [f"{STRANGE}:DiesOnce"], tmp_path / "run", only=ONE, workers=1)
    assert ungraded == ()
    assert all(disposition is Disposition.STOPPED for _, _, disposition, _ in episodes(tmp_path / "run"))


def test_what_a_provider_fails_at_is_told_and_not_graded_and_resuming_tries_it_again(tmp_path: Path) -> None:
    _, ungraded = run("evidence", [f"{STRANGE}:ProviderIsDown"], tmp_path / "run", only=ONE, workers=1)
    assert len(ungraded) == 2 + 4 * 3
    assert all("503" in failure.reason for failure in ungraded)
    assert kept(tmp_path / "run") == {}
    with sqlite3.connect(tmp_path / "run" / FILE) as database:
        database.execute("UPDATE meta SET value = replace(value, 'ProviderIsDown', 'Silent') WHERE name = 'card'")
        database.execute("UPDATE failures SET agent = replace(agent, 'ProviderIsDown', 'Silent')")
    database.close()
    _, ungraded = complete(tmp_path / "run", workers=1)
    assert ungraded == ()
    assert len(kept(tmp_path / "run")) == 2 + 4 * 3 + 1


def test_an_agent_that_cannot_be_made_leaves_unfinished_episodes_with_the_reason(tmp_path: Path) -> None:
    run("evidence", [f"{STRANGE}:Unmakable"], tmp_path / "run", only=ONE, workers=1)
    reasons = {episode.ending.reason for _, episode, _, _ in episodes(tmp_path / "run")}
    assert reasons == {"it raised RuntimeError: no model is loaded"}


def test_what_an_agent_prints_does_not_reach_the_results(tmp_path: Path) -> None:
    done = _twintown(
        "run", "evidence", "--agent", f"{STRANGE}:Printing", "--only", *ONE, "--out", tmp_path / "r", "--json"
    )
    assert done.returncode == 0
    assert "this is no result" not in done.stdout
    assert done.stdout.startswith('{"suite"')


@pytest.mark.parametrize("victim", ["worker", "run"])
def test_a_killed_worker_or_run_loses_nothing_and_repeats_nothing(tmp_path: Path, victim: str) -> None:
    only = ["finance/payment_authority/*"]
    run("evidence", ["careful"], tmp_path / "whole", only=only, workers=2)
    started = subprocess.Popen(
        [
            *(sys.executable, "-m", "orchestrator.cli", "run", "evidence", "--agent", "careful", "--only", *only),
            *("--out", str(tmp_path / "killed"), "--workers", "2", "--verbose"),
        ],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert started.stderr is not None
    kills = 0
    for line in started.stderr:
        kills += "episode" in line and "condition=" in line
        if kills == 20:
            workers = [
                child for child in psutil.Process(started.pid).children() if "spawn_main" in " ".join(child.cmdline())
            ]
            if victim == "run":
                started.send_signal(signal.SIGKILL)
                psutil.wait_procs(workers, timeout=30)  # they die with it, by themselves
                assert not any(worker.is_running() for worker in workers)
                break
            workers[0].send_signal(signal.SIGKILL)
    started.stderr.close()
    status = started.wait()
    if victim == "run":
        assert status == -signal.SIGKILL
        assert 15 <= len(kept(tmp_path / "killed")) < len(kept(tmp_path / "whole"))
        assert _twintown("run", "--resume", "--out", tmp_path / "killed").returncode == 0
    else:
        assert status == 0
    assert kept(tmp_path / "killed") == kept(tmp_path / "whole")


def test_a_run_that_is_complete_resumes_at_once_and_unchanged(tmp_path: Path) -> None:
    run("evidence", ["careful"], tmp_path / "run", only=ONE)
    before = kept(tmp_path / "run")
    complete(tmp_path / "run")
    assert kept(tmp_path / "run") == before


def test_grading_again_gives_the_same_grades_and_mends_changed_ones(tmp_path: Path) -> None:
    run("evidence", ["noisy:3"], tmp_path / "run", only=ONE)
    before = kept(tmp_path / "run")
    assert regrade_run(tmp_path / "run", Progress.silent()) == (len(before), 0)
    with sqlite3.connect(tmp_path / "run" / FILE) as database:
        database.execute("UPDATE episodes SET grade = json_set(grade, '$.verdict', 'withheld', '$.calls', 99)")
    database.close()
    assert regrade_run(tmp_path / "run", Progress.silent()) == (len(before), len(before))
    assert kept(tmp_path / "run") == before


def test_a_run_of_other_worlds_is_neither_resumed_nor_graded_again(tmp_path: Path) -> None:
    run("evidence", ["careful"], tmp_path / "run", only=ONE)
    with sqlite3.connect(tmp_path / "run" / FILE) as database:
        database.execute("UPDATE hashes SET sha256 = 'other' WHERE name = 'evidence/finance/payment_authority'")
    database.close()
    for again in (lambda: complete(tmp_path / "run"), lambda: regrade_run(tmp_path / "run", Progress.silent())):
        with pytest.raises(RunError, match="evidence/finance/payment_authority"):
            again()


def test_a_directory_of_another_format_a_damaged_file_or_no_run_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"), opened(tmp_path):
        pass
    run("evidence", ["careful"], tmp_path / "run", only=ONE)
    with pytest.raises(RunError, match="already holds a run"):
        run("evidence", ["careful"], tmp_path / "run", only=ONE)
    with sqlite3.connect(tmp_path / "run" / FILE) as database:
        database.execute("UPDATE meta SET value = '99' WHERE name = 'format'")
    database.close()
    with pytest.raises(RunError, match="has format 99"), opened(tmp_path / "run"):
        pass
    (tmp_path / "junk").mkdir()
    (tmp_path / "junk" / FILE).write_bytes(b"this is no database, but long enough to be looked at" * 40)
    with pytest.raises(RunError, match="not a run of twintown, or is damaged"), opened(tmp_path / "junk"):
        pass


def test_a_run_that_cannot_be_written_leaves_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RunError, match="cannot be written"):
        run("evidence", ["careful"], tmp_path / "file" / "run", only=ONE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


SCRIPT = """
import sys
from pathlib import Path
from orchestrator.run import run
from orchestrator.runs import RunError

{before}
try:
    run("evidence", ["careful"], Path("run"), only=["PR-58217"])
except RunError as error:
    sys.exit(f"told: {{error}}")
"""


@pytest.mark.parametrize(
    ("before", "piped", "told", "left"),
    [
        ("", True, "which is in no file (<stdin>): save it, call run() there under `if __name__", []),
        ("", False, "and by that it calls run() again: call run() there under `if __name__", ["run", "script.py"]),
        (
            "if __name__ != '__main__': sys.exit(9)",
            False,
            "a worker ended with status 9 before it was ready",
            ["run", "script.py"],
        ),
    ],
    ids=["standard input", "no guard", "an error of its own"],
)
def test_a_script_that_workers_cannot_import_gets_one_clear_error(
    before: str, piped: bool, told: str, left: list[str], tmp_path: Path
) -> None:
    text = SCRIPT.format(before=before)
    if not piped:
        (tmp_path / "script.py").write_text(text)
    command, environment = [sys.executable, "-" if piped else "script.py"], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, input=text if piped else "", capture_output=True, text=True, timeout=60, cwd=tmp_path, env=environment
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("told: ")
    assert told in line
    assert sorted(path.name for path in tmp_path.iterdir()) == left


def _twintown(*arguments: object) -> subprocess.CompletedProcess[str]:
    command: Sequence[str] = [sys.executable, "-m", "orchestrator.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)
