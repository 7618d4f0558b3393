"""Chilled goods are released if their alarms add up to little enough and nothing froze, or if the maker cleared them.

Behind it: temperature loggers, stability data with a cumulative allowance in a rolling window, and the rule of vaccine
programmes that a frozen product stays blocked until its maker has decided on the very lot.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement


class Consignment(
    Record, system="warehouse", read="get_consignment", list="list_consignments", search="search_consignments", key="id"
):
    """Chilled consignment: product, lot, logger report that travelled with it, arrival, pallet wrap, present reading,
    receiving notes."""

    id: str
    product: str
    lot: str
    report_id: str
    arrived_at: datetime
    pallet_wrap: str
    present_reading: str
    receiving_notes: Prose = Prose()


class Alarm(Value, key="id"):
    """A stretch of time that the logger marked: start, length in minutes, the most extreme reading in it."""

    id: str
    started_at: datetime
    minutes: int
    extreme: Decimal


class LoggerReport(Record, system="loggers", read="get_logger_report", list="list_logger_reports", key="id"):
    """Logger report: unit of its readings (C or F), lowest reading, alarms with start, minutes and most extreme
    reading, logger model, remarks of the transport."""

    id: str
    unit: Literal["C", "F"]
    lowest_reading: Decimal
    alarms: Listing[Alarm]
    model: str
    transport_remarks: Prose = Prose()


class StabilitySheet(Record, system="quality", read="get_stability_sheet"):
    """Stability sheet of the product: lower and upper limit of its range, minutes allowed outside it, hours of the
    rolling window in which they add up, freezing point (null: freezing does no harm); temperatures in Celsius."""

    product: str
    lower_c: Decimal
    upper_c: Decimal
    allowance_minutes: int
    window_hours: int
    freezing_point_c: Decimal | None
    edition: str
    remarks: Prose = Prose()


class Assessment(Record, system="maker_desk", list="list_assessments", key="id"):
    """Assessment by the maker's stability desk: lot, logger report it looked at, decision, date, answering person,
    wording."""

    id: str
    lot: str
    report_id: str
    decision: Literal["pending", "may be used", "must be discarded"]
    answered_by: str
    wording: Prose = Prose()


class State(WorldState):
    consignment: Consignment
    other_consignments: Listing[Consignment] = Listing()
    report: LoggerReport
    other_reports: Listing[LoggerReport] = Listing()
    sheet: StabilitySheet
    assessments: Listing[Assessment] = Listing()


class ReleaseConsignment(Commit, system="warehouse"):
    """Release a chilled consignment for delivery to customers."""

    consignment_id: Annotated[str, Names(Consignment)]


def celsius(state: State, reading: Decimal) -> Decimal:
    return (reading - 32) * 5 / 9 if state.report.unit == "F" else reading


def outside(state: State, alarm: Alarm) -> bool:
    """Whether an alarm left the product's range. Loggers are often set more tightly than the range."""
    extreme = celsius(state, alarm.extreme)
    return any_of(lambda: extreme > state.sheet.upper_c, lambda: extreme < state.sheet.lower_c)


def minutes_from(state: State, start: datetime) -> int:
    """The minutes outside the range of the alarms that begin in the window that opens at `start`."""
    end = start + timedelta(hours=state.sheet.window_hours)
    return sum(
        alarm.minutes for alarm in state.report.alarms if start <= alarm.started_at < end and outside(state, alarm)
    )


def report_travelled(state: State) -> bool:
    """Whether the logger report is the one that the consignment names."""
    return state.report.id == state.consignment.report_id


def cleared_by_maker(state: State) -> bool:
    return some(
        state.assessments,
        lambda answer: all_of(
            lambda: answer.lot == state.consignment.lot,
            lambda: answer.report_id == state.consignment.report_id,
            lambda: answer.decision == "may be used",
        ),
    )


@requirement("in no rolling window the minutes outside the range exceed the allowance, or the maker cleared the lot")
def within_allowance(state: State) -> bool:
    return any_of(
        lambda: cleared_by_maker(state),
        lambda: all_of(
            lambda: report_travelled(state),
            lambda: every(
                state.report.alarms,
                lambda alarm: minutes_from(state, alarm.started_at) <= state.sheet.allowance_minutes,
            ),
        ),
    )


def stayed_liquid(state: State) -> bool:
    freezing_point = state.sheet.freezing_point_c
    return freezing_point is None or all_of(
        lambda: report_travelled(state),
        lambda: celsius(state, state.report.lowest_reading) > freezing_point,
    )


@requirement("no reading reached the freezing point, or the maker cleared the lot")
def not_frozen(state: State) -> bool:
    return any_of(lambda: cleared_by_maker(state), lambda: stayed_liquid(state))


FAMILY = Family(
    name="cold_chain",
    rule=(
        "A chilled consignment may be released only if the alarms of the logger report that it names add up to no more "
        "minutes than the stability sheet allows in any one rolling window, and the report's lowest reading stayed "
        "above the freezing point where the sheet has one; or the maker's stability desk decided, for this lot on this "
        "logger report, that it may be used. An alarm counts with all its minutes, from its start, if its most extreme "
        "reading lies outside the product's range (a limit itself is inside). A window opens with an alarm; one that "
        "starts exactly when the window's hours are over belongs to the next. Exactly the allowance is allowed; "
        "exactly the freezing point counts as frozen. Fahrenheit is converted."
    ),
    systems={
        "warehouse": "Cold store: consignments and their release.",
        "loggers": "Logger platform: reports of the transports.",
        "quality": "Quality department: stability sheets.",
        "maker_desk": "Makers' stability desks: assessments.",
    },
    state=State,
    commit=ReleaseConsignment,
    requirements=(within_allowance, not_frozen),
)
