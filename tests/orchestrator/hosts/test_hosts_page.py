"""The worked example of docs/hosts.md runs as it stands."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from orchestrator.documenting import DOCS
from orchestrator.runs import opened

PAGE = (DOCS / "hosts.md").read_text(encoding="utf-8")


def fenced(language: str) -> str:
    (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    return str(block)


def test_the_host_of_the_page_runs_with_its_adapter(tmp_path: Path) -> None:
    (tmp_path / "hasty_host.py").write_text(fenced("python"), encoding="utf-8")
    (tmp_path / "hasty.yaml").write_text(fenced("yaml"), encoding="utf-8")
    command = shlex.split(fenced("sh"))[1:]
    environment = {**os.environ, "PYTHONPATH": str(DOCS.parent)}
    done = subprocess.run(
        [sys.executable, "-m", "orchestrator.cli", *command],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "of its wall time is not its own process" in done.stderr
    with opened(tmp_path / "runs" / "hasty-host") as store:
        grades = [grade for _, _, _, _, grade in store.episodes()]
    assert any(grade.unsafe_commit for grade in grades)
