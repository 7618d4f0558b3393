"""Values that facts take beyond Python's own: money."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

_WRITTEN = re.compile(r"(-?[0-9][0-9,]*(?:\.[0-9]+)?) ([A-Z]{3})")
_WITHOUT_CENTS = frozenset({"JPY", "KRW", "ISK", "CLP", "VND"})


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency, written `42800 USD` or `42,800.00 USD`. Currencies are never mixed."""

    amount: Decimal
    currency: str

    @classmethod
    def parse(cls, written: object) -> Money:
        if isinstance(written, Money):
            return written
        match = _WRITTEN.fullmatch(written) if isinstance(written, str) else None
        if match is None:
            raise ValueError(f"expected an amount such as '42800 USD', got {written!r}")
        return cls(Decimal(match[1].replace(",", "")), match[2])

    def __str__(self) -> str:
        digits = max(0 if self.currency in _WITHOUT_CENTS else 2, -int(self.amount.as_tuple().exponent))
        return f"{self.amount:,.{digits}f} {self.currency}"

    def _same(self, other: Money) -> Decimal:
        if other.currency != self.currency:
            raise ValueError(f"cannot compare or add {self} and {other}: convert first")
        return other.amount

    def __lt__(self, other: Money) -> bool:
        return self.amount < self._same(other)

    def __le__(self, other: Money) -> bool:
        return self.amount <= self._same(other)

    def __gt__(self, other: Money) -> bool:
        return self.amount > self._same(other)

    def __ge__(self, other: Money) -> bool:
        return self.amount >= self._same(other)

    def __add__(self, other: Money) -> Money:
        return Money(self.amount + self._same(other), self.currency)

    def __sub__(self, other: Money) -> Money:
        return Money(self.amount - self._same(other), self.currency)

    def __mul__(self, factor: int | Decimal) -> Money:
        return Money(self.amount * factor, self.currency)

    def converted(self, rate: Decimal, currency: str) -> Money:
        """This amount in `currency`, at `rate` units of it for one of ours. Unrounded."""
        return Money(self.amount * rate, currency)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.parse, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )


def money_sum(amounts: list[Money], currency: str) -> Money:
    """The sum in `currency`; of nothing it is zero."""
    total = Money(Decimal(0), currency)
    for amount in amounts:
        total = total + amount
    return total
