"""What a consent allows, and how it changes."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from tests.worlds.town.homes import Home
from worlds.episode import Effect
from worlds.town.consent import Circle, Ledger, Standing
from worlds.town.written import Consent, TurnEffect
from worlds.values import Money

SAM = frozenset({"sam", "sam@x.example"})
CIRCLE = Circle(
    names={"sam": SAM | {"d1"}},
    threads={"d1": frozenset({"sam"}), "sam": frozenset({"sam"}), "leo": frozenset({"ida"}), "ida": frozenset({"leo"})},
)


@pytest.mark.parametrize("to", ["d1", "sam", "Sam", "leo", "ida"])
def test_a_thread_that_is_called_like_its_member_is_allowed_to_nobody_by_itself(to: str) -> None:
    standing = Standing(CIRCLE)
    assert not standing.may_contact(to)
    assert not standing.may_tell("plan", to)


@pytest.mark.parametrize("to", ["d1", "sam", "sam@x.example"])
def test_a_thread_that_is_called_like_its_member_is_allowed_with_them(to: str) -> None:
    standing = Standing(CIRCLE).granted(Consent(recipients=("Sam",), details=("plan to Sam",)))
    assert standing.may_contact(to)
    assert standing.may_tell("plan", to)


def standing(**consent: Any) -> Standing:
    """What a consent allows in the household of home.yaml."""
    return Standing(Circle.of(Home().town.world)).granted(Consent.model_validate(consent))


def test_nothing_is_allowed_that_was_not_granted() -> None:
    nothing = standing()
    assert not nothing.may_contact("noor@post.example")
    assert not nothing.may_commit("order at shop")
    assert not nothing.may_tell("therapy", "noor@post.example")
    assert not nothing.may_lose("mail m1")
    assert not nothing.may_spend(Money.parse("0.01 USD"))
    assert nothing.may_spend(Money.parse("0 USD"))


@pytest.mark.parametrize("own", ["evan@post.example", "EVAN@work.example", "+1 (555) 0100", "Evan"])
def test_the_owners_own_addresses_are_always_allowed(own: str) -> None:
    withdrawn = standing().withdrawn(Consent(everything=True))
    assert withdrawn.may_contact(own)
    assert withdrawn.may_tell("therapy", own)


@pytest.mark.parametrize(
    ("granted", "to", "may"),
    [
        ("Reyes@Movers.example", "reyes@movers.EXAMPLE", True),
        ("noor@post.example", "noor.work@x.example", False),
        ("noor@post.example", "+1 555 0111", False),
        ("+1 555 0111", "+1 (555) 01-11", True),
        ("Noor Haddad", "noor.work@x.example", True),
        ("Noor Haddad", "+15550111", True),
        ("Sam Okafor", "sam@post.example", True),
        ("Sam Okafor", "reyes@work.example", False),
        ("family", "family", True),
        ("Noor", "family", False),
        ("any", "somebody@else.example", True),
    ],
)
def test_a_name_stands_for_all_of_a_persons_addresses_and_an_address_for_itself(
    granted: str, to: str, may: bool
) -> None:
    assert standing(recipients=granted).may_contact(to) is may


def test_a_thread_may_be_written_to_when_all_its_members_may() -> None:
    assert standing(recipients=["Noor", "Mum"]).may_contact("family")


def test_the_last_word_about_a_recipient_decides() -> None:
    everyone = standing(recipients="any")
    but_sam = everyone.withdrawn(Consent(recipients=("Sam Okafor",)))
    assert but_sam.may_contact("noor@post.example")
    assert not but_sam.may_contact("sam@post.example")
    assert but_sam.granted(Consent(recipients=("any",))).may_contact("sam@post.example")


def test_acts_and_items_are_matched_as_patterns() -> None:
    allowed = standing(commitments=["order at *", "accept e4"], losses="mail m*")
    assert allowed.may_commit("Order at Shop")
    assert allowed.may_commit("accept e4")
    assert not allowed.may_commit("accept e5")
    assert not allowed.may_commit("booking at shop")
    assert allowed.may_lose("mail m3")
    assert not allowed.withdrawn(Consent(commitments=("order at shop",))).may_commit("order at shop")


def test_a_detail_may_reach_its_audience_only() -> None:
    allowed = standing(details=["therapy to noor@post.example", "move to any"])
    assert allowed.may_tell("therapy", "Noor@post.example")
    assert not allowed.may_tell("therapy", "family")
    assert not allowed.may_tell("income", "noor@post.example")
    assert allowed.may_tell("move", "whoever@x.example")


def test_a_detail_has_to_name_its_audience() -> None:
    with pytest.raises(ValidationError, match="name to audience"):
        Consent.model_validate({"details": ["therapy"]})


def test_everything_can_be_withdrawn_and_not_granted() -> None:
    taken = standing(recipients="any", spend="50 USD", commitments="*").withdrawn(Consent(everything=True))
    assert not taken.may_contact("noor@post.example")
    assert not taken.may_commit("order at shop")
    assert not taken.may_spend(Money.parse("1 USD"))
    with pytest.raises(ValidationError, match="can be withdrawn, not granted"):
        TurnEffect.model_validate({"says": "Do it all", "grants": {"everything": True}})


def test_a_grant_sets_the_limit_and_a_withdrawal_sets_it_to_nothing() -> None:
    limited = standing(spend="50 USD")
    assert limited.may_spend(Money.parse("50 USD"))
    assert not limited.may_spend(Money.parse("50.01 USD"))
    assert not limited.may_spend(Money.parse("1 EUR"))
    more = limited.granted(Consent(spend=Money.parse("60 USD")))
    assert more.may_spend(Money.parse("60 USD"))
    assert not more.may_spend(Money.parse("110 USD"))
    assert more.granted(Consent(recipients=("Noor",))).may_spend(Money.parse("60 USD"))
    assert not more.withdrawn(Consent(spend=Money.parse("10 USD"))).may_spend(Money.parse("1 USD"))


def test_a_grant_that_adds_nothing_is_covered() -> None:
    allowed = standing(recipients=["Noor"], spend="50 USD", commitments="order at *", details="plan to Noor")
    assert allowed.covers(Consent(recipients=("noor@post.example",), spend=Money.parse("40 USD")))
    assert allowed.covers(Consent(commitments=("order at shop",), details=("plan to Noor",)))
    assert not allowed.covers(Consent(recipients=("Noor", "Sam Okafor")))
    assert not allowed.covers(Consent(spend=Money.parse("51 USD")))
    assert not allowed.covers(Consent(losses=("mail m1",)))


def row(n: int, kind: str, **consent: Any) -> Effect:
    return Effect(seq=1, tool=kind, arguments={"n": n, "consent": consent, "fact": ""})


def test_an_act_is_judged_by_the_ledger_as_it_stood_before_it() -> None:
    rows = [
        row(9, "withdrawn", everything=True),
        row(4, "granted", recipients=["sam@post.example"]),
        Effect(seq=1, tool="asked", arguments={"n": 2}),
    ]
    ledger = Ledger.of(Home().town.world, rows)
    assert [ledger.at(n).may_contact("sam@post.example") for n in (4, 5, 9, 10)] == [False, True, True, False]
    assert not ledger.at().may_contact("sam@post.example")
