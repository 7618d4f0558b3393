"""People who can be reached: who hears what, and what they answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from worlds.town.written import Answer, Person

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_NUMBER = re.compile(r"([0-9]+)(?:st|nd|rd|th|am|pm)")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CLAUSE = re.compile(r"[;:()\u2013\u2014]|,(?!\d)|\s-\s|\b(?:but|and|so|because|since)\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:not|no|never|cannot|nothing|none|neither|nor|unable|declin\w+|refus\w+|[a-z]+n't)\b", re.IGNORECASE
)
_CONDITION = re.compile(r"\b(?:if|whether|unless)\b", re.IGNORECASE)
_OPEN_BEFORE = re.compile(
    r"\b(?:if|whether|unless|until|before|when|once|as soon as|after|need\w* to|ha(?:s|ve|d) to|must|might|may|perhaps|"
    r"maybe|decid\w+|consider\w*|think\w*|compar\w+|discuss\w*|see about|able to|in order to|wh(?:y|at|ich|o)|how)\b",
    re.IGNORECASE,
)


def words(text: str) -> frozenset[str]:
    """The words of a text, in lower case, with and without a plural `s` or a possessive `'s`. `17th` is also `17`, and
    `9am` also `9`.
    """
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


def says_firmly(text: str, phrases: Iterable[str]) -> bool:
    """Whether a sentence has all words of one of the phrases, and none of them in a clause that denies it (`we cannot
    accept`) or makes it depend on something (`we accept if`), after something that leaves it open (`you will hear
    whether we accept`), or in a question."""
    phrases = tuple(phrases)
    written = [one.strip() for one in _SENTENCE.split(text.replace("\u2019", "'")) if one.strip()]
    return any(is_about(one, (phrase,)) and _firm(one, phrase) for one in written for phrase in phrases)


def _firm(sentence: str, phrase: str) -> bool:
    if sentence.endswith("?"):
        return False
    wanted = words(phrase)
    parts = _CLAUSE.split(sentence)
    about = [number for number, part in enumerate(parts) if words(part) & wanted]
    if any(_DENIES.search(parts[number]) or _CONDITION.search(parts[number]) for number in about):
        return False
    return not _OPEN_BEFORE.search(_before(sentence, wanted))


def _before(sentence: str, wanted: frozenset[str]) -> str:
    """What stands before the last of the words."""
    found = [match for match in re.finditer(r"[\w']+", sentence) if words(match[0]) & wanted]
    return sentence[: found[-1].start()] if found else ""


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

    def answer(self, key: str, by: str, text: str) -> Answer | None:
        """The first answer of this person that fits; None if they have none."""
        for index, answer in enumerate(self.everyone[key].answers):
            if (key, index) in self.given or answer.by not in (None, by):
                continue
            if not (says_firmly if answer.firm else is_about)(text, answer.about):
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
