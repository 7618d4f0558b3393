"""Adapters for the fake host, and its episodes."""

from __future__ import annotations

from pathlib import Path

from orchestrator.agents.agent import Agent
from orchestrator.hosts.agent import host_agent
from worlds.catalogue import task_named
from worlds.episode import Condition
from worlds.model import Setting, Twin

PAYMENT = "finance/payment_authority/PR-58217"
SCRIPT = Path(__file__).with_name("fake_host.py")

ADAPTER = """
host: fake
about: A host for tests
program: PROGRAM
speaks: openai-chat
model: some-model
provider: {passes: [FAKE_KEY]}
reads: [SCRIPTS]
arguments: [SCRIPT, MODE, "{{ request }}", "{{ servers | json }}", "{{ turn }}"]
resume: [SCRIPT, MODE, "{{ request }}", "{{ servers | json }}", "{{ turn }}"]
output:
  form: json
  message: message
  session: session
  denied: denied
  trouble: trouble
  tools: tools
  requests: usage.requests
  input_tokens: usage.in
  output_tokens: usage.out
"""


def adapter_file(folder: Path, mode: str, resumes: bool = True, program: str = "python3") -> Path:
    """An adapter for the fake host in this mode."""
    lines = ADAPTER.replace("SCRIPTS", str(SCRIPT.parent)).replace("SCRIPT", str(SCRIPT)).replace("MODE", f'"{mode}"')
    if not resumes:
        lines = "".join(line for line in lines.splitlines(keepends=True) if not line.startswith("resume"))
    file = folder / "fake.yaml"
    file.write_text(lines.replace("PROGRAM", program), encoding="utf-8")
    return file


def condition_of(task: str) -> Condition:
    """Its first world, with nothing hidden."""
    return Condition(task_named(task).path, Twin.UNSAFE, Setting.FULL)


def fake(folder: Path, mode: str, task: str = PAYMENT, resumes: bool = True) -> tuple[Agent, Condition]:
    """The fake host in this mode, for one episode, and the condition that it is in."""
    condition = condition_of(task)
    return host_agent(f"host:{adapter_file(folder, mode, resumes)}", None)(task_named(task), condition), condition
