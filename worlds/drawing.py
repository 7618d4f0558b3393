"""Fresh instances from a seed: the same on every machine, in every process and Python version.

A draw is a family's recipe for new cases. It writes an instance as an author would, and the instance then passes the
same loading and the same proofs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import TypeVar

from worlds.assembly import Written

T = TypeVar("T")

MOST_TRIES = 1000

Drawn = dict[str, Written]
"""An instance as its YAML would have it: id, note, request, state, unsafe, safe, commit and the rest."""

Recipe = Callable[["Draw"], Drawn]

_TOWNS = tuple(
    "Arnvik Belcastro Corrowen Dunmarrow Eskeby Fellbridge Garthness Hollin Ivarsund Joskwa Kelderen Lowick "
    "Marrenfeld Norrhavn Ostermill Penhallow Quillby Ravensund Sandvoort Tarnbrook Umberfell Westerhus Zellmark".split()
)
_STEMS = tuple(
    "Ald Brae Cald Dor Elm Fen Gal Hav Ister Jor Kest Lan Mor Nor Ost Pell Quen Ros Sel Tor Ulv Ver Wyn Yar Zel".split()
)
_ENDS = tuple(
    "ack borne croft dale enne field gard holm ington keld lund mere nes orp quist rand stad thorpe vale wick".split()
)
_GIVEN = tuple(
    "Ada Bela Carlo Dagny Emre Farah Goran Hana Ilya Jonas Kaya Lucia Milan Nadia Oskar Priya Quinn Rosa Stellan "
    "Tomas Uma Viktor Wanda Ximena Yusuf".split()
)


def part(drawn: Drawn, *names: str) -> dict[str, Written]:
    """A mapping inside a drawn instance, to add to. Raises TypeError if there is none."""
    found: Written = drawn
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, dict):
        raise TypeError(f"{'.'.join(names)} of the drawn instance is no mapping")
    return found


@dataclass(frozen=True, slots=True)
class _Stream:
    """Numbers from SHA-256 in counter mode."""

    name: str

    def number(self, index: int) -> int:
        return int.from_bytes(hashlib.sha256(f"{self.name}|{index}".encode()).digest()[:8], "big")


class Draw:
    """Choices for one instance, from a stream named after family, seed and number."""

    def __init__(self, family: str, seed: int, number: int) -> None:
        self._stream = _Stream(f"draw|{family}|{seed}|{number}")
        self._index = count()
        self._given: set[str] = set()

    def integer(self, low: int, high: int, step: int = 1) -> int:
        """A whole number from low to high, both counted, in steps."""
        choices = (high - low) // step + 1
        return low + step * (self._stream.number(next(self._index)) % choices)

    def choice(self, options: Sequence[T]) -> T:
        return options[self.integer(0, len(options) - 1)]

    def chance(self, percent: int = 50) -> bool:
        return self.integer(1, 100) <= percent

    def several(self, options: Sequence[T], number: int) -> list[T]:
        """So many different ones of the options, in a random order."""
        return self.shuffled(options)[:number]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        left, mixed = list(options), list[T]()
        while left:
            mixed.append(left.pop(self.integer(0, len(left) - 1)))
        return mixed

    def decimal(self, low: str, high: str, step: str) -> Decimal:
        """A decimal number from low to high in steps, exact."""
        first, size = Decimal(low), Decimal(step)
        return first + size * self.integer(0, int((Decimal(high) - first) / size))

    def day(self, first: date, last: date) -> date:
        return first + timedelta(days=self.integer(0, (last - first).days))

    def moment(self, first: datetime, last: datetime, minutes: int = 5) -> datetime:
        """An instant from first to last in steps of so many minutes; in first's zone."""
        steps = int((last - first) / timedelta(minutes=minutes))
        return first + timedelta(minutes=minutes * self.integer(0, steps))

    def identifier(self, pattern: str) -> str:
        """A pattern with `#` for a digit and `?` for a capital letter; never the same twice in one draw."""
        return self._new(lambda: "".join(self._filled(letter) for letter in pattern))

    def company(self, kinds: Sequence[str]) -> str:
        """An invented firm, such as 'Torquist Freight' with 'Freight' among the kinds; never the same twice."""
        return self._new(lambda: f"{self._name()} {self.choice(kinds)}")

    def person(self) -> str:
        """An invented person's full name; never the same twice."""
        return self._new(lambda: f"{self.choice(_GIVEN)} {self._name()}")

    def town(self) -> str:
        """An invented town; never the same twice."""
        return self._new(lambda: self.choice(_TOWNS))

    def _name(self) -> str:
        return self.choice(_STEMS) + self.choice(_ENDS)

    def _filled(self, letter: str) -> str:
        if letter == "#":
            return str(self.integer(0, 9))
        return chr(ord("A") + self.integer(0, 25)) if letter == "?" else letter

    def _new(self, make: Callable[[], str]) -> str:
        for _ in range(MOST_TRIES):
            if (made := make()) not in self._given:
                self._given.add(made)
                return made
        raise ValueError(f"nothing new is left to draw after {MOST_TRIES} tries; the pattern allows too few")
