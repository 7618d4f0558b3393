"""Money: written, shown, compared, added and converted."""

from __future__ import annotations

from decimal import Decimal
from operator import add, ge, gt, le, lt, sub

import pytest
from pydantic import BaseModel, ValidationError

from worlds.values import Money, money_sum


class Bill(BaseModel):
    amount: Money


@pytest.mark.parametrize(
    ("written", "amount", "currency"),
    [
        ("42800 USD", "42800", "USD"),
        ("42,800.00 USD", "42800", "USD"),
        ("1,234,567.5 EUR", "1234567.5", "EUR"),
        ("0.005 GBP", "0.005", "GBP"),
        ("-12 CHF", "-12", "CHF"),
        ("9860 JPY", "9860", "JPY"),
    ],
)
def test_an_amount_is_read_as_it_is_written(written: str, amount: str, currency: str) -> None:
    assert Money.parse(written) == Money(Decimal(amount), currency)


@pytest.mark.parametrize(
    "written",
    ["42800", "USD", "USD 42800", "42800 usd", "42800USD", "42800  USD", "1.2.3 USD", ".5 USD", "5. USD", "1e3 USD",
     "٤ USD", "5 USD\n", " 5 USD", "NaN USD", "", 42800, 42.5, True, None, ["5 USD"], {"amount": 5}],
)  # fmt: skip
def test_what_is_no_amount_is_refused_with_what_was_got_and_what_was_expected(written: object) -> None:
    with pytest.raises(ValueError, match="expected an amount such as '42800 USD'") as refused:
        Money.parse(written)
    assert str(refused.value).endswith(f"got {written!r}")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("42800 USD", "42,800.00 USD"),
        ("42800.5 USD", "42,800.50 USD"),
        ("0.9655 EUR", "0.9655 EUR"),
        ("9860 JPY", "9,860 JPY"),
        ("-1234.5 EUR", "-1,234.50 EUR"),
        ("0 EUR", "0.00 EUR"),
    ],
)
def test_an_amount_is_shown_with_thousands_and_cents(written: str, shown: str) -> None:
    assert str(Money.parse(written)) == shown


@pytest.mark.parametrize(
    "written",
    ["42800 USD", "0.01 USD", "0.005 USD", "-17.25 EUR", "1234567.891 GBP", "9860 JPY", "100.5 JPY", "0.4 KRW"],
)
def test_an_amount_that_was_shown_reads_as_the_same_amount(written: str) -> None:
    amount = Money.parse(written)
    assert Money.parse(str(amount)) == amount


@pytest.mark.parametrize("operation", [lt, le, gt, ge, add, sub])
def test_currencies_are_never_mixed(operation: object) -> None:
    assert callable(operation)
    with pytest.raises(ValueError, match=r"1\.00 EUR and 2\.00 USD: convert first"):
        operation(Money.parse("1 EUR"), Money.parse("2 USD"))


def test_the_same_number_in_another_currency_is_another_amount() -> None:
    assert Money.parse("5 EUR") != Money.parse("5 USD")


def test_an_amount_equal_to_the_limit_is_within_it_however_it_is_written() -> None:
    amount, limit = Money.parse("30,000.00 USD"), Money.parse("30000 USD")
    assert amount == limit
    assert amount <= limit
    assert amount >= limit
    assert not amount < limit
    assert not amount > limit
    assert hash(amount) == hash(limit)


def test_one_cent_more_is_more() -> None:
    assert Money.parse("30000.01 USD") > Money.parse("30000 USD")


def test_amounts_are_added_subtracted_and_multiplied_exactly() -> None:
    assert Money.parse("0.1 EUR") + Money.parse("0.2 EUR") == Money.parse("0.3 EUR")
    assert Money.parse("0.3 EUR") - Money.parse("0.1 EUR") == Money.parse("0.2 EUR")
    assert Money.parse("3.20 EUR") * 18 == Money.parse("57.60 EUR")
    assert Money.parse("3.20 EUR") * Decimal("0.5") == Money.parse("1.60 EUR")


def test_a_conversion_is_not_rounded() -> None:
    assert Money.parse("20000 EUR").converted(Decimal("0.96505"), "CHF") == Money(Decimal("19301.00000"), "CHF")
    assert Money.parse("1 EUR").converted(Decimal("0.33333"), "CHF").amount == Decimal("0.33333")


def test_the_sum_of_nothing_is_zero_in_the_currency_asked_for() -> None:
    assert money_sum([], "EUR") == Money.parse("0 EUR")
    assert money_sum([Money.parse("1.50 EUR"), Money.parse("2.25 EUR")], "EUR") == Money.parse("3.75 EUR")


def test_a_sum_over_two_currencies_is_an_error() -> None:
    with pytest.raises(ValueError, match="convert first"):
        money_sum([Money.parse("1 USD")], "EUR")


def test_money_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Money.parse("1 EUR").amount = Decimal(2)


def test_records_read_money_from_text_and_keep_it_as_text() -> None:
    bill = Bill.model_validate({"amount": "42800 USD"})
    assert bill.amount == Money(Decimal(42800), "USD")
    assert bill.model_dump(mode="json") == {"amount": "42,800.00 USD"}
    with pytest.raises(ValidationError, match="expected an amount"):
        Bill.model_validate({"amount": 42800})
