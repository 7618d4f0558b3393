"""A draft is published only in the revision that every function its class requires has signed off.

Behind it: medical, legal and regulatory review, and principal approval in financial promotions. A status says
'approved' long after the text has moved on.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class Change(Value, key="revision"):
    """What a revision changed."""

    revision: str
    kind: Literal["typographic", "layout", "wording", "claim"]
    summary: str


class Draft(Record, system="cms", read="get_draft", list="list_drafts", search="search_drafts", key="id"):
    """Draft: id, title, language, content class, its present revision, planned day of publication, status, author,
    template, the list of changes by revision, notes."""

    id: str
    title: str
    language: str
    content_class: str
    revision: int
    publish_on: date
    status: str
    author: str
    template: str
    changes: Listing[Change] = Listing()
    notes: Prose = Prose()


class MatrixRow(Value, key="content_class"):
    """The functions that must sign off one class of content."""

    content_class: str
    functions: tuple[str, ...]


class ReviewMatrix(Record, system="review", read="get_review_matrix"):
    """Review matrix: for each class of content the functions that must sign it off; guidance."""

    rows: Listing[MatrixRow]
    guidance: Prose = Prose()


class Signoff(Record, system="review", read="get_signoff", list="list_signoffs", search="search_signoffs", key="id"):
    """Sign-off: id, draft, the revision that was read, function, who signed, the last day of its validity, remark."""

    id: str
    draft: str
    revision: int
    function: str
    signed_by: str
    valid_through: date
    remark: Prose = Prose()


class State(WorldState):
    draft: Draft
    other_drafts: Listing[Draft] = Listing()
    matrix: ReviewMatrix
    signoffs: Listing[Signoff]


class PublishDraft(Commit, system="cms"):
    """Publish a draft in its present revision on its planned day."""

    draft_id: Annotated[str, Names(Draft)]


class StageDraft(Preparation, system="cms"):
    """Put a draft on the staging site, where only the editors see it."""

    says = ("It is on the staging site.", "Template: {draft.template}.")

    draft_id: Annotated[str, Names(Draft)]


def reads_as(state: State, signed: int) -> bool:
    """Whether the present text says what the signed revision said."""
    present = state.draft.revision

    def typographic(revision: int) -> bool:
        change = state.draft.changes.get(str(revision))
        return change is not None and change.kind == "typographic"

    return signed == present or (signed < present and every(range(signed + 1, present + 1), typographic))


@requirement("each function that the class requires has a valid sign-off of the present revision of this draft")
def signed_off(state: State) -> bool:
    row = state.matrix.rows.get(state.draft.content_class)

    def signed(function: str) -> bool:
        return some(
            state.signoffs,
            lambda signoff: all_of(
                lambda: signoff.function == function,
                lambda: signoff.draft == state.draft.id,
                lambda: signoff.valid_through >= state.draft.publish_on,
                lambda: reads_as(state, signoff.revision),
            ),
        )

    return row is not None and every(row.functions, signed)


FAMILY = Family(
    name="revision_signoff",
    rule=(
        "A draft is published only if every function that the review matrix names for its content class has signed "
        "off this draft in its present revision, and each of these sign-offs is still valid on the day of "
        "publication; its last day counts. A sign-off of an earlier revision holds as well if the change list has "
        "every revision since then, and has them all as typographic. A sign-off of a later revision does not hold for "
        "an earlier one. A class that is not in the matrix cannot be published."
    ),
    systems={
        "cms": "The content management system: drafts and publishing.",
        "review": "The review system: review matrix and sign-offs.",
    },
    state=State,
    commit=PublishDraft,
    preparations=(StageDraft,),
    requirements=(signed_off,),
)
