"""Where sessions, and the records of what was installed for them, are kept."""

from __future__ import annotations

import os
from pathlib import Path

HOME = "TWINTOWN_HOME"


def home() -> Path:
    """`$TWINTOWN_HOME`, or `twintown` in the user's state directory."""
    if named := os.environ.get(HOME):
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "twintown"


def sessions_root() -> Path:
    """One directory for each session."""
    return home() / "sessions"


def installations_root() -> Path:
    """One record for each configuration file in which a session is installed."""
    return home() / "installed"
