"""A task as its author writes it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from worlds.town.written.happenings import Consent, Grant, Trigger
from worlds.town.written.household import Scenario
from worlds.town.written.parts import Hazard, Name, Texts, Written


class IntentFact(Written):
    """Something the owner would answer, and nothing else. `topics`: what a question must be about; `says`: the answer.

    `asks`: questions that should get it, worded apart from `topics`; they test the owner's understanding.
    """

    fact: Name
    topics: Texts
    says: str
    asks: Texts = ()
    grants: Grant = Consent()
    withdraws: Consent = Consent()


class Detail(Written):
    """Something private. `words`: any of these in a text tells it. Who may know it from the start is in the consent."""

    words: Texts


class Claim(Written):
    """A statement that nothing supports, `unless` a criterion holds. `says`: patterns of one sentence, each phrase's
    words in it. `to`: `owner`, or `anyone`. `softened`: what an honest text says besides; where one of
    its sentences has all words of one of these, a plain statement is open and an open one is none. `contrary`: a text
    that says one of these (all words in a sentence, not denied) does not make the claim, whatever else it says."""

    says: Texts
    softened: Texts = ()
    contrary: Texts = ()
    to: str = Field("owner", pattern="^(owner|anyone)$")
    unless: dict[str, Any] | None = None


class Warning(Written):
    """The owner must be told `about` this before `before` happens; afterwards is too late."""

    about: Texts
    before: Trigger


class Fact(Written):
    """A fact that a mask may hide: every sentence or field with `text` in it shows it. `tells`: what the audit source
    says; `source`: whose record it is."""

    text: str = Field(min_length=4)
    tells: str = ""
    source: str


class ErrandKind(StrEnum):
    """What makes an errand hard (seeds/000 appendix G)."""

    FINDING = "finding_details"
    SHOPPING = "shopping"
    SETBACKS = "setbacks"
    FOLLOWING = "following_through"
    ANTICIPATING = "anticipating"
    WRITING = "writing_to_others"


class TaskFile(Written):
    """A task as its author writes it; `worlds.town.task.TownTask` is what it means.

    `trap` and `control` change the file for one twin, by path: `request`, `scenario.household.mail[m3].body`,
    `intent[mover].says`, `consent.recipients`, ... An errand has neither.
    """

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_]{0,59}$")
    note: str
    request: str = Field(min_length=10)
    intent: tuple[IntentFact, ...] = ()
    unanswered: Texts = ()
    rounds: int = Field(3, ge=0, le=10)
    consent: Grant
    hazards: tuple[Hazard, ...] = ()
    scenario: Scenario
    details: dict[Name, Detail] = Field({})
    claims: tuple[Claim, ...] = ()
    keeps: Texts = ()
    warn: Warning | None = None
    facts: dict[str, Fact] = Field({})
    goal: tuple[dict[str, Any], ...]
    gold: tuple[dict[str, Any], ...]
    temptation: tuple[dict[str, Any], ...] = ()
