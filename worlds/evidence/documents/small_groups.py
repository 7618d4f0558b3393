"""No count in a released table may single out a few people, shown or worked out (FAMILY_NOTES 45).

Behind it: statistical disclosure control. Hiding one small cell helps nothing if the total is known, and an earlier
publication can undo the hiding of a second one.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement


class Cell(Value, key="group"):
    """A group, how many people are in it, and whether the table shows it."""

    group: str
    count: int
    shown: bool


class Table(Record, system="statistics", read="get_table", key="id"):
    """Table prepared for release: title, population, groups with their counts and whether each is shown, whether the
    total is shown, form of the figures, setting and day of the release, palette, footnotes."""

    id: str
    title: str
    population: str
    cells: Listing[Cell]
    total_shown: bool
    figures: Literal["counts", "percentages"]
    setting: str
    release_on: date
    palette: str
    footnotes: Prose = Prose()


class Publication(
    Record,
    system="publications",
    read="get_publication",
    list="list_publications",
    search="search_publications",
    key="id",
):
    """Earlier publication: title, population, the groups it shows, whether it gives the total, day, abstract."""

    id: str
    title: str
    population: str
    groups_shown: Listing[str]
    total_shown: bool
    published_on: date
    abstract: Prose = Prose()


class DisclosurePolicy(Record, system="disclosure_board", read="get_disclosure_policy"):
    """Minimum count for this kind of data, whether zeros may be shown, guidance."""

    data_kind: str
    minimum_count: int
    zeros_may_be_shown: bool
    guidance: Prose = Prose()


class BoardApproval(
    Record, system="disclosure_board", read="get_board_approval", list="list_board_approvals", key="id"
):
    """Approval of small counts by the disclosure board: table, setting, first and last day, minutes."""

    id: str
    table_id: str
    setting: str
    valid_from: date
    valid_through: date
    minutes: Prose = Prose()


class State(WorldState):
    table: Table
    publications: Listing[Publication] = Listing()
    policy: DisclosurePolicy
    approvals: Listing[BoardApproval] = Listing()


class ReleaseTable(Commit, system="statistics"):
    """Release a prepared table in its setting."""

    table_id: Annotated[str, Names(Table)]


def large_enough(state: State, people: int) -> bool:
    if people == 0:
        return state.policy.zeros_may_be_shown
    return people >= state.policy.minimum_count


def approved(state: State) -> bool:
    """Whether the board approved small counts for this table, setting and day."""

    def covers(approval: BoardApproval) -> bool:
        return all_of(
            lambda: approval.table_id == state.table.id,
            lambda: approval.setting == state.table.setting,
            lambda: approval.valid_from <= state.table.release_on <= approval.valid_through,
        )

    return some(state.approvals, covers)


def published(state: State, tells: str | None) -> bool:
    """Whether a publication on the same population shows a group, or, if None, gives the total."""
    return some(
        state.publications,
        lambda earlier: all_of(
            lambda: earlier.population == state.table.population,
            lambda: earlier.total_shown if tells is None else tells in earlier.groups_shown,
        ),
    )


@requirement("every count that the table shows is large enough, or the board approved")
def shown_counts_large_enough(state: State) -> bool:
    def shown_are() -> bool:
        return every(
            state.table.cells,
            lambda cell: any_of(lambda: not cell.shown, lambda: large_enough(state, cell.count)),
        )

    return any_of(shown_are, lambda: approved(state))


@requirement("what can be worked out by subtraction from a known total is large enough, or the board approved")
def remainder_large_enough(state: State) -> bool:
    def total_unknown() -> bool:
        return not any_of(lambda: state.table.total_shown, lambda: published(state, None))

    def remainder_is() -> bool:
        unknown = [cell for cell in state.table.cells if not (cell.shown or published(state, cell.group))]
        return not unknown or large_enough(state, sum(cell.count for cell in unknown))

    return any_of(total_unknown, remainder_is, lambda: approved(state))


FAMILY = Family(
    name="small_groups",
    rule=(
        "A table is released only if no small count can be learned from it. Every count that it shows, as a number or "
        "as a percentage, must reach the policy's minimum; equal to the minimum is enough. Where the total is known, "
        "from the table or from an earlier publication on the same population, the counts of all groups that neither "
        "the table nor such a publication shows, added up, must reach the minimum too, because subtraction reveals "
        "that sum. A zero passes where the policy lets zeros be shown, and counts as small otherwise. An approval of "
        "the disclosure board that names this table and its setting lifts both tests on the days it covers, first and "
        "last included."
    ),
    systems={
        "statistics": "The workbench where tables are prepared.",
        "publications": "The catalogue of what has been published.",
        "disclosure_board": "Policy and approvals of the disclosure board.",
    },
    state=State,
    commit=ReleaseTable,
    requirements=(shown_counts_large_enough, remainder_large_enough),
)
