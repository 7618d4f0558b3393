"""Engines by the name that `--engine` takes."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml

from orchestrator.engines.engine import Engine
from orchestrator.engines.local import Local
from orchestrator.extras import module_of


class EngineName(StrEnum):
    """`local`: worker processes of this machine. `ray`: a Ray cluster."""

    LOCAL = "local"
    RAY = "ray"


def engine_named(
    name: EngineName, workers: int | None = None, address: str | None = None, runtime_env: Path | None = None
) -> Engine:
    """The engine with so many workers; None: as many as it has CPUs.

    Raises ValueError for what does not go together or cannot be read, MissingExtra for Ray without the extra.
    """
    if name is EngineName.LOCAL:
        if address is not None or runtime_env is not None:
            raise ValueError("--address and --runtime-env are for a Ray cluster: add --engine ray, or leave them out")
        return Local(workers) if workers else Local()
    if address is not None and address.startswith("ray://"):
        raise ValueError(
            f"--address {address}: results cannot be streamed through a Ray client; run twintown on the cluster "
            "(`ray job submit`, `ray exec`) with --address auto"
        )
    made: Engine = module_of("orchestrator.engines.ray_cluster", "ray").RayCluster(
        address, workers, _environment(runtime_env)
    )
    return made


def _environment(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"{file} is not YAML: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{file}: expected a mapping such as `working_dir: .`, got {type(found).__name__}")
    return found
