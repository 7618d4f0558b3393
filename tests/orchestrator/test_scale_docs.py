"""The files that docs/scale.md shows for clusters are what those read, and their commands are ones that there are."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main
import yaml

from orchestrator.cli.main import _app
from orchestrator.documenting import DOCS

JOB, SLURM = DOCS / "examples" / "ray-job.yaml", DOCS / "examples" / "slurm.sh"


def options() -> set[str]:
    commands: dict[str, Any] = typer.main.get_command(_app(["run"])).commands
    return {name for parameter in commands["run"].params for name in parameter.opts}


def used(text: str) -> Iterator[str]:
    """The options of `twintown run` in a text, whose lines may be broken off."""
    for command in re.findall(r"twintown run\b([^;|&\n]*)", text.replace("\\\n", " ")):
        yield from re.findall(r"(?<!\S)--[a-z-]+", command)


def test_a_ray_job_has_a_head_that_keeps_the_run_and_workers_with_cpus() -> None:
    job = yaml.safe_load(JOB.read_text(encoding="utf-8"))
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    cluster = job["spec"]["rayClusterSpec"]
    head = cluster["headGroupSpec"]
    (container,) = head["template"]["spec"]["containers"]
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in head["template"]["spec"]["volumes"]}
    assert head["rayStartParams"]["num-cpus"] == "0"
    (workers,) = cluster["workerGroupSpecs"]
    (worker,) = workers["template"]["spec"]["containers"]
    assert worker["image"] == container["image"]
    assert workers["minReplicas"] <= workers["replicas"] <= workers["maxReplicas"]
    assert int(worker["resources"]["limits"]["cpu"]) * workers["replicas"] == 32
    assert "--workers 32" in job["spec"]["entrypoint"]


def test_the_version_of_ray_in_the_job_is_one_that_the_project_is_tested_with() -> None:
    pinned = dict(
        line.split("==")
        for line in (DOCS.parent / "constraints.txt").read_text(encoding="utf-8").split()
        if "==" in line
    )
    assert yaml.safe_load(JOB.read_text(encoding="utf-8"))["spec"]["rayClusterSpec"]["rayVersion"] == pinned["ray"]


def test_the_scripts_of_both_are_sound_shell() -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    entrypoint = yaml.safe_load(JOB.read_text(encoding="utf-8"))["spec"]["entrypoint"]
    for script in (SLURM.read_text(encoding="utf-8"), entrypoint, entrypoint.split("'")[1]):
        done = subprocess.run([bash, "-n"], input=script, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_batch_script_says_what_it_needs_before_its_first_command() -> None:
    lines = SLURM.read_text(encoding="utf-8").splitlines()
    asked = [line for line in lines if line.startswith("#SBATCH --")]
    assert {line.split("--")[1].split("=")[0] for line in asked} >= {
        "nodes",
        "ntasks-per-node",
        "cpus-per-task",
        "time",
    }
    first = next(number for number, line in enumerate(lines) if line and not line.startswith("#"))
    assert max(lines.index(line) for line in asked) < first


def test_every_option_that_the_page_and_its_files_give_to_run_is_one_that_it_has() -> None:
    page = (DOCS / "scale.md").read_text(encoding="utf-8")
    entrypoint = yaml.safe_load(JOB.read_text(encoding="utf-8"))["spec"]["entrypoint"]
    found = [option for text in (page, entrypoint, SLURM.read_text(encoding="utf-8")) for option in used(text)]
    assert {"--engine", "--address", "--resume", "--workers"} <= set(found) <= options()
