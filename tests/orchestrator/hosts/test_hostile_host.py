"""A host that reads all it can reach finds nothing of twin, mask, oracle, task or another episode."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import orchestrator
from orchestrator.agents.agent import Outside, Reach
from orchestrator.hosts.agent import host_agent
from orchestrator.hosts.confinement import version
from orchestrator.hosts.process import Place, new_place
from servers.session import memory_session, tools_of
from servers.transports.http import gateway
from worlds.catalogue import pair_named
from worlds.episode import Condition
from worlds.model import Setting, Twin

PAIR = pair_named("finance/payment_authority/PR-58217")
HIDDEN = ("policy.limit",)
CONDITION = Condition(PAIR.path, Twin.UNSAFE, Setting.SUPPRESSED, HIDDEN)
SCRIPTS = Path(__file__).parent

ADAPTER = """
host: hostile
about: A host that looks around
program: python3
speaks: openai-chat
model: some-model
reads: [SCRIPTS]
arguments: [SCRIPTS/hostile_host.py, "{{ servers | json }}", PROJECT, RUN]
output: {form: json, message: message}
"""


@asynccontextmanager
async def another_episode() -> AsyncIterator[tuple[Place, dict[str, str]]]:
    """An episode of the same worker that goes on meanwhile."""
    async with (
        new_place() as place,
        memory_session(PAIR.world(Twin.SAFE), CONDITION) as session,
        gateway() as door,
        door.mounted(session.servers) as addresses,
    ):
        (place.home / "mcp.json").write_text(json.dumps(addresses), encoding="utf-8")
        yield place, addresses


@pytest.fixture(scope="module")
def project() -> Path:
    return Path(orchestrator.__file__).parents[1]


async def looked_around(folder: Path, project: Path) -> tuple[dict[str, Any], str, dict[str, str], Place]:
    """What the hostile host found, as it says it and as one text; and what the other episode holds."""
    run = folder / "run"
    run.mkdir()
    (run / "run.sqlite").write_text(f"{CONDITION} and all that is private", encoding="utf-8")
    file = folder / "hostile.yaml"
    text = ADAPTER.replace("SCRIPTS", str(SCRIPTS)).replace("PROJECT", str(project)).replace("RUN", str(run))
    file.write_text(text, encoding="utf-8")
    host = host_agent(f"host:{file}", None)(PAIR, CONDITION)
    assert isinstance(host, Outside)
    world = PAIR.world(CONDITION.twin)
    async with (
        another_episode() as (place, others),
        memory_session(world, CONDITION) as session,
        gateway() as door,
        door.mounted(session.servers) as addresses,
        host.connected(Reach(addresses, tools_of(world, CONDITION.setting), session.journal)),
    ):
        said = await host.act(world.request, {}) or ""
    return json.loads(said), said, others, place


async def test_a_hostile_host_finds_nothing_private(tmp_path: Path, project: Path) -> None:
    if not version():
        pytest.skip("this kernel has no Landlock: a host can read what its user can")
    found, text, others, place = await looked_around(tmp_path, project)
    private = ["unsafe", "suppressed", "policy.limit", "payment_authority", "oracle", "all that is private"]
    private += [address.split("/")[3] for address in others.values()]
    private += [str(place.root), place.root.name]
    assert [word for word in private if word in text] == []
    assert [name for name in found["processes"] if not name.startswith("/proc/self")] == []
    assert found["signalled"] == []
    assert [folder for folder, names in found["folders"].items() if names and not folder.startswith("..")] == []
    assert [path for path in found["files"] if "run.sqlite" in path] == []


async def test_what_a_host_is_given_tells_nothing_private(tmp_path: Path, project: Path) -> None:
    """This also holds where it is not confined and can read what its user can."""
    found, _, others, place = await looked_around(tmp_path, project)
    told = json.dumps([found[name] for name in ("tools", "prompts", "environment", "arguments", "gateway")])
    private = ["unsafe", "suppressed", "mask", "twin", "policy.limit", "payment_authority", "oracle", "recovery"]
    private += [address.split("/")[3] for address in others.values()] + [place.root.name]
    assert [word for word in private if word in told.casefold()] == []


async def test_guessed_addresses_of_the_gateway_answer_nothing(tmp_path: Path, project: Path) -> None:
    found, _, _, _ = await looked_around(tmp_path, project)
    assert set(found["gateway"].values()) <= {"there is no server at this address", "well"}
    assert len(found["gateway"]) > 10
