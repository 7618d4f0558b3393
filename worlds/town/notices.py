"""What a phone shows of what has come in: a line for each mail, message, invitation, charge or word from a business."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worlds.town.town import Row, Town


def notices(town: Town, after: int) -> list[str]:
    """A line for each row after the first `after` ones that others made and the owner's phone would show."""
    lines = (_line(town, row) for row in town.rows[after:] if row.by != "agent")
    return [line for line in lines if line]


def _line(town: Town, row: Row) -> str:
    told = {name: value if isinstance(value, str) else "" for name, value in row.fields.items()}
    match row.kind:
        case "mail_arrived":
            letter = town.mailbox.letters.get(told["id"])
            account = f" ({letter.account})" if letter else ""
            return f"mail from {told['sender']}{account}: {told['subject']}"
        case _:
            return ""
