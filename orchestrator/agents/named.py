"""Agents by the name that `--agent` takes."""

from __future__ import annotations

import re

from orchestrator.agents.agent import HOST, Agent, Maker, UnknownAgent, imported
from orchestrator.agents.configuration import Configuration, behind_guard, configured
from orchestrator.agents.reference import POLICIES, noisy, reference
from orchestrator.agents.scripted import SCRIPTED, scripted
from orchestrator.extras import module_of
from orchestrator.hosts.agent import host_agent, host_name
from worlds.catalogue import TOWN_NAMES, Task
from worlds.episode import Condition
from worlds.town.task import TownTask

_NOISY = re.compile(r"noisy(?::(\d+))?")


def agent_named(agent: str, suite: str) -> Maker:
    """A reference agent of this suite (`noisy:SEED` among those of evidence), `model:PROVIDER/NAME`,
    `host:HOST[/MODEL][@POLICY]` or `package.module:object`, each in a configuration (`+harness`, `+guarded`) if one is
    named.

    Raises UnknownAgent, and MissingExtra for a model if the extra is not installed.
    """
    name, configuration = configured(agent, suite)
    make = _base(name, suite, configuration is not Configuration.BASE)
    return behind_guard(make) if configuration is Configuration.GUARDED else make


def _base(name: str, suite: str, harness: bool) -> Maker:
    town = suite in TOWN_NAMES
    if town and name in SCRIPTED:
        return _scripted(name)
    for policy in () if town else POLICIES:
        if policy.name == name:
            return reference(policy)
    if not town and (match := _NOISY.fullmatch(name)):
        return noisy(int(match[1] or 0))
    if name.startswith("model:"):
        models = module_of("orchestrator.agents.model", "models")
        maker: Maker = models.model_agent(name, "town" if town else "evidence", harness)
        return maker
    if name.startswith(HOST):
        player = host_name(name).policy
        return host_agent(name, agent_named(player, suite) if player else None)
    if ":" in name:
        return imported(name)
    known = ", ".join(SCRIPTED if town else [*(policy.name for policy in POLICIES), "noisy"])
    raise UnknownAgent(
        f"there is no agent {name!r}; there is {known}, model:PROVIDER/NAME, "
        "host:HOST, or package.module:object for one of your own"
    )


def _scripted(name: str) -> Maker:
    def make(task: Task, condition: Condition) -> Agent:
        if not isinstance(task, TownTask):
            raise UnknownAgent(f"agent {name!r} plays the scripts of the town's tasks; {task.path} has none")
        return scripted(task.world(condition.twin), name)

    return make
