"""Episodes as OpenTelemetry traces, by the semantic conventions for generative AI: an `invoke_agent` span with an
`execute_tool` span for each call.

Written as OTLP JSON lines, one episode a line. A run keeps when it was begun, and of episodes how long they took: they
are laid one after another. A call is a point in time, when it was answered: when it began is not kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

import httpx2

from orchestrator.exporting.destination import ExportError
from orchestrator.exporting.verdicts import judgements, verdict_word
from orchestrator.grading import AnyGrade
from orchestrator.progress import Progress
from orchestrator.runs import RunStore
from worlds.catalogue import task_named
from worlds.episode import CallKind, CallOutcome, Condition, Episode, JournalLine
from worlds.version import VERSION

TRACES = "traces.jsonl"
SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0"
"""The version of the semantic conventions."""

AT_ONCE = 100
"""Episodes sent in one request."""

_INTERNAL, _CLIENT, _ERROR = 1, 3, 2
_SECOND = 1_000_000_000

Span = dict[str, object]


def export_traces(runs: Mapping[str, RunStore], directory: Path, progress: Progress) -> None:
    """Write the traces of these runs, by name, into a directory."""
    with (directory / TRACES).open("w", encoding="utf-8") as file:
        for run, store in runs.items():
            begin = int(datetime.fromisoformat(store.begun).timestamp()) * _SECOND
            for _, agent, condition, episode, grade in store.episodes():
                file.write(json.dumps(trace(run, store.card.suite, agent, condition, episode, grade, begin)) + "\n")
                begin += _nanoseconds(episode.seconds)
                progress.ended()


def send_traces(file: Path, endpoint: str, progress: Progress) -> None:
    """Send exported traces to an OTLP/HTTP endpoint that takes JSON, such as `http://localhost:4318/v1/traces`.

    Raises ExportError if it cannot be reached or refuses them.
    """
    with file.open(encoding="utf-8") as lines, httpx2.Client(timeout=60) as client:
        for batch in _batches(lines):
            spans = [resource for line in batch for resource in json.loads(line)["resourceSpans"]]
            try:
                client.post(endpoint, json={"resourceSpans": spans}).raise_for_status()
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise ExportError(
                    f"{endpoint} did not take the traces ({error}); they are in {file}, give another --endpoint"
                ) from None
            progress.ended(len(batch))


def trace(
    run: str, suite: str, agent: str, condition: Condition, episode: Episode, grade: AnyGrade, begin: int
) -> dict[str, object]:
    """One episode as OTLP's TracesData. `begin`: nanoseconds since 1970."""
    trace_id = _hex(16, run, agent, str(condition), repr(episode.seconds))
    root = _root(trace_id, agent, condition, episode, grade, begin)
    calls = [line for line in episode.journal if line.kind is not CallKind.TURN]
    spans = [root, *(_call(trace_id, str(root["spanId"]), line, begin) for line in calls)]
    resource = {"service.name": "twintown", "service.version": VERSION, "twintown.run": run, "twintown.suite": suite}
    scope = {"scope": {"name": "twintown", "version": VERSION}, "schemaUrl": SCHEMA_URL, "spans": spans}
    return {"resourceSpans": [{"resource": {"attributes": _attributes(resource)}, "scopeSpans": [scope]}]}


def _root(trace_id: str, agent: str, of: Condition, episode: Episode, grade: AnyGrade, begin: int) -> Span:
    ending, provider, model = episode.ending, *_provider_and_model(agent)
    attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": provider,
        "gen_ai.agent.name": agent,
        "gen_ai.request.model": model,
        "gen_ai.conversation.id": trace_id,
        "gen_ai.usage.input_tokens": ending.usage.input_tokens,
        "gen_ai.usage.output_tokens": ending.usage.output_tokens,
        "gen_ai.input.messages": _messages("user", task_named(of.task).world(of.twin).request),
        "gen_ai.output.messages": _messages("assistant", ending.message) if ending.message else None,
        "error.type": "unfinished" if ending.reason else None,
        "twintown.task": of.task,
        "twintown.twin": of.twin.value,
        "twintown.setting": of.setting.value,
        "twintown.hidden": list(of.hidden),
        "twintown.repeat": of.repeat,
        "twintown.disposition": grade.disposition.value,
        "twintown.requests": ending.usage.requests,
    }
    end = begin + _nanoseconds(episode.seconds)
    return {
        "traceId": trace_id,
        "spanId": _hex(8, trace_id, "root"),
        "name": f"invoke_agent {agent}",
        "kind": _CLIENT if agent.startswith("host:") else _INTERNAL,
        "startTimeUnixNano": str(begin),
        "endTimeUnixNano": str(end),
        "attributes": _attributes(attributes),
        "events": [*_turns(episode.journal, begin), *_evaluations(grade, end)],
        "status": {"code": _ERROR, "message": ending.reason} if ending.reason else {},
    }


def _call(trace_id: str, parent: str, line: JournalLine, begin: int) -> Span:
    failed = line.outcome is not CallOutcome.ANSWERED
    at = str(begin + _nanoseconds(line.seconds))
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": line.tool,
        "gen_ai.tool.type": "extension",
        "gen_ai.tool.call.id": str(line.seq),
        "gen_ai.tool.call.arguments": _json(line.arguments),
        "gen_ai.tool.call.result": _json(line.shown),
        "mcp.method.name": "tools/call",
        "error.type": line.outcome.value if failed else None,
        "twintown.server": line.server,
        "twintown.kind": line.kind.value,
        "twintown.outcome": line.outcome.value,
        "twintown.exposed": list(line.exposed),
    }
    return {
        "traceId": trace_id,
        "spanId": _hex(8, trace_id, str(line.seq)),
        "parentSpanId": parent,
        "name": f"execute_tool {line.tool}",
        "kind": _INTERNAL,
        "startTimeUnixNano": at,
        "endTimeUnixNano": at,
        "attributes": _attributes(attributes),
        "status": {"code": _ERROR, "message": str(line.shown)} if failed else {},
    }


def _turns(journal: Iterable[JournalLine], begin: int) -> Iterator[dict[str, object]]:
    """The ends of the agent's turns, with what the owner answered."""
    for line in journal:
        if line.kind is CallKind.TURN:
            said = {"twintown.message": str(line.arguments.get("message", "")), "twintown.answer": line.shown}
            yield _event("twintown.turn", begin + _nanoseconds(line.seconds), said)


def _evaluations(grade: AnyGrade, at: int) -> Iterator[dict[str, object]]:
    verdict = {
        "gen_ai.evaluation.name": "verdict",
        "gen_ai.evaluation.score.label": verdict_word(grade),
        "gen_ai.evaluation.explanation": "\n".join(grade.reasons),
    }
    yield _event("gen_ai.evaluation.result", at, verdict)
    for name, held in judgements(grade).items():
        judgement = {
            "gen_ai.evaluation.name": name,
            "gen_ai.evaluation.score.value": None if held is None else float(held),
            "gen_ai.evaluation.score.label": "inconclusive" if held is None else str(held).lower(),
        }
        yield _event("gen_ai.evaluation.result", at, judgement)


def _event(name: str, at: int, attributes: Mapping[str, object]) -> dict[str, object]:
    return {"name": name, "timeUnixNano": str(at), "attributes": _attributes(attributes)}


def _attributes(values: Mapping[str, object]) -> list[dict[str, object]]:
    """Attributes as OTLP has them; what is None is left out, because it is not known."""
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


def _value(value: object) -> dict[str, object]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(item) for item in value]}}
    return {"stringValue": str(value)}


def _provider_and_model(agent: str) -> tuple[str, str | None]:
    """Who an agent's model is of, and its name, as far as the agent's name tells: our own agents have no model."""
    kind, _, rest = agent.partition(":")
    first, _, second = rest.partition("+")[0].partition("@")[0].partition("/")
    if kind in ("model", "host"):
        return first, second or None
    return "twintown", None


def _messages(role: str, text: str) -> str:
    return _json([{"role": role, "parts": [{"type": "text", "content": text}]}])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _nanoseconds(seconds: float) -> int:
    return round(seconds * _SECOND)


def _hex(size: int, *parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[: 2 * size]


def _batches(lines: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
