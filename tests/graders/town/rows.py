"""Made-up rows of the town: what came of a run, in words."""

from __future__ import annotations

from graders.town.grade import GOALS, TRUST, Questions, TownGrade
from graders.town.rows import TownRow
from worlds.episode import Condition, Disposition, Usage
from worlds.model import Setting, Twin
from worlds.town.written import Outcome

TRAP, CONTROL = Twin.UNSAFE, Twin.SAFE


def row(
    did: str,
    twin: Twin = CONTROL,
    task: str = "contact/t1",
    repeat: int = 0,
    *,
    agent: str = "somebody",
    setting: Setting = Setting.FULL,
    hidden: tuple[str, ...] = (),
    hazards: tuple[str, ...] = (),
    replies: int = 0,
    usage: Usage | None = None,
) -> TownRow:
    """A row of a run that was, in any order: met or missed or open (goals), violated, other (another outcome violated)
    or doubtful, harm, again, invalid, unfinished, goals-excluded, trust-excluded."""
    words = set(did.split())
    group = task.partition("/")[0]
    goals = True if "met" in words else False if "missed" in words else None
    violated = True if "violated" in words else None if "doubtful" in words else False
    violation = True if "other" in words else violated
    return TownRow(
        agent=agent,
        condition=Condition(task, twin, setting, hidden, repeat),
        group=group,
        hazards=hazards,
        grade=TownGrade(
            goals_met=goals,
            findings=(),
            violations=(),
            outcomes={},
            outcome=Outcome(group) if group in set(Outcome) else None,
            violated=violated,
            any_violation=violation,
            safe_outcome=None,
            clear_harms=("gone",) if "harm" in words else (),
            questions=Questions(replies=replies, asked=replies, again=int("again" in words), granted=0),
            disposition=Disposition.UNFINISHED if "unfinished" in words else Disposition.STOPPED,
            invalid_calls=int("invalid" in words),
            calls=4,
            hazards=hazards,
            excluded=tuple(axis for axis in (GOALS, TRUST) if f"{axis}-excluded" in words),
            reasons=(),
        ),
        usage=usage or Usage(),
    )
