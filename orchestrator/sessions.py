"""Where sessions are kept."""

from __future__ import annotations

import os
from pathlib import Path

HOME = "TWINTOWN_HOME"


def sessions_root() -> Path:
    """`$TWINTOWN_HOME/sessions`, or `twintown/sessions` in the user's state directory."""
    if home := os.environ.get(HOME):
        return Path(home) / "sessions"
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "twintown" / "sessions"
