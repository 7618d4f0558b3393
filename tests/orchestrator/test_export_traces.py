"""Episodes as OpenTelemetry traces."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from orchestrator.exporting.destination import ExportError
from orchestrator.exporting.export import export_runs
from orchestrator.exporting.traces import TRACES, send_traces
from orchestrator.progress import Progress
from orchestrator.runs import opened
from tests.orchestrator.kept_runs import kept_run
from worlds.episode import CallKind, Usage


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("runs")
    told = Usage(requests=3, input_tokens=200, output_tokens=10)
    return [
        kept_run(root / "pay", "evidence", ("PR-58217",), ("careful", "reckless")),
        kept_run(root / "movers", "trust", ("contact/movers_certificate",), ("gold", "temptation"), 1, told),
    ]


@pytest.fixture(scope="module")
def file(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("exports") / "otel"
    export_runs(runs, "otel", out, False, Progress.silent())
    return out / TRACES


def traces(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def spans(trace: dict[str, Any]) -> list[dict[str, Any]]:
    (resource,) = trace["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    found: list[dict[str, Any]] = scope["spans"]
    return found


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def test_every_episode_is_a_trace_with_a_span_for_the_agent_and_one_for_each_call(runs: list[Path], file: Path) -> None:
    found = iter(traces(file))
    for directory in runs:
        with opened(directory) as store:
            for _, agent, condition, episode, _ in store.episodes():
                root, *calls = spans(next(found))
                assert root["name"] == f"invoke_agent {agent}"
                assert "parentSpanId" not in root
                assert attributes(root)["twintown.task"] == condition.task
                lines = [line for line in episode.journal if line.kind is not CallKind.TURN]
                assert [call["name"] for call in calls] == [f"execute_tool {line.tool}" for line in lines]
                assert {call["parentSpanId"] for call in calls} <= {root["spanId"]}
                assert [json.loads(attributes(call)["gen_ai.tool.call.result"]) for call in calls] == [
                    line.shown for line in lines
                ]
    assert next(found, None) is None


def test_ids_are_hexadecimal_of_the_right_length_and_no_two_are_the_same(file: Path) -> None:
    every = [span for trace in traces(file) for span in spans(trace)]
    assert all(len(bytes.fromhex(span["traceId"])) == 16 and len(bytes.fromhex(span["spanId"])) == 8 for span in every)
    assert len({(span["traceId"], span["spanId"]) for span in every}) == len(every)
    assert len({span["traceId"] for span in every}) == len(traces(file))


def test_the_same_run_gives_the_same_bytes(runs: list[Path], file: Path, tmp_path: Path) -> None:
    export_runs(runs, "otel", tmp_path / "again", False, Progress.silent())
    assert (tmp_path / "again" / TRACES).read_bytes() == file.read_bytes()


def test_calls_lie_within_their_episode_and_episodes_follow_each_other_from_when_the_run_was_begun(
    runs: list[Path], tmp_path: Path
) -> None:
    export_runs(runs[:1], "otel", tmp_path / "out", False, Progress.silent())
    with opened(runs[0]) as store:
        ends = [int(datetime.fromisoformat(store.begun).timestamp()) * 1_000_000_000]
    for trace in traces(tmp_path / "out" / TRACES):
        root, *calls = spans(trace)
        begin, end = int(root["startTimeUnixNano"]), int(root["endTimeUnixNano"])
        assert all(begin <= int(call["startTimeUnixNano"]) == int(call["endTimeUnixNano"]) <= end for call in calls)
        assert begin == ends[-1]
        ends.append(end)


def test_unknown_usage_is_no_attribute_and_known_usage_is_one(file: Path) -> None:
    found = {}
    for trace in traces(file):
        said = attributes(spans(trace)[0])
        found[said["gen_ai.agent.name"]] = said.get("gen_ai.usage.input_tokens")
    assert found == {"careful": None, "reckless": None, "gold": "200", "temptation": "200"}


def test_the_grade_is_an_evaluation_with_its_reasons(file: Path) -> None:
    verdicts = set()
    for trace in traces(file):
        root = spans(trace)[0]
        results = [attributes(event) for event in root["events"] if event["name"] == "gen_ai.evaluation.result"]
        assert all("gen_ai.evaluation.name" in result for result in results)
        assert results[0]["gen_ai.evaluation.explanation"]
        verdicts.add(results[0]["gen_ai.evaluation.score.label"])
    assert {"unsafe_commit", "withheld", "legal_completion", "safe_outcome", "violation"} <= verdicts


def test_names_are_those_of_the_semantic_conventions(file: Path) -> None:
    conventions = pytest.importorskip(
        "opentelemetry.semconv._incubating.attributes.gen_ai_attributes", reason="opentelemetry-sdk is not installed"
    )
    known = {value for name, value in vars(conventions).items() if name.startswith("GEN_AI_")}
    used = set()
    for trace in traces(file):
        for span in spans(trace):
            for holder in (span, *span.get("events", ())):
                used |= {key for key in attributes(holder) if key.startswith("gen_ai.")}
    assert "gen_ai.tool.call.arguments" in used
    assert used <= known


def test_every_line_is_what_the_protocol_says(file: Path) -> None:
    reason = "opentelemetry-proto is not installed"
    proto = pytest.importorskip("opentelemetry.proto.trace.v1.trace_pb2", reason=reason)
    json_format = pytest.importorskip("google.protobuf.json_format", reason=reason)
    for trace in traces(file):
        for span in spans(trace):  # OTLP writes ids in hexadecimal where protobuf's own JSON has base64
            for name in ("traceId", "spanId", "parentSpanId"):
                if name in span:
                    span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
        json_format.ParseDict(trace, proto.TracesData())  # raises for a field that the protocol does not have


@pytest.fixture
def collector() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """An address that takes traces, and what it has taken."""
    taken: list[dict[str, Any]] = []

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.headers["content-type"] == "application/json"
            body = self.rfile.read(int(self.headers["content-length"]))
            status = 200 if self.path == "/v1/traces" else 404
            if status == 200:
                taken.append(json.loads(body))
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_traces_are_sent_whole_to_an_address_that_takes_them(
    file: Path, collector: tuple[str, list[dict[str, Any]]]
) -> None:
    address, taken = collector
    send_traces(file, f"{address}/v1/traces", Progress.silent())
    sent = [resource for request in taken for resource in request["resourceSpans"]]
    assert sent == [resource for trace in traces(file) for resource in trace["resourceSpans"]]


def test_an_address_that_refuses_or_is_not_there_is_one_clear_error_and_the_file_stays(
    file: Path, collector: tuple[str, list[dict[str, Any]]]
) -> None:
    for address in (f"{collector[0]}/elsewhere", "http://127.0.0.1:1/v1/traces", "no address"):
        with pytest.raises(ExportError, match="did not take the traces"):
            send_traces(file, address, Progress.silent())
    assert file.exists()
