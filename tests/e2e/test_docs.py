"""What README and docs say is true: their commands run, their examples work, their generated pages are current."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from graders.grade import grade
from orchestrator.agents.reference import AUDITOR, RECKLESS, ReferenceAgent
from orchestrator.documenting import DOCS, pages
from orchestrator.episode import run_episode
from worlds.episode import Condition
from worlds.loading import load_family
from worlds.model import Setting, Twin
from worlds.soundness import family_problems, pair_problems

ROOT = DOCS.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(pages()))
def test_generated_pages_are_current(name: str) -> None:
    assert page(name) == pages()[name], f"docs/{name} is out of date: run `make docs`"


def commands() -> list[str]:
    """The commands of the README that end by themselves; `serve` has tests of its own, as has `make`."""
    lines = [line for block in fenced(README, "sh") for line in block.splitlines() if line.startswith(".venv/bin/")]
    return [line for line in lines if " serve " not in line and "package.module" not in line]


def test_every_kind_of_command_in_the_readme_is_among_those_that_are_run() -> None:
    assert {shlex.split(line)[1] for line in commands()} == {
        "suites",
        "show",
        "check",
        "run",
        "results",
        "compare",
        "report",
        "export",
        "grade",
        "draw",
    }


def test_the_commands_of_the_readme_run_as_they_stand(tmp_path: Path) -> None:
    twintown = [sys.executable, "-m", "orchestrator.cli"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for line in commands():
        arguments = shlex.split(line, comments=True)[1:]
        done = subprocess.run([*twintown, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        assert done.stdout.strip(), line


def test_the_agent_of_the_docs_runs_from_the_command_line_and_from_python(tmp_path: Path) -> None:
    agent, episode, plan = fenced(page("agents.md"), "python")
    (tmp_path / "hasty.py").write_text(agent, encoding="utf-8")
    (tmp_path / "one_episode.py").write_text(episode, encoding="utf-8")
    (tmp_path / "one_plan.py").write_text(plan, encoding="utf-8")
    (command,) = fenced(page("agents.md"), "sh")
    arguments = shlex.split(command.replace("runs/hasty", "runs/by-command"))[1:]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])}
    for run in ([sys.executable, "-m", "orchestrator.cli", *arguments], [sys.executable, "one_episode.py"]):
        done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert "unsafe_commit" in done.stdout
    done = subprocess.run(
        [sys.executable, "one_plan.py"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Estimate(value=100.0" in done.stdout


async def test_the_worked_family_of_the_docs_is_sound_and_the_reference_agents_get_their_profiles(
    tmp_path: Path,
) -> None:
    example = page("authoring.md").partition("## A worked example")[2]
    (code,), (instances,) = fenced(example, "python"), fenced(example, "yaml")
    (tmp_path / "petty_cash.py").write_text(code, encoding="utf-8")
    (tmp_path / "petty_cash.yaml").write_text(instances, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("petty_cash", tmp_path / "petty_cash.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["petty_cash"] = module
    spec.loader.exec_module(module)
    pairs = load_family("finance", module.FAMILY, tmp_path / "petty_cash.yaml")
    assert len(pairs) == 2
    assert not list(family_problems(module.FAMILY))
    for pair in pairs:
        assert not list(pair_problems(pair))
        hidden = tuple(sorted(pair.differing))
        for twin in Twin:
            condition = Condition(pair.path, twin, Setting.RECOVERY, hidden)
            audited = await run_episode(pair, condition, ReferenceAgent(pair, AUDITOR))
            assert grade(pair.world(twin), Setting.RECOVERY, audited).strict
            rash = await run_episode(pair, condition, ReferenceAgent(pair, RECKLESS))
            assert grade(pair.world(twin), Setting.RECOVERY, rash).unsafe_commit is (twin is Twin.UNSAFE)


def test_links_between_the_pages_lead_somewhere() -> None:
    for file in [ROOT / "README.md", *DOCS.glob("**/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), f"{file.name}: {target}"
