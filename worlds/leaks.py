"""Proofs that a hidden fact cannot be read anywhere else: not from another answer, not from a sentence, a text or the
request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal, get_args, get_origin

from worlds.alternatives import Alternative, alternatives
from worlds.assembly import annotation_at, fill_slots, plain, slots_of
from worlds.contents import as_text, shown_everywhere
from worlds.facts import Path, covers, parse_path
from worlds.model import Listing, Prose, Twin, Value, key_of
from worlds.task import TaskPair, World
from worlds.values import Money

MOST_VARIATIONS = 5
LETTERS_OF_A_CHOICE = 3
LETTERS_OF_A_WORD = 5


def no_answer_shows_a_hidden_value(pair: TaskPair) -> Iterator[str]:
    """Under the mask of one atom, other values of it (the first five) change nothing that can be seen."""
    for world, name in _atoms(pair):
        yield from _telling_variation(pair, world, name)


def _telling_variation(pair: TaskPair, world: World, name: str) -> Iterator[str]:
    mask = frozenset({name})
    seen = shown_everywhere(world, mask)
    for other in islice(_variations(pair, world, name), MOST_VARIATIONS):
        if other.world is None:
            continue
        shown = shown_everywhere(other.world, mask)
        different = [place for place in sorted(seen.keys() | shown.keys()) if seen.get(place) != shown.get(place)]
        if different:
            place = f"{different[0]} in the {world.twin} twin (tried {other.changes})"
            yield f"with {name} hidden, its value can be told from {place}"
            return


def _variations(pair: TaskPair, world: World, name: str) -> Iterator[Alternative]:
    """Other values of an atom. An item of a listing is there in all of them: its absence is a matter of totals."""
    path = parse_path(name)
    for other in alternatives(pair, world.twin, name):
        if not path[-1].startswith("[") or not (world.value_at(path) is None or other.takes_away):
            yield other


def no_text_states_a_hidden_figure(pair: TaskPair) -> Iterator[str]:
    """Amounts, numbers, dates and identifiers stand only where hiding their atom hides them; the request has none."""
    for world, name in _atoms(pair):
        path = parse_path(name)
        texts = sorted({*_sentences_left(world, path), *_texts_left(world, path)})
        for value in _figures(world.value_at(path)):
            figure = re.compile(rf"(?<![\w.,]){re.escape(value)}(?![\w]|[.,]\d)")
            yield from _stated(world, name, value, [text for text in texts if text != value and figure.search(text)])
            if figure.search(pair.request):
                yield _requested(world, name, value)


def no_sentence_tells_a_hidden_word(pair: TaskPair) -> Iterator[str]:
    """A choice, such as `confirmed`, stands in no sentence that is shown while its atom is hidden, nor in the request.

    A choice is a value of a Literal field, of three letters or more and without digits, of any atom or within one. A
    free text counts only if the twins differ in it and it is one word of five letters or more, and only in sentences:
    names of people, firms and things stand in requests by right. Sentences are prose and what preparations say. Other
    fields are no sentences ("not paid" as a value does not say that another record is paid). Words are compared
    whole and in any case; other forms of a word, and other words for it, are for reviewers.
    """
    for world, name in _atoms(pair):
        path = parse_path(name)
        value = world.value_at(path)
        sentences = sorted(set(_sentences_left(world, path)))
        choices = set(_choices(annotation_at(pair.family.state, path), value))
        for word in sorted(choices | (set(_words(value)) if name in pair.differing else set())):
            spelled = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", re.IGNORECASE)
            yield from _stated(world, name, word, [sentence for sentence in sentences if spelled.search(sentence)])
            if word in choices and spelled.search(pair.request):
                yield _requested(world, name, word)


def _atoms(pair: TaskPair) -> Iterator[tuple[World, str]]:
    for twin in Twin:
        for name in sorted(pair.everything):
            yield pair.world(twin), name


def _stated(world: World, name: str, value: str, texts: list[str]) -> Iterator[str]:
    for text in texts:
        yield (
            f"with {name} hidden, its value {value!r} of the {world.twin} twin still stands in {text!r}: "
            f"write {{{name}}} there, or other words if it is about something else"
        )


def _requested(world: World, name: str, value: str) -> str:
    return f"the request states {value!r}, the value of {name} in the {world.twin} twin"


def _sentences_left(world: World, hidden: Path) -> Iterator[str]:
    """The sentences that are shown while the fact at `hidden` is masked; slots are left empty."""
    for found in _left(world, world.state, (), hidden):
        if isinstance(found, Prose):
            yield from _unhidden(found, hidden)
    for preparation in world.pair.family.preparations:
        yield from _unhidden(preparation.says, hidden)


def _texts_left(world: World, hidden: Path) -> Iterator[str]:
    """The other texts of several words that are shown while the fact at `hidden` is masked."""
    for found in _left(world, world.state, (), hidden):
        if isinstance(found, str) and " " in found:
            yield found


def _left(world: World, value: object, path: Path, hidden: Path) -> Iterator[str | Prose]:
    if covers(hidden, path) or path in world.assembled.aliases:
        return
    if isinstance(value, Prose | str):
        yield value
    elif isinstance(value, Value):
        for name in type(value).model_fields:
            yield from _left(world, getattr(value, name), (*path, name), hidden)
    elif isinstance(value, Listing):
        for item in value:
            yield from _left(world, item, (*path, f"[{key_of(item)}"), hidden)
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from _left(world, item, path, hidden)


def _unhidden(sentences: tuple[str, ...], hidden: Path) -> Iterator[str]:
    for sentence in sentences:
        slots = tuple(slots_of(sentence))
        if not any(covers(hidden, slot) for slot in slots):
            yield fill_slots(sentence, dict.fromkeys(slots, "..."))


def _figures(value: object) -> Iterator[str]:
    """The texts by which a value would be recognised: amounts, numbers, dates and identifiers, not common words."""
    if isinstance(value, Value):
        for name in type(value).model_fields:
            yield from _figures(getattr(value, name))
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from _figures(item)
    elif value is not None and not isinstance(value, bool):
        text = as_text(value)
        forms = {text}
        if isinstance(value, Money):
            forms |= {f"{value.amount} {value.currency}", f"{value.amount:f}", f"{value.amount:,}"}
        yield from sorted(form for form in forms if len(form) >= 3 and re.search(r"\d", form))


def _choices(annotation: Any, value: object) -> Iterator[str]:
    """The values of Literal fields in a part of the state."""
    annotation = plain(annotation)
    if isinstance(value, Value):
        for name, field in type(value).model_fields.items():
            yield from _choices(field.annotation, getattr(value, name))
    elif isinstance(value, tuple | frozenset) and not isinstance(value, Prose):
        for item in value:
            yield from _choices(get_args(annotation)[0], item)
    elif isinstance(value, str) and get_origin(annotation) is Literal and len(value) >= LETTERS_OF_A_CHOICE:
        yield from () if re.search(r"\d", value) else (value,)


def _words(value: object) -> Iterator[str]:
    """A free text that is a single word, or those of several texts that are."""
    if isinstance(value, tuple | frozenset) and not isinstance(value, Prose | Listing):
        for item in value:
            yield from _words(item)
    elif isinstance(value, str) and len(value) >= LETTERS_OF_A_WORD and not re.search(r"[\d\s]", value):
        yield value
