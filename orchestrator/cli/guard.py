"""`twintown guard`"""

from __future__ import annotations

import json
import logging
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import anyio
import typer
from rich.markup import escape
from rich.table import Table

from orchestrator.cli.console import tables_console
from orchestrator.guarding import Stand, load_servers, rules_named, standing_before
from orchestrator.sessions import home
from servers.guard.rules import Rules
from servers.guard.state import State, Word
from servers.transports.http import gateway
from servers.transports.stdio import serve_stdio


class Action(StrEnum):
    """What to do: stand before the servers, or decide on a held call."""

    RUN = "run"
    APPROVE = "approve"
    DENY = "deny"
    PENDING = "pending"


def guard(
    action: Annotated[Action, typer.Argument(help="run, or pending; approve and deny take a held call's ID.")] = (
        Action.RUN
    ),
    held: Annotated[str | None, typer.Argument(metavar="[ID]", help="The held call, as its refusal names it.")] = None,
    consent: Annotated[Path | None, typer.Option(help="YAML: what the owner agrees to.")] = None,
    rules: Annotated[str, typer.Option(help="YAML: which tool does which act; `town` for the town's servers.")] = "",
    servers: Annotated[Path | None, typer.Option(help="JSON with mcpServers, as hosts have it.")] = None,
    stdio: Annotated[str | None, typer.Option(metavar="NAME", help="Only this server, over stdio.")] = None,
    http: Annotated[bool, typer.Option("--http", help="All servers over HTTP: the default.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="For HTTP; 0: the system chooses.")] = 0,
    state: Annotated[Path | None, typer.Option(help="Where spending and held calls are kept.")] = None,
    in_terminal: Annotated[
        bool, typer.Option("--in-terminal", help="Never let the client ask its user; `guard approve` decides.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="What is covered and what is not, by these rules.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON where there is something to read.")] = False,
) -> None:
    """Stand before MCP servers: hold what the owner's consent does not cover, and ask."""
    if explain:
        _explain(rules_named(rules or "town"), as_json)
        return
    kept = State(state or home() / "guard.sqlite")
    if action is not Action.RUN:
        kept.create()
        _decide(kept, action, held, as_json)
        return
    if consent is None or servers is None or not rules:
        raise typer.BadParameter("--consent, --rules and --servers are needed to stand before servers")
    if held is not None or (stdio is not None and (http or port)):
        raise typer.BadParameter("an ID is for approve and deny; --stdio goes without --http and --port")
    stand = Stand(consent, rules_named(rules), load_servers(servers), kept, in_terminal)
    stand.check()
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    anyio.run(_over_stdio, stand, stdio) if stdio else anyio.run(_over_http, stand, port, as_json)


async def _over_stdio(stand: Stand, name: str) -> None:
    async with standing_before(stand, name) as guarded:
        await serve_stdio(guarded[name])


async def _over_http(stand: Stand, port: int, as_json: bool) -> None:
    async with standing_before(stand) as guarded, gateway(port) as at:
        paths = {name: f"/{stand.state.prefix()}/{name}/mcp" for name in guarded}
        async with at.mounted(guarded, paths, streaming=True) as addresses:
            entries = {name: {"type": "http", "url": url} for name, url in addresses.items()}
            if as_json:
                print(json.dumps({"servers": addresses}), flush=True)
            else:
                print("The guard stands. Give your host these servers in place of its own:\n")
                print(json.dumps({"mcpServers": entries}, indent=2), flush=True)
            await anyio.sleep_forever()


def _decide(state: State, action: Action, held: str | None, as_json: bool) -> None:
    if (held is None) != (action is Action.PENDING):
        raise typer.BadParameter("approve and deny take the ID of a held call, pending takes none")
    if held is not None:
        call = state.decide(held, Word.APPROVED if action is Action.APPROVE else Word.DENIED)
        said = "goes through once when it is made again" if action is Action.APPROVE else "is refused"
        print(json.dumps({"id": call.id, "word": action.value}) if as_json else f"{call.id}: {call.asks}: {said}")
        return
    waiting = state.waiting()
    if as_json:
        print(json.dumps([{"id": one.id, "asks": one.asks, "reasons": one.reasons} for one in waiting]))
        return
    for one in waiting:
        print(f"{one.id}  {one.asks}\n        {one.reasons}")
    if not waiting:
        print("nothing waits")


def _explain(rules: Rules, as_json: bool) -> None:
    if as_json:
        print(json.dumps([line.model_dump() for line in rules.covers]))
        return
    table = Table("outcome", "covered", "not covered", title="What the guard holds", show_lines=True)
    for line in rules.covers:
        table.add_row(line.outcome, escape(line.covered), escape(line.not_covered))
    console = tables_console()
    console.print(table)
    tools = Table("server", "tool", "act", title="By tool")
    for rule in rules.rules:
        parts = {
            "contact": rule.contacts or rule.thread,
            "commitment": rule.commits or rule.agreement,
            "money": rule.spends,
            "loss": rule.loses,
        }
        if rule.acts:
            tools.add_row(
                escape(rule.server), escape(rule.tool), ", ".join(name for name, part in parts.items() if part)
            )
    console.print(tools)
