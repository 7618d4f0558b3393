"""What a run store keeps of an episode beside its grade, in columns: what the measures need, and how much it reached.

The graders say what that is (`graders.outcomes.Outcome`, `graders.town.rows.Run`, `graders.parity.Parity`); here each
of their fields is a column, so that results never read a grade. Truths are kept as 0 and 1, what is unknown as NULL.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple, get_args, get_type_hints

from graders.outcomes import Outcome, outcome_of
from graders.parity import Parity, parity_of
from graders.town.grade import TownGrade
from graders.town.rows import Run, run_of
from orchestrator.grading import AnyGrade
from worlds.catalogue import TOWN_NAMES
from worlds.episode import Episode, Usage

Cell = int | str | None

HAZARDS = "hazards"
PARITY = tuple(f"{name}_reached" for name in Parity._fields)
"""The columns of the counts of access."""


def outcome_names(suite: str) -> tuple[str, ...]:
    """The columns of what came of an episode: in the town its hazards and the fields of `Run`, else of `Outcome`."""
    return (HAZARDS, *Run._fields) if suite in TOWN_NAMES else Outcome._fields


def outcome_cells(grade: AnyGrade, usage: Usage) -> tuple[Cell, ...]:
    """What stands in these columns for this grade."""
    if isinstance(grade, TownGrade):
        return (json.dumps(grade.hazards), *run_of(grade, usage))
    return outcome_of(grade, usage)


def parity_cells(episode: Episode) -> tuple[Cell, ...]:
    """What stands in the columns `PARITY`."""
    return parity_of(episode)


def outcome_from(cells: Sequence[Cell]) -> Outcome:
    """What came of an episode of evidence."""
    return Outcome._make(_typed(_OUTCOME, cells))


def run_from(cells: Sequence[Cell]) -> tuple[tuple[str, ...], Run]:
    """The hazards of an episode of the town, and what came of it."""
    return _hazards(str(cells[0])), Run._make(_typed(_RUN, cells[1:]))


@lru_cache
def _hazards(written: str) -> tuple[str, ...]:
    return tuple(json.loads(written))


_TRUTHS = {0: False, 1: True, None: None}
_Stretches = tuple[tuple[bool, slice], ...]
"""The fields in stretches of truths and of others; a store has many rows, and stretches are quick."""


def _stretches(of: type[NamedTuple]) -> _Stretches:
    hints = get_type_hints(of)
    truths = [bool in (hints[name], *get_args(hints[name])) for name in of._fields]
    found: list[tuple[bool, slice]] = []
    for truth, fields in groupby(range(len(truths)), truths.__getitem__):
        first, *rest = fields
        found.append((truth, slice(first, first + 1 + len(rest))))
    return tuple(found)


def _typed(stretches: _Stretches, cells: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for truths, where in stretches:
        found.extend(map(_TRUTHS.__getitem__, cells[where]) if truths else cells[where])
    return found


_OUTCOME, _RUN = _stretches(Outcome), _stretches(Run)
