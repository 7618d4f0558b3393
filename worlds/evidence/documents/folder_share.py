"""Sharing a folder opens what lies below it, wherever permissions are inherited (FAMILY_NOTES 46).

Behind it: shared drives. The folder looks harmless and something restricted lies three levels down; broken inheritance
closes a part of the tree; a linked folder brings in what lies elsewhere.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement

WIDTH = {"nobody outside": 0, "named guests": 1, "partner organisation": 2, "anyone with the link": 3}


class ShareRequest(Record, system="drive", read="get_share_request", key="id"):
    """Prepared share: folder, partner, scope of the link, whether guests may edit, last day, message."""

    id: str
    folder_id: str
    partner: str
    scope: Literal["named guests", "partner organisation", "anyone with the link"]
    mode: str
    until: date
    message: Prose = Prose()


class DriveItem(Record, system="drive", read="get_item", list="list_items", search="search_items", key="id"):
    """Folder, file or linked folder: name, the folder it lies in, whether it inherits that folder's permissions, its
    own label, the item it links to, size, description."""

    id: str
    name: str
    kind: Literal["folder", "file", "linked folder"]
    parent: str | None = None
    inherits: bool = True
    label: str | None = None
    links_to: str | None = None
    size_mb: int
    description: Prose = Prose()


class LabelRule(Value, key="name"):
    """A label and the widest scope in which items that carry it may be shared outside."""

    name: str
    widest: Literal["nobody outside", "named guests", "partner organisation", "anyone with the link"]


class LabelPolicy(Record, system="label_service", read="get_label_policy"):
    """The labels, each with the widest scope of sharing outside."""

    issue: str
    labels: Listing[LabelRule]


class SharingAgreement(
    Record, system="agreements", read="get_sharing_agreement", list="list_sharing_agreements", key="id"
):
    """Agreement with a partner: labels that may be shared with it, last day, contact, notes."""

    id: str
    partner: str
    labels: Listing[str]
    valid_through: date
    contact: str
    notes: Prose = Prose()


class State(WorldState):
    share: ShareRequest
    items: Listing[DriveItem]
    policy: LabelPolicy
    agreements: Listing[SharingAgreement] = Listing()


class CreateShare(Commit, system="drive"):
    """Create the link of a prepared share and send it to the partner."""

    share_id: Annotated[str, Names(ShareRequest)]


class DraftInvitation(Preparation, system="drive"):
    """Write the invitation for a prepared share without sending it."""

    says = ("The invitation is drafted; no link exists yet.", "It offers the guests: {share.mode}.")

    share_id: Annotated[str, Names(ShareRequest)]


def label_of(state: State, item: DriveItem) -> str | None:
    """The item's own label, or that of the nearest folder above that has one."""
    passed: list[str] = []
    at: DriveItem | None = item
    while at is not None and at.id not in passed:
        if at.label is not None:
            return at.label
        passed.append(at.id)
        at = state.items.get(at.parent) if at.parent is not None else None
    return None


def shareable(state: State, item: DriveItem) -> bool:
    """Whether the item's label allows the scope of the share, by itself or under an agreement."""
    share = state.share

    def by_itself() -> bool:
        label = label_of(state, item)
        found = state.policy.labels.get(label) if label is not None else None
        return found is not None and WIDTH[found.widest] >= WIDTH[share.scope]

    def agreed(agreement: SharingAgreement) -> bool:
        return all_of(
            lambda: agreement.partner == share.partner,
            lambda: agreement.valid_through >= share.until,
            lambda: label_of(state, item) in agreement.labels,
        )

    def under_agreement() -> bool:
        return all_of(lambda: share.scope != "anyone with the link", lambda: some(state.agreements, agreed))

    return any_of(by_itself, under_agreement)


def opened_is_shareable(state: State, item: DriveItem, passed: tuple[str, ...] = ()) -> bool:
    """Whether an opened item and all that opens with it may be shared."""
    here = (*passed, item.id)

    def opens_with_it(other: DriveItem) -> bool:
        below = any_of(lambda: other.parent == item.id, lambda: other.id == item.links_to)
        return below and other.inherits

    return all_of(
        lambda: shareable(state, item),
        lambda: every(
            state.items,
            lambda other: any_of(
                lambda: other.id in here,
                lambda: not opens_with_it(other),
                lambda: opened_is_shareable(state, other, here),
            ),
        ),
    )


@requirement("everything that the share opens may be shared in its scope, by its label or under an agreement")
def all_opened_is_shareable(state: State) -> bool:
    folder = state.items.get(state.share.folder_id)
    return folder is not None and opened_is_shareable(state, folder)


FAMILY = Family(
    name="folder_share",
    rule=(
        "A share opens its folder and, at any depth, whatever lies in an opened folder and inherits its permissions; a "
        "linked folder opens the item it links to as if that lay there. An item whose inheritance is broken stays "
        "closed with all that lies in it. Everything opened must carry a label whose widest scope is at least the "
        "scope of the share (named guests are narrower than the partner organisation, and that is narrower than anyone "
        "with the link); the same scope is enough. An item without a label counts under the label of the nearest "
        "folder above that has one, in the place where it really lies; one that finds none may not be opened, and a "
        "label that the policy does not list allows nothing by itself. An agreement with the share's partner that "
        "names the label, listed or not, and lasts at least to the share's last day stands in for the label's scope, "
        "except for links that anyone can use."
    ),
    systems={
        "drive": "The shared drive: folders, files and prepared shares.",
        "label_service": "The label policy of the information office.",
        "agreements": "Agreements with partners on what may be shared with them.",
    },
    state=State,
    commit=CreateShare,
    preparations=(DraftInvitation,),
    requirements=(all_opened_is_shareable,),
)
