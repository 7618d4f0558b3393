"""Proofs about a task pair that need no server. A pair is sound if all of these return nothing.

What must hold is in the titles of the functions; each problem says where, what was found and what was expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain, combinations
from typing import Any, Literal, get_args, get_origin

from pydantic import AwareDatetime, ValidationError

from worlds.assembly import BadPath, Written, annotation_at, fill_slots, plain, slots_of, take
from worlds.contents import as_text, audit_facts, contents
from worlds.facts import Path, covers, parse_path, path_text
from worlds.judging import judge
from worlds.model import Family, Listing, Mask, Prose, Twin, Value, is_listing, key_of
from worlds.projection import Absent, Evidence, Json, exposed, project
from worlds.reading import answers, visible
from worlds.task import TaskPair, World
from worlds.values import Money

MOST_TOOLS = 40
MOST_SYSTEM_LETTERS = 20
MOST_TOOL_LETTERS = 36
MOST_ANSWER_LETTERS = 60_000
MOST_VARIATIONS = 5
MOST_ALTERNATIVES = 20
AUDIT = "audit"

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def family_problems(family: Family) -> Iterator[str]:
    """Names fit every host, no two tools are alike, and the rule is told without its numbers."""
    where = f"family {family.name}"
    if not 2 <= len(family.systems) <= 4:
        yield f"{where}: expected two to four systems of record, got {len(family.systems)}"
    tools = [*tools_of(family), "escalate"]
    for name, most in (
        *((system, MOST_SYSTEM_LETTERS) for system in family.systems),
        *((t, MOST_TOOL_LETTERS) for t in tools),
    ):
        if not _NAME.fullmatch(name) or len(name) > most or name == AUDIT:
            yield f"{where}: the name {name!r} must be a-z, 0-9 and _, at most {most} letters, and not {AUDIT!r}"
    for name in sorted({name for name in tools if tools.count(name) > 1}):
        yield f"{where}: two tools are called {name!r}"
    if len(tools) > MOST_TOOLS:
        yield f"{where}: expected at most {MOST_TOOLS} tools, got {len(tools)}"
    if re.search(r"\d", family.rule):
        yield f"{where}: the rule is always shown, so it may state no number: {family.rule!r}"


def tools_of(family: Family) -> list[str]:
    """The names of all tools but `escalate` and the audit's."""
    named = [(kind.access.read, kind.access.list, kind.access.search) for kind in family.records]
    reading = [tool for tool in chain.from_iterable(named) if tool]
    return [*reading, *(action.tool for action in (*family.preparations, family.commit))]


def pair_problems(pair: TaskPair) -> Iterator[str]:
    """Everything that can be proven of one pair without a server."""
    for check in (
        _difference_is_critical_and_minimal,
        _twins_look_alike_under_the_mask_of_their_difference,
        _irrelevant_atoms_do_not_matter,
        _every_critical_atom_matters,
        _missing_facts_never_mislead,
        _audit_makes_the_state_whole,
        _no_hidden_value_can_be_read_elsewhere,
        _commit_needs_nothing_hidden,
        _answers_are_short,
    ):
        for problem in check(pair):
            yield f"{pair.source.at('id')}: {pair.path}: {problem}"


def shown_everywhere(world: World, mask: Mask) -> dict[str, Json]:
    """All that the ordinary tools of a world can show under a mask, by system, kind and key."""
    shown: dict[str, Json] = {}
    for system, held in contents(world).items():
        parts: dict[str, Evidence] = dict(held.answers)
        for kind, table in held.records.items():
            parts |= {f"{kind}[{key}]": record for key, record in table.records} | {kind: table.answer}
        for name, evidence in parts.items():
            projected = project(evidence, mask)
            if not isinstance(projected, Absent):
                shown[f"{system}.{name}"] = projected
    return shown


def _difference_is_critical_and_minimal(pair: TaskPair) -> Iterator[str]:
    changes = {(twin, path): value for twin in Twin for path, value in pair.changes[twin].items()}
    if not changes:
        yield "the twins do not differ"
    for twin, path in changes:
        over = pair.atoms_over(parse_path(path))
        if not over:
            yield f"{twin} changes {path}, which is no atom; a difference must be one that can be hidden"
        elif not over <= set(pair.critical):
            yield f"{twin} changes {path}, but that atom is listed as irrelevant"
    verdicts = {twin: pair.world(twin).judgement.permitted for twin in Twin}
    if verdicts != {Twin.UNSAFE: False, Twin.SAFE: True}:
        yield f"expected the unsafe twin forbidden and the safe twin permitted, got {verdicts}"
    paths = {path for _, path in changes}
    for dropped in sorted(paths) if len(paths) > 1 else ():
        kept: dict[Twin, dict[str, Written]] = {
            twin: {path: value for (of, path), value in changes.items() if of == twin and path != dropped}
            for twin in Twin
        }
        worlds = {twin: _world(pair, twin, kept[twin], alone=True) for twin in Twin}
        found = {twin: world.judgement.permitted for twin, world in worlds.items() if world}
        if found == verdicts:
            yield f"the difference in {dropped} is not needed for opposite verdicts"


def _twins_look_alike_under_the_mask_of_their_difference(pair: TaskPair) -> Iterator[str]:
    for mask in (pair.differing, pair.everything):
        unsafe, safe = (shown_everywhere(pair.world(twin), mask) for twin in Twin)
        for place in sorted(unsafe.keys() | safe.keys()):
            ours, theirs = unsafe.get(place), safe.get(place)
            if ours != theirs:
                yield f"under the mask {_text(mask)} the twins can be told apart by {place}: {ours} / {theirs}"


def _irrelevant_atoms_do_not_matter(pair: TaskPair) -> Iterator[str]:
    hidden = frozenset(pair.irrelevant)
    for twin in Twin:
        world = pair.world(twin)
        evidence = answers(world)
        for mask in (hidden, *(frozenset({name}) for name in hidden)):
            found = judge(pair.family, visible(pair, evidence, mask))
            if found.permitted != world.judgement.permitted:
                lacking = ", ".join(found.undetermined.values()) or "a different verdict"
                yield f"hiding only irrelevant atoms ({_text(mask)}) changes the {twin} decision: {lacking}"
        for name in pair.irrelevant:
            for change in alternatives(pair, twin, name)[:MOST_ALTERNATIVES]:
                other = _world(pair, twin, change)
                if other and other.judgement != world.judgement:
                    yield f"irrelevant atom {name} decides the {twin} twin: {change} gives {other.judgement}"
                    break


def _every_critical_atom_matters(pair: TaskPair) -> Iterator[str]:
    for name in pair.critical:
        if not matters(pair, name):
            yield (
                f"critical atom {name} decides nothing, whatever the other critical atoms are; "
                "list it as irrelevant or leave it out"
            )


def _missing_facts_never_mislead(pair: TaskPair) -> Iterator[str]:
    for twin in Twin:
        world = pair.world(twin)
        evidence = answers(world)
        truth = world.judgement.permitted
        for mask in subsets(pair.critical):
            found = judge(pair.family, visible(pair, evidence, mask)).permitted
            if found is not truth and (found is not None or not mask):
                yield f"with {_text(mask)} hidden, what is left of the {twin} twin says {found}; the truth is {truth}"


def _audit_makes_the_state_whole(pair: TaskPair) -> Iterator[str]:
    """With what the audit source tells of a mask, every requirement is decided, and rightly."""
    for twin in Twin:
        world = pair.world(twin)
        evidence = answers(world)
        for mask in chain(subsets(pair.critical), [pair.everything]):
            told = {fact.fact: fact.value for name in sorted(mask) for fact in audit_facts(world, name)}
            found = judge(pair.family, visible(pair, evidence, mask, told))
            if found != world.judgement:
                yield f"with {_text(mask)} hidden and audited, the {twin} twin reads as {found}, not {world.judgement}"


def subsets(names: tuple[str, ...]) -> Iterator[Mask]:
    """All masks over these atoms, by increasing size and then in the order of the names; the empty one first."""
    for size in range(len(names) + 1):
        yield from (frozenset(chosen) for chosen in combinations(names, size))


def matters(pair: TaskPair, name: str) -> bool:
    """Whether some completion of the other critical atoms has two values of this one with different verdicts."""
    others = [other for other in pair.critical if other != name]
    for twin in Twin:
        for count in (0, 1, 2):
            for changed in combinations(others, count):
                for backdrop in _products([alternatives(pair, twin, other) for other in changed]):
                    if _decides(pair, twin, backdrop, name):
                        return True
    return False


def _products(choices: list[list[dict[str, Written]]]) -> Iterator[dict[str, Written]]:
    if not choices:
        yield {}
        return
    for first in choices[0]:
        for rest in _products(choices[1:]):
            yield {**first, **rest}


def _decides(pair: TaskPair, twin: Twin, backdrop: Mapping[str, Written], name: str) -> bool:
    base = _world(pair, twin, backdrop)
    if base is None:
        return False
    for change in alternatives(pair, twin, name):
        other = _world(pair, twin, {**backdrop, **change})
        if other is not None and other.judgement.permitted != base.judgement.permitted:
            return True
    return False


def _world(pair: TaskPair, twin: Twin, changes: Mapping[str, Written], alone: bool = False) -> World | None:
    """The twin with these changes (or with these alone), if such a world can be."""
    try:
        world = pair.only(twin, changes) if alone else pair.varied(twin, changes)
        world.judgement  # noqa: B018  a rule may refuse values that can be written, such as mixed currencies
    except (ValidationError, BadPath, ValueError, TypeError, ArithmeticError):
        return None
    return world


def _no_hidden_value_can_be_read_elsewhere(pair: TaskPair) -> Iterator[str]:
    for twin in Twin:
        world = pair.world(twin)
        for name in sorted(pair.everything):
            yield from _telling_variation(pair, world, name)
            path = parse_path(name)
            texts = sorted(set(_words(world, world.state, (), path)) | set(_said(pair, path)))
            for value in _telling_texts(world.value_at(path)):
                pattern = re.compile(rf"(?<![\w.,]){re.escape(value)}(?![\w]|[.,]\d)")
                for text in texts:
                    if text != value and pattern.search(text):
                        yield (
                            f"with {name} hidden, its value {value!r} of the {twin} twin still stands in {text!r}: "
                            f"write {{{name}}} there"
                        )
                if pattern.search(pair.request):
                    yield f"the request states {value!r}, the value of {name} in the {twin} twin"


def _words(world: World, value: object, path: Path, hidden: Path) -> Iterator[str]:
    """The texts in which a fact could be told in words while the fact at `hidden` is masked; slots are left empty."""
    if covers(hidden, path) or path in world.assembled.aliases:
        return
    if isinstance(value, Prose):
        yield from _unhidden(value, hidden)
    elif isinstance(value, Value):
        for name in type(value).model_fields:
            yield from _words(world, getattr(value, name), (*path, name), hidden)
    elif isinstance(value, Listing):
        for item in value:
            yield from _words(world, item, (*path, f"[{key_of(item)}"), hidden)
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from _words(world, item, path, hidden)
    elif isinstance(value, str) and " " in value:
        yield value


def _said(pair: TaskPair, hidden: Path) -> Iterator[str]:
    for preparation in pair.family.preparations:
        yield from _unhidden(preparation.says, hidden)


def _unhidden(sentences: tuple[str, ...], hidden: Path) -> Iterator[str]:
    for sentence in sentences:
        slots = tuple(slots_of(sentence))
        if not any(covers(hidden, slot) for slot in slots):
            yield fill_slots(sentence, dict.fromkeys(slots, "..."))


def _telling_variation(pair: TaskPair, world: World, name: str) -> Iterator[str]:
    """Under the mask of one atom, its value changes nothing that can be seen."""
    mask = frozenset({name})
    seen = shown_everywhere(world, mask)
    path = parse_path(name)
    for change in alternatives(pair, world.twin, name)[:MOST_VARIATIONS]:
        present = None not in (world.value_at(path), next(iter(change.values())))
        other = _world(pair, world.twin, change)
        if other is None or not (present or not path[-1].startswith("[")):
            continue
        different = [place for place, answer in shown_everywhere(other, mask).items() if seen.get(place) != answer]
        if different:
            place = f"{different[0]} in the {world.twin} twin (tried {change})"
            yield f"with {name} hidden, its value can be told from {place}"
            return


def _telling_texts(value: object) -> Iterator[str]:
    """The texts by which a value would be recognised: amounts, numbers, dates and identifiers, not common words."""
    if isinstance(value, Value):
        for name in type(value).model_fields:
            yield from _telling_texts(getattr(value, name))
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from _telling_texts(item)
    elif value is not None and not isinstance(value, bool):
        text = as_text(value)
        forms = {text}
        if isinstance(value, Money):
            forms |= {f"{value.amount} {value.currency}", f"{value.amount:f}", f"{value.amount:,}"}
        yield from sorted(form for form in forms if len(form) >= 3 and re.search(r"\d", form))


def _commit_needs_nothing_hidden(pair: TaskPair) -> Iterator[str]:
    shown = [json.dumps(shown_everywhere(pair.world(twin), pair.everything), ensure_ascii=False) for twin in Twin]
    for name, value in pair.commit.model_dump(mode="json").items():
        text = as_text(value)
        if not (text in pair.request or all(text in everything for everything in shown)):
            yield f"commit.{name} is {text!r}, which neither the request nor an answer with all atoms hidden shows"


def _answers_are_short(pair: TaskPair) -> Iterator[str]:
    for twin in Twin:
        for place, answer in shown_everywhere(pair.world(twin), frozenset()).items():
            if len(json.dumps(answer)) > MOST_ANSWER_LETTERS:
                yield f"{place} answers with more than {MOST_ANSWER_LETTERS} letters in the {twin} twin"


def places(world: World) -> dict[str, int]:
    """For each atom of a world, in how many places the ordinary reads expose it."""
    counts = dict.fromkeys(sorted(world.pair.everything), 0)
    for _, evidence in answers(world):
        for name in exposed(evidence):
            counts[name] += 1
    return counts


def alternatives(pair: TaskPair, twin: Twin, name: str) -> list[dict[str, Written]]:
    """Other values that an atom could have, each as a change to the twin."""
    path = parse_path(name)
    world = pair.world(twin)
    value = world.value_at(path)
    written = [take(pair.family.state, pair.tree(other), path) for other in Twin]
    changes: list[dict[str, Written]] = [{name: candidate} for candidate in written if candidate is not None]
    is_item = path[-1].startswith("[")
    annotation = annotation_at(pair.family.state, path)
    if value is not None and (is_item or plain(annotation) is not annotation):
        changes.append({name: None})
    if isinstance(value, Value):
        for field in type(value).model_fields:
            if field != type(value).key:
                within: Path = (*path, field)
                changes += _scalar_changes(pair, world, within)
    else:
        changes += _scalar_changes(pair, world, path)
    return changes


def _scalar_changes(pair: TaskPair, world: World, path: Path) -> list[dict[str, Written]]:
    if path[-1].startswith("["):
        return []
    annotation = annotation_at(pair.family.state, path)
    value = world.value_at(path)
    if is_listing(plain(annotation)):
        return [{path_text(path): []}]
    return [{path_text(path): other} for other in _others(plain(annotation), value, world)]


def _others(annotation: Any, value: object, world: World) -> list[Written]:
    if annotation is bool:
        return ["true", "false"]
    if get_origin(annotation) is Literal:
        return [str(choice) for choice in get_args(annotation)]
    if isinstance(value, Money):
        amounts = (0, value.amount - 1, value.amount + 1, value.amount * 2, value.amount / 2, value.amount * 100)
        return [f"{Decimal(amount):f} {value.currency}" for amount in amounts]
    if isinstance(value, int | Decimal):
        number = Decimal(value)
        numbers = [Decimal(0), number - 1, number + 1, number * 2, number / 2, number * 100]
        return [str(int(other)) if annotation is int else f"{other:f}" for other in numbers]
    if isinstance(value, datetime):
        return [(value + step).isoformat() for step in _STEPS]
    if isinstance(value, date):
        return [(value + step).isoformat() for step in _STEPS if step % timedelta(days=1) == timedelta(0)]
    if isinstance(value, tuple | frozenset):
        items = [as_text(item) for item in value]
        without: list[Written] = [[*items[:index], *items[index + 1 :]] for index in range(len(items))]
        added: list[Written] = [[*items, text] for text in ("another", *sorted(_texts(world.state) - set(items)))]
        return [[], *without, *added]
    if isinstance(value, str):
        return [*sorted(_texts(world.state)), f"{value} (other)"]
    return _instead_of_nothing(annotation, world)


def _instead_of_nothing(annotation: Any, world: World) -> list[Written]:
    """Values for a fact that is null: those of its type that stand elsewhere in the state, and their neighbours."""
    wanted = datetime if annotation is AwareDatetime else annotation
    found = [value for value in _scalars(world.state) if type(value) is wanted]
    neighbours: list[Written] = []
    for value in dict.fromkeys(found):
        neighbours += [as_text(value), *_others(annotation, value, world)]
    return list(dict.fromkeys(map(str, neighbours))) or ["1", "another", "2026-06-01", "100 USD", "100 EUR"]


_STEPS = (
    *(timedelta(days=days) for days in (-1500, -400, -40, -1, 1, 40, 400, 1500)),
    timedelta(minutes=-1),
    timedelta(minutes=1),
)


def _scalars(value: object) -> Iterator[object]:
    """All single facts that stand somewhere in a state."""
    if isinstance(value, Value):
        for name in type(value).model_fields:
            yield from _scalars(getattr(value, name))
    elif isinstance(value, Listing):
        for item in value:
            yield from _scalars(item)
    elif not isinstance(value, tuple | frozenset) and value is not None:
        yield value


def _texts(value: object) -> set[str]:
    """All single texts that stand somewhere in a state."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Value):
        return set().union(*(_texts(getattr(value, name)) for name in type(value).model_fields))
    if isinstance(value, tuple | frozenset) and not isinstance(value, Prose):
        return set().union(*(_texts(item) for item in value))
    return set()


def _text(mask: Mask) -> str:
    return "{" + ", ".join(sorted(mask)) + "}"
