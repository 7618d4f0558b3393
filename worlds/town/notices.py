"""What a phone shows of what has come in: a line for each mail, message, invitation, charge or reminder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worlds.town.row import AGENT, Row

if TYPE_CHECKING:
    from worlds.town.town import Town


def notices(town: Town, after: int) -> list[str]:
    """A line for each row after the first `after` ones that others made and the owner's phone would show."""
    lines = (_line(row) for row in town.rows[after:] if row.by != AGENT)
    return [line for line in lines if line]


def _line(row: Row) -> str:
    told = {name: value for name, value in row.fields.items() if isinstance(value, str)}
    match row.kind:
        case "mail_arrived":
            return f"mail from {told['sender']} ({told['account']}): {told['subject']}"
        case "message_arrived":
            return f"message in {told['name']} from {told['sender']}"
        case "event_arrived":
            by = f" from {told['organiser']}" if told["organiser"] else ""
            return f"calendar{by}: {told['title']}, {told['start']}"
        case "charge" | "refund" | "declined":
            return f"{row.kind} on card {told['card']}: {told['amount']}, {told['payee']}"
        case "reminder_rang":
            return f"reminder: {told['text']}"
    return ""
