"""Goods leave the country only if no party is listed, and no licence is needed or one covers the shipment.

Behind it: control lists and country charts, screening of every party to the shipment (agents and forwarders too), and
licences that are used up shipment by shipment.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement
from worlds.values import Money


class Party(Value, key="name"):
    """A party to the shipment and the part it plays."""

    name: str
    role: str


class Shipment(
    Record, system="shipping", read="get_shipment", list="list_shipments", search="search_shipments", key="id"
):
    """Export shipment: article, quantity, country of destination, end use, value, shipping date, parties with their
    roles, delivery term, file notes."""

    id: str
    article: str
    quantity: int
    destination: str
    end_use: str
    value: Money
    ship_date: date
    parties: Listing[Party]
    delivery_term: str
    file_notes: Prose = Prose()


class Classification(Record, system="classification", read="get_classification", key="article"):
    """Classification of an article: code of the control list, customs code, classifier, remarks."""

    article: str
    control_code: str
    customs_code: str
    classified_by: str
    remarks: Prose = Prose()


class ChartRow(Record, system="trade_compliance", list="list_control_chart", search="search_control_chart", key="id"):
    """Row of the control chart: control code, country, whether an export licence is needed."""

    id: str
    control_code: str
    country: str
    licence_needed: bool


class Drawing(Value, key="id"):
    """Value that an earlier shipment used up of a licence."""

    id: str
    shipped_on: date
    amount: Money


class Licence(Record, system="trade_compliance", list="list_licences", search="search_licences", key="number"):
    """Export licence: kind, control codes, countries, end uses (null: any), last day of validity, value granted (null:
    without a cap), drawings of earlier shipments, conditions."""

    number: str
    kind: Literal["individual", "general"]
    control_codes: tuple[str, ...]
    countries: tuple[str, ...]
    end_uses: tuple[str, ...] | None = None
    valid_to: date
    granted: Money | None = None
    drawings: Listing[Drawing] = Listing()
    conditions: Prose = Prose()


class Screening(Record, system="trade_compliance", list="list_screenings", key="party"):
    """Screening of a party against the lists: result, date, analyst."""

    party: str
    result: Literal["clear", "open match", "listed"]
    screened_on: date
    analyst: str


class State(WorldState):
    shipment: Shipment
    other_shipments: Listing[Shipment] = Listing()
    classification: Classification
    chart: Listing[ChartRow]
    licences: Listing[Licence] = Listing()
    screenings: Listing[Screening]


class DispatchExport(Commit, system="shipping"):
    """Dispatch an export shipment to its destination."""

    shipment_id: Annotated[str, Names(Shipment)]


class DraftExportEntry(Preparation, system="shipping"):
    """Draft the export declaration of a shipment without filing it."""

    says = ("The entry is drafted; nothing has been filed.", "Control code entered: {classification.control_code}.")

    shipment_id: Annotated[str, Names(Shipment)]


def screened_clear(state: State, party: Party) -> bool:
    screening = state.screenings.get(party.name)
    return screening is not None and screening.result == "clear"


def needs_no_licence(state: State) -> bool:
    return some(
        state.chart,
        lambda row: all_of(
            lambda: row.country == state.shipment.destination,
            lambda: row.control_code == state.classification.control_code,
            lambda: not row.licence_needed,
        ),
    )


def value_left_suffices(state: State, licence: Licence) -> bool:
    if licence.granted is None:
        return True
    left = licence.granted
    for drawing in licence.drawings:
        left = left - drawing.amount
    return state.shipment.value <= left


def covers(state: State, licence: Licence) -> bool:
    return all_of(
        lambda: state.classification.control_code in licence.control_codes,
        lambda: state.shipment.destination in licence.countries,
        lambda: licence.end_uses is None or state.shipment.end_use in licence.end_uses,
        lambda: state.shipment.ship_date <= licence.valid_to,
        lambda: value_left_suffices(state, licence),
    )


@requirement("every party to the shipment was screened and is clear")
def parties_clear(state: State) -> bool:
    return every(state.shipment.parties, lambda party: screened_clear(state, party))


@requirement("the chart asks for no licence, or one licence covers code, country, end use, date and value")
def licensed(state: State) -> bool:
    return any_of(lambda: needs_no_licence(state), lambda: some(state.licences, lambda licence: covers(state, licence)))


FAMILY = Family(
    name="export_licence",
    rule=(
        "An export shipment may be dispatched only if the screening result of every party to it, whatever its role, is "
        "clear (an open match is not), and the control chart says that no licence is needed for the article's control "
        "code and the destination, or one licence covers the shipment. Where the chart has no row, one is needed. A "
        "licence covers it if it names the control code, the country and, where it lists end uses, the end use, is "
        "valid on the shipping date (its last day included), and what was granted less all drawings is at least the "
        "shipment's value; exactly the value is enough."
    ),
    systems={
        "shipping": "Export shipments: papers and dispatch.",
        "classification": "Classification of articles.",
        "trade_compliance": "Trade compliance: control chart, licences and their drawings, screening of parties.",
    },
    state=State,
    commit=DispatchExport,
    preparations=(DraftExportEntry,),
    requirements=(parties_clear, licensed),
)
