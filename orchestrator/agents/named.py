"""Agents by the name that `--agent` takes."""

from __future__ import annotations

import re

from orchestrator.agents.agent import Maker, UnknownAgent, imported
from orchestrator.agents.reference import POLICIES, noisy, reference

_NOISY = re.compile(r"noisy(?::(\d+))?")


def agent_named(name: str) -> Maker:
    """A reference agent (`noisy` or `noisy:SEED` among them) or `package.module:object`. Raises UnknownAgent."""
    for policy in POLICIES:
        if policy.name == name:
            return reference(policy)
    if match := _NOISY.fullmatch(name):
        return noisy(int(match[1] or 0))
    if ":" in name:
        return imported(name)
    known = ", ".join([*(policy.name for policy in POLICIES), "noisy"])
    raise UnknownAgent(f"there is no agent {name!r}; there is {known}, or package.module:object for one of your own")
