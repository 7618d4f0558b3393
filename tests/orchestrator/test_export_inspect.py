"""Runs as logs of Inspect: its own reader reads them, and they say what the run says."""

from __future__ import annotations

from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, read_eval_log_sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool

from orchestrator.exporting import inspect_logs
from orchestrator.exporting.export import export_runs
from orchestrator.exporting.inspect_logs import sample
from orchestrator.exporting.verdicts import verdict_word
from orchestrator.grading import AnyGrade
from orchestrator.inspecting.measures import measured
from orchestrator.inspecting.samples import GRADE, condition_of
from orchestrator.progress import Progress
from orchestrator.results import results_of
from orchestrator.runs import opened
from tests.orchestrator.kept_runs import kept_run
from worlds.episode import CallKind, CallOutcome, Condition, Ending, Episode, JournalLine, Usage


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("runs")
    told = Usage(requests=3, input_tokens=200, output_tokens=10)
    return [
        kept_run(root / "pay", "evidence", ("PR-58217",), ("careful", "reckless")),
        kept_run(root / "movers", "trust", ("contact/movers_certificate",), ("gold", "temptation"), 2, told),
    ]


@pytest.fixture(scope="module")
def logs(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], EvalLog]:
    """The logs by run and agent, as Inspect's reader gives them."""
    out = tmp_path_factory.mktemp("exports") / "inspect"
    export_runs(runs, "inspect", out, False, Progress.silent())
    found = [read_eval_log(one.name) for one in list_eval_logs(str(out))]
    return {(log.eval.metadata["run"], log.eval.metadata["agent"]): log for log in found if log.eval.metadata}


def kept(run: Path, agent: str) -> dict[Condition, tuple[Episode, AnyGrade]]:
    with opened(run) as store:
        return {of: (episode, grade) for _, name, of, episode, grade in store.episodes() if name == agent}


def test_there_is_one_log_for_each_agent_of_each_run_with_a_sample_for_each_episode(
    runs: list[Path], logs: dict[tuple[str, str], EvalLog]
) -> None:
    assert set(logs) == {("pay", "careful"), ("pay", "reckless"), ("movers", "gold"), ("movers", "temptation")}
    for (run, agent), log in logs.items():
        directory = next(one for one in runs if one.name == run)
        samples = log.samples or []
        assert {condition_of(one.metadata, one.epoch) for one in samples} == set(kept(directory, agent))
        assert log.status == "success"
        assert log.eval.task == f"twintown/{'evidence' if run == 'pay' else 'trust'}"


def test_a_sample_has_the_calls_as_messages_and_the_grade_as_its_score(
    runs: list[Path], logs: dict[tuple[str, str], EvalLog]
) -> None:
    for (run, agent), log in logs.items():
        episodes = kept(next(one for one in runs if one.name == run), agent)
        for one in log.samples or []:
            episode, grade = episodes[condition_of(one.metadata, one.epoch)]
            assert one.scores is not None
            assert one.scores[GRADE].value == verdict_word(grade)
            assert one.scores[GRADE].explanation == "\n".join(grade.reasons)
            called = [
                call.function
                for message in one.messages
                if isinstance(message, ChatMessageAssistant)
                for call in message.tool_calls or []
            ]
            lines = [line for line in episode.journal if line.kind is not CallKind.TURN]
            assert called == [f"{line.server}__{line.tool}" for line in lines]
            assert sum(isinstance(message, ChatMessageTool) for message in one.messages) == len(lines)
            if episode.ending.message:
                assert one.messages[-1].text == episode.ending.message


def test_the_measures_of_a_log_are_those_of_the_run_and_can_be_computed_from_its_scores(
    runs: list[Path], logs: dict[tuple[str, str], EvalLog]
) -> None:
    for (run, agent), log in logs.items():
        with opened(next(one for one in runs if one.name == run)) as store:
            wanted = results_of(store).of(agent).metrics
        assert log.results is not None
        (score,) = log.results.scores
        known = {name: estimate.value for name, estimate in wanted.items() if estimate is not None}
        assert {name: metric.value for name, metric in score.metrics.items()} == known
        scores = [one.scores[GRADE].metadata or {} for one in log.samples or [] if one.scores]
        computed = measured(agent, scores)
        assert {name: computed[name] for name in known} == pytest.approx(known)


def test_unknown_usage_is_left_out_and_known_usage_is_kept_and_summed(logs: dict[tuple[str, str], EvalLog]) -> None:
    unknown, known = logs["pay", "careful"], logs["movers", "gold"]
    assert unknown.stats.model_usage == {}
    assert all(one.model_usage == {} for one in unknown.samples or [])
    assert all(one.model_usage["gold"].total_tokens == 210 for one in known.samples or [])
    assert known.stats.model_usage["gold"].input_tokens == 200 * len(known.samples or [])


def test_a_log_whose_usage_is_unknown_of_one_sample_has_no_sum(logs: dict[tuple[str, str], EvalLog]) -> None:
    samples = [*(logs["movers", "gold"].samples or []), *(logs["pay", "careful"].samples or [])]
    assert inspect_logs._summed(samples) == {}


def test_more_episodes_than_a_log_holds_go_into_further_parts(
    runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspect_logs, "MOST_SAMPLES", 6)
    export_runs(runs[:1], "inspect", tmp_path / "out", False, Progress.silent())
    sizes: dict[str, list[int]] = {}
    ids = set()
    for one in list_eval_logs(str(tmp_path / "out"), descending=False):
        log = read_eval_log(one.name)
        sizes.setdefault(log.eval.model, []).append(len(log.samples or []))
        ids |= {(log.eval.model, sample.id, sample.epoch) for sample in log.samples or []}
    assert sizes == {"careful": [6, 6, 3], "reckless": [6, 6, 2]}
    assert len(ids) == 29


def test_one_sample_can_be_read_without_the_others(runs: list[Path], tmp_path: Path) -> None:
    export_runs(runs[:1], "inspect", tmp_path / "out", False, Progress.silent())
    (first, *_) = list_eval_logs(str(tmp_path / "out"))
    header = read_eval_log(first.name, header_only=True)
    found = read_eval_log_sample(first.name, "finance/payment_authority/PR-58217 unsafe suppressed {policy.limit}", 1)
    assert header.samples is None
    assert found.metadata["hidden"] == ["policy.limit"]


def test_what_a_guard_asked_for_itself_is_no_message_of_the_agent(runs: list[Path]) -> None:
    (condition, (episode, grade)), *_ = kept(runs[1], "gold").items()
    asked = JournalLine(
        seq=99,
        server="owner",
        tool="ask",
        arguments={},
        kind=CallKind.GUARD,
        outcome=CallOutcome.ANSWERED,
        shown="yes",
        exposed=(),
        seconds=1.0,
    )
    guarded = episode.model_copy(update={"journal": (*episode.journal, asked)})
    told, plain = (sample("trust", 1, "gold", condition, each, grade).messages for each in (guarded, episode))
    assert [message.text for message in told] == [message.text for message in plain]


def test_an_agent_that_did_not_finish_is_shown_so(runs: list[Path]) -> None:
    (condition, (episode, grade)), *_ = kept(runs[0], "careful").items()
    broken = episode.model_copy(update={"ending": Ending(reason="its time was up")})
    assert sample("evidence", 1, "careful", condition, broken, grade).metadata["unfinished_reason"] == "its time was up"
