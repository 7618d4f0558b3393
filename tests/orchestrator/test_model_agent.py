"""A model as the agent: it has the world's tools and nothing else, and only what is its own fault counts against it."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import MCPError
from mcp_types import ListToolsResult, Tool
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from graders.grade import Grade, Verdict
from orchestrator.agents.agent import Infrastructure, UnknownAgent
from orchestrator.agents.model import INSTRUCTIONS, MOST_LETTERS, NO_OBJECT, ModelAgent, tool_name
from orchestrator.agents.named import agent_named
from orchestrator.episode import Budget, run_episode, run_task
from orchestrator.run import run
from orchestrator.runs import RunError
from orchestrator.worker import run_alone
from servers.session import memory_session
from servers.transports.memory import in_memory
from worlds.catalogue import task_named
from worlds.episode import CallKind, CallOutcome, Condition, Disposition, Episode, Usage
from worlds.model import Setting, Twin

PAYMENT = "finance/payment_authority/PR-58217"
TOWN = task_named("contact/movers_certificate")
LISTS, READS = "erp__list_payment_requests", "erp__get_payment_request"
PAYS, POLICY = "bank__execute_payment", "treasury_policy__get_authorization_policy"
PAID = (
    [(READS, {"id": "PR-58217"}), (POLICY, {})],
    [(PAYS, {"request_id": "PR-58217"})],
    "It is paid.",
)

Says = str | Sequence[tuple[str, Any]]


def response(says: Says, usage: RequestUsage | None = None) -> ModelResponse:
    parts = [TextPart(says)] if isinstance(says, str) else [ToolCallPart(*call) for call in says]
    return ModelResponse(parts=parts, usage=usage or RequestUsage(input_tokens=100, output_tokens=10))


class Plays:
    """A model that says one thing after another, or raises it, and keeps what it was told."""

    def __init__(self, *says: Says | Exception | ModelResponse) -> None:
        self.says, self.told = list(says), list[list[ModelMessage]]()
        self.knows: AgentInfo | None = None

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.told.append(messages)
        self.knows = info
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, ModelResponse) else response(said)

    @property
    def answers(self) -> list[str]:
        """What its tools answered, in order."""
        parts = [part for message in self.told[-1] for part in message.parts if isinstance(message, ModelRequest)]
        return [str(part.content) for part in parts if isinstance(part, ToolReturnPart)]


def acting(plays: Plays, suite: str = "evidence", attempts: int = 3) -> ModelAgent:
    return ModelAgent(lambda: FunctionModel(plays), INSTRUCTIONS[suite], pauses=(0.0,) * (attempts - 1))


async def played(*says: Says | Exception | ModelResponse, twin: Twin = Twin.SAFE) -> tuple[Plays, Episode, Grade]:
    plays = Plays(*says)
    episode, found = await run_task(PAYMENT, acting(plays), twin)
    assert isinstance(found, Grade)
    return plays, episode, found


async def test_a_model_reads_and_commits_with_the_tools_of_the_sessions() -> None:
    plays, episode, found = await played(*PAID)
    assert found.verdict is Verdict.LEGAL_COMPLETION
    assert episode.ending.message == "It is paid."
    assert [line.tool for line in episode.journal] == [
        "get_payment_request",
        "get_authorization_policy",
        "execute_payment",
    ]
    assert "Kestrel" in plays.answers[0]


async def test_it_is_told_the_request_the_instruction_and_the_tools_as_they_are_and_nothing_else() -> None:
    plays, _, _ = await played("I have not done this.")
    assert plays.knows is not None
    world = task_named(PAYMENT).world(Twin.SAFE)
    (message,) = plays.told[0]
    assert [part.content for part in message.parts if isinstance(part, UserPromptPart)] == [world.request]
    assert len(message.parts) == 1
    assert plays.knows.instructions == INSTRUCTIONS["evidence"]
    offered = {tool.name: (tool.description, tool.parameters_json_schema) for tool in plays.knows.function_tools}
    assert offered == await listed_tools()
    assert not plays.knows.output_tools


async def listed_tools() -> dict[str, tuple[str | None, dict[str, Any]]]:
    condition = Condition(PAYMENT, Twin.SAFE, Setting.FULL)
    offered = {}
    async with (
        memory_session(task_named(PAYMENT).world(Twin.SAFE), condition) as session,
        in_memory(session.servers) as clients,
    ):
        for server, client in clients.items():
            for tool in (await client.list_tools()).tools:
                offered[f"{server}__{tool.name}"] = (tool.description, tool.input_schema)
    return offered


async def test_the_error_of_a_tool_is_told_as_text() -> None:
    plays, episode, _ = await played([(READS, {"id": "PR-0"})], "There is none.")
    (told,) = plays.answers
    assert "nothing to show for id 'PR-0'" in told
    assert [line.outcome for line in episode.journal] == [CallOutcome.INVALID]
    assert episode.ending.reason == ""


class Broken:
    """A session that lists a tool, and fails beneath it."""

    async def list_tools(self) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name="pay", input_schema={"type": "object", "properties": {}})])

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> None:
        raise MCPError(-32603, "internal error")


async def test_an_error_of_the_protocol_is_told_as_text_too() -> None:
    plays = Plays([("bank__pay", {})], "It failed.")
    assert await acting(plays).act("Pay.", {"bank": Broken()}) == "It failed."
    assert plays.answers == ["error: internal error"]


GARBAGE = ['{"id": ', "[1, 2]", "null", '"PR-58217"', "{" * 5000, '{"id": NaN}', '{"id": "\\ud800"}', {"id": [{}]}]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
@pytest.mark.parametrize("tool", [READS, LISTS])
async def test_arguments_that_are_garbage_are_an_invalid_call_and_the_model_goes_on(tool: str, garbage: Any) -> None:
    plays, episode, found = await played([(tool, garbage)], *PAID)
    garbled, *others = episode.journal
    assert garbled.outcome is CallOutcome.INVALID
    assert garbled.tool == tool.partition("__")[2]
    assert [line.outcome for line in others] == [CallOutcome.ANSWERED] * 3
    assert (found.verdict, found.disposition) == (Verdict.OTHER_NONCOMPLETION, Disposition.COMPLETED)
    assert any(f"{garbled.tool}: " in reason for reason in found.reasons)
    assert "it takes" in plays.answers[0]


async def test_what_is_written_in_place_of_arguments_is_kept_in_the_journal() -> None:
    _, episode, _ = await played([(LISTS, "please")], "")
    assert episode.journal[0].arguments == {NO_OBJECT: "please"}


async def test_arguments_that_are_left_out_are_none() -> None:
    _, episode, _ = await played([(LISTS, None), (LISTS, "")], "")
    assert [line.outcome for line in episode.journal] == [CallOutcome.ANSWERED] * 2


async def test_a_tool_that_does_not_exist_is_told_and_one_that_is_called_for_ever_ends_the_episode() -> None:
    plays, _, found = await played([("bank__nothing", {})], *PAID)
    assert "Unknown tool name" in plays.answers[0]
    assert found.verdict is Verdict.LEGAL_COMPLETION
    _, episode, found = await played(*[[("bank__nothing", {})]] * 50)
    assert "bank__nothing" in episode.ending.reason
    assert found.disposition is Disposition.UNFINISHED


@pytest.mark.parametrize("said", ["", "I cannot help with this."])
async def test_a_model_that_says_nothing_or_refuses_has_stopped(said: str) -> None:
    _, episode, found = await played(said)
    assert (found.verdict, found.disposition) == (Verdict.FALSE_ABSTENTION, Disposition.STOPPED)
    assert episode.ending.message == said


async def test_usage_is_summed_over_requests_and_unknown_where_an_answer_does_not_tell() -> None:
    _, episode, _ = await played(*PAID)
    assert episode.ending.usage == Usage(requests=3, input_tokens=300, output_tokens=30)
    silent = response("It is paid.", RequestUsage(unmeasured_requests=1))
    _, episode, _ = await played(*PAID[:2], silent)
    assert episode.ending.usage == Usage(requests=3)


async def test_what_was_used_before_a_failure_of_the_models_own_is_kept() -> None:
    _, episode, found = await played(
        *PAID[:1], ModelContextWindowExceededError("made-up", "too long"), twin=Twin.UNSAFE
    )
    assert episode.ending.reason == "it raised ModelContextWindowExceededError: too long"
    assert episode.ending.usage == Usage(requests=1, input_tokens=100, output_tokens=10)
    assert found.verdict is Verdict.UNFINISHED


AWAY = [ConnectionError("away"), TimeoutError(), ModelHTTPError(429, "made-up"), ModelHTTPError(503, "made-up")]


@pytest.mark.parametrize("error", [*AWAY, UnexpectedModelBehavior("not JSON")], ids=repr)
async def test_a_provider_that_fails_is_asked_again_and_then_the_episode_is_not_graded(error: Exception) -> None:
    _, episode, found = await played(error, *PAID[:1], error, error, *PAID[1:])
    assert found.verdict is Verdict.LEGAL_COMPLETION
    assert episode.ending.usage.requests == 3
    plays = Plays(*PAID[:1], error, error, error)
    with pytest.raises(Infrastructure, match=type(error).__name__):
        await run_task(PAYMENT, acting(plays), Twin.SAFE)
    assert not plays.says


@pytest.mark.parametrize(
    "kind", [ModelRequestRejectedError, ModelNotFoundError, ModelAuthenticationError, ModelQuotaExceededError]
)
async def test_a_request_that_is_refused_is_not_tried_again_and_not_graded(kind: type[ModelAPIError]) -> None:
    plays = Plays(kind("made-up", "no"), "never said")
    with pytest.raises(Infrastructure, match=kind.__name__):
        await run_task(PAYMENT, acting(plays), Twin.SAFE)
    assert plays.says == ["never said"]


async def test_a_provider_that_asks_for_a_long_wait_has_failed_at_once() -> None:
    plays = Plays(ModelHTTPError(429, "made-up", headers={"Retry-After": "3600"}), "never said")
    with pytest.raises(Infrastructure):
        await run_task(PAYMENT, acting(plays), Twin.SAFE)


async def test_time_that_runs_out_over_a_failing_provider_is_not_the_models() -> None:
    plays = Plays(ConnectionError("away"))
    agent = ModelAgent(lambda: FunctionModel(plays), "", pauses=(600.0,))
    with pytest.raises(Infrastructure, match="away"):
        await run_task(PAYMENT, agent, Twin.SAFE, budget=Budget(seconds=0.3))


async def test_time_that_runs_out_over_a_slow_model_is_its_own() -> None:
    async def slow(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        await anyio.sleep_forever()
        raise AssertionError

    agent = ModelAgent(lambda: FunctionModel(slow), "")
    episode, _ = await run_task(PAYMENT, agent, Twin.SAFE, budget=Budget(seconds=0.3))
    assert episode.ending.reason == "it did not end within 0.3 seconds"
    assert episode.ending.usage == Usage()


async def test_in_the_town_what_was_said_stays_from_turn_to_turn_and_usage_adds_up() -> None:
    plays = Plays([("mailbox__list_mail", {})], "Which moving company are we using?", "I have not written to anyone.")
    agent = acting(plays, "town")
    episode = await run_episode(TOWN, Condition(TOWN.path, Twin.UNSAFE, Setting.FULL), agent)
    assert [line.kind for line in episode.journal] == [CallKind.READ, CallKind.TURN, CallKind.TURN]
    world = TOWN.world(Twin.UNSAFE)
    intent = {fact.fact: fact.says for fact in world.file.intent}
    prompts = [part.content for message in plays.told[-1] for part in message.parts if isinstance(part, UserPromptPart)]
    assert prompts == [world.request, intent["mover"]]
    assert len(plays.answers) == 1
    assert "Which moving company are we using?" in str(plays.told[-1])
    assert plays.knows is not None
    assert plays.knows.instructions == INSTRUCTIONS["town"]
    assert episode.ending.usage == Usage(requests=3, input_tokens=300, output_tokens=30)


def test_names_of_tools_fit_every_provider_and_are_unlike() -> None:
    assert tool_name("bank", "pay") == "bank__pay"
    names: list[str] = []
    for server, tool in [
        ("a.b", "c d"),
        ("a_b", "c_d"),
        ("a", "b__c"),
        ("a__b", "c"),
        ("s" * 40, "t" * 40 + "1"),
        ("s" * 40, "t" * 40 + "2"),
    ]:
        names.append(tool_name(server, tool, names))
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(rf"[a-zA-Z0-9_-]{{1,{MOST_LETTERS}}}", name) for name in names)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("model:nobody/large", "Unknown model: nobody:large"),
        ("model:openai", "expected model:PROVIDER/NAME"),
        ("model:openai/", "expected model:PROVIDER/NAME"),
        ("model:/large", "expected model:PROVIDER/NAME"),
        ("model:openai/large", "Set the `OPENAI_API_KEY` environment variable"),
    ],
)
@pytest.mark.parametrize("suite", ["evidence", "trust"])
def test_a_model_that_cannot_be_had_is_refused_in_a_line(
    name: str, told: str, suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UnknownAgent) as refused:
        agent_named(name, suite)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


class Endpoint(ThreadingHTTPServer):
    """An OpenAI-compatible address on the loopback: `answer` makes the message for what has been said."""

    daemon_threads = True

    def __init__(self, answer: Callable[[list[dict[str, Any]]], dict[str, Any] | int]) -> None:
        super().__init__(("127.0.0.1", 0), _Completions)
        self.answer = answer
        self.bodies: list[dict[str, Any]] = []
        self.opened, self.open = 0, 0
        self.changed = threading.Condition()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def all_closed(self) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.open == 0, timeout=10)


class _Completions(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint

    def handle(self) -> None:
        with self.server.changed:
            self.server.opened += 1
            self.server.open += 1
        try:
            super().handle()
        finally:
            with self.server.changed:
                self.server.open -= 1
                self.server.changed.notify_all()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.bodies.append(body)
        message = self.server.answer(body["messages"])
        status, told = (message, {"error": {"message": "out"}}) if isinstance(message, int) else (200, _whole(message))
        sent = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _whole(message: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "made-up",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls" if "tool_calls" in message else "stop",
                "message": {"role": "assistant", "content": None, **message},
            }
        ],
        "usage": {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55},
    }


def pays(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Garbage first, then a read, then the commit."""
    calls = [(LISTS, "{not JSON"), (READS, '{"id": "PR-58217"}'), (PAYS, '{"request_id": "PR-58217"}')]
    done = sum(message["role"] == "tool" for message in messages)
    if done == len(calls):
        return {"content": "It is paid."}
    name, arguments = calls[done]
    return {"tool_calls": [{"id": f"c{done}", "type": "function", "function": {"name": name, "arguments": arguments}}]}


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[..., Any]], Endpoint]]:
    """Starts an address that the provider `openai` is then had from."""
    started: list[tuple[Endpoint, threading.Thread]] = []

    def start(answer: Callable[..., Any]) -> Endpoint:
        endpoint = Endpoint(answer)
        thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        started.append((endpoint, thread))
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.address)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        return endpoint

    yield start
    for endpoint, thread in started:
        endpoint.shutdown()
        thread.join()
        endpoint.server_close()


def test_episodes_in_loops_of_their_own_share_no_client_and_leave_no_connection_open(
    serve: Callable[[Callable[..., Any]], Endpoint],
) -> None:
    endpoint = serve(pays)
    pair = task_named(PAYMENT)
    make = agent_named("model:openai/tiny", "evidence")
    for number, twin in enumerate((Twin.SAFE, Twin.UNSAFE), start=1):
        condition = Condition(PAYMENT, twin, Setting.FULL)
        episode, stopped = run_alone(run_episode(pair, condition, make(pair, condition)))
        assert stopped
        assert isinstance(episode, Episode)
        assert [line.outcome for line in episode.journal] == [CallOutcome.INVALID, *[CallOutcome.ANSWERED] * 2]
        assert len(episode.final_state["bank"]) == 1
        assert episode.ending.message == "It is paid."
        assert episode.ending.usage == Usage(requests=4, input_tokens=200, output_tokens=20)
        assert endpoint.opened == number
        assert endpoint.all_closed()
    sent = {
        tool["function"]["name"]: (tool["function"]["description"], tool["function"]["parameters"])
        for tool in endpoint.bodies[0]["tools"]
    }
    assert sent == asyncio.run(listed_tools())
    system, user = endpoint.bodies[0]["messages"]
    assert system["content"] == INSTRUCTIONS["evidence"]
    assert user["content"] == pair.world(Twin.SAFE).request


def test_an_address_that_fails_is_infrastructure_and_each_attempt_is_one_request(
    serve: Callable[[Callable[..., Any]], Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = serve(lambda messages: 503)
    monkeypatch.setattr("orchestrator.agents.model.ModelAgent.__init__.__defaults__", ((0.0,),))
    pair = task_named(PAYMENT)
    condition = Condition(PAYMENT, Twin.SAFE, Setting.FULL)
    failure, _ = run_alone(run_episode(pair, condition, agent_named("model:openai/tiny", "evidence")(pair, condition)))
    assert isinstance(failure, Infrastructure)
    assert "503" in str(failure)
    assert len(endpoint.bodies) == 2
    assert endpoint.all_closed()


def test_a_key_that_the_provider_refuses_stops_the_run_with_a_line(
    serve: Callable[[Callable[..., Any]], Endpoint], tmp_path: Path
) -> None:
    endpoint = serve(lambda messages: 401)
    with pytest.raises(RunError, match=r"agent 'model:openai/tiny' cannot be had: .*401"):
        run("evidence", ["model:openai/tiny"], tmp_path / "run", only=[PAYMENT], workers=1)
    assert len(endpoint.bodies) == 1
