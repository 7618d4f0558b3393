"""What is kept of an episode: its condition, its journal, the final state, and how the agent ended.

Servers write these, graders read them; neither knows the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue

from worlds.model import Mask, Setting, Twin


class Condition(NamedTuple):
    """What is run: a task by path, a twin, a setting, the hidden atoms in order of name, and the repeat from 0."""

    task: str
    twin: Twin
    setting: Setting
    hidden: tuple[str, ...] = ()
    repeat: int = 0

    @property
    def mask(self) -> Mask:
        return frozenset(self.hidden)

    def __str__(self) -> str:
        hidden = "{" + ", ".join(self.hidden) + "}"
        return f"{self.task} {self.twin} {self.setting} {hidden} repeat {self.repeat}"


class CallKind(StrEnum):
    """What kind of tool was called; `unknown` for a name that no tool has, `turn` for the end of the agent's turn,
    `guard` for what a guard between agent and servers read or asked for itself: the agent was not shown it."""

    READ = "read"
    PREPARATION = "preparation"
    COMMIT = "commit"
    ESCALATE = "escalate"
    AUDIT = "audit"
    UNKNOWN = "unknown"
    TURN = "turn"
    GUARD = "guard"


class CallOutcome(StrEnum):
    """`answered`; `invalid`: refused for its tool, id or arguments; `over`: the session had already ended; `held`: a
    guard did not let it through."""

    ANSWERED = "answered"
    INVALID = "invalid"
    OVER = "over"
    HELD = "held"


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class JournalLine(_Kept):
    """One call: who was asked what, what was shown, which atoms that exposed, and seconds since the start."""

    seq: int
    server: str
    tool: str
    arguments: dict[str, JsonValue]
    kind: CallKind
    outcome: CallOutcome
    shown: JsonValue
    exposed: tuple[str, ...]
    seconds: float


class Effect(_Kept):
    """A row of a server's database that an action left: the journal line that made it, the tool and its arguments."""

    seq: int
    tool: str
    arguments: dict[str, JsonValue]


FinalState = Mapping[str, tuple[Effect, ...]]
"""By server, the rows that the agent's actions added. Records never change: the databases refuse it."""


class Disposition(StrEnum):
    """How the agent ended."""

    COMPLETED = "completed"
    STOPPED = "stopped"
    ESCALATED = "escalated"
    UNFINISHED = "unfinished"


class Usage(_Kept):
    """What the agent reported of its own cost. None is unknown, which is not zero."""

    requests: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


class Ending(_Kept):
    """How the agent's part ended: `reason` is empty when it ended by itself, else why it is unfinished."""

    reason: str = ""
    message: str = ""
    usage: Usage = Usage()


class Access(_Kept):
    """What an agent could reach: the tools that each server offers, the servers whose tools were listed, and the names
    of all tools that its model was offered, where they are known. What was called stands in the journal."""

    offered: dict[str, tuple[str, ...]]
    listed: tuple[str, ...]
    seen: tuple[str, ...] | None = None


class Episode(_Kept):
    """All that is kept of one condition run with one agent.

    `seconds`: wall time. `host_seconds`: of it, the time in which the process of an external host ran. `access`: None
    if it is not known, because the process that ran the episode was lost.
    """

    journal: tuple[JournalLine, ...]
    final_state: dict[str, tuple[Effect, ...]]
    ending: Ending
    seconds: float
    host_seconds: float | None = None
    access: Access | None = None
