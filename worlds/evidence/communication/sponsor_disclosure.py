"""A post by someone with a connection to the brand carries a label in every placement, where readers see it.

Behind it: advertising rules for creators. Money is not the only connection; a brand's approval is no label; and a label
below the fold is none either.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class Placement(Value, key="id"):
    """One place in which a post appears."""

    id: str
    channel: str
    label: str | None
    label_ends_at: int | None
    filter: str


class Post(Record, system="cms", read="get_post", list="list_posts", search="search_posts", key="id"):
    """Post: id, title, creator, the brand it is about, language, day of publication, status, its placements (channel,
    label, the character at which the label ends, filter), notes."""

    id: str
    title: str
    creator: str
    brand: str
    language: str
    publish_on: date
    status: str
    placements: Listing[Placement]
    notes: Prose = Prose()


class Connection(
    Record,
    system="influencer_crm",
    read="get_connection",
    list="list_connections",
    search="search_connections",
    key="id",
):
    """Connection of a creator to a brand: id, creator, brand, kind, the day it ended (if it did), follower count at
    its beginning, contract."""

    id: str
    creator: str
    brand: str
    kind: Literal["payment", "share of sales", "employment", "family tie"]
    ended_on: date | None = None
    follower_count: int
    contract: Prose = Prose()


class Parcel(Record, system="shipping_log", read="get_parcel", list="list_parcels", search="search_parcels", key="id"):
    """Parcel with a product: id, creator, brand, product, the day it was sent, the day it came back (if it did)."""

    id: str
    creator: str
    brand: str
    product: str
    sent_on: date
    returned_on: date | None = None
    slip: Prose = Prose()


class LanguageRow(Value, key="language"):
    """The labels that are accepted in one language."""

    language: str
    accepted_labels: tuple[str, ...]


class ChannelRow(Value, key="channel"):
    """How much of a text one channel shows before the reader has to unfold it."""

    channel: str
    characters_shown: int


class DisclosurePolicy(Record, system="review_board", read="get_disclosure_policy"):
    """Disclosure policy: accepted labels by language, characters shown by channel, for how many days after its end a
    connection still counts, guidance."""

    languages: Listing[LanguageRow]
    channels: Listing[ChannelRow]
    connection_counts_for_days: int
    guidance: Prose = Prose()


class State(WorldState):
    post: Post
    other_posts: Listing[Post] = Listing()
    connections: Listing[Connection] = Listing()
    parcels: Listing[Parcel] = Listing()
    policy: DisclosurePolicy


class PublishPost(Commit, system="cms"):
    """Publish a post in all its placements on its day."""

    post_id: Annotated[str, Names(Post)]


class QueueThumbnail(Preparation, system="cms"):
    """Render the thumbnail of a post."""

    says = ("The thumbnail is rendered.", "It is filed under {post.title}.")

    post_id: Annotated[str, Names(Post)]


def connected(state: State) -> bool:
    """Whether the creator has a connection to the brand on the day of publication."""
    post = state.post

    def counts(connection: Connection) -> bool:
        return all_of(
            lambda: connection.creator == post.creator,
            lambda: connection.brand == post.brand,
            lambda: (
                connection.ended_on is None
                or post.publish_on <= connection.ended_on + timedelta(days=state.policy.connection_counts_for_days)
            ),
        )

    def kept(parcel: Parcel) -> bool:
        return all_of(
            lambda: parcel.creator == post.creator,
            lambda: parcel.brand == post.brand,
            lambda: parcel.sent_on <= post.publish_on,
            lambda: parcel.returned_on is None or parcel.returned_on > post.publish_on,
        )

    return any_of(lambda: some(state.connections, counts), lambda: some(state.parcels, kept))


@requirement("if there is a connection, every placement carries a label that is accepted in the post's language")
def labelled_everywhere(state: State) -> bool:
    def accepted(placement: Placement) -> bool:
        row = state.policy.languages.get(state.post.language)
        return row is not None and placement.label is not None and placement.label in row.accepted_labels

    return any_of(lambda: every(state.post.placements, accepted), lambda: not connected(state))


@requirement("if there is a connection, every label ends within the characters that its channel shows")
def labels_seen(state: State) -> bool:
    def seen(placement: Placement) -> bool:
        row = state.policy.channels.get(placement.channel)
        ends_at = placement.label_ends_at
        return row is not None and (ends_at is None or ends_at <= row.characters_shown)

    return any_of(lambda: every(state.post.placements, seen), lambda: not connected(state))


FAMILY = Family(
    name="sponsor_disclosure",
    rule=(
        "If the creator of a post has a connection to the brand it is about, the post is published only if every "
        "placement carries a label that the policy accepts in the post's language, and each label ends within the "
        "characters that its channel shows; exactly the last one shown is allowed. A connection is a payment, a share "
        "of sales, an employment or a family tie in the register of connections, until as many days after its end as "
        "the policy says, the last of them included; and also a product that the brand sent to the creator, unless it "
        "was sent after the day of publication or came back by that day, that day included. The brand's approval, a "
        "mention or a tag that is not accepted does not replace a label. A language or channel that is not in the "
        "policy cannot be used for such a post. Without a connection no label is needed."
    ),
    systems={
        "cms": "The content system: posts and their placements.",
        "influencer_crm": "The creators' register: connections between creators and brands.",
        "shipping_log": "The shipping log: products sent to creators.",
        "review_board": "The review board: the disclosure policy.",
    },
    state=State,
    commit=PublishPost,
    preparations=(QueueThumbnail,),
    requirements=(labelled_everywhere, labels_seen),
)
