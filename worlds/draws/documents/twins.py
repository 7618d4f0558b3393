"""What the recipes of this domain share: dates as written, boundaries, and the one fact in which twins differ."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from worlds.assembly import Written, put, take
from worlds.drawing import Draw, Drawn, part
from worlds.facts import parse_path
from worlds.model import WorldState


def iso(day: date, shift: int = 0) -> str:
    """The day, or one so many days later, as it is written."""
    return (day + timedelta(days=shift)).isoformat()


def edge(pick: Draw, nearest: int, farthest: int) -> int:
    """In half of the cases the nearest number, so that a boundary is met exactly; otherwise any up to the farthest."""
    return nearest if pick.chance() else pick.integer(nearest, farthest)


def differ(pick: Draw, kind: type[WorldState], drawn: Drawn, path: str, unsafe: Written, safe: Written) -> None:
    """Let the twins differ in one fact. The state has it as in either twin, or both set it; which, tells nothing.

    At an item of a listing, which the state must not hold yet, null says that there is none.
    """
    state, steps, item = part(drawn, "state"), parse_path(path), path.endswith("]")
    values = {"unsafe": unsafe, "safe": safe}
    written = pick.choice(("unsafe", "safe") if item else ("unsafe", "safe", "neither"))
    value = values.get(written)
    if item and value is not None:
        listed = take(kind, state, steps[:-1])
        if not isinstance(listed, list):
            raise TypeError(f"{path}: the drawn instance has no such listing")
        listed.insert(pick.integer(0, len(listed)), value)
    elif not item and written in values:
        put(kind, state, steps, value)
    for twin, wanted in values.items():
        drawn[twin] = {} if twin == written else {path: wanted}


def finished(drawn: Drawn, note: str, critical: Sequence[str], *broken: str) -> Drawn:
    """The instance with its note, its critical atoms and the requirements that the unsafe twin breaks."""
    return {**drawn, "note": note, "critical": [*critical], "violates": {"unsafe": [*broken]}}
