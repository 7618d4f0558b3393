"""A flight must land early enough before the meeting: transfer and buffer fit in between, across time zones.

Behind it: duty-travel buffers. Invitations are written in the organiser's zone, the kind of meeting sets the buffer,
the transfer is the one that is booked, and an agreement to join later ends when the meeting is moved again.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from worlds.judging import any_of
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class FlightRequest(Record, system="booking", read="get_flight_request", key="id"):
    """A flight to be booked: traveller, flight, airport and scheduled landing, the transfer booked from there, the
    meeting it is for, seat, remarks."""

    id: str
    traveller: str
    flight: str
    airport: str
    lands_at: datetime
    transfer_id: str
    meeting_id: str
    seat: str
    remarks: Prose = Prose()


class LaterJoining(Value):
    """The organiser's agreement that this traveller joins later."""

    joins_at: datetime
    agreed_at: datetime


class Meeting(Record, system="calendar", read="get_meeting", list="list_meetings", search="search_meetings", key="id"):
    """A meeting: title, kind, place, start as the organiser wrote it, when it was last moved (null: never), an
    agreement that the traveller joins later (null: none) with the time it was given, dress code, notes."""

    id: str
    title: str
    kind: Literal["client", "board", "site visit", "internal"]
    place: str
    starts_at: datetime
    last_moved_at: datetime | None = None
    later_joining: LaterJoining | None = None
    dress_code: str = "none given"
    notes: Prose = Prose()


class Transfer(Record, system="ground_transport", read="get_transfer", list="list_transfers", key="id"):
    """A way from an airport to a meeting place: means, from, to, door to door in minutes, notes."""

    id: str
    means: str
    starts: str
    ends: str
    minutes: int
    notes: Prose = Prose()


class Buffer(Value, key="kind"):
    """Minutes to be kept free before meetings of a kind."""

    kind: str
    minutes: int


class ArrivalPolicy(Record, system="travel_policy", read="get_arrival_policy"):
    """Buffers before meetings in minutes, by kind of meeting; guidance."""

    buffers: Listing[Buffer]
    guidance: Prose = Prose()


class State(WorldState):
    request: FlightRequest
    meetings: Listing[Meeting]
    transfers: Listing[Transfer]
    policy: ArrivalPolicy


class BookFlight(Commit, system="booking"):
    """Book a requested flight with its transfer."""

    request_id: Annotated[str, Names(FlightRequest)]


class NotifyOrganiser(Preparation, system="calendar"):
    """Tell the organiser of a meeting that travel is being arranged."""

    says = ("The organiser has been told that travel is being arranged.",)

    meeting_id: Annotated[str, Names(Meeting)]


@requirement(
    "landing, transfer and buffer end no later than the start, or than a later joining agreed since the last move"
)
def ready_in_time(state: State) -> bool:
    meeting = state.meetings.get(state.request.meeting_id)
    transfer = state.transfers.get(state.request.transfer_id)
    if meeting is None or transfer is None:
        return False

    def ready_by(start: datetime) -> bool:
        buffer = state.policy.buffers.get(meeting.kind)
        if buffer is None:
            return False
        return state.request.lands_at + timedelta(minutes=transfer.minutes + buffer.minutes) <= start

    def ready_for_later_joining() -> bool:
        later = meeting.later_joining
        if later is None or (meeting.last_moved_at is not None and later.agreed_at <= meeting.last_moved_at):
            return False
        return ready_by(later.joins_at)

    return any_of(lambda: ready_by(meeting.starts_at), ready_for_later_joining)


FAMILY = Family(
    name="arrival_buffer",
    rule=(
        "A flight may be booked for a meeting only if the scheduled landing, plus the minutes of the transfer booked "
        "with it, plus the policy's buffer for that kind of meeting is no later than the meeting's start. Times are "
        "compared as moments, in whatever zone they are written. If the organiser has agreed that the traveller joins "
        "at a later time, being ready by that time is enough, but only if this was agreed after the meeting was last "
        "moved; an agreement from before the move, or from the same moment, no longer counts. Kinds without a buffer "
        "cannot be booked for. Ready exactly at the start is allowed."
    ),
    systems={
        "booking": "The booking tool: requested and booked flights.",
        "calendar": "The calendar of meetings.",
        "ground_transport": "The directory of transfers.",
        "travel_policy": "The travel policy: buffers before meetings.",
    },
    state=State,
    commit=BookFlight,
    preparations=(NotifyOrganiser,),
    requirements=(ready_in_time,),
)
