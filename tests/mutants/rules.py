"""Rules with one comparison, condition or name changed: the written and drawn instances must notice.

Every mutant is the family's own source with one node of its syntax tree replaced. It is caught if an instance is
refused (its verdicts are entered twice, in the rule and in the file), if it decides one of the situations of
tests/worlds otherwise, or if the rule breaks.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import worlds
from tests.worlds.situations import situations
from worlds.catalogue import EVIDENCE
from worlds.documents import WorldError
from worlds.drawing import Draw
from worlds.draws import RECIPES
from worlds.loading import load_drawn, load_family
from worlds.model import Family

Mutation = Callable[[Any], None]

SITUATIONS = situations()
DRAWN = 12
"""Fresh instances of each family that help to catch its mutants."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.LtE: ast.Lt,
    ast.Lt: ast.LtE,
    ast.GtE: ast.Gt,
    ast.Gt: ast.GtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_NAMES = {"all_of": "any_of", "any_of": "all_of", "some": "every", "every": "some", "max": "min", "min": "max"}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}


@dataclass(frozen=True, slots=True)
class RuleMutant:
    """One change of a family's rule: the file's line, and what became what."""

    family: str
    line: int
    change: str
    source: ast.Module


def mutants_of(path: str) -> Iterator[RuleMutant]:
    """Every mutant of `domain/family`'s functions."""
    file = Path(worlds.__file__).parent / "evidence" / f"{path}.py"
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    places = {id(node): node for function in functions for node in ast.walk(function)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in places:
            continue
        for change, mutate in _changes(node):
            mutated = copy.deepcopy(tree)
            mutate(next(found for index, found in enumerate(ast.walk(mutated)) if index == number))
            yield RuleMutant(path, getattr(node, "lineno", 0), change, ast.fix_missing_locations(mutated))


def _changes(node: ast.AST) -> Iterator[tuple[str, Mutation]]:
    if isinstance(node, ast.Compare):
        for position, operator in enumerate(node.ops):
            other = _COMPARISONS.get(type(operator))
            if other is not None:
                yield f"{type(operator).__name__} -> {other.__name__}", _set_operator(position, other)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMES:
        other_name = _NAMES[node.func.id]
        yield f"{node.func.id} -> {other_name}", _set_name(other_name)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not x -> x", _drop_not
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        yield f"{type(node.op).__name__} -> {_OPERATORS[type(node.op)].__name__}", _swap_operator


def _set_operator(position: int, other: type[ast.cmpop]) -> Mutation:
    def mutate(node: Any) -> None:
        node.ops[position] = other()

    return mutate


def _set_name(name: str) -> Mutation:
    def mutate(node: Any) -> None:
        node.func.id = name

    return mutate


def _drop_not(node: Any) -> None:
    node.operand = ast.UnaryOp(ast.Not(), node.operand)


def _swap_operator(node: Any) -> None:
    node.op = _OPERATORS[type(node.op)]()


def caught(mutant: RuleMutant) -> bool:
    """Whether an instance of the family, written or drawn, is refused under the mutated rule."""
    try:
        family = _family(mutant)
    except Exception:
        return True
    domain, name = mutant.family.split("/")
    try:
        pairs = load_family(domain, family, Path(worlds.__file__).parent / "evidence" / domain / f"{name}.yaml")
        by_path = {pair.path: pair for pair in pairs}
        if any(each.judged(by_path[each.task]) != each.fails for each in SITUATIONS if each.task in by_path):
            return True
        for number in range(DRAWN):
            load_drawn(domain, family, RECIPES[mutant.family](Draw(mutant.family, 11, number)), "drawn")
    except (WorldError, RecursionError):
        return True
    return False


def _family(mutant: RuleMutant) -> Family:
    module = ModuleType(f"mutant_of_{mutant.family.replace('/', '_')}")
    sys.modules[module.__name__] = module
    for name in ("any_of", "all_of", "some", "every"):
        setattr(module, name, getattr(sys.modules["worlds.judging"], name))
    try:
        exec(compile(mutant.source, mutant.family, "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]
    family = module.FAMILY
    if not isinstance(family, Family):
        raise TypeError(f"{mutant.family} defines no family")
    return family


def families() -> tuple[str, ...]:
    return tuple(EVIDENCE.families)


EXPLAINED: dict[str, dict[str, str]] = {
    "commerce/hazmat_carrier": {
        "line 116: not x -> x": "it asks only whether rows may be hidden; of a complete matrix, none is",
    },
    "communication/revision_signoff": {
        "line 96: Lt -> LtE": "an equal revision is accepted by the first half already",
    },
    "communication/image_rights": {
        "line 135: Add -> Sub": "of complete placements the sum of all decides, two lines below",
        "line 136: all_of -> any_of": "of complete placements both lines say the same, as all is one of the parts",
    },
}
"""Mutants that no instance can notice, by family, as `line N: change`, and why."""
