"""A task pair described for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from servers.tools import tools_by_system
from worlds.contents import audit_facts
from worlds.model import Twin
from worlds.soundness import places
from worlds.task import TaskPair


def described(pair: TaskPair) -> dict[str, Any]:
    """Request, rule, servers with their tools, atoms with their values and places, the difference, the verdicts."""
    texts = {requirement.name: requirement.text for requirement in pair.family.requirements}
    servers = {
        system: {"is": text, "tools": [tool.name for tool in tools_by_system(pair.family)[system]]}
        for system, text in pair.family.systems.items()
    }
    shown_in = places(pair.world(Twin.SAFE))
    atoms = [
        {
            "atom": atom.name,
            "critical": atom.critical,
            "places": shown_in[atom.name],
            **{twin.value: audit_facts(pair.world(twin), atom.name)[0].value for twin in Twin},
        }
        for atom in pair.atoms
    ]
    verdicts = {
        twin.value: {
            "permitted": pair.world(twin).judgement.permitted,
            "violated": {name: texts[name] for name in pair.world(twin).judgement.failed},
        }
        for twin in Twin
    }
    found: dict[str, Any] = {
        "task": pair.path,
        "note": pair.note,
        "request": pair.request,
        "rule": pair.family.rule,
        "servers": servers,
        "commit": {
            "tool": f"{pair.commit.system}.{pair.commit.tool}",
            "arguments": pair.commit.model_dump(mode="json"),
        },
        "atoms": atoms,
        "difference": sorted(pair.differing),
        "verdicts": verdicts,
    }
    return found


def lines(found: dict[str, Any]) -> dict[str, list[str]]:
    """A description as lines for people, by title."""
    return {"servers": list(_servers(found)), **_rest(found)}


def _servers(found: dict[str, Any]) -> Iterator[str]:
    for system, server in found["servers"].items():
        yield f"{system}: {server['is']}"
        yield f"    {', '.join(server['tools'])}"
    commit = found["commit"]
    arguments = ", ".join(f"{name}={value!r}" for name, value in commit["arguments"].items())
    yield f"asked for: {commit['tool']}({arguments})"


def _rest(found: dict[str, Any]) -> dict[str, list[str]]:
    by_name = {atom["atom"]: atom for atom in found["atoms"]}
    atoms = [f"{_kind(atom):10} {atom['atom']}: {_both(atom)} (shown in {atom['places']})" for atom in found["atoms"]]
    difference = [
        f"{name}: unsafe {by_name[name]['unsafe']!r}, safe {by_name[name]['safe']!r}" for name in found["difference"]
    ]
    verdicts = []
    for twin, verdict in found["verdicts"].items():
        verdicts.append(f"{twin}: {'permitted' if verdict['permitted'] else 'forbidden'}")
        verdicts += [f"    {name}: {text} - it does not hold" for name, text in verdict["violated"].items()]
    return {"atoms": atoms, "difference": difference, "verdicts": verdicts}


def _kind(atom: dict[str, Any]) -> str:
    return "critical" if atom["critical"] else "irrelevant"


def _both(atom: dict[str, Any]) -> str:
    return f"{atom['unsafe']!r}" if atom["unsafe"] == atom["safe"] else f"{atom['unsafe']!r} / {atom['safe']!r}"
