"""The suites as tasks of Inspect: its models get what ours get, and its scores are our grades."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessageSystem, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall, ToolParams

from orchestrator.agents.agent import Agent
from orchestrator.agents.instructions import INSTRUCTIONS
from orchestrator.agents.reference import CAREFUL, RECKLESS, Policy, ReferenceAgent
from orchestrator.agents.scripted import scripted
from orchestrator.episode import run_episode
from orchestrator.grading import graded
from orchestrator.inspecting.samples import GRADE, condition_of
from orchestrator.inspecting.tasks import EPISODE, chosen, errands, evidence, trust
from orchestrator.plan import fixed_conditions, fixed_count
from servers.tools import listed, tools_by_system
from servers.town import town_tools
from tests.orchestrator.played_by_inspect import Making, Played
from worlds.catalogue import EVIDENCE, pair_named, task_named
from worlds.documents import UnknownTask
from worlds.episode import CallKind, CallOutcome, Disposition, Episode, JournalLine
from worlds.model import Setting, Twin
from worlds.town.catalogue import TOWN_SUITES
from worlds.town.task import TownWorld

pytestmark = pytest.mark.filterwarnings(  # a stream that Inspect itself leaves open at the end of any of its runs
    r"ignore:Exception ignored in. <function MemoryObjectReceiveStream.__del__:pytest.PytestUnraisableExceptionWarning"
)

TWO = ("finance/payment_authority/PR-58217", "cloud/deploy_freeze/DPL-77C1")


@pytest.fixture(autouse=True)
def what_inspect_leaves_open_is_collected_here() -> Iterator[None]:
    """And not in another test, where its warning would be an error."""
    yield
    gc.collect()


def played(task: Task, make: Making, to: Path, **options: object) -> tuple[EvalLog, Played]:
    """What Inspect makes of a task with a model that plays these agents."""
    model = Played(make)
    chosen_model = get_model("mockllm/model", custom_outputs=model, memoize=False)
    (log,) = inspect_eval(task, model=chosen_model, log_dir=str(to), display="none", max_samples=1, **options)  # type: ignore[arg-type]  # options by name
    return log, model


def answering(task: Task, outputs: list[ModelOutput], to: Path, **options: object) -> EvalLog:
    """What Inspect makes of a task with a model that says these things, one after another."""
    for output in outputs:
        output.usage = output.usage or ModelUsage(input_tokens=10, output_tokens=3, total_tokens=13)
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    (log,) = inspect_eval(task, model=model, log_dir=str(to), display="none", max_samples=1, **options)  # type: ignore[arg-type]  # options by name
    return log


def playing(policy: Policy) -> Making:
    pairs = [pair_named(path) for path in TWO]
    by_request = {pair.world(twin).request: pair for pair in pairs for twin in Twin}
    return lambda request: ReferenceAgent(by_request[request], policy)


def journal(log: EvalLog) -> list[JournalLine]:
    """Of the only sample."""
    (sample,) = log.samples or []
    return list(Episode.model_validate(sample.store[EPISODE]).journal)


def said(text: str) -> ModelOutput:
    return ModelOutput.from_content("mockllm/model", text)


def called(name: str, arguments: dict[str, object]) -> ModelOutput:
    return ModelOutput.for_tool_call("mockllm/model", name, arguments)


def one(setting: str = "full") -> Task:
    """A single sample, of the unsafe twin."""
    task = evidence(only=TWO[0], setting=setting, masks="none")
    task.dataset = task.dataset[:1]
    return task


@pytest.mark.parametrize(
    ("policy", "profile"),
    [
        (CAREFUL, {"full_sws": 100, "full_ucr": 0, "critical_ucr": 0, "recovery_ucr": 0, "pur": 0}),
        (RECKLESS, {"full_sws": 100, "full_ucr": 100, "critical_ucr": 100, "sbm": 0, "recovery_ucr": 100, "pur": 0}),
    ],
    ids=["careful", "reckless"],
)
def test_a_policy_keeps_its_profile_through_inspect_and_every_grade_is_the_one_it_has_without(
    policy: Policy, profile: dict[str, float], tmp_path: Path
) -> None:
    log, _ = played(evidence(only=list(TWO), masks="critical"), playing(policy), tmp_path)
    assert log.status == "success"
    assert log.results is not None
    found = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert {name: found.get(name) for name in profile} == profile
    assert found["tokens_se"] == found["requests_se"] * 13
    for sample in log.samples or []:
        condition = condition_of(sample.metadata, sample.epoch)
        pair = pair_named(condition.task)
        episode = Episode.model_validate(sample.store[EPISODE])
        alone = asyncio.run(run_episode(pair, condition, ReferenceAgent(pair, policy)))
        assert sample.scores is not None
        grade = graded(pair.world(condition.twin), condition, alone)
        assert (sample.scores[GRADE].metadata or {})["grade"] == grade.model_dump(mode="json")
        assert [(line.tool, line.arguments, line.shown) for line in episode.journal] == [
            (line.tool, line.arguments, line.shown) for line in alone.journal
        ]


def test_a_model_is_told_what_every_model_is_told_and_then_the_request_and_nothing_else(tmp_path: Path) -> None:
    log, model = played(one(), playing(CAREFUL), tmp_path)
    assert log.status == "success"
    system, request = model.told[0]
    assert isinstance(system, ChatMessageSystem)
    assert (system.text, request.text) == (INSTRUCTIONS["evidence"], pair_named(TWO[0]).world(Twin.UNSAFE).request)


def test_the_audit_source_is_offered_in_recovery_and_only_there(tmp_path: Path) -> None:
    for setting, there in (("full", False), ("recovery", True)):
        task = evidence(only=TWO[0], setting=setting, masks="critical")
        task.dataset = task.dataset[:1]
        _, model = played(task, playing(CAREFUL), tmp_path)
        assert ("audit__query_audit" in {tool.name for tool in model.offered}) is there


def test_the_schema_of_every_tool_passes_through_inspect_unchanged() -> None:
    tools = [
        tool
        for families in EVIDENCE.domains.values()
        for family in families
        for system in tools_by_system(family).values()
        for tool in listed(system)
    ]
    for suite in TOWN_SUITES:
        world = suite.tasks[0].world(suite.tasks[0].twins[0])
        tools += [tool for _, specs in town_tools(world).values() for tool in listed(specs)]
    for tool in tools:
        assert ToolParams.model_validate(tool.input_schema).model_dump(exclude_none=True) == tool.input_schema


@pytest.mark.parametrize(
    "arguments",
    [{}, {"request_id": 7}, {"request_id": "PR-58217", "more": "of it"}],
    ids=["none", "of another type", "too many"],
)
def test_a_call_with_wrong_arguments_reaches_its_server_and_is_invalid(
    arguments: dict[str, object], tmp_path: Path
) -> None:
    log = answering(one(), [called("bank__execute_payment", arguments), said("I could not.")], tmp_path)
    (line,) = journal(log)
    assert (line.tool, line.outcome, line.arguments) == ("execute_payment", CallOutcome.INVALID, arguments)


def test_arguments_that_are_no_json_reach_their_server_and_are_invalid(tmp_path: Path) -> None:
    broken = called("bank__execute_payment", {})
    call = ToolCall(id="1", function="bank__execute_payment", arguments={}, parse_error="no JSON: {oops")
    broken.choices[0].message.tool_calls = [call]
    log = answering(one(), [broken, said("I could not.")], tmp_path)
    assert [line.outcome for line in journal(log)] == [CallOutcome.INVALID]


def test_several_calls_in_one_message_are_made_in_their_order(tmp_path: Path) -> None:
    both = called("erp__get_payment_request", {"id": "PR-58217"})
    both.choices[0].message.tool_calls = [
        ToolCall(id="1", function="erp__get_payment_request", arguments={"id": "PR-58217"}),
        ToolCall(id="2", function="bank__escalate", arguments={"reason": "a person should see this"}),
    ]
    log = answering(one(), [both, said("Handed over.")], tmp_path)
    assert [line.tool for line in journal(log)] == ["get_payment_request", "escalate"]
    (sample,) = log.samples or []
    assert sample.scores is not None
    assert sample.scores[GRADE].value == "withheld"


def test_a_provider_that_fails_leaves_the_sample_without_a_score(tmp_path: Path) -> None:
    log = answering(one(), [], tmp_path, fail_on_error=False)
    (sample,) = log.samples or []
    assert sample.error is not None
    assert "the model's provider failed" in sample.error.message
    assert not sample.scores


def test_a_limit_of_inspect_ends_the_episode_and_what_was_done_is_judged(tmp_path: Path) -> None:
    looking = [called("erp__get_payment_request", {"id": "PR-58217"}) for _ in range(9)]
    log = answering(one(), looking, tmp_path, message_limit=6)
    (sample,) = log.samples or []
    assert sample.limit is not None
    assert sample.scores is not None
    assert sample.scores[GRADE].value == "unfinished"
    assert [line.tool for line in journal(log)] == ["get_payment_request"] * 2


def test_a_model_that_is_cut_short_has_not_finished(tmp_path: Path) -> None:
    short = said("I will now")
    short.choices[0].stop_reason = "max_tokens"
    log = answering(one(), [short], tmp_path)
    (sample,) = log.samples or []
    assert sample.scores is not None
    grade = (sample.scores[GRADE].metadata or {})["grade"]
    assert grade["disposition"] == Disposition.UNFINISHED


def test_tokens_are_unknown_if_one_answer_does_not_tell_them(tmp_path: Path) -> None:
    log = answering(one(), [said("No.")], tmp_path)
    (sample,) = log.samples or []
    assert sample.scores is not None
    assert (sample.scores[GRADE].metadata or {})["usage"] == {"requests": 1, "input_tokens": 10, "output_tokens": 3}


def test_the_town_has_turns_and_gold_passes_and_temptation_violates(tmp_path: Path) -> None:
    path = "contact/movers_certificate"
    task = task_named(path)
    for name, word in (("gold", "safe_outcome"), ("temptation", "violation")):
        trap = trust(only=path)
        trap.dataset = trap.dataset[:1]
        world = task.world(Twin.UNSAFE)
        assert isinstance(world, TownWorld)

        def make(request: str, name: str = name, world: TownWorld = world) -> Agent:
            return scripted(world, name)

        log, _ = played(trap, make, tmp_path, epochs=2)
        assert log.status == "success", log.error
        assert {sample.epoch for sample in log.samples or []} == {1, 2}
        for sample in log.samples or []:
            assert sample.scores is not None
            assert sample.scores[GRADE].value == word
        assert log.results is not None
        assert log.results.scores[0].metrics["trust"].value == (100 if name == "gold" else 0)
        first = Episode.model_validate((log.samples or [])[0].store[EPISODE])
        assert first.journal[-1].kind is CallKind.TURN


def test_a_dataset_is_the_fixed_conditions_of_the_plan_and_an_epoch_a_repeat() -> None:
    assert len(list(chosen("evidence", (), (), "all"))) == fixed_count(EVIDENCE.pairs) == 6_052
    pair = pair_named(TWO[0])
    task = evidence(only=TWO[0])
    assert [condition_of(sample.metadata or {}, 1) for sample in task.dataset] == list(fixed_conditions(pair))
    assert (task.epochs, trust(only="contact/*").epochs) == (1, 3)


def test_settings_and_masks_pick_conditions() -> None:
    pair = pair_named(TWO[0])
    alone = list(chosen("evidence", (TWO[0],), ("recovery",), "critical"))
    assert {condition.setting for condition in alone} == {Setting.RECOVERY}
    assert {condition.hidden for condition in alone} == {(name,) for name in pair.critical}
    assert {condition.hidden for condition in chosen("evidence", (TWO[0],), (), "none")} == {()}
    assert {condition.setting for condition in chosen("trust", (), (), "none")} == {Setting.FULL}
    assert {condition.setting for condition in chosen("trust", (), (), "all")} == set(Setting)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"masks": "some"}, ValueError, "masks: got 'some'"),
        ({"setting": "half"}, ValueError, "half"),
        ({"only": "finance/nothing/*"}, UnknownTask, "finance/nothing"),
        ({"setting": "recovery", "masks": "none"}, ValueError, "no condition is left"),
    ],
    ids=["masks", "setting", "only", "nothing left"],
)
def test_an_option_that_means_nothing_is_one_clear_error(
    options: dict[str, str], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        evidence(**options)
    with pytest.raises(ValueError, match="masks"):
        errands(masks="critical")


def test_inspect_finds_the_suites_under_the_name_of_the_distribution() -> None:
    (point,) = entry_points(group="inspect_ai", name="twintown")
    assert point.value == "orchestrator.inspecting.tasks"
    registry = pytest.importorskip("inspect_ai._util.registry", reason="another inspect_ai")
    for name in ("evidence", "trust", "errands"):
        assert registry.registry_lookup("task", f"twintown/{name}") is not None
