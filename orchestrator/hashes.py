"""What a run was made with: a hash of every family and of the graders, so that no changed world passes unnoticed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import graders
import worlds
from orchestrator.agents.configuration import Configuration, configured
from orchestrator.agents.instructions import instruction
from orchestrator.runs import RunCard
from servers.guard.rules import TOWN
from worlds.catalogue import TOWN_NAMES
from worlds.task import TaskPair

_WORLDS = Path(worlds.__file__).parent
_GRADERS = Path(graders.__file__).parent
_GUARD = TOWN.parent


def hashes_of(card: RunCard) -> dict[str, str]:
    """By name: `worlds` (the model), `graders`, each family as `suite/domain/family`, and a domain's recipes if pairs
    are drawn; what each model is told as `instruction/AGENT`, and `guard` if an agent is behind it."""
    return {**_hashes_of_worlds(card), **_hashes_of_agents(card)}


def _hashes_of_agents(card: RunCard) -> dict[str, str]:
    found: dict[str, str] = {}
    for agent in card.agents:
        name, configuration = configured(agent, card.suite)
        if name.startswith("model:"):
            suite = "town" if card.suite in TOWN_NAMES else "evidence"
            told = instruction(suite, configuration is not Configuration.BASE)
            found[f"instruction/{agent}"] = hashlib.sha256(told.encode()).hexdigest()
        if configuration is Configuration.GUARDED:
            found["guard"] = _hash([*_GUARD.glob("*.py"), *_GUARD.glob("*.yaml")])
    return found


def _hashes_of_worlds(card: RunCard) -> dict[str, str]:
    if card.suite in TOWN_NAMES:
        return _hashes_of_town(card)
    suite = card.suite
    families = {(pair.domain, pair.family.name) for pair in card.pairs if isinstance(pair, TaskPair)}
    found = {"worlds": _hash(_WORLDS.glob("*.py")), "graders": _hash(_GRADERS.glob("*.py"))}
    for domain, family in sorted(families):
        folder = _WORLDS / suite / domain
        found[f"{suite}/{domain}/{family}"] = _hash([folder / f"{family}.py", folder / f"{family}.yaml"])
    if card.drawn is not None:
        for domain in sorted({domain for domain, _ in families}):
            found[f"draws/{domain}"] = _hash((_WORLDS / "draws" / domain).glob("*.py"))
    return found


def _hashes_of_town(card: RunCard) -> dict[str, str]:
    """`town`: its machine, household and businesses; and each task by `suite/group/id`."""
    town = _WORLDS / "town"
    machine = [*town.rglob("*.py"), town / "household.yaml", *(town / "businesses").glob("*.yaml")]
    found = {
        "worlds": _hash(_WORLDS.glob("*.py")),
        "graders": _hash([*_GRADERS.glob("*.py"), *(_GRADERS / "town").rglob("*.py")]),
        "town": _hash(machine),
    }
    for task in card.pairs:
        found[f"{card.suite}/{task.path}"] = _hash([town / card.suite / f"{task.path}.yaml"])
    return found


def _hash(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()
