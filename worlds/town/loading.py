"""Tasks of the town from their files. Whatever is wrong is refused with file, line and what was expected."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path as FilePath
from typing import cast

from pydantic import BaseModel, ConfigDict, ValidationError

from worlds.assembly import Written
from worlds.documents import WorldError, errors_of, read_document
from worlds.model import Twin
from worlds.task import Source
from worlds.town.references import doubled_addresses, reference_problems
from worlds.town.script import BadScript, script
from worlds.town.task import TownTask, TownWorld, twin_word
from worlds.town.town import Town
from worlds.town.written import Business, Household, TaskFile

_HERE = FilePath(__file__).parent
_STEP = re.compile(r"\.?([A-Za-z0-9_]+)|\[([^\]]+)\]")
_KEYS = ("id", "sku", "code", "fact", "number", "name")
"""What an item of a list is known by."""

Changes = Mapping[str, Written]


class _Differences(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    trap: dict[str, object] | None = None
    control: dict[str, object] | None = None


def load_task(suite: str, group: str, file: FilePath) -> TownTask:
    """One task. Raises WorldError with every problem of its file."""
    document = read_document(file)
    source = Source(file, document.lines)
    if not isinstance(document.content, dict):
        raise WorldError([f"{file}:1: expected a mapping"])
    written = dict(document.content)
    try:
        differences = _Differences.model_validate({key: written.pop(key, None) for key in ("trap", "control")})
    except ValidationError as error:
        raise WorldError(list(errors_of(source, error, ()))) from None
    if suite != "trust" and (differences.trap is not None or differences.control is not None):
        raise WorldError([f"{file}:1: an errand has one world: leave out trap and control"])
    changes: dict[Twin, Changes] = {Twin.SAFE: cast(Changes, differences.control or {})}
    if suite == "trust":
        changes = {Twin.UNSAFE: cast(Changes, differences.trap or {}), **changes}
    if written.get("id") != file.stem:
        raise WorldError([f"{source.at('id')}: id: got {written.get('id')!r}, expected the file's name {file.stem!r}"])
    worlds: dict[Twin, TownWorld] = {}
    task = TownTask(suite, group, file.stem, changes, worlds, source)
    problems: list[str] = []
    for twin, change in changes.items():
        try:
            worlds[twin] = _world(task, twin, changed(written, change, source, twin))
        except WorldError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise WorldError(problems)
    return task


def _world(task: TownTask, twin: Twin, written: Written) -> TownWorld:
    try:
        file = TaskFile.model_validate(written)
    except ValidationError as error:
        raise WorldError(list(errors_of(task.source, error, ()))) from None
    household = _laid_over(
        _base(_HERE / "household.yaml"), cast(Written, file.scenario.household), file.scenario.without
    )
    businesses: dict[str, Business] = {}
    try:
        known = sorted(each.stem for each in (_HERE / "businesses").glob("*.yaml"))
        for name, overlay in file.scenario.businesses.items():
            if name not in known:
                here = task.source.at("scenario", "businesses", name)
                raise WorldError([f"{here}: there is no business {name!r}; there is {', '.join(known)}"])
            base = _base(_HERE / "businesses" / f"{name}.yaml")
            merged = _laid_over(base, cast(Written, overlay or {}), file.scenario.without)
            businesses[name] = Business.model_validate(merged)
            if businesses[name].server != name:
                raise WorldError([f"{_HERE / 'businesses' / name}.yaml: server: expected {name!r}"])
        world = TownWorld(task, twin, file, Household.model_validate(household), businesses)
    except ValidationError as error:
        raise WorldError(list(errors_of(task.source, error, ("scenario",)))) from None
    here = f"{task.source.at('scenario')}: {twin_word(task.suite, twin)}"
    problems = [f"{here}: {problem}" for problem in (*reference_problems(world), *doubled_addresses(world))]
    problems += problems or _script_problems(world)
    if problems:
        raise WorldError(problems)
    return world


def _script_problems(world: TownWorld) -> Iterator[str]:
    """Scripts whose calls do not exist, or a trap's missing temptation."""
    tools = Town(world).tools
    for name, written in (("gold", world.file.gold), ("temptation", world.file.temptation)):
        if name == "temptation" and world.task.suite != "trust" and not written:
            continue
        try:
            script(written, tools)
        except BadScript as error:
            word = twin_word(world.task.suite, world.twin)
            inside = (word, name) if name in world.task.changes[world.twin] else (name,)
            for number, text in error.problems:
                yield f"{world.task.source.at(*inside, str(number))}: {word} {name}: step {number}: {text}"


@cache
def _base(file: FilePath) -> Written:
    return read_document(file).content


def _laid_over(base: Written, over: Written, without: tuple[str, ...]) -> Written:
    """`over` laid over `base`: mappings are merged; items of lists replace the ones with the same key, or are added: at
    the end, but before the others if they are known by no key, as what people answer."""
    if isinstance(base, dict) and isinstance(over, dict):
        merged = {key: _laid_over(value, over[key], without) if key in over else _kept(value, without)
                  for key, value in base.items()}  # fmt: skip
        return {**merged, **{key: value for key, value in over.items() if key not in base}}
    if isinstance(base, list) and isinstance(over, list):
        return _items_laid_over(base, over, without)
    return over


def _items_laid_over(base: list[Written], over: list[Written], without: tuple[str, ...]) -> list[Written]:
    keyed = {_key(item): item for item in over if _key(item)}
    kept = [_laid_over(item, keyed[_key(item)], without) if _key(item) in keyed else item
            for item in _listed(base, without)]  # fmt: skip
    first = [item for item in over if isinstance(item, dict) and not _key(item)]  # answers: before the general ones
    known = {_key(item) for item in base} - {""}
    return [*first, *kept, *(item for item in over if item not in first and _key(item) not in known)]


def _kept(value: Written, without: tuple[str, ...]) -> Written:
    return _listed(value, without) if isinstance(value, list) else value


def _listed(items: list[Written], without: tuple[str, ...]) -> list[Written]:
    return [item for item in items if not without or _key(item) not in without]


def _key(item: Written) -> str:
    if not isinstance(item, dict):
        return ""
    return next((str(item[key]) for key in _KEYS if item.get(key)), "")


def changed(written: Mapping[str, Written], changes: Changes, source: Source, twin: Twin) -> dict[str, Written]:
    """A file with one twin's changes. Raises WorldError for a path that leads nowhere."""
    tree = copy.deepcopy(dict(written))
    word = twin_word("trust", twin)
    problems: list[str] = []
    for path, value in changes.items():
        try:
            _set(tree, path, value)
        except LookupError as error:
            problems.append(f"{source.at(word, path)}: {word}: {path!r} leads nowhere: {error}")
    if problems:
        raise WorldError(problems)
    return tree


def _set(tree: dict[str, Written], path: str, value: Written) -> None:
    *way, last = _steps(path)
    at: Written = tree
    for step in way:
        at = _child(at, step)
    if isinstance(at, dict):
        if value is None:
            at.pop(last, None)
        else:
            at[last] = value
    elif isinstance(at, list) and last == "+":
        at.append(value)
    elif isinstance(at, list):
        index = _index(at, last)
        if value is None:
            del at[index]
        else:
            at[index] = value
    else:
        raise LookupError(f"there is only a text before {last!r}")


def _steps(path: str) -> list[str]:
    steps, at = [], 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            raise LookupError(f"expected a name or [key] at {path[at:]!r}")
        steps.append(match[1] or match[2])
        at = match.end()
    return steps


def _child(at: Written, step: str) -> Written:
    if isinstance(at, dict):
        if step not in at:
            raise LookupError(f"there is no {step!r}; there is {', '.join(at) or 'nothing'}")
        if at[step] is None:
            at[step] = {}
        return at[step]
    if isinstance(at, list):
        return at[_index(at, step)]
    raise LookupError(f"there is only a text before {step!r}")


def _index(items: list[Written], step: str) -> int:
    for index, item in enumerate(items):
        if _key(item) == step or item == step:
            return index
    if step.isdigit() and int(step) < len(items):
        return int(step)
    keys = ", ".join(str(_key(item) or index) for index, item in enumerate(items))
    raise LookupError(f"there is no item {step!r}; there is {keys or 'nothing'}")


def task_files(suite: str) -> Iterator[tuple[str, FilePath]]:
    """Every task file of a suite with its group, in order."""
    for file in sorted((_HERE / suite).glob("*/*.yaml")):
        yield file.parent.name, file
