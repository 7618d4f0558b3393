"""The hosts that people use: where each keeps its MCP servers, in which form, and what to do there.

The formats are those that the hosts document. A host joins the names of server and tool, and model APIs take 64 letters
of that, so servers keep their own names.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.installing.format import JSON, TOML, YAML, Entries, Format


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides where a host's file is: the system, the environment, the person's and the current folder."""

    platform: str = sys.platform
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    home: Path = field(default_factory=Path.home)
    here: Path = field(default_factory=Path.cwd)

    def folder(self, variable: str, otherwise: Path) -> Path:
        """The folder that this variable names, if it is set."""
        named = self.environment.get(variable)
        return Path(named) if named else otherwise

    def roaming(self) -> Path:
        return self.folder("APPDATA", self.home / "AppData" / "Roaming")

    def configuration(self) -> Path:
        return self.folder("XDG_CONFIG_HOME", self.home / ".config")


@dataclass(frozen=True, slots=True)
class Host:
    """A host: its file, where the servers stand in it, and an entry by command or by address."""

    name: str
    title: str
    file: Callable[[Surroundings], Path]
    format: Format
    path: tuple[str, ...]
    by_command: Callable[[str, str, Sequence[str]], dict[str, object]]
    by_address: Callable[[str, str], dict[str, object]] | None
    then: str
    """What the person does next, in one sentence."""

    def entries_by_command(self, commands: Mapping[str, Sequence[str]]) -> Entries:
        return {name: self.by_command(name, line[0], list(line[1:])) for name, line in commands.items()}

    def entries_by_address(self, addresses: Mapping[str, str]) -> Entries:
        """Raises ValueError for a host that starts its servers itself."""
        if self.by_address is None:
            raise ValueError(f"{self.title} takes no addresses")
        return {name: self.by_address(name, url) for name, url in addresses.items()}

    def written(self, entries: Entries) -> str:
        """A file with nothing but these entries."""
        return self.format.added("", self.path, entries)


def _desktop_file(at: Surroundings) -> Path:
    if at.platform == "darwin":
        folder = at.home / "Library" / "Application Support"
    else:
        folder = at.roaming() if at.platform == "win32" else at.configuration()
    return folder / "Claude" / "claude_desktop_config.json"


def _openclaw_file(at: Surroundings) -> Path:
    state = at.folder("OPENCLAW_STATE_DIR", at.home / ".openclaw")
    return at.folder("OPENCLAW_CONFIG_PATH", state / "openclaw.json")


def _goose_file(at: Surroundings) -> Path:
    if at.platform == "win32":
        return at.roaming() / "Block" / "goose" / "config" / "config.yaml"
    return at.configuration() / "goose" / "config.yaml"


def _command(name: str, command: str, arguments: Sequence[str]) -> dict[str, object]:
    return {"command": command, "args": list(arguments)}


def _typed_command(name: str, command: str, arguments: Sequence[str]) -> dict[str, object]:
    return {"type": "stdio", **_command(name, command, arguments)}


def _url(name: str, url: str) -> dict[str, object]:
    return {"url": url}


def _typed_url(name: str, url: str) -> dict[str, object]:
    return {"type": "http", "url": url}


def _goose_command(name: str, command: str, arguments: Sequence[str]) -> dict[str, object]:
    shared = {"name": name, "description": "", "enabled": True, "timeout": 300}
    return {"type": "stdio", **shared, "cmd": command, "args": list(arguments), "envs": {}}


def _goose_url(name: str, url: str) -> dict[str, object]:
    return {
        "type": "streamable_http",
        "name": name,
        "description": "",
        "enabled": True,
        "timeout": 300,
        "uri": url,
    }


HOSTS = {
    host.name: host
    for host in (
        Host("claude-desktop", "Claude Desktop", _desktop_file, JSON, ("mcpServers",), _command, None,
             "Quit and restart Claude Desktop; the prompt `task` stands under the plus sign."),
        Host("claude-code", "Claude Code", lambda at: at.here / ".mcp.json", JSON, ("mcpServers",), _typed_command,
             _typed_url, "Start claude in this folder; the prompt is /mcp__{first}__task."),
        Host("openclaw", "OpenClaw", _openclaw_file, JSON, ("mcp", "servers"), _command,
             lambda _, url: {"url": url, "transport": "streamable-http"},
             "Restart the gateway, then paste the request."),
        Host("codex", "Codex CLI", lambda at: at.folder("CODEX_HOME", at.home / ".codex") / "config.toml", TOML,
             ("mcp_servers",), _command, _url, "Start codex, then paste the request; it shows no prompts."),
        Host("gemini", "Gemini CLI", lambda at: at.home / ".gemini" / "settings.json", JSON, ("mcpServers",), _command,
             lambda _, url: {"httpUrl": url}, "Start gemini; the prompt is /task."),
        Host("cursor", "Cursor", lambda at: at.here / ".cursor" / "mcp.json", JSON, ("mcpServers",), _command, _url,
             "Open this folder in Cursor and switch the servers on; the prompt task stands in the slash menu."),
        Host("vscode", "VS Code", lambda at: at.here / ".vscode" / "mcp.json", JSON, ("servers",), _typed_command,
             _typed_url, "Open this folder in VS Code and start the servers; the prompt is /mcp.{first}.task."),
        Host("goose", "goose", _goose_file, YAML, ("extensions",), _goose_command, _goose_url,
             "Start a session; the prompt is named task."),
    )
}  # fmt: skip


def host_named(name: str) -> Host:
    """Raises ValueError with the names that there are."""
    if name not in HOSTS:
        raise ValueError(f"there is no configuration for the host {name!r}; there is {', '.join(HOSTS)}")
    return HOSTS[name]
