"""The guard alone: in front of servers that a host's configuration names, over HTTP or one of them over stdio."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters
from mcp.server import Server
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from servers.guard.alone import LoneOwner, load_consent
from servers.guard.gateway import Guard, guarded
from servers.guard.reaching import Address, reached
from servers.guard.rules import TOWN, Rules, load_rules
from servers.guard.state import State

SHIPPED = {"town": TOWN}
"""Rules that come with the package, by the name that `--rules` takes."""
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


class ServersError(ValueError):
    """A list of servers that cannot be used; the message says where and what was expected."""


class _Entry(BaseModel):
    """One of `mcpServers`, as hosts write it. What else a host keeps there does not matter."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: str = Field("", pattern="^(|stdio|http|streamable-http|streamableHttp)$")
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field({})
    cwd: str | None = None
    url: str = ""
    headers: dict[str, str] = Field({})

    @model_validator(mode="after")
    def _is_one_of_both(self) -> _Entry:
        if bool(self.command) == bool(self.url):
            raise ValueError("expected either a command or a url")
        return self


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    mcpServers: dict[str, _Entry]  # noqa: N815  as hosts write it


Targets = Mapping[str, StdioServerParameters | Address]


def load_servers(file: Path, environment: Mapping[str, str] = os.environ) -> Targets:
    """The servers of a configuration in the form of `mcpServers`; `${NAME}` stands for a variable of the environment.

    Raises ServersError with all that is wrong.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise ServersError(f"{file}: cannot be read ({error}); expected JSON with mcpServers") from None
    missing = sorted({name for name in _VARIABLE.findall(text) if name not in environment})
    if missing:
        raise ServersError(f"{file}: not set in the environment: {', '.join(missing)}; set them, or write the values")
    try:
        found = _File.model_validate_json(text)
    except ValidationError as error:
        wrong = [f"{file}: {'.'.join(map(str, d['loc'])) or 'JSON'}: {d['msg']}" for d in error.errors()]
        raise ServersError("\n".join(wrong)) from None
    if not found.mcpServers:
        raise ServersError(f"{file}: mcpServers names no server")
    return {name: _target(entry, environment) for name, entry in found.mcpServers.items()}


def _target(entry: _Entry, environment: Mapping[str, str]) -> StdioServerParameters | Address:
    def filled(written: str) -> str:
        return _VARIABLE.sub(lambda variable: environment[variable[1]], written)

    if entry.url:
        return Address(filled(entry.url), {name: filled(value) for name, value in entry.headers.items()})
    return StdioServerParameters(
        command=filled(entry.command),
        args=[filled(one) for one in entry.args],
        env={name: filled(value) for name, value in entry.env.items()} or None,
        cwd=filled(entry.cwd) if entry.cwd else None,
    )


def rules_named(name: str) -> Rules:
    """Rules by a file's path, or `town` for those of the town. Raises RulesError."""
    return load_rules(SHIPPED.get(name) or Path(name))


@dataclass(frozen=True, slots=True)
class Stand:
    """A guard that is to stand alone: whose consent, which rules, which servers, where it keeps its state."""

    consent: Path
    rules: Rules
    targets: Targets
    state: State
    in_terminal: bool = False

    def check(self) -> None:
        """Raises ConsentError or StateError before anything is started."""
        load_consent(self.consent)
        self.state.create()


@asynccontextmanager
async def standing_before(alone: Stand, only: str = "") -> AsyncIterator[dict[str, Server[Any]]]:
    """The servers with the guard before them, or `only` the one of this name. Raises ServersError and Unreachable."""
    targets = alone.targets
    if only and only not in targets:
        raise ServersError(f"there is no server {only!r}; there is {', '.join(targets)}")
    needed = {only, *alone.rules.read_from(only)} if only else set(targets)
    async with reached({name: target for name, target in targets.items() if name in needed}) as upstreams:
        owner = LoneOwner(alone.consent, alone.state, alone.in_terminal)
        guard = Guard(alone.rules, owner, alone.state, upstreams)
        yield guarded(guard, {name: one for name, one in upstreams.items() if only in ("", name)})
