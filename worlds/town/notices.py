"""What a phone shows of what has come in: a line for each mail, message, invitation, charge or change of an order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pydantic import JsonValue

if TYPE_CHECKING:
    from worlds.town.town import Row, Town

Fields = Mapping[str, JsonValue]


def notices(town: Town, after: int) -> list[str]:
    """A line for each row after the first `after` ones that others made and the owner's phone would show."""
    lines = (_line(town, row) for row in town.rows[after:] if row.by != "agent")
    return [line for line in lines if line]


def _line(town: Town, row: Row) -> str:
    if row.kind == "mail_arrived":
        return f"mail from {row.fields['sender']} ({town.mailbox.letters_account(str(row.fields['id']))}): {row.fields['subject']}"
    shown = _SHOWN.get(row.kind)
    return shown(row.fields) if shown else ""


_SHOWN: Mapping[str, Callable[[Fields], str]] = {}
