"""Whether the owner's consent covers an act. Pure: an act, the consent as it stands, and what was spent before.

The consent is that of the town (`worlds.town.consent`), and so are its words: recipients, spend, commitments, losses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from worlds.town.consent import Standing
from worlds.values import Money

_NAMED = re.compile(r"[^<>]*<([^<>]*)>")


class Covers(StrEnum):
    """The protected outcomes that the guard covers."""

    CONTACT = "contact"
    COMMITMENT = "commitment"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Group:
    """A thread of messages: its name or id, and who reads what is written there."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """What a call would do to others, or to what cannot be had back.

    `recipients`: mail addresses, numbers, handles; `commitments` and `losses`: each as the names by which a consent may
    name it, one of which suffices; `spends`: an amount, None for nothing. `unknown`: what could not be established.
    `asks`: the act in words, as in `may I ...?`.
    """

    asks: str
    recipients: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    commitments: tuple[tuple[str, ...], ...] = ()
    losses: tuple[tuple[str, ...], ...] = ()
    spends: Money | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Objection:
    """Something about an act that the consent does not cover. `known`: False if it only could not be established."""

    covers: Covers
    text: str
    known: bool = True


def objections(act: Act, standing: Standing, spent: Money | None) -> tuple[Objection, ...]:
    """All that the consent does not cover of an act. `spent`: what the acts before it cost in all, None for nothing."""
    strangers = [one for one in dict.fromkeys(map(bare, act.recipients)) if not standing.may_contact(one)]
    strangers += [text for group in act.groups for text in _unreached(group, standing)]
    found = [Objection(Covers.CONTACT, f"{one} is not among those who may be contacted") for one in strangers]
    found += [
        Objection(Covers.COMMITMENT, f"{names[0]} is not approved")
        for names in act.commitments
        if not any(standing.may_commit(name) for name in names)
    ]
    found += [
        Objection(Covers.LOSS, f"{names[0]} may not be deleted, cancelled or changed")
        for names in act.losses
        if not any(standing.may_lose(name) for name in names)
    ]
    if act.spends is not None and act.spends.amount > 0:
        found += _over(act.spends, standing, spent)
    return tuple(found) + tuple(Objection(Covers.COMMITMENT, text, known=False) for text in act.unknown)


def _over(amount: Money, standing: Standing, spent: Money | None) -> list[Objection]:
    limit = f"allowed is {standing.limit}" if standing.limit else "nothing may be spent"
    if spent is not None and spent.currency != amount.currency:
        return [Objection(Covers.COMMITMENT, f"{amount} is in another currency than the {spent} spent before")]
    total = amount if spent is None else spent + amount
    if standing.may_spend(total):
        return []
    return [Objection(Covers.COMMITMENT, f"{amount} makes {total} in all; {limit}")]


def _unreached(group: Group, standing: Standing) -> list[str]:
    """The thread itself or those of its members who may not be written to. A thread that the consent knows is judged as
    such, and anyone who joined it apart; of one that it does not know, every member counts."""
    known = standing.circle.threads.get(group.name.casefold())
    new = [one for one in group.members if one.casefold() not in (known or ()) and not standing.may_contact(one)]
    if standing.may_contact(group.name):
        return new if known is not None else []
    return [f"thread {group.name}", *new] if known is not None or not group.members else new


def bare(recipient: str) -> str:
    """A mail address without the name before it."""
    named = _NAMED.fullmatch(recipient.strip())
    return (named[1] if named else recipient).strip()
