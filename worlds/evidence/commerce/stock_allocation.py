"""Stock is allocated only from what nobody else has a claim on.

Behind it: available to promise. The figure on the shelf counts reserved and blocked pieces too; reservations lapse,
rank differently, and are kept in cases as often as in pieces.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from worlds.judging import all_of
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement

Unit = Literal["piece", "case"]
Priority = Literal["A", "B", "C"]


class Demand(Record, system="orders", read="get_demand", list="list_demands", search="search_demands", key="id"):
    """Open demand of a customer order: article, site, quantity and its unit, priority (A ranks before B before C),
    time at which it is to be allocated, customer, sales office, notes."""

    id: str
    article: str
    site: str
    quantity: int
    unit: Unit
    priority: Priority
    allocate_at: datetime
    customer: str
    sales_office: str
    notes: Prose = Prose()


class Reservation(Record, system="orders", list="list_reservations", key="id"):
    """Reservation of stock for another order: article, site, quantity and its unit, priority, expiry, customer."""

    id: str
    article: str
    site: str
    quantity: int
    unit: Unit
    priority: Priority
    expires_at: datetime | None
    customer: str


class StockPosition(Record, system="warehouse", read="get_stock_position", list="list_stock_positions", key="id"):
    """Stock of an article at a site: pieces on hand, pieces per case, reorder point, shelf label, next inbound
    delivery, count memo."""

    id: str
    article: str
    site: str
    on_hand: int
    pieces_per_case: int
    reorder_point: int
    shelf_label: str
    inbound: str
    count_memo: Prose = Prose()


class QualityHold(Record, system="quality", list="list_quality_holds", key="id"):
    """Quality hold on pieces of an article at a site: pieces, status, inspector, memo."""

    id: str
    article: str
    site: str
    pieces: int
    status: Literal["active", "lifted"]
    inspector: str
    memo: Prose = Prose()


class State(WorldState):
    demand: Demand
    other_demands: Listing[Demand] = Listing()
    stock: StockPosition
    other_stock: Listing[StockPosition] = Listing()
    reservations: Listing[Reservation] = Listing()
    holds: Listing[QualityHold] = Listing()


class AllocateStock(Commit, system="warehouse"):
    """Allocate the full quantity of a demand from the stock of its site."""

    demand_id: Annotated[str, Names(Demand)]


class BlockPickSlot(Preparation, system="warehouse"):
    """Pencil in a pick slot for a demand. It lapses by itself and allocates nothing."""

    says = ("A pick slot is pencilled in at {demand.site}; no stock has been allocated.",)

    demand_id: Annotated[str, Names(Demand)]


def in_pieces(state: State, quantity: int, unit: Unit) -> int:
    return quantity * state.stock.pieces_per_case if unit == "case" else quantity


def counts(state: State, reservation: Reservation) -> bool:
    """Whether a reservation takes from what this demand may have. Priorities sort by their letter."""
    return all_of(
        lambda: reservation.article == state.demand.article and reservation.site == state.demand.site,
        lambda: reservation.priority <= state.demand.priority,
        lambda: reservation.expires_at is None or state.demand.allocate_at < reservation.expires_at,
    )


def held(state: State, hold: QualityHold) -> bool:
    return all_of(
        lambda: hold.article == state.demand.article and hold.site == state.demand.site,
        lambda: hold.status == "active",
    )


@requirement("pieces on hand less held and reserved ones cover the quantity")
def covered(state: State) -> bool:
    free = state.stock.on_hand
    for hold in state.holds:
        if held(state, hold):
            free -= hold.pieces
    for reservation in state.reservations:
        if counts(state, reservation):
            free -= in_pieces(state, reservation.quantity, reservation.unit)
    return all_of(
        lambda: state.stock.article == state.demand.article and state.stock.site == state.demand.site,
        lambda: free >= in_pieces(state, state.demand.quantity, state.demand.unit),
    )


FAMILY = Family(
    name="stock_allocation",
    rule=(
        "A demand may be allocated only if the pieces of its article on hand at its site, less those there under an "
        "active quality hold and less those reserved for others, are at least the quantity it asks for; exactly that "
        "quantity is enough. A reservation counts if it is for the same article and site, its priority is the demand's "
        "or ranks before it, and it has not expired at the time of allocation; at the instant of its expiry it no "
        "longer counts. Cases are converted with the pieces per case of the stock position. Goods that are still "
        "inbound and stock of other sites do not count."
    ),
    systems={
        "orders": "Order management: open demands and reservations.",
        "warehouse": "Warehouse management: stock positions, pick slots, allocation.",
        "quality": "Quality department: holds on stock.",
    },
    state=State,
    commit=AllocateStock,
    preparations=(BlockPickSlot,),
    requirements=(covered,),
)
