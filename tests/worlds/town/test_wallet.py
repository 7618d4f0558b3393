"""The wallet: cards and their limits, invoices with their fees, transfers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.worlds.town.homes import Home
from worlds.town.place import Refusal
from worlds.town.wallet import share
from worlds.values import Money

USD = Money.parse


def spent(home: Home, card: str = "everyday") -> str:
    return next(one["spent"] for one in home("wallet.list_cards")["cards"] if one["id"] == card)


def balance(home: Home) -> str:
    return str(home("wallet.view_balance")["balance"])


def test_a_card_shows_its_limit_what_is_spent_and_what_is_left() -> None:
    everyday, travel = Home()("wallet.list_cards")["cards"]
    assert (everyday["limit"], everyday["spent"], everyday["left"]) == ("300.00 USD", "100.00 USD", "200.00 USD")
    assert travel["blocked"] is True


def test_charges_are_listed_newest_first_by_card_by_day_and_by_payee() -> None:
    home = Home()
    assert [one["payee"] for one in home("wallet.list_charges")["charges"]] == ["Grocers", "Florist"]
    assert home("wallet.list_charges", card="travel")["charges"] == []
    assert len(home("wallet.list_charges", first_day="2026-09-30")["charges"]) == 1
    assert len(home("wallet.list_charges", payee="flor")["charges"]) == 1
    assert "no card 'gold'" in home.refused("wallet.list_charges", card="gold")
    assert "is no time" in home.refused("wallet.list_charges", first_day="May")


def test_an_invoice_shows_what_each_way_of_paying_costs() -> None:
    shown = next(one for one in Home()("wallet.list_invoices")["invoices"] if one["id"] == "i1")
    assert shown["preselected"] == "everyday"
    assert shown["methods"][0] == {"method": "transfer", "fee": "0.00 USD", "total": "150.00 USD"}
    assert shown["methods"][1] == {"method": "everyday", "fee": "5.25 USD", "total": "155.25 USD"}


def test_without_a_method_an_invoice_is_paid_by_the_one_it_preselects_with_its_fee() -> None:
    home = Home(later=[{"when": {"paid": "i1"}, "mail": {"sender": "tutor@x.example", "body": "Thanks"}}])
    assert home("wallet.pay_invoice", invoice="i1")["total"] == "155.25 USD"
    assert home.row("payment") == {
        "id": "c101", "invoice": "i1", "payee": "The tutor", "what": "September", "method": "everyday",
        "amount": "150.00 USD", "fee": "5.25 USD", "total": "155.25 USD", "reference": "i1", "by": "agent",
        "at": "2026-10-05 09:01",
    }  # fmt: skip
    assert (spent(home), balance(home)) == ("255.25 USD", "500.00 USD")
    assert home.rows("charge") == []
    assert home.row("mail_arrived")["body"] == "Thanks"


def test_a_transfer_pays_an_invoice_without_a_fee_from_the_account() -> None:
    home = Home()
    home("wallet.pay_invoice", invoice="i1", method="transfer")
    assert (spent(home), balance(home)) == ("100.00 USD", "350.00 USD")
    assert home.row("payment")["fee"] == "0.00 USD"


def test_an_invoice_is_paid_once() -> None:
    home = Home()
    home("wallet.pay_invoice", invoice="i2")
    assert "was paid on 2026-10-05 09:01" in home.refused("wallet.pay_invoice", invoice="i2", method="everyday")
    assert home("wallet.list_invoices")["invoices"][-1]["paid"] == "2026-10-05 09:01"


@pytest.mark.parametrize(
    ("invoice", "method", "why"),
    [
        ("i9", "transfer", "no invoice 'i9'"),
        ("i1", "cash", "no 'cash'"),
        ("i1", "travel", "it is blocked"),
        ("i3", "transfer", "does not cover 9,000.00 USD"),
        ("i3", "everyday", "over its limit"),
    ],
)
def test_an_invoice_that_cannot_be_paid_like_that_stays_open(invoice: str, method: str, why: str) -> None:
    assert why in Home().refused("wallet.pay_invoice", invoice=invoice, method=method)


def test_a_fee_can_take_an_invoice_over_the_cards_limit() -> None:
    invoice = {"id": "i4", "payee": "P", "amount": "195 USD", "due": "2026-10-09", "what": "W", "card_percent": "3"}
    home = Home(invoices=[invoice])
    assert "200.85 USD is over its limit" in home.refused("wallet.pay_invoice", invoice="i4", method="everyday")


def test_a_transfer_takes_what_it_says_and_keeps_whom_it_was_for() -> None:
    home = Home()
    assert home("wallet.transfer", to=" Lena ", amount="20.50 USD", reference="tickets")["balance"] == "479.50 USD"
    row = home.row("payment")
    assert (row["payee"], row["total"], row["reference"], row["invoice"]) == ("Lena", "20.50 USD", "tickets", "")
    assert home("wallet.list_payments")["payments"][0]["payee"] == "Lena"
    assert len(home("wallet.list_charges")["charges"]) == 2


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"amount": "500.01 USD"}, "holds 500.00 USD"),
        ({"amount": "20 EUR"}, "the account is in USD"),
        ({"amount": "0 USD"}, "not above zero"),
        ({"amount": "-5 USD"}, "not above zero"),
        ({"amount": "1.001 USD"}, "parts of a cent"),
        ({"amount": "twenty"}, "is no amount"),
        ({"amount": 20}, "valid string"),
        ({"to": "  "}, "a payee is needed"),
        ({"to": ""}, "at least 1 character"),
    ],
)
def test_a_transfer_that_makes_no_sense_is_not_made(wrong: dict[str, Any], why: str) -> None:
    assert why in Home().refused("wallet.transfer", **{"to": "Lena", "amount": "5 USD", **wrong})


def test_a_blocked_card_pays_nothing_until_it_is_unblocked() -> None:
    home = Home()
    home("wallet.block_card", card="everyday")
    assert "it is blocked" in home.refused("wallet.pay_invoice", invoice="i2", method="everyday")
    assert "blocked already" in home.refused("wallet.block_card", card="everyday")
    home.happens(charge={"card": "everyday", "payee": "Gym", "amount": "9 USD", "what": "late fee"})
    assert home.row("declined")["payee"] == "Gym"
    home("wallet.unblock_card", card="everyday")
    assert "not blocked" in home.refused("wallet.unblock_card", card="everyday")
    assert home("wallet.pay_invoice", invoice="i2", method="everyday")["fee"] == "0.00 USD"


def test_a_charge_is_disputed_once_and_no_money_comes_back_by_it() -> None:
    home = Home()
    home("wallet.dispute_charge", charge="c2", reason="I never ordered these")
    assert home.row("dispute")["payee"] == "Florist"
    assert home("wallet.list_charges")["charges"][1]["disputed"] is True
    assert spent(home) == "100.00 USD"
    assert "disputed already" in home.refused("wallet.dispute_charge", charge="c2", reason="again")
    assert "no charge 'c9'" in home.refused("wallet.dispute_charge", charge="c9", reason="why")


def test_someone_else_may_charge_a_card() -> None:
    home = Home()
    home.happens(charge={"card": "everyday", "payee": "Gym", "amount": "9 USD", "what": "late fee"})
    assert home.row("charge")["by"] == "world"
    assert spent(home) == "109.00 USD"


def test_what_other_places_charge_and_refund_moves_the_card() -> None:
    home = Home()
    wallet = home.town.wallet
    name = wallet.pay_by_card("everyday", "The Shop", USD("52.70 USD"), "order o1")
    wallet.refund("everyday", "The Shop", USD("2.70 USD"), "a lamp")
    assert wallet.pay_by_card("everyday", "The Shop", USD("0 USD"), "nothing") == ""
    assert (spent(home), [row.kind for row in home.all()]) == ("150.00 USD", ["charge", "refund"])
    refund, charge = home("wallet.list_charges")["charges"][:2]
    assert (charge["id"], refund["refund"]) == (name, True)
    assert "is a refund" in home.refused("wallet.dispute_charge", charge=refund["id"], reason="why")


@pytest.mark.parametrize(
    ("card", "amount", "why"),
    [
        ("gold", "5 USD", "no card 'gold'"),
        ("travel", "5 USD", "blocked"),
        ("everyday", "200.01 USD", "over its limit"),
        ("everyday", "5 EUR", "pays in USD"),
        ("everyday", "-5 USD", "cannot be charged"),
    ],
)
def test_a_card_that_does_not_pay_is_declined(card: str, amount: str, why: str) -> None:
    home = Home()
    with pytest.raises(Refusal, match=why):
        home.town.wallet.pay_by_card(card, "The Shop", USD(amount), "order")
    assert home.all() == []


@pytest.mark.parametrize(("card", "amount"), [("gold", "5 USD"), ("everyday", "5 EUR"), ("everyday", "0 USD")])
def test_what_cannot_be_refunded_is_refused(card: str, amount: str) -> None:
    with pytest.raises(Refusal):
        Home().town.wallet.refund(card, "The Shop", USD(amount), "order")


@pytest.mark.parametrize(
    ("amount", "percent", "part"),
    [("0.50 USD", "3", "0.02 USD"), ("99.99 USD", "3.5", "3.50 USD"), ("0.10 USD", "5", "0.01 USD")],
)
def test_percentages_are_rounded_half_up_to_cents(amount: str, percent: str, part: str) -> None:
    assert str(share(USD(amount), Decimal(percent))) == part
