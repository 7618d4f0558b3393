"""A statement on an incident names all that is confirmed affected, and the commander approved it after the last news.

Behind it: companies that wrote 'a small number of customers' while their own incident record already held more. The
approval that counts comes after the scope stopped growing, from the person in charge now.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import AwareDatetime

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class ConfirmedItem(Value, key="item"):
    """Something confirmed as affected, and when it was confirmed."""

    item: str
    confirmed_at: AwareDatetime


class Incident(
    Record, system="incidents", read="get_incident", list="list_incidents", search="search_incidents", key="id"
):
    """Incident: id, title, present commander, what is confirmed as affected and since when, bridge number, colour of
    the severity, channel log."""

    id: str
    title: str
    commander: str
    confirmed: Listing[ConfirmedItem]
    bridge_number: str
    severity_colour: str
    channel_log: Prose = Prose()


class Statement(
    Record, system="status_page", read="get_statement", list="list_statements", search="search_statements", key="id"
):
    """Statement: id, incident, headline, what it names as affected, the day on which it is posted, status, text."""

    id: str
    incident: str
    headline: str
    names_affected: Listing[str]
    post_on: date
    status: str
    text: Prose = Prose()


class Approval(Record, system="comms_board", read="get_approval", list="list_approvals", key="id"):
    """Approval: id, statement, who approved it and in which role, when."""

    id: str
    statement: str
    approved_by: str
    role: str
    at: AwareDatetime


class DelayOrder(Record, system="comms_board", read="get_delay_order", list="list_delay_orders", key="id"):
    """Order of an authority to hold back a piece of news: id, incident, item, authority, last day."""

    id: str
    incident: str
    item: str
    authority: str
    last_day: date


class State(WorldState):
    incident: Incident
    other_incidents: Listing[Incident] = Listing()
    statement: Statement
    other_statements: Listing[Statement] = Listing()
    approvals: Listing[Approval]
    delay_orders: Listing[DelayOrder] = Listing()


class PostStatement(Commit, system="status_page"):
    """Post a statement on the public status page, on the day it is set for."""

    statement_id: Annotated[str, Names(Statement)]


class CheckLayout(Preparation, system="status_page"):
    """Render a statement as readers of the status page will see it."""

    says = ("The statement fits on one screen.", "Headline: {statement.headline}.")

    statement_id: Annotated[str, Names(Statement)]


@requirement("the statement names everything that is confirmed affected, save for items under a running delay order")
def scope_stated(state: State) -> bool:
    def held_back(item: str) -> bool:
        return some(
            state.delay_orders,
            lambda order: all_of(
                lambda: order.incident == state.incident.id,
                lambda: order.item == item,
                lambda: state.statement.post_on <= order.last_day,
            ),
        )

    return all_of(
        lambda: state.statement.incident == state.incident.id,
        lambda: every(
            state.incident.confirmed,
            lambda confirmed: any_of(
                lambda: confirmed.item in state.statement.names_affected, lambda: held_back(confirmed.item)
            ),
        ),
    )


@requirement("the present commander approved this statement no earlier than the last confirmation")
def approved_since_last_confirmation(state: State) -> bool:
    def covers(approval: Approval) -> bool:
        return all_of(
            lambda: approval.statement == state.statement.id,
            lambda: approval.approved_by == state.incident.commander,
            lambda: every(state.incident.confirmed, lambda confirmed: confirmed.confirmed_at <= approval.at),
        )

    return some(state.approvals, covers)


FAMILY = Family(
    name="incident_statement",
    rule=(
        "A statement on an incident is posted only if it names everything that the record of its incident lists as "
        "confirmed affected; it may name more. An item may be left out while an authority's delay order for that item "
        "in this incident runs, its last day included; the day of posting counts. And the incident's present commander "
        "must have approved this very statement no earlier than the latest confirmation in the record; the same moment "
        "is allowed. Approvals by others, or of other statements, do not replace it."
    ),
    systems={
        "incidents": "The incident tool: incidents, their scope and who commands them.",
        "status_page": "The public status page: statements, posted and waiting.",
        "comms_board": "The communications board: approvals and delay orders.",
    },
    state=State,
    commit=PostStatement,
    preparations=(CheckLayout,),
    requirements=(scope_stated, approved_since_last_confirmation),
)
