"""A patient's chart is opened by those who treat the patient, or whom the patient authorised (FAMILY_NOTES 48).

Behind it: medical confidentiality. Being employed in the house, or on the same unit, is no care relation; specially
protected sections need the patient's authorisation even inside one; an emergency opens everything for its time.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, WorldState, requirement


class ChartAccess(Record, system="health_record", read="get_chart_access", key="id"):
    """Registered access: patient, section of the chart, clinician, time, reason given."""

    id: str
    patient_id: str
    section: str
    clinician_id: str
    opens_at: datetime
    reason: Prose


class EmergencyFlag(Record, system="health_record", read="get_emergency_flag", list="list_emergency_flags", key="id"):
    """Declared emergency of a patient: who declared it, start and end, note."""

    id: str
    patient_id: str
    declared_by: str
    starts_at: datetime
    ends_at: datetime
    note: Prose = Prose()


class AccessPolicy(Record, system="health_record", read="get_access_policy"):
    """Days of follow-up after an encounter, and the specially protected sections of a chart."""

    house: str
    follow_up_days: int
    protected_sections: Listing[str]


class Clinician(
    Record,
    system="staff_directory",
    read="get_clinician",
    list="list_clinicians",
    search="search_clinicians",
    key="id",
):
    """Member of staff or outside clinician: name, role, unit, status of the account."""

    id: str
    name: str
    role: str
    unit: str
    account: str


class Encounter(
    Record, system="scheduling", read="get_encounter", list="list_encounters", search="search_encounters", key="id"
):
    """Stay, visit or referral of a patient: unit, first and last day (no last day: it goes on), care team by clinician
    id, bed, letter."""

    id: str
    patient_id: str
    unit: str
    first_day: date
    last_day: date | None = None
    team: Listing[str]
    bed: str
    letter: Prose = Prose()


class Authorisation(Record, system="consent_desk", read="get_authorisation", list="list_authorisations", key="id"):
    """Patient's authorisation: holder by clinician id, sections, first and last day, day of revocation, form."""

    id: str
    patient_id: str
    holder_id: str
    sections: Listing[str]
    valid_from: date
    valid_through: date
    revoked_on: date | None = None
    form: Prose = Prose()


class State(WorldState):
    opening: ChartAccess
    clinician: Clinician
    other_clinicians: Listing[Clinician] = Listing()
    encounters: Listing[Encounter]
    authorisations: Listing[Authorisation] = Listing()
    emergencies: Listing[EmergencyFlag] = Listing()
    policy: AccessPolicy


class OpenChartSection(Commit, system="health_record"):
    """Open the section of the chart to the clinician of a registered access."""

    access_id: Annotated[str, Names(ChartAccess)]


def in_care(state: State) -> bool:
    """Whether the clinician is on the care team of an encounter of the patient that covers the day."""
    day = state.opening.opens_at.date()

    def covers(encounter: Encounter) -> bool:
        return all_of(
            lambda: encounter.patient_id == state.opening.patient_id,
            lambda: state.opening.clinician_id in encounter.team,
            lambda: encounter.first_day <= day,
            lambda: (
                encounter.last_day is None or day <= encounter.last_day + timedelta(days=state.policy.follow_up_days)
            ),
        )

    return some(state.encounters, covers)


def authorised(state: State) -> bool:
    """Whether the patient authorised the clinician for the section on the day."""
    day = state.opening.opens_at.date()

    def covers(authorisation: Authorisation) -> bool:
        return all_of(
            lambda: authorisation.patient_id == state.opening.patient_id,
            lambda: authorisation.holder_id == state.opening.clinician_id,
            lambda: state.opening.section in authorisation.sections,
            lambda: authorisation.valid_from <= day <= authorisation.valid_through,
            lambda: authorisation.revoked_on is None or authorisation.revoked_on > day,
        )

    return some(state.authorisations, covers)


def emergency(state: State) -> bool:
    """Whether a declared emergency of the patient covers the moment."""
    return some(
        state.emergencies,
        lambda flag: all_of(
            lambda: flag.patient_id == state.opening.patient_id,
            lambda: flag.starts_at <= state.opening.opens_at <= flag.ends_at,
        ),
    )


@requirement("the clinician is in a care relation with the patient, authorised, or called to an emergency")
def related(state: State) -> bool:
    return any_of(lambda: in_care(state), lambda: authorised(state), lambda: emergency(state))


@requirement("a specially protected section is opened only by authorisation or in an emergency")
def protected_section_released(state: State) -> bool:
    return any_of(
        lambda: state.opening.section not in state.policy.protected_sections,
        lambda: authorised(state),
        lambda: emergency(state),
    )


FAMILY = Family(
    name="treating_relationship",
    rule=(
        "A section of a patient's chart is opened to a clinician only on a day on which the clinician is in a care "
        "relation with the patient or holds the patient's authorisation for that section. A care relation covers the "
        "clinicians on the care team of an encounter, from its first day to the policy's number of follow-up days "
        "after its last one, both included; an encounter without a last day goes on. An authorisation covers its first "
        "to its last day, both included, and no longer counts from the day it is revoked. For the sections that the "
        "policy specially protects a care relation is not enough; the authorisation is needed. A declared emergency of "
        "the patient opens any section to any clinician from its start to its end, both moments included. The day of "
        "the access is read in the time zone that its time carries."
    ),
    systems={
        "health_record": "The electronic health record: registered accesses, emergency flags, access policy.",
        "staff_directory": "Clinicians of the house and outside clinicians with an account.",
        "scheduling": "Stays, visits and referrals with their care teams.",
        "consent_desk": "Authorisations given by patients.",
    },
    state=State,
    commit=OpenChartSection,
    requirements=(related, protected_section_released),
)
