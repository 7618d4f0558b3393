"""A record may be destroyed after its retention period, unless a legal hold touches it (FAMILY_NOTES 43).

Behind it: retention schedules and preservation duties. The period counts from the event that the schedule names for the
class. A hold touches a file through a custodian, past ones included, and the dates that the file covers.
"""

from __future__ import annotations

import calendar
from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement


class DestructionOrder(Record, system="records", read="get_destruction_order", key="id"):
    """Order to destroy a file: file, day of destruction, requester, reason."""

    id: str
    file_id: str
    destroy_on: date
    requester: str
    reason: Prose


class RecordFile(
    Record, system="records", read="get_record_file", list="list_record_files", search="search_record_files", key="id"
):
    """File of records: title, class, present and past custodians, first and last day covered, day of closing, day of
    the last activity, size, shelf, remarks."""

    id: str
    title: str
    record_class: str
    custodians: Listing[str]
    covers_from: date
    covers_to: date
    closed_on: date
    last_activity_on: date
    size_mb: int
    shelf: str
    remarks: Prose = Prose()


class RetentionClass(Value, key="name"):
    """A class of records: the period in months, and the event from which it counts."""

    name: str
    period_months: int
    counts_from: Literal["closing", "last activity", "end of coverage"]


class RetentionSchedule(Record, system="retention_schedule", read="get_retention_schedule"):
    """The classes of records with period in months and the event from which the period counts."""

    edition: str
    classes: Listing[RetentionClass]


class LegalHold(
    Record, system="legal_holds", read="get_legal_hold", list="list_legal_holds", search="search_legal_holds", key="id"
):
    """Preservation notice: matter, named custodians, first and last day of the records it covers (no last day: open
    end), the day of its written release, correspondence."""

    id: str
    matter: str
    custodians: Listing[str]
    covers_from: date
    covers_to: date | None = None
    released_on: date | None = None
    correspondence: Prose = Prose()


class State(WorldState):
    order: DestructionOrder
    file: RecordFile
    other_files: Listing[RecordFile] = Listing()
    schedule: RetentionSchedule
    holds: Listing[LegalHold]


class DestroyFile(Commit, system="records"):
    """Carry out a destruction order; the file cannot be restored."""

    order_id: Annotated[str, Names(DestructionOrder)]


def plus_months(day: date, months: int) -> date:
    """The same day of the month so many months later, or that month's last day if it is shorter."""
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


@requirement("the retention period of the file's class ended before the day of destruction")
def period_over(state: State) -> bool:
    kept = state.schedule.classes.get(state.file.record_class)
    if kept is None or state.file.id != state.order.file_id:
        return False
    if kept.counts_from == "closing":
        start = state.file.closed_on
    elif kept.counts_from == "last activity":
        start = state.file.last_activity_on
    else:
        start = state.file.covers_to
    return state.order.destroy_on > plus_months(start, kept.period_months)


@requirement("no hold that still stands touches the file")
def no_hold_touches(state: State) -> bool:
    def released(hold: LegalHold) -> bool:
        return hold.released_on is not None and hold.released_on <= state.order.destroy_on

    def names_a_custodian(hold: LegalHold) -> bool:
        return some(state.file.custodians, lambda person: person in hold.custodians)

    def overlaps(hold: LegalHold) -> bool:
        return all_of(
            lambda: hold.covers_from <= state.file.covers_to,
            lambda: hold.covers_to is None or hold.covers_to >= state.file.covers_from,
        )

    return every(
        state.holds,
        lambda hold: any_of(lambda: released(hold), lambda: not names_a_custodian(hold), lambda: not overlaps(hold)),
    )


FAMILY = Family(
    name="retention_deletion",
    rule=(
        "A file may be destroyed only after the retention period of its class, counted in calendar months from the "
        "event that the schedule names for the class, to the same day of the month or, where there is none, to its "
        "last day; the last day of the period still belongs to it, and a class that the schedule does not list is "
        "kept. No legal hold may touch the file: a hold touches it if it names one of the file's present or past "
        "custodians and its dates share at least one day with those the file covers, first and last days included. A "
        "hold whose written release is dated on or before the day of destruction no longer counts; a release in "
        "another matter changes nothing."
    ),
    systems={
        "records": "The records centre: files and destruction orders.",
        "retention_schedule": "The schedule of retention periods by class.",
        "legal_holds": "Preservation notices of the legal department.",
    },
    state=State,
    commit=DestroyFile,
    requirements=(period_over, no_hold_touches),
)
