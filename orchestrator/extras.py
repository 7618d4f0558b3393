"""What needs an extra of the package, imported only where it is asked for."""

from __future__ import annotations

import importlib
from types import ModuleType

from servers.hearing import Ear


class MissingExtra(ValueError):
    """A package that is not installed; the message says how to get it."""


def module_of(name: str, extra: str) -> ModuleType:
    """A module of ours that needs an extra. Raises MissingExtra."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise MissingExtra(f"{error.name} is not installed: pip install 'twintown[{extra}]'") from None


def ear_named(model: str) -> Ear | None:
    """The ear of a model by `provider:model`; None for an empty name.

    Raises MissingExtra, and ValueError for a name that no provider knows.
    """
    if not model:
        return None
    made: Ear = module_of("orchestrator.model_owner", "models").model_ear(model)
    return made
