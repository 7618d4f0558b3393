"""A run as logs of Inspect, which `inspect view` shows: a log for each agent, in parts of so many episodes.

Through inspect-ai, an extra (`pip install 'twintown[inspect]'`). A run keeps what an agent called and was shown, not
what a model wrote between the calls, so each call stands as a message of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalPlanStep,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall, ToolCallError

from graders.statistics import Estimate
from orchestrator.grading import AnyGrade
from orchestrator.inspecting.samples import GRADE, condition_metadata, sample_id, score_of, target
from orchestrator.progress import Progress
from orchestrator.results import results_of
from orchestrator.runs import RunCard, RunStore
from worlds.catalogue import task_named
from worlds.episode import CallKind, CallOutcome, Condition, Episode, JournalLine, Usage
from worlds.version import VERSION

MOST_SAMPLES = 1_000
"""Of one log: more go into further parts, because a log is written from memory."""

SCORE = f"twintown/{GRADE}"


def export_inspect(runs: Mapping[str, RunStore], directory: Path, progress: Progress) -> None:
    """Write the logs of these runs, by name, into a directory."""
    for run, store in runs.items():
        results = results_of(store)
        metrics = {agent: dict(results.of(agent).metrics) for agent in results.agents}
        parts = {agent: _Parts(run, store, agent, metrics.get(agent, {}), directory) for agent in store.card.agents}
        suite = store.card.suite
        for number, agent, condition, episode, grade in store.episodes():
            parts[agent].add(sample(suite, number, agent, condition, episode, grade))
            progress.ended()
        for part in parts.values():
            part.write()


class _Parts:
    """The logs of one agent in a run. All parts carry the results over all of them."""

    def __init__(
        self, run: str, store: RunStore, agent: str, metrics: dict[str, Estimate | None], directory: Path
    ) -> None:
        self._run, self._store, self._agent, self._metrics, self._directory = run, store, agent, metrics, directory
        self._samples: list[EvalSample] = []
        self._part = 0

    def add(self, sample: EvalSample) -> None:
        self._samples.append(sample)
        if len(self._samples) == MOST_SAMPLES:
            self.write()

    def write(self) -> None:
        """Write what is waiting as the next part."""
        if not self._samples:
            return
        self._part += 1
        card, begun = self._store.card, datetime.fromisoformat(self._store.begun)
        key = _id(self._run, self._agent, str(self._part), json.dumps(self._store.hashes()))
        slug = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{card.suite}-{self._run}-{self._agent}-part{self._part}")
        name = f"{begun:%Y-%m-%dT%H-%M-%S}+00-00_{slug}_{key}.eval"
        spec = _spec(self._run, card, self._agent, self._part, key, begun, len(self._samples), self._store.hashes())
        log = EvalLog(
            status="success",
            eval=spec,
            plan=EvalPlan(steps=[EvalPlanStep(solver=self._agent)]),
            results=_results(len(self._samples), self._metrics),
            stats=_stats(begun, self._samples),
            samples=self._samples,
        )
        write_eval_log(log, self._directory / name, format="eval")
        self._samples = []


def _spec(
    run: str,
    card: RunCard,
    agent: str,
    part: int,
    key: str,
    begun: datetime,
    samples: int,
    hashes: Mapping[str, str],
) -> EvalSpec:
    return EvalSpec(
        eval_id=key,
        run_id=_id(run, json.dumps(dict(hashes))),
        task_id=_id(run, agent, card.suite),
        created=begun.isoformat(),
        task=f"twintown/{card.suite}",
        task_version=VERSION,
        task_registry_name=f"twintown/{card.suite}",
        dataset=EvalDataset(name=card.suite, samples=samples),
        model=agent.removeprefix("model:"),
        config=EvalConfig(epochs=card.repeats, time_limit=round(card.seconds)),
        packages={"twintown": VERSION, "inspect_ai": version("inspect_ai")},
        metadata={
            "run": run,
            "agent": agent,
            "part": part,
            "card": card.model_dump(mode="json"),
            "hashes": dict(hashes),
        },
    )


def sample(suite: str, number: int, agent: str, condition: Condition, episode: Episode, grade: AnyGrade) -> EvalSample:
    """One episode as Inspect keeps it."""
    request = task_named(condition.task).world(condition.twin).request
    messages = [ChatMessageUser(content=request, source="input"), *_exchange(episode)]
    last = messages[-1]
    said = last if isinstance(last, ChatMessageAssistant) else ChatMessageAssistant(content="")
    return EvalSample(
        id=sample_id(condition),
        epoch=condition.repeat + 1,
        uuid=_id(agent, str(condition), str(number)),
        input=request,
        target=target(suite, condition),
        messages=messages,
        output=ModelOutput(model=agent, choices=[ChatCompletionChoice(message=said)]),
        scores={GRADE: score_of(suite, condition, episode, grade)},
        metadata={
            **condition_metadata(suite, condition),
            "disposition": grade.disposition.value,
            "unfinished_reason": episode.ending.reason,
        },
        model_usage=_usage(agent, episode.ending.usage),
        total_time=episode.seconds,
    )


def _exchange(episode: Episode) -> Iterator[ChatMessage]:
    """The calls and what was shown; then the last message, or where there are turns, their ends and the answers."""
    turns = False
    for line in episode.journal:
        if line.kind is CallKind.TURN:
            turns = True
            yield ChatMessageAssistant(content=str(line.arguments.get("message", "")))
            if line.shown is not None:
                yield ChatMessageUser(content=str(line.shown))
        elif line.kind is not CallKind.GUARD:  # the agent neither made nor saw what a guard asked for itself
            yield from _call(line)
    if episode.ending.message and not turns:
        yield ChatMessageAssistant(content=episode.ending.message)


def _call(line: JournalLine) -> Iterator[ChatMessage]:
    name, call = f"{line.server}__{line.tool}", str(line.seq)
    shown = line.shown if isinstance(line.shown, str) else json.dumps(line.shown, ensure_ascii=False)
    failed = line.outcome is not CallOutcome.ANSWERED
    yield ChatMessageAssistant(
        content="", tool_calls=[ToolCall(id=call, function=name, arguments=dict(line.arguments))]
    )
    yield ChatMessageTool(
        content=shown,
        tool_call_id=call,
        function=name,
        error=ToolCallError(type="unknown", message=f"{line.outcome}: {shown}") if failed else None,
    )


def _usage(agent: str, usage: Usage) -> dict[str, ModelUsage]:
    """What the agent said of its tokens; nothing if it did not say, because unknown is not zero."""
    if usage.input_tokens is None or usage.output_tokens is None:
        return {}
    total = usage.input_tokens + usage.output_tokens
    return {agent: ModelUsage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, total_tokens=total)}


def _stats(begun: datetime, samples: list[EvalSample]) -> EvalStats:
    """As if the episodes had been run one after another from the beginning of the run."""
    lasted = timedelta(seconds=sum(sample.total_time or 0.0 for sample in samples))
    return EvalStats(
        started_at=begun.isoformat(), completed_at=(begun + lasted).isoformat(), model_usage=_summed(samples)
    )


def _summed(samples: list[EvalSample]) -> dict[str, ModelUsage]:
    """The usage of a log; nothing if it is unknown of one of its samples."""
    if not all(sample.model_usage for sample in samples):
        return {}
    found: dict[str, ModelUsage] = {}
    for sample in samples:
        for agent, usage in sample.model_usage.items():
            found[agent] = found[agent] + usage if agent in found else usage
    return found


def _results(samples: int, metrics: Mapping[str, Estimate | None]) -> EvalResults:
    found = {
        name: EvalMetric(
            name=name,
            value=estimate.value,
            metadata={"low": estimate.low, "high": estimate.high, "tasks": estimate.n},
        )
        for name, estimate in metrics.items()
        if estimate is not None
    }
    score = EvalScore(name=GRADE, scorer=SCORE, metrics=found, scored_samples=samples, unscored_samples=0)
    return EvalResults(total_samples=samples, completed_samples=samples, scores=[score])


def _id(*parts: str) -> str:
    """An id of 22 letters from what it identifies."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:22]
