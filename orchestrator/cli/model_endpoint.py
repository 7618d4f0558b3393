"""`twintown model-endpoint`"""

from __future__ import annotations

import json
import sys
from typing import Annotated

import anyio
import typer
from rich.console import Console

from orchestrator.agents.agent import Agent, UnknownAgent
from orchestrator.agents.named import agent_named
from orchestrator.agents.reference import POLICIES
from orchestrator.agents.scripted import SCRIPTED
from orchestrator.endpoint.serving import Endpoint, scripted_model
from orchestrator.episode import checked_condition
from servers.session import tools_of
from worlds.catalogue import task_named
from worlds.model import AUDIT, Setting, Twin
from worlds.town.task import TownTask

BASES = {
    "Anthropic Messages": ("ANTHROPIC_BASE_URL", ""),
    "OpenAI Chat Completions, Responses": ("OPENAI_BASE_URL", "/v1"),
    "Gemini": ("GOOGLE_GEMINI_BASE_URL", ""),
}
"""By API, the variable that most clients read, and what stands after the address in it."""


def model_endpoint(
    task: Annotated[str, typer.Argument(help="A task by path, or its last part.")],
    policy: Annotated[str, typer.Option(help="The reference agent that plays the model, such as auditor or gold.")],
    twin: Annotated[
        Twin | None, typer.Option(help="Town: whose script is played; by default the trap's, where there are two.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: the system chooses.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line with the address when ready.")] = False,
) -> None:
    """A local model that plays a reference agent through whatever host calls it, until Ctrl-C. No key is needed."""
    pair = task_named(task)
    town = isinstance(pair, TownTask)
    known = SCRIPTED if town else tuple(each.name for each in POLICIES)
    if policy not in known:
        raise UnknownAgent(f"{pair.path} has no reference agent {policy!r}; it has {', '.join(known)}")
    condition = checked_condition(pair, twin or pair.twins[0], Setting.FULL if town else Setting.RECOVERY, ())
    maker = agent_named(policy, pair.suite if isinstance(pair, TownTask) else "evidence")

    def make() -> Agent:
        return maker(pair, condition)

    async def serve() -> None:
        tools = tools_of(pair.world(condition.twin), condition.setting)
        async with scripted_model(make, tools, port, optional={AUDIT}, warn=_warn) as endpoint:
            _explain(endpoint, as_json)
            await anyio.sleep_forever()

    anyio.run(serve)


def _warn(why: str) -> None:
    print(f"The policy cannot be played: {why}.", file=sys.stderr, flush=True)


def _explain(endpoint: Endpoint, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"address": endpoint.address}), flush=True)
        return
    console = Console(highlight=False)
    console.print("The model is ready. Each new conversation begins the policy anew. Any key and model name will do.\n")
    for api, (variable, path) in BASES.items():
        console.print(f"[bold]{api}[/bold]")
        print(f"  export {variable}={endpoint.address}{path}", flush=True)
    console.print("\nCtrl-C ends it.")
