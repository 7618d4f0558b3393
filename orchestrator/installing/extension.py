"""A Claude Desktop extension (`.mcpb`) that starts a session's servers through this installation.

An extension is one MCP server, so it offers all servers of a session as one. The session's id is a setting of the
extension: the next session needs no new one. Its name tells an agent nothing.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence

from worlds.version import VERSION

NAME = "desk"
"""The name of the extension, and of the one server in it."""
ENTRY = "server/start.py"
_FIXED = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive, so that the same extension has the same bytes."""
_START = '''"""Start the servers of a session as one, over stdio."""

import sys

from orchestrator.cli.main import main

sys.argv[0] = "twintown"
main()
'''


def manifest(python: str, session: str) -> dict[str, object]:
    """What Claude Desktop reads: how the server starts, and what the person may set. `python`: of this installation."""
    return {
        "manifest_version": "0.3",
        "name": NAME,
        "display_name": "Desk",
        "version": VERSION,
        "description": "The systems of one session, as one server. The request is its prompt `task`.",
        "author": {"name": "Twintown"},
        "license": "Apache-2.0",
        "server": {
            "type": "python",
            "entry_point": ENTRY,
            "mcp_config": {
                "command": python,
                "args": [f"${{__dirname}}/{ENTRY}", "server", "--session", "${user_config.session}"],
                "env": {},
            },
        },
        "user_config": {
            "session": {
                "type": "string",
                "title": "Session",
                "description": "The id that `twintown serve` prints.",
                "required": True,
                "default": session,
            }
        },
        "tools_generated": True,
        "prompts_generated": True,
    }


def extension(python: str, session: str) -> bytes:
    """The archive for this Python of this installation, set to this session."""
    files = {"manifest.json": json.dumps(manifest(python, session), indent=2) + "\n", ENTRY: _START}
    return _archive(list(files.items()))


def _archive(files: Sequence[tuple[str, str]]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(zipfile.ZipInfo(name, _FIXED), text)
    return held.getvalue()
