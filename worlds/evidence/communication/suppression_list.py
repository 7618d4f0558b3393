"""A mailing goes out only if none of its recipients is suppressed for it.

Behind it: the law on commercial e-mail. People say stop in several places, write their address in several ways and
sometimes come back; and an offer inside a service message makes it advertising.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement

ALL_EMAIL = "all e-mail"


class Recipient(Value, key="address"):
    """A recipient of a mailing."""

    address: str
    locale: str
    favourite_store: str | None = None


class Mailing(Record, system="mailer", read="get_mailing", list="list_mailings", search="search_mailings", key="id"):
    """Mailing: id, subject, kind, topic, whether it carries an offer, name of the segment, recipients, body."""

    id: str
    subject: str
    kind: Literal["promotional", "transactional"]
    topic: str
    carries_offer: bool
    segment: str
    recipients: Listing[Recipient]
    body: Prose = Prose()


class Suppression(
    Record,
    system="preference_centre",
    read="get_suppression",
    list="list_suppressions",
    search="search_suppressions",
    key="id",
):
    """Entry in the preference centre: id, address, scope (all e-mail, or one topic), when it was made, note."""

    id: str
    address: str
    scope: str
    at: AwareDatetime
    note: Prose = Prose()


class Subscription(
    Record,
    system="preference_centre",
    read="get_subscription",
    list="list_subscriptions",
    search="search_subscriptions",
    key="id",
):
    """Subscription: id, address, topic, when the person confirmed it, where."""

    id: str
    address: str
    topic: str
    at: AwareDatetime
    where: str


class Ticket(Record, system="support_desk", read="get_ticket", list="list_tickets", search="search_tickets", key="id"):
    """Support ticket: id, address of the person, what the person asks for, when it came in, status, message."""

    id: str
    address: str
    asks_for: Literal["stop e-mail", "delivery information", "change of address", "refund"]
    at: AwareDatetime
    status: str
    message: Prose = Prose()


class State(WorldState):
    mailing: Mailing
    other_mailings: Listing[Mailing] = Listing()
    suppressions: Listing[Suppression] = Listing()
    subscriptions: Listing[Subscription] = Listing()
    tickets: Listing[Ticket] = Listing()


class SendMailing(Commit, system="mailer"):
    """Send a mailing to all its recipients."""

    mailing_id: Annotated[str, Names(Mailing)]


class SendProof(Preparation, system="mailer"):
    """Send a proof of a mailing to the marketing team."""

    says = ("The proof is with the marketing team.", "It is filed as {mailing.kind}.")

    mailing_id: Annotated[str, Names(Mailing)]


def normal(address: str) -> str:
    """The address without what makes no difference: capitals, and a tag from the plus sign to the at sign."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


@requirement("no recipient is suppressed for the mailing, or it is transactional and carries no offer")
def nobody_suppressed(state: State) -> bool:
    mailing = state.mailing

    def subscribed_after(address: str, stop: AwareDatetime) -> bool:
        return some(
            state.subscriptions,
            lambda subscription: all_of(
                lambda: normal(subscription.address) == normal(address),
                lambda: subscription.topic == mailing.topic,
                lambda: subscription.at > stop,
            ),
        )

    def suppresses(entry: Suppression, address: str) -> bool:
        return all_of(
            lambda: normal(entry.address) == normal(address),
            lambda: any_of(lambda: entry.scope == ALL_EMAIL, lambda: entry.scope == mailing.topic),
            lambda: not subscribed_after(address, entry.at),
        )

    def asks_to_stop(ticket: Ticket, address: str) -> bool:
        return all_of(
            lambda: normal(ticket.address) == normal(address),
            lambda: ticket.asks_for == "stop e-mail",
            lambda: not subscribed_after(address, ticket.at),
        )

    def free(address: str) -> bool:
        return all_of(
            lambda: not some(state.suppressions, lambda entry: suppresses(entry, address)),
            lambda: not some(state.tickets, lambda ticket: asks_to_stop(ticket, address)),
        )

    return any_of(
        lambda: all_of(lambda: mailing.kind == "transactional", lambda: not mailing.carries_offer),
        lambda: every(mailing.recipients, lambda recipient: free(recipient.address)),
    )


FAMILY = Family(
    name="suppression_list",
    rule=(
        "A mailing is sent only if none of its recipients is suppressed for it. An address is suppressed by an entry "
        "of the preference centre whose scope is all e-mail or the mailing's topic, and by a support ticket in which "
        "the person asks to stop e-mail, unless the same address subscribed to the mailing's topic after that; a "
        "subscription at the very same moment is not after it. Two addresses are the same if they differ only in "
        "capitals or in a tag between a plus sign and the at sign. A transactional mailing that carries no offer may "
        "also go to suppressed addresses."
    ),
    systems={
        "mailer": "The mailing tool: mailings and their recipients.",
        "preference_centre": "The preference centre: suppressions and subscriptions.",
        "support_desk": "The support desk: customers' tickets.",
    },
    state=State,
    commit=SendMailing,
    preparations=(SendProof,),
    requirements=(nobody_suppressed,),
)
