"""People who can be reached: who hears what, and what they answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from worlds.town.written import Answer, Person

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_NUMBER = re.compile(r"([0-9]+)(?:st|nd|rd|th|am|pm)")


def words(text: str) -> frozenset[str]:
    """The words of a text, in lower case, with and without a plural `s` or a possessive `'s`; `17th` is `17` too, and `9am` is `9`."""
    found = _WORD.findall(text.casefold().replace("\u2019", "'"))
    numbers = (match[1] for word in found if (match := _NUMBER.fullmatch(word)))
    owners = (word.partition("'")[0] for word in found if "'" in word)
    singular = (word[:-1] for word in found if word.endswith("s") and len(word) > 3)
    return frozenset((*found, *numbers, *owners, *singular))


def is_about(text: str, phrases: Iterable[str]) -> bool:
    """Whether all words of one of the phrases are in the text. Without phrases every text is about it."""
    phrases = tuple(phrases)
    there = words(text)
    return not phrases or any(all(word in there for word in _WORD.findall(p.casefold())) for p in phrases)


@dataclass
class People:
    """Everyone in town by how they are reached. `given`: answers that are given once only, and have been."""

    everyone: Mapping[str, Person]
    given: set[tuple[str, int]] = field(default_factory=set)

    def at(self, by: str, address: str) -> tuple[str, Person] | None:
        """Who is reached at an address (`mail`), a number (`phone`) or a handle (`message`)."""
        wanted = address.casefold() if by != "phone" else digits(address)
        for key, person in self.everyone.items():
            if wanted in _addresses(person, by):
                return key, person
        return None

    def knows(self, address: str) -> bool:
        return self.at("mail", address) is not None

    def answer(self, key: str, by: str, text: str) -> Answer | None:
        """The first answer of this person that fits; None if they have none."""
        for index, answer in enumerate(self.everyone[key].answers):
            if (key, index) in self.given or answer.by not in (None, by) or not is_about(text, answer.about):
                continue
            if answer.once:
                self.given.add((key, index))
            return answer
        return None


def _addresses(person: Person, by: str) -> tuple[str, ...]:
    if by == "mail":
        return tuple(address.casefold() for address in person.mail)
    if by == "phone":
        return tuple(digits(number) for number in person.phone)
    return (person.handle.casefold(), person.name.casefold()) if person.handle else (person.name.casefold(),)


def digits(number: str) -> str:
    """The digits of a phone number."""
    return "".join(letter for letter in number if letter.isdigit())
