"""`twintown hosts`"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.table import Column, Table

from orchestrator.agents.agent import UnknownAgent
from orchestrator.cli.console import tables_console
from orchestrator.hosts.adapter import Loaded, adapters
from orchestrator.hosts.confinement import version as confinement
from orchestrator.hosts.installed import how_to_get, installed


def hosts(as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> None:
    """The hosts that can be run as agents, which are installed, and how to get the others."""
    found = [_found(each) for each in adapters()]
    if as_json:
        print(json.dumps({"hosts": found, "confined": confinement() > 0}))
        return
    where = Column("where, or how to get it", overflow="fold")
    table = Table("agent", "what it is", "version", "expected", where)
    for each in found:
        version = each["version"] or ("unknown" if each["installed"] else "not installed")
        table.add_row(f"host:{each['host']}", each["about"], version, each["expected"], each["path"] or each["how"])
    console = tables_console()
    console.print(table)
    console.print(
        "Hosts are confined to their own folders (Landlock)."
        if confinement()
        else "This system has no Landlock: hosts are not confined and can read what you can. See docs/hosts.md."
    )


def _found(host: Loaded) -> dict[str, Any]:
    adapter = host.adapter
    try:
        program = installed(host)
    except UnknownAgent:
        program = None
    return {
        "host": adapter.host,
        "about": adapter.about,
        "speaks": adapter.speaks.value,
        "installed": program is not None,
        "version": program.version(adapter.version) if program else "",
        "expected": adapter.get.version if adapter.get else "",
        "path": str(program.program) if program else "",
        "how": how_to_get(host),
    }
