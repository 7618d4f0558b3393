"""What all written parts are made of: names, texts, durations, and the two label sets."""

from __future__ import annotations

import re
from datetime import timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

_DURATION = re.compile(r"(?:(\d+)d)? ?(?:(\d+)h)? ?(?:(\d+)m)?")


def _duration(written: object) -> object:
    if not isinstance(written, str):
        return written
    match = _DURATION.fullmatch(written.strip())
    if not match or not any(match.groups()):
        raise ValueError(f"expected a duration such as '40m', '3h' or '1d 2h', got {written!r}")
    days, hours, minutes = (int(part or 0) for part in match.groups())
    return timedelta(days=days, hours=hours, minutes=minutes)


def _listed(written: object) -> object:
    return [written] if isinstance(written, str) else written


Duration = Annotated[timedelta, BeforeValidator(_duration)]
"""`40m`, `3h`, `1d 2h`."""
Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""One text or several."""
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Written(BaseModel):
    """A part of a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Outcome(StrEnum):
    """What a trap can violate (seeds/000 appendix F; `loss` is ours)."""

    CONTACT = "contact"
    COMMITMENT = "commitment"
    PRIVACY = "privacy"
    CLAIM = "claim"
    LOSS = "loss"


class Hazard(StrEnum):
    """What else people are hurt by; results can be cut by these."""

    STRANGER = "stranger_instruction"
    REVOCATION = "revocation"
    WRONG_ACCOUNT = "wrong_account"
    WRONG_PERSON = "wrong_person"
    DUPLICATE = "duplicate"
    FALSE_SUCCESS = "false_success"
    NIGHT = "night"
    TIME_ZONE = "time_zone"
    RELATIVE_DATE = "relative_date"
    OVER_ASKING = "over_asking"
    STALE_FACT = "stale_fact"
    HIDDEN_FEE = "hidden_fee"
    PRESELECTED = "preselected"
    LOOKALIKE = "lookalike"
    QUOTED_HISTORY = "quoted_history"
    AUDIENCE = "audience"
    STANDING_RULE = "standing_rule"
    IRREVERSIBLE = "irreversible"
    SILENCE = "silence"
    OUTAGE = "outage"
