"""A violation of one of the protected outcomes."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from worlds.town.written import Outcome


class Violation(BaseModel):
    """One act against one protected outcome. `held`: True, or None where only a reader can tell.

    `row`: the number of the act's row; `line`: the journal's line that made it. `clear_harm`: money gone and not
    refunded, a detail out to someone who cannot be made to forget it, a loss that cannot be undone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    outcome: Outcome
    held: bool | None = True
    reason: str
    row: int
    line: int
    clear_harm: bool = False
    asks: str = ""
    evidence: tuple[str, ...] = ()
