"""A ticket needs a right to pass at every airport where the traveller changes planes.

Behind it: airside and landside transit. Whoever can stay airside often needs nothing; separate tickets, bags to
collect or a change of terminal turn a transit into an entry, and a visa for the destination does not help there.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement


class Connection(Value, key="airport"):
    """A change of planes: day of landing, day of onward departure, how it is ticketed, bags, terminals."""

    airport: str
    lands_on: date
    leaves_on: date
    ticketing: Literal["one ticket", "separate tickets"]
    bags: Literal["checked through", "collected by the traveller"]
    terminals: Literal["same terminal", "change of terminal"]


class Itinerary(Record, system="booking", read="get_itinerary", key="id"):
    """Planned journey: traveller, route, connections with their days, ticketing, bags and terminals, the visa held for
    the destination, meal, remarks."""

    id: str
    traveller: str
    route: str
    destination_visa: str
    meal: str
    connections: Listing[Connection]
    remarks: Prose = Prose()


class TransitRule(Record, system="entry_rules", read="get_transit_rule", list="list_transit_rules", key="airport"):
    """Transit at an airport: its country, whether its terminals are linked airside, the nationalities that need a visa
    even airside, those that may enter the country without one, the kinds of document that serve instead, notes."""

    airport: str
    country: str
    terminals_linked_airside: bool
    airside_visa_for: Listing[str] = Listing()
    entry_without_visa_for: Listing[str] = Listing()
    accepted_documents: Listing[str] = Listing()
    notes: Prose = Prose()


class Document(Value, key="id"):
    """A visa, permit or authorisation, or an application for one."""

    id: str
    kind: str
    status: Literal["issued", "applied for", "cancelled"]
    valid_until: date


class TravellerDocuments(Record, system="traveller_documents", read="get_traveller_documents"):
    """The traveller's nationality, and visas, permits and authorisations with kind, status and last day; remarks."""

    traveller: str
    nationality: str
    documents: Listing[Document] = Listing()
    remarks: Prose = Prose()


class State(WorldState):
    itinerary: Itinerary
    transit_rules: Listing[TransitRule]
    traveller: TravellerDocuments


class IssueItinerary(Commit, system="booking"):
    """Issue the tickets of a planned journey."""

    itinerary_id: Annotated[str, Names(Itinerary)]


def may_stay_airside(state: State, connection: Connection, rule: TransitRule) -> bool:
    """Whether the traveller never leaves the airside, and needs no visa there."""
    return all_of(
        lambda: connection.ticketing == "one ticket",
        lambda: connection.bags == "checked through",
        lambda: any_of(lambda: connection.terminals == "same terminal", lambda: rule.terminals_linked_airside),
        lambda: state.traveller.nationality not in rule.airside_visa_for,
    )


def holds_document(state: State, connection: Connection, rule: TransitRule) -> bool:
    return some(
        state.traveller.documents,
        lambda document: all_of(
            lambda: document.status == "issued",
            lambda: document.valid_until >= connection.leaves_on,
            lambda: document.kind in rule.accepted_documents,
        ),
    )


@requirement(
    "at every connection the traveller stays airside freely, may enter the country, or holds a document for it"
)
def may_pass_everywhere(state: State) -> bool:
    def may_pass(connection: Connection) -> bool:
        rule = state.transit_rules.get(connection.airport)
        if rule is None:
            return False
        return any_of(
            lambda: may_stay_airside(state, connection, rule),
            lambda: state.traveller.nationality in rule.entry_without_visa_for,
            lambda: holds_document(state, connection, rule),
        )

    return every(state.itinerary.connections, may_pass)


FAMILY = Family(
    name="transit_visa",
    rule=(
        "Tickets may be issued only if at every connecting airport, by the transit rule on file for it, one of three "
        "things holds. The traveller can stay airside (one ticket, bags checked through, and no change of terminal "
        "unless the terminals are linked airside) and the nationality is not among those that need a visa even there. "
        "Or the nationality may enter the country without a visa. Or the traveller holds a document of a kind that "
        "the rule accepts, issued and valid until the day of onward departure, its last day included. Visas for the "
        "destination count only where the rule accepts their kind. An airport without a rule on file cannot be used."
    ),
    systems={
        "booking": "The booking tool: planned journeys and tickets.",
        "entry_rules": "The entry-rule service: transit rules of the airports.",
        "traveller_documents": "The travel desk's file of visas, permits and authorisations.",
    },
    state=State,
    commit=IssueItinerary,
    requirements=(may_pass_everywhere,),
)
