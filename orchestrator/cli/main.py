"""The command `twintown`."""

from __future__ import annotations

import importlib
import sqlite3
import sys

import click
import typer

from orchestrator.agents.agent import UnknownAgent
from orchestrator.cli.exits import BAD_INPUT, INTERRUPTED
from orchestrator.runs import RunError
from servers.session import SessionError
from worlds.catalogue import UnknownTask
from worlds.loading import WorldError
from worlds.version import VERSION

COMMANDS = ("suites", "show", "check", "run", "results", "grade", "serve", "server")

_TOLD = (UnknownAgent, UnknownTask, RunError, SessionError, WorldError, ValueError, OSError, sqlite3.Error)
"""Errors whose message says where, what was found and what to do."""


class _Commands(click.Group):
    """Imports a command's module when it is needed, so that a server starts without the statistics."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return typer.main.get_command(importlib.import_module(f"orchestrator.cli.{cmd_name}").app)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="twintown")
def twintown() -> None:
    """Twin worlds for AI agents: is it right to act, and does the agent find out?"""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave the process with an exit code that means something.

    0: done. 1: a check found problems. 2: the input cannot be used. 3: some episodes could not be graded. 130: stopped.
    """
    try:
        code = twintown.main(arguments, prog_name="twintown", standalone_mode=False)
    except click.exceptions.Exit as leaving:
        code = leaving.exit_code
    except click.ClickException as error:
        error.show()
        code = BAD_INPUT
    except (KeyboardInterrupt, click.exceptions.Abort):
        print("stopped; what was finished is kept", file=sys.stderr)
        code = INTERRUPTED
    except _TOLD as error:
        print(f"error: {error}", file=sys.stderr)
        code = BAD_INPUT
    sys.exit(code if isinstance(code, int) else 0)
