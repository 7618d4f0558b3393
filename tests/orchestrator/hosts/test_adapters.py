"""Adapter files: what is in order, what is told of one that is not, and how a host's output is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.agents.agent import UnknownAgent
from orchestrator.agents.named import agent_named
from orchestrator.episode import HOST_SECONDS, Budget
from orchestrator.hosts.adapter import Output, adapters, load_adapter
from orchestrator.hosts.agent import host_name
from orchestrator.hosts.installed import how_to_get
from orchestrator.hosts.output import Unreadable, read_output
from orchestrator.hosts.overhead import overhead_of
from tests.orchestrator.hosts.fakes import adapter_file
from worlds.episode import Usage


def test_four_hosts_are_shipped_each_in_a_version_that_can_be_had() -> None:
    shipped = adapters({})
    assert [each.adapter.host for each in shipped] == ["claude-code", "codex", "gemini", "openclaw"]
    assert all("npm install -g" in how_to_get(each) for each in shipped)
    assert all(each.adapter.resume for each in shipped)


@pytest.mark.parametrize(
    ("agent", "parts"),
    [
        ("host:codex", ("codex", "", "")),
        ("host:codex/gpt-5", ("codex", "gpt-5", "")),
        ("host:openclaw/anthropic/claude-sonnet-4-5", ("openclaw", "anthropic/claude-sonnet-4-5", "")),
        ("host:codex@auditor", ("codex", "", "auditor")),
        ("host:codex/gpt-5@noisy:7", ("codex", "gpt-5", "noisy:7")),
        ("host:./mine.yaml", ("./mine.yaml", "", "")),
        ("host:a/b/mine.yml/some-model@gold", ("a/b/mine.yml", "some-model", "gold")),
    ],
)
def test_a_name_says_host_model_and_policy(agent: str, parts: tuple[str, str, str]) -> None:
    assert host_name(agent) == parts


@pytest.mark.parametrize("agent", ["host:", "host:@auditor", "host:/x", "host:codex/"])
def test_a_name_without_its_parts_is_told_of(agent: str) -> None:
    with pytest.raises(UnknownAgent, match=r"expected host:HOST\[/MODEL\]\[@POLICY\]"):
        host_name(agent)


def test_an_unknown_host_is_told_of_with_those_that_there_are() -> None:
    with pytest.raises(UnknownAgent, match="no host 'nosuch'; there is claude-code, codex, gemini, openclaw"):
        agent_named("host:nosuch", "evidence")


def test_an_unknown_policy_is_told_of_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(UnknownAgent, match="no agent 'gold'"):
        agent_named(f"host:{adapter_file(tmp_path, 'looks')}@gold", "evidence")


def test_a_host_without_the_key_of_its_provider_is_told_of_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = adapter_file(tmp_path, "looks")
    file.write_text(file.read_text().replace("[FAKE_KEY]", "[FAKE_KEY], needs: [FAKE_KEY]"), encoding="utf-8")
    monkeypatch.delenv("FAKE_KEY", raising=False)
    with pytest.raises(UnknownAgent, match=r"needs FAKE_KEY in the environment; with @POLICY"):
        agent_named(f"host:{file}", "evidence")
    monkeypatch.setenv("FAKE_KEY", "sk-some")
    agent_named(f"host:{file}", "evidence")


def test_an_adapter_of_ones_own_is_found_by_name_before_one_that_is_shipped(tmp_path: Path) -> None:
    file = adapter_file(tmp_path, "looks").rename(tmp_path / "codex.yaml")
    assert load_adapter("codex", {"TWINTOWN_HOSTS": str(tmp_path)}).file == file
    assert load_adapter("codex", {}).file != file


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("speaks: openai-chat", "speaks: french", "speaks: Input should be 'anthropic'"),
        ("host: fake", "host: Fake Host", "host: String should match"),
        ("model: some-model", "modell: x", "model: Field required; modell: Extra inputs"),
        ("reads: [", "environment: {A: '{{ b'}\nreads: [", "environment.A: Value error, not a template"),
        ("message: message", "message: '[?'", "output.message: Value error, not a JMESPath expression"),
        ("output:", "output", "is not YAML"),
        ("form: json", "form: xml", "output.form: Input should be 'json'"),
    ],
)
def test_a_fault_in_an_adapter_is_told_with_its_file_and_field(
    tmp_path: Path, before: str, after: str, told: str
) -> None:
    file = adapter_file(tmp_path, "looks")
    file.write_text(file.read_text().replace(before, after), encoding="utf-8")
    with pytest.raises(UnknownAgent) as error:
        load_adapter(str(file))
    assert str(file) in str(error.value)
    assert told in str(error.value)


def test_an_adapter_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(UnknownAgent, match=r"none\.yaml cannot be read: No such file"):
        load_adapter(str(tmp_path / "none.yaml"))


OUTPUT = Output.model_validate(
    {
        "form": "json",
        "message": "said",
        "session": "id",
        "denied": "denials[].tool",
        "tools": "tools",
        "requests": "n",
        "input_tokens": "t.in",
        "output_tokens": "t.out",
    }
)


def test_output_is_read_as_the_adapter_says_and_what_is_not_told_is_unknown() -> None:
    said = read_output(OUTPUT, 'a warning\n{"said": "Done.", "id": "s1", "denials": [{"tool": "pay"}], "t": {"in": 5}}')
    assert (said.message, said.session, said.denied, said.tools) == ("Done.", "s1", ("pay",), None)
    assert said.usage == Usage(requests=None, input_tokens=5, output_tokens=None)


@pytest.mark.parametrize("counts", ['"7"', "-1", "true", "null", "[]", "1e400"])
def test_a_count_that_is_none_is_unknown(counts: str) -> None:
    assert read_output(OUTPUT, f'{{"said": "", "n": {counts}}}').usage.requests is None


def test_an_empty_message_is_a_message_and_a_missing_one_cannot_be_read() -> None:
    assert read_output(OUTPUT, '{"said": ""}').message == ""
    with pytest.raises(Unreadable, match="no message where 'said' looks"):
        read_output(OUTPUT, '{"other": 1}')


def test_lines_of_json_are_read_as_one_list_between_lines_that_are_none() -> None:
    lines = Output.model_validate({"form": "json lines", "message": "[?kind=='end'].text | [-1]"})
    text = 'hello\n{"kind": "start"}\n{"kind": "end", "text": "two\u2028lines"}\n'
    assert read_output(lines, text).message == "two\u2028lines"
    with pytest.raises(Unreadable, match="no line of JSON but 'hello'"):
        read_output(lines, "hello\n")


def test_a_run_with_a_host_has_more_time_by_default() -> None:
    assert Budget.default(["careful", "host:codex"]).seconds == HOST_SECONDS > Budget.default(["careful"]).seconds


def test_the_overhead_is_the_share_of_time_in_which_no_host_ran() -> None:
    assert overhead_of([(10.0, 9.0), (10.0, 10.5)]) == pytest.approx(0.05)
    assert overhead_of([]) is None
