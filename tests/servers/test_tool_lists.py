"""The tools that agents are offered: plain for every host, and the same whatever the world is."""

from __future__ import annotations

import json
import re
from itertools import chain

import pytest
from mcp import MCPError
from mcp_types import Tool

from servers.server import server_names
from servers.tools import AUDIT_TOOLS, ToolSpec, listed, tools_by_system
from servers.transports.era import Era
from tests.servers.opened import opened
from tests.worlds.made import HARBOUR, made
from worlds.catalogue import EVIDENCE
from worlds.episode import CallKind
from worlds.model import Family, Setting, Twin, describe

FAMILIES = [family for families in EVIDENCE.domains.values() for family in families]
FIRST_OF_EACH_DOMAIN = [f"{domain}/{families[0].name}" for domain, families in EVIDENCE.domains.items()]


def tools_of(family: Family) -> list[ToolSpec]:
    return [*chain(*tools_by_system(family).values()), *AUDIT_TOOLS]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_host_can_take_the_names_of_a_familys_tools(family: Family) -> None:
    names = [tool.name for tool in tools_of(family)]
    assert len(names) == len(set(names)) <= 40
    for system, tools in tools_by_system(family).items():
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,19}", system)
        for tool in tools:
            assert re.fullmatch(r"[a-z][a-z0-9_]{0,35}", tool.name)
            assert len(f"mcp__{system}__{tool.name}") <= 64


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_tool_has_a_flat_schema_and_a_plain_description(family: Family) -> None:
    for tool in tools_of(family):
        offered = tool.as_mcp()
        schema = offered.input_schema
        assert set(schema) == {"type", "properties", "required", "additionalProperties"}
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        for name, wanted in schema["properties"].items():
            assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
            assert set(wanted) <= {"type", "description", "enum", "format"}
            assert wanted["type"] in ("string", "integer", "boolean")
            assert all(isinstance(choice, str) for choice in wanted.get("enum", []))
        assert offered.output_schema is None
        assert json.loads(json.dumps(schema)) == schema
        assert 20 <= len(offered.description or "") <= 2500


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_rule_is_told_with_the_commit_and_escalate_stands_beside_it(family: Family) -> None:
    commit_system = tools_by_system(family)[family.commit.system]
    assert [tool.kind for tool in commit_system[-2:]] == [CallKind.COMMIT, CallKind.ESCALATE]
    assert commit_system[-2].description == f"{describe(family.commit)} House rule: {family.rule}"
    kinds = [tool.kind for tool in chain(*tools_by_system(family).values())]
    assert (kinds.count(CallKind.COMMIT), kinds.count(CallKind.ESCALATE)) == (1, 1)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_no_tool_tells_of_twins_or_grades(family: Family) -> None:
    telling = re.compile(r"\btwin\b|\bunsafe\b|\bgrad(ed|er|ing)\b|\bverdict\b|\bbenchmark|\bseeds/", re.I)
    words = [*(tool.description for tool in tools_of(family)), *family.systems.values()]
    assert [text for text in words if telling.search(text)] == []


def test_the_harbours_tools_are_offered_as_declared() -> None:
    offered = {system: listed(tools) for system, tools in tools_by_system(HARBOUR).items()}
    assert {system: [tool.name for tool in tools] for system, tools in offered.items()} == {
        "harbour": ["get_boat", "list_boats", "search_boats", "warm_up", "cast_off", "escalate"],
        "office": ["get_dues"],
    }
    get_boat = offered["harbour"][0]
    assert get_boat.description == "Boat in the harbour: dues, berth, colour, inspection, crew, remarks."
    assert get_boat.input_schema == {
        "type": "object",
        "properties": {"id": {"type": "string", "description": "The id of the record."}},
        "required": ["id"],
        "additionalProperties": False,
    }
    assert offered["office"][0].input_schema["properties"] == {}


async def offer(path: str, twin: Twin, setting: Setting, hidden: tuple[str, ...], era: Era) -> dict[str, str]:
    """What each ordinary server of a world says of itself, as bytes."""
    pair = made() if path == "harbour" else EVIDENCE.family_pairs(path)[0]
    async with opened(pair, twin, hidden, setting=setting, era=era) as world:
        told = {name: await client.list_tools() for name, client in world.clients.items() if name != "audit"}
        return {
            name: f"{world.clients[name].instructions} {tools.model_dump_json(exclude={'meta'})}"
            for name, tools in told.items()
        }


async def test_the_tools_are_the_same_in_both_twins_in_every_setting_and_under_every_mask() -> None:
    pair = made()
    masks = [(), *((name,) for name in pair.critical), tuple(sorted(pair.everything))]
    plain = await offer("harbour", Twin.UNSAFE, Setting.FULL, (), Era.MODERN)
    for twin in Twin:
        assert await offer("harbour", twin, Setting.FULL, (), Era.MODERN) == plain
        for setting in (Setting.SUPPRESSED, Setting.RECOVERY):
            for mask in masks:
                assert await offer("harbour", twin, setting, mask, Era.MODERN) == plain, (twin, setting, mask)


@pytest.mark.parametrize("path", FIRST_OF_EACH_DOMAIN)
async def test_the_tools_of_real_families_are_the_same_with_everything_hidden_and_with_nothing(path: str) -> None:
    hidden = tuple(sorted(EVIDENCE.family_pairs(path)[0].everything))
    plain = await offer(path, Twin.UNSAFE, Setting.FULL, (), Era.MODERN)
    assert await offer(path, Twin.SAFE, Setting.FULL, (), Era.MODERN) == plain
    assert await offer(path, Twin.UNSAFE, Setting.SUPPRESSED, hidden, Era.MODERN) == plain
    assert await offer(path, Twin.SAFE, Setting.RECOVERY, hidden, Era.MODERN) == plain


async def test_the_tools_are_the_same_in_both_eras_of_the_protocol() -> None:
    async def tools(era: Era) -> list[Tool]:
        async with opened(made(), era=era) as world:
            return (await world.clients["harbour"].list_tools()).tools

    assert await tools(Era.MODERN) == await tools(Era.HANDSHAKE)


def test_the_audit_server_is_there_in_recovery_and_nowhere_else() -> None:
    pair = made()
    assert {setting: server_names(pair, setting) for setting in Setting} == {
        Setting.FULL: ("harbour", "office"),
        Setting.SUPPRESSED: ("harbour", "office"),
        Setting.RECOVERY: ("harbour", "office", "audit"),
    }


@pytest.mark.parametrize("setting", list(Setting))
async def test_the_clients_reach_exactly_the_servers_of_the_setting(setting: Setting) -> None:
    hidden = () if setting is Setting.FULL else ("dues.most",)
    async with opened(made(), hidden=hidden, setting=setting) as world:
        assert tuple(world.clients) == server_names(made(), setting)


@pytest.mark.parametrize("era", list(Era))
async def test_a_server_offers_tools_and_nothing_else(era: Era) -> None:
    async with opened(made(), era=era) as world:
        client = world.clients["harbour"]
        for ask in (client.list_resources, client.list_prompts, client.list_resource_templates):
            with pytest.raises(MCPError, match="Method not found"):
                await ask()
