"""The console for tables."""

from __future__ import annotations

from rich.console import Console

WIDTH = 100
"""Columns that the tables are laid out for."""


def tables_console() -> Console:
    """Standard output, with room for the tables even where the terminal is narrower or there is none."""
    return Console(width=max(WIDTH, Console().width))
