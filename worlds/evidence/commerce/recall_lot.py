"""Nothing that an active recall covers leaves the warehouse, nor anything that contains it.

Behind it: traceability lot codes and recall registers. Recalls are widened while they run, kits carry lots of their
own around lots of others, and a quality release from before a widening says nothing about what was added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement

_LOT = re.compile(r"([A-Z]+)(\d+)[A-Z]?")


class StockUnit(Record, system="warehouse", read="get_stock_unit", list="list_stock_units", key="id"):
    """Stock unit (pallet, carton, kit or inner pack): product, lot as stamped, ids of the units packed inside it,
    stock status, bin, receiving note."""

    id: str
    product: str
    lot: str
    contents: tuple[str, ...] = ()
    stock_status: str
    bin: str
    receiving_note: Prose = Prose()


class LotRange(Value, key="id"):
    """Lots that a recall covers, from the first to the last, and when the range was added to it."""

    id: str
    first_lot: str
    last_lot: str
    added_at: datetime


class Recall(
    Record, system="recall_register", read="get_recall", list="list_recalls", search="search_recalls", key="id"
):
    """Recall notice: product, status, lot ranges with the time at which each was added, hazard, letter."""

    id: str
    product: str
    status: Literal["active", "terminated"]
    ranges: Listing[LotRange]
    hazard: str
    letter: Prose = Prose()


class Disposition(Record, system="quality", list="list_dispositions", key="id"):
    """Quality's decision on a lot under a recall: recall, product, lot, decision, time, inspector, findings."""

    id: str
    recall: str
    product: str
    lot: str
    decision: Literal["release", "hold", "destroy"]
    decided_at: datetime
    inspector: str
    findings: Prose = Prose()


class State(WorldState):
    unit: StockUnit
    other_units: Listing[StockUnit] = Listing()
    recalls: Listing[Recall]
    dispositions: Listing[Disposition] = Listing()


class ShipUnit(Commit, system="warehouse"):
    """Ship a stock unit, with all that is packed in it, to the customer it is allocated to."""

    unit_id: Annotated[str, Names(StockUnit)]


def lot_number(lot: str) -> tuple[str, int]:
    """The series and number of a lot code. The letter of a sub-lot is left out. Raises ValueError for other texts."""
    match = _LOT.fullmatch(lot)
    if match is None:
        raise ValueError(f"{lot!r} is no lot code; expected letters, a number and perhaps a letter")
    return match[1], int(match[2])


def packed_in(state: State, unit: StockUnit) -> Iterator[StockUnit]:
    """Everything inside a unit, at any depth. Raises ValueError for an id that is not in stock."""
    for name in unit.contents:
        inner = state.other_units.get(name)
        if inner is None:
            raise ValueError(f"{unit.id} contains {name}, which is no stock unit")
        yield inner
        yield from packed_in(state, inner)


def lies_in(lot: str, covered: LotRange) -> bool:
    series, number = lot_number(lot)
    return all_of(
        lambda: (series, number) >= lot_number(covered.first_lot),
        lambda: (series, number) <= lot_number(covered.last_lot),
    )


def concerns(decision: Disposition, recall: Recall, unit: StockUnit) -> bool:
    return decision.recall == recall.id and decision.product == unit.product and decision.lot == unit.lot


def released_since(state: State, added_at: datetime, recall: Recall, unit: StockUnit) -> bool:
    """Whether the latest disposition of the unit's lot under this recall is a release later than `added_at`; of those
    at the same instant all must be releases."""
    decisions = [made for made in state.dispositions if concerns(made, recall, unit)]
    latest = max((made.decided_at for made in decisions), default=None)
    return latest is not None and all_of(
        lambda: latest > added_at,
        lambda: every(decisions, lambda made: made.decided_at != latest or made.decision == "release"),
    )


def clear(state: State, unit: StockUnit, recall: Recall) -> bool:
    return any_of(
        lambda: recall.product != unit.product,
        lambda: recall.status == "terminated",
        lambda: every(
            recall.ranges,
            lambda covered: any_of(
                lambda: not lies_in(unit.lot, covered),
                lambda: released_since(state, covered.added_at, recall, unit),
            ),
        ),
    )


def clear_of_all(state: State, unit: StockUnit) -> bool:
    return every(state.recalls, lambda recall: clear(state, unit, recall))


@requirement("no active recall covers the unit's own lot, unless quality released the lot since")
def unit_clear(state: State) -> bool:
    return clear_of_all(state, state.unit)


@requirement("no active recall covers the lot of anything packed in the unit, unless quality released the lot since")
def contents_clear(state: State) -> bool:
    return every(packed_in(state, state.unit), lambda inner: clear_of_all(state, inner))


FAMILY = Family(
    name="recall_lot",
    rule=(
        "A stock unit may not be shipped while an active recall of its product covers its lot; the same holds for "
        "everything packed inside it, at any depth. A range covers its first and its last lot and all between, and the "
        "letter of a sub-lot makes no difference. A lot that is covered may be shipped only if quality's latest "
        "disposition of exactly that lot under that recall is a release decided later than the range was added; of "
        "dispositions at the same instant the stricter counts. Terminated recalls do not count."
    ),
    systems={
        "warehouse": "Warehouse management: stock units, what is packed in them, shipping.",
        "recall_register": "Recalls of makers and authorities, with their lot ranges.",
        "quality": "Quality department: dispositions of lots under recall.",
    },
    state=State,
    commit=ShipUnit,
    requirements=(unit_clear, contents_clear),
)
