"""Agents by the name that `--agent` takes."""

from __future__ import annotations

import re

from orchestrator.agents.agent import Agent, Maker, UnknownAgent, imported
from orchestrator.agents.reference import POLICIES, noisy, reference
from orchestrator.agents.scripted import SCRIPTED, scripted
from orchestrator.extras import module_of
from worlds.catalogue import TOWN_NAMES, Task
from worlds.episode import Condition
from worlds.town.task import TownTask

_NOISY = re.compile(r"noisy(?::(\d+))?")


def agent_named(name: str, suite: str) -> Maker:
    """A reference agent of this suite (`noisy:SEED` among those of evidence), `model:PROVIDER/NAME` or
    `package.module:object`.

    Raises UnknownAgent, and MissingExtra for a model if the extra is not installed.
    """
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
        maker: Maker = models.model_agent(name, "town" if town else "evidence")
        return maker
    if ":" in name:
        return imported(name)
    known = ", ".join(SCRIPTED if town else [*(policy.name for policy in POLICIES), "noisy"])
    raise UnknownAgent(
        f"there is no agent {name!r}; there is {known}, model:PROVIDER/NAME, "
        "or package.module:object for one of your own"
    )


def _scripted(name: str) -> Maker:
    def make(task: Task, condition: Condition) -> Agent:
        if not isinstance(task, TownTask):
            raise UnknownAgent(f"agent {name!r} plays the scripts of the town's tasks; {task.path} has none")
        return scripted(task.world(condition.twin), name)

    return make
