"""The command `twintown`."""

from __future__ import annotations

import importlib
import sqlite3
import sys
from typing import Annotated

import typer

from orchestrator.agents.agent import UnknownAgent
from orchestrator.cli.exits import BAD_INPUT
from orchestrator.runs import RunError
from servers.session import SessionError
from worlds.documents import UnknownTask, WorldError
from worlds.version import VERSION

COMMANDS = (
    "suites",
    "show",
    "draw",
    "check",
    "hosts",
    "model-endpoint",
    "run",
    "results",
    "compare",
    "report",
    "view",
    "grade",
    "export",
    "guard",
    "serve",
    "server",
    "turn",
    "uninstall",
    "compose",
)

_TOLD = (
    UnknownAgent,
    UnknownTask,
    RunError,
    SessionError,
    WorldError,
    ValueError,
    OSError,
    sqlite3.Error,
)
"""Errors whose message says where, what was found and what to do."""


def main() -> None:
    """Run the command line and leave the process with an exit code that means something.

    0: done. 1: a check found problems. 2: the input cannot be used. 3: some episodes could not be graded. 130: stopped.
    """
    try:
        _app(sys.argv[1:])(prog_name="twintown")
    except _TOLD as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)


def _app(arguments: list[str]) -> typer.Typer:
    """The commands. Only the one that is called is imported, so that a server starts without the statistics."""
    called = arguments[0] if arguments and arguments[0] in COMMANDS else None
    app = typer.Typer(
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(twintown)
    for name in (called,) if called else COMMANDS:
        module = name.replace("-", "_")
        app.command(name)(getattr(importlib.import_module(f"orchestrator.cli.{module}"), module))
    return app


def _say_version(asked: bool) -> None:
    if asked:
        print(f"twintown {VERSION}")
        raise typer.Exit


def twintown(
    version: Annotated[bool, typer.Option("--version", callback=_say_version, is_eager=True)] = False,
) -> None:
    """Twin worlds for AI agents: is it right to act, and does the agent find out?"""
