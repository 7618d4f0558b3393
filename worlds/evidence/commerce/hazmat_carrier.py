"""A parcel with dangerous goods goes only by a service that takes each of them, in that quantity and together.

Behind it: UN numbers, carriers' acceptance matrices, net quantities per package, charge limits for lithium cells,
segregation of goods that react. The data sheet says what an article is; only the matrix says who takes it.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class PackedLine(Value, key="line"):
    """An article in the parcel. `charge_percent` is the state of charge of cells, null for other goods."""

    line: str
    article: str
    quantity: int
    net_each: Decimal
    unit: Literal["g", "kg"]
    charge_percent: int | None = None


class Parcel(Record, system="packing", read="get_parcel", key="id"):
    """Packed parcel: booked service, shipping date, lines (article, quantity, net weight of each with its unit, state
    of charge of cells), packer, outer carton, packing slip."""

    id: str
    service: str
    ship_date: date
    lines: Listing[PackedLine]
    packer: str
    carton: str
    packing_slip: Prose = Prose()


class SafetySheet(
    Record, system="product_safety", list="list_safety_sheets", search="search_safety_sheets", key="article"
):
    """Safety data of an article: UN number (null if it is not dangerous in transport), description, colour, customs
    code, revision remarks."""

    article: str
    un_number: str | None
    description: str
    colour: str
    customs_code: str
    remarks: Prose = Prose()


class MatrixRow(Record, system="carrier", list="list_service_matrix", search="search_service_matrix", key="id"):
    """Row of the carrier's acceptance matrix: service, UN number, whether accepted, highest net weight per parcel in
    kg, highest state of charge of cells (null: none), UN numbers to be kept apart from it, note."""

    id: str
    service: str
    un_number: str
    accepted: bool
    limit_kg: Decimal
    charge_limit_percent: int | None = None
    keep_apart_from: tuple[str, ...] = ()
    note: Prose = Prose()


class Approval(Record, system="carrier", list="list_approvals", key="id"):
    """Approval of an authority for a larger quantity: service, UN number, highest net weight in kg, first and last day
    of validity, authority."""

    id: str
    service: str
    un_number: str
    limit_kg: Decimal
    valid_from: date
    valid_to: date
    authority: str


class State(WorldState):
    parcel: Parcel
    sheets: Listing[SafetySheet]
    matrix: Listing[MatrixRow]
    approvals: Listing[Approval] = Listing()


class TenderParcel(Commit, system="carrier"):
    """Hand a parcel over to the carrier for the service that is booked for it."""

    parcel_id: Annotated[str, Names(Parcel)]


class DraftDeclaration(Preparation, system="carrier"):
    """Draft the shipper's declaration of a parcel without filing it."""

    says = ("The declaration is drafted for {parcel.service}; nothing has been tendered.",)

    parcel_id: Annotated[str, Names(Parcel)]


def un_of(state: State, line: PackedLine) -> str | None:
    """The UN number of a line's article. Raises ValueError if no safety sheet is held for the article."""
    sheet = state.sheets.get(line.article)
    if sheet is None:
        raise ValueError(f"there is no safety sheet for {line.article}")
    return sheet.un_number


def row_of(state: State, un_number: str) -> MatrixRow | None:
    """The booked service's row for a UN number. Raises ValueError if there are two, which the carrier rules out."""
    rows = [row for row in state.matrix.visible if row.service == state.parcel.service and row.un_number == un_number]
    if len(rows) > 1:
        raise ValueError(f"{state.parcel.service} has more than one row for {un_number}")
    if not rows:
        state.matrix.require_complete()
    return rows[0] if rows else None


def net_kg(state: State, un_number: str) -> Decimal:
    """The net weight of all lines of the parcel that bear this UN number."""
    total = Decimal(0)
    for line in state.parcel.lines:
        if un_of(state, line) == un_number:
            net = line.quantity * line.net_each
            total += net / 1000 if line.unit == "g" else net
    return total


def line_accepted(state: State, line: PackedLine) -> bool:
    un_number = un_of(state, line)
    if un_number is None:
        return True
    row = row_of(state, un_number)
    return row is not None and row.accepted


def line_in_limit(state: State, line: PackedLine) -> bool:
    un_number = un_of(state, line)
    row = row_of(state, un_number) if un_number else None
    if un_number is None or row is None:
        return True
    return any_of(
        lambda: net_kg(state, un_number) <= row.limit_kg,
        lambda: some(state.approvals, lambda approval: covers(state, approval, un_number)),
    )


def covers(state: State, approval: Approval, un_number: str) -> bool:
    return all_of(
        lambda: approval.service == state.parcel.service and approval.un_number == un_number,
        lambda: approval.valid_from <= state.parcel.ship_date <= approval.valid_to,
        lambda: net_kg(state, un_number) <= approval.limit_kg,
    )


def line_charge_in_limit(state: State, line: PackedLine) -> bool:
    un_number = un_of(state, line)
    row = row_of(state, un_number) if un_number else None
    if row is None or row.charge_limit_percent is None:
        return True
    return line.charge_percent is None or line.charge_percent <= row.charge_limit_percent


def line_apart(state: State, line: PackedLine) -> bool:
    un_number = un_of(state, line)
    row = row_of(state, un_number) if un_number else None
    return row is None or not some(state.parcel.lines, lambda other: un_of(state, other) in row.keep_apart_from)


@requirement("the booked service accepts the UN number of every article in the parcel")
def accepted(state: State) -> bool:
    return every(state.parcel.lines, lambda line: line_accepted(state, line))


@requirement("the net weight per UN number is within the service's limit, or within a valid approval")
def within_limit(state: State) -> bool:
    return every(state.parcel.lines, lambda line: line_in_limit(state, line))


@requirement("no cells are charged above the service's limit for their UN number")
def charge_in_limit(state: State) -> bool:
    return every(state.parcel.lines, lambda line: line_charge_in_limit(state, line))


@requirement("nothing in the parcel must be kept apart from anything else in it")
def kept_apart(state: State) -> bool:
    return every(state.parcel.lines, lambda line: line_apart(state, line))


FAMILY = Family(
    name="hazmat_carrier",
    rule=(
        "A parcel may be tendered only if the carrier's matrix, in the rows of the booked service, accepts the UN "
        "number of every article in it; an article without a UN number needs no row. The net weight of all lines with "
        "one UN number, added up in kilograms, may not exceed the limit of its row, unless an authority's approval for "
        "that service and UN number is valid on the shipping date (first and last day included) and covers the weight. "
        "Where the row has a limit of charge, no cells of that number may be charged above it. Goods may not share a "
        "parcel with a UN number from which their row keeps them apart. Equal to a limit is allowed."
    ),
    systems={
        "packing": "Packing station: parcels and their lines.",
        "product_safety": "Safety data of the articles.",
        "carrier": "Carrier: acceptance matrix by service, approvals, tendering.",
    },
    state=State,
    commit=TenderParcel,
    preparations=(DraftDeclaration,),
    requirements=(accepted, within_limit, charge_in_limit, kept_apart),
)
