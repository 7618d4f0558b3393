"""Proofs about a task pair that need no server. A pair is sound if all of these return nothing.

What must hold is in the titles of the functions; each problem says where, what was found and what was expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, combinations, product

from worlds.alternatives import Change, alternatives, changed_world
from worlds.contents import as_text, audit_facts, shown_everywhere
from worlds.facts import parse_path
from worlds.judging import judge
from worlds.leaks import (
    no_answer_shows_a_hidden_value,
    no_sentence_tells_a_hidden_word,
    no_text_states_a_hidden_figure,
)
from worlds.model import AUDIT, ESCALATE, Family, Mask, Twin
from worlds.projection import exposed
from worlds.reading import answers, visible
from worlds.task import TaskPair, World

MOST_TOOLS = 40
MOST_SYSTEM_LETTERS = 20
MOST_TOOL_LETTERS = 36
MOST_ANSWER_LETTERS = 60_000
MOST_ALTERNATIVES = 20


_NAME = re.compile(r"[a-z][a-z0-9_]*")


def family_problems(family: Family) -> Iterator[str]:
    """Names fit every host, no two tools are alike, and the rule is told without its numbers."""
    where = f"family {family.name}"
    if not 2 <= len(family.systems) <= 4:
        yield f"{where}: expected two to four systems of record, got {len(family.systems)}"
    tools = [*tools_of(family), ESCALATE]
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
        no_answer_shows_a_hidden_value,
        no_text_states_a_hidden_figure,
        no_sentence_tells_a_hidden_word,
        _commit_needs_nothing_hidden,
        _answers_are_short,
    ):
        for problem in check(pair):
            yield f"{pair.source.at('id')}: {pair.path}: {problem}"


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
        kept: dict[Twin, Change] = {
            twin: {path: value for (of, path), value in changes.items() if of == twin and path != dropped}
            for twin in Twin
        }
        worlds = {twin: changed_world(pair, twin, kept[twin], alone=True) for twin in Twin}
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
            for other in alternatives(pair, twin, name)[:MOST_ALTERNATIVES]:
                if other.world and other.world.judgement != world.judgement:
                    found = other.world.judgement
                    yield f"irrelevant atom {name} decides the {twin} twin: {other.changes} gives {found}"
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
        facts = {name: audit_facts(world, name) for name in pair.everything}
        for mask in chain(subsets(pair.critical), [pair.everything]):
            told = {fact.fact: fact.value for name in sorted(mask) for fact in facts[name]}
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
                for chosen in product(*(alternatives(pair, twin, other) for other in changed)):
                    backdrop = {path: value for other in chosen for path, value in other.changes.items()}
                    if _decides(pair, twin, backdrop, name):
                        return True
    return False


def _decides(pair: TaskPair, twin: Twin, backdrop: Change, name: str) -> bool:
    base = changed_world(pair, twin, backdrop) if backdrop else pair.world(twin)
    if base is None:
        return False
    for other in alternatives(pair, twin, name):
        world = changed_world(pair, twin, {**backdrop, **other.changes}) if backdrop else other.world
        if world is not None and world.judgement.permitted != base.judgement.permitted:
            return True
    return False


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


def _text(mask: Mask) -> str:
    return "{" + ", ".join(sorted(mask)) + "}"
