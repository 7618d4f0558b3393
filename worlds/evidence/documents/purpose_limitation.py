"""Personal data may be used for what its person agreed to (FAMILY_NOTES 44).

Behind it: purpose limitation, withdrawal and the right to object. Purposes form a tree in the privacy register: consent
to a broader purpose covers what stands below it, and so does an objection.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement


class DataUse(Record, system="customer_data", read="get_data_use", key="id"):
    """Planned use of one person's data: person, data item, purpose, start of the run, channel, brief."""

    id: str
    person_id: str
    data_item: str
    purpose: str
    runs_at: datetime
    channel: str
    brief: Prose = Prose()


class Consent(
    Record, system="consent_log", read="get_consent", list="list_consents", search="search_consents", key="id"
):
    """Logged consent: person, data item, purposes, time it was given, last day (none: unlimited), time of withdrawal,
    language and text of the form."""

    id: str
    person_id: str
    data_item: str
    purposes: Listing[str]
    given_at: datetime
    last_day: date | None = None
    withdrawn_at: datetime | None = None
    form_language: str
    form_text: Prose = Prose()


class Objection(Record, system="consent_log", read="get_objection", list="list_objections", key="id"):
    """Logged objection: person, purpose objected to, time it was raised, time the person lifted it, notes."""

    id: str
    person_id: str
    purpose: str
    raised_at: datetime
    lifted_at: datetime | None = None
    notes: Prose = Prose()


class Purpose(
    Record, system="privacy_register", read="get_purpose", list="list_purposes", search="search_purposes", key="name"
):
    """Registered purpose: the broader purpose above it, if any, and its owner."""

    name: str
    broader: str | None = None
    owner: str


class CompatibilityReview(
    Record,
    system="privacy_register",
    read="get_compatibility_review",
    list="list_compatibility_reviews",
    key="id",
):
    """Review by the data protection officer: data item, purpose agreed to, new purpose, status and its day,
    summary."""

    id: str
    data_item: str
    from_purpose: str
    to_purpose: str
    status: Literal["draft", "approved", "refused"]
    status_on: date | None = None
    summary: Prose = Prose()


class State(WorldState):
    use: DataUse
    consents: Listing[Consent]
    objections: Listing[Objection] = Listing()
    purposes: Listing[Purpose]
    reviews: Listing[CompatibilityReview] = Listing()


class StartDataUse(Commit, system="customer_data"):
    """Start a planned use of personal data."""

    use_id: Annotated[str, Names(DataUse)]


class RehearseDataUse(Preparation, system="customer_data"):
    """Rehearse a planned use on invented data."""

    says = ("The rehearsal on invented data ran through.", "The start is set for {use.runs_at}.")

    use_id: Annotated[str, Names(DataUse)]


def within(state: State, purpose: str, above: str, passed: tuple[str, ...] = ()) -> bool:
    """Whether a purpose is another one or stands below it in the register."""

    def from_its_parent() -> bool:
        registered = state.purposes.get(purpose)
        broader = registered.broader if registered is not None else None
        return broader is not None and broader not in passed and within(state, broader, above, (*passed, purpose))

    return any_of(lambda: purpose == above, from_its_parent)


def consented(state: State, purpose: str) -> bool:
    """Whether a consent of the person for the data item, in force at the start, covers a purpose."""
    use = state.use

    def in_force(consent: Consent) -> bool:
        return all_of(
            lambda: consent.person_id == use.person_id,
            lambda: consent.data_item == use.data_item,
            lambda: consent.given_at <= use.runs_at,
            lambda: consent.last_day is None or use.runs_at.date() <= consent.last_day,
            lambda: consent.withdrawn_at is None or consent.withdrawn_at > use.runs_at,
            lambda: some(consent.purposes, lambda granted: within(state, purpose, granted)),
        )

    return some(state.consents, in_force)


@requirement("a consent in force covers the purpose, or an approved review links it to a purpose so covered")
def purpose_covered(state: State) -> bool:
    use = state.use

    def links(review: CompatibilityReview) -> bool:
        return all_of(
            lambda: review.status == "approved",
            lambda: review.status_on is not None and review.status_on <= use.runs_at.date(),
            lambda: review.data_item == use.data_item,
            lambda: review.to_purpose == use.purpose,
            lambda: consented(state, review.from_purpose),
        )

    return any_of(lambda: consented(state, use.purpose), lambda: some(state.reviews, links))


@requirement("no objection of the person against the purpose or a broader one is open")
def no_objection(state: State) -> bool:
    use = state.use

    def lifted(objection: Objection) -> bool:
        return objection.lifted_at is not None and objection.lifted_at <= use.runs_at

    return every(
        state.objections,
        lambda objection: any_of(
            lambda: objection.person_id != use.person_id,
            lambda: lifted(objection),
            lambda: not within(state, use.purpose, objection.purpose),
        ),
    )


FAMILY = Family(
    name="purpose_limitation",
    rule=(
        "A person's data item may be used for a purpose only if a consent of that person for that item names the "
        "purpose or a broader one above it in the purpose register; a narrower consent does not cover a broader "
        "purpose. The consent must have been given by the start of the use, its last day counts in, and it ends with a "
        "withdrawal at or before the start. Instead, a compatibility review for the item that the data protection "
        "officer approved by the day of the use may link exactly this purpose to one that such a consent covers. Days "
        "are read in the time zone that the start of the use carries. An objection of the person against the purpose "
        "or a broader one, whenever it was raised, stops the use whatever the consents say, unless it was lifted by "
        "the start."
    ),
    systems={
        "customer_data": "The customer data platform and its planned uses.",
        "consent_log": "Consents, withdrawals and objections of persons.",
        "privacy_register": "The register of purposes and the data protection officer's reviews.",
    },
    state=State,
    commit=StartDataUse,
    preparations=(RehearseDataUse,),
    requirements=(purpose_covered, no_objection),
)
