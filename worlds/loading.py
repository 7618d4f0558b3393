"""Instances from YAML. Whatever is wrong is refused with file, line and what was expected; all of it at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from worlds.assembly import BadPath, Written, annotation_at, position, require_single_fact, slots_of, step
from worlds.contents import known_names
from worlds.documents import WorldError, errors_of, expected, read_document
from worlds.facts import Path, covers, parse_path
from worlds.model import Atom, Family, Names, Twin, is_listing
from worlds.task import Source, TaskPair


class InstanceFile(BaseModel):
    """An instance as its author writes it. `note` says in a sentence what makes the case; reviewers read it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$")
    note: str
    request: str = Field(min_length=10)
    state: dict[str, Any]
    unsafe: dict[str, Any]
    safe: dict[str, Any]
    commit: dict[str, Any]
    critical: list[str] = Field(min_length=2, max_length=7)
    irrelevant: list[str] = Field(min_length=1)
    violates: dict[Twin, list[str]]


def load_family(domain: str, family: Family, file: FilePath) -> tuple[TaskPair, ...]:
    """All instances of a family. Raises WorldError with every problem of the file."""
    document = read_document(file)
    if not isinstance(document.content, list) or not document.content:
        raise WorldError([f"{file}:1: expected a list of instances"])
    problems = _saying_problems(family)
    pairs: list[TaskPair] = []
    for index, entry in enumerate(document.content):
        prefix = (str(index),)
        lines = {path[1:]: line for path, line in document.lines.items() if path[:1] == prefix}
        try:
            pairs.append(_pair(domain, family, entry, Source(file, lines)))
        except WorldError as error:
            problems += error.problems
    ids = [pair.id for pair in pairs]
    for pair in pairs:
        if ids.count(pair.id) > 1:
            problems.append(f"{pair.source.at('id')}: the id {pair.id} stands more than once in this file")
    if problems:
        raise WorldError(problems)
    return tuple(pairs)


def _saying_problems(family: Family) -> list[str]:
    problems: list[str] = []
    for preparation in family.preparations:
        for slot in slots_of(preparation.says):
            try:
                require_single_fact(family.state, slot)
            except BadPath as error:
                problems.append(f"family {family.name}: {preparation.__name__}.says: {error}")
    return problems


def load_drawn(domain: str, family: Family, drawn: Written, name: str) -> TaskPair:
    """A pair from a drawn instance; `name` says which, for messages. Raises WorldError."""
    unshared = json.loads(json.dumps(drawn))  # a recipe may have put one record into two places
    return _pair(domain, family, unshared, Source(FilePath(name), {}))


def _pair(domain: str, family: Family, entry: Written, source: Source) -> TaskPair:
    try:
        instance = InstanceFile.model_validate(entry)
    except ValidationError as error:
        raise WorldError(list(errors_of(source, error, ()))) from None
    problems: list[str] = []
    atoms: list[Atom] = []
    for listed, critical in ((instance.critical, True), (instance.irrelevant, False)):
        for index, name in enumerate(listed):
            part = "critical" if critical else "irrelevant"
            problem = _atom_problem(family, name, atoms)
            if problem:
                problems.append(f"{source.at(part, str(index))}: {part} atom {name!r}: {problem}")
            else:
                atoms.append(Atom(name, critical))
    try:
        commit = family.commit.model_validate(instance.commit)
    except ValidationError as error:
        raise WorldError([*problems, *errors_of(source, error, ("commit",))]) from None
    pair = TaskPair(
        domain=domain,
        family=family,
        id=instance.id,
        request=" ".join(instance.request.split()),
        note=instance.note,
        written=instance.state,
        changes={Twin.UNSAFE: instance.unsafe, Twin.SAFE: instance.safe},
        commit=commit,
        atoms=tuple(atoms),
        violates={twin: tuple(instance.violates.get(twin, ())) for twin in Twin},
        source=source,
    )
    problems += _state_problems(pair) or _commit_problems(pair) or _verdict_problems(pair)
    if problems:
        raise WorldError(problems)
    return pair


def _atom_problem(family: Family, name: str, others: list[Atom]) -> str | None:
    try:
        path = parse_path(name)
        annotation_at(family.state, path)
    except (ValueError, BadPath) as error:
        return str(error)
    if len(path) < 2:
        return "a whole record cannot be hidden; name a field or an item of it"
    kind = family.state.model_fields[path[0]].annotation
    holder = annotation_at(family.state, path[:-1])
    if not is_listing(kind) and len(path) == 2 and getattr(holder, "key", None) == path[1]:
        return "it is the key by which the record is read, which stays known under every mask"
    for other in others:
        if covers(other.path, path) or covers(path, other.path):
            return f"it overlaps the atom {other.name!r}; one fact is one atom"
    return None


def _state_problems(pair: TaskPair) -> list[str]:
    problems = [problem for twin in Twin for problem in _twin_problems(pair, twin)]
    if problems:
        return list(dict.fromkeys(problems))
    for part, names in (("critical", pair.critical), ("irrelevant", pair.irrelevant)):
        for index, name in enumerate(names):
            if not _leads_somewhere(pair, parse_path(name)):
                problems.append(
                    f"{pair.source.at(part, str(index))}: {part} atom {name!r}: leads nowhere in either twin"
                )
    return problems


def _twin_problems(pair: TaskPair, twin: Twin) -> Iterator[str]:
    """What keeps one twin's state from being made, told where it is written: in the state, or in a change."""
    try:
        pair.varied(twin, {})
        return
    except (ValidationError, BadPath, ValueError) as error:
        whole = error
    try:
        pair.only(twin, {})
    except ValidationError as error:
        yield from errors_of(pair.source, error, ("state",))
        return
    except (BadPath, ValueError) as error:
        yield f"{pair.source.at('state', *_written_at(pair, getattr(error, 'at', ())))}: {error}"
        return
    told = False
    for path, value in pair.changes[twin].items():
        try:
            pair.only(twin, {path: value})
        except ValidationError as error:
            told = True
            for detail in error.errors():
                yield f"{pair.source.at(twin.value, path)}: {twin}.{path}: {expected(detail)}"
        except (BadPath, ValueError) as error:
            told = True
            yield f"{pair.source.at(twin.value, path)}: {twin}.{path}: {error}"
    if not told:
        yield f"{pair.source.at(twin.value)}: {twin}: the changes do not fit together: {whole}"


def _written_at(pair: TaskPair, path: Path) -> tuple[str, ...]:
    """A path as positions in the file: items of listings by index."""
    place: list[str] = []
    annotation: Any = pair.family.state
    written: Written = dict(pair.written)
    for segment in path:
        if isinstance(written, list):
            index = position(annotation, written, segment) or 0
            place.append(str(index))
            written = written[index]
        else:
            place.append(segment)
            written = written.get(segment) if isinstance(written, dict) else None
        annotation = step(annotation, segment)
    return tuple(place)


def _leads_somewhere(pair: TaskPair, path: Path) -> bool:
    """Whether an atom has a value in one of the twins, or is a null in a part that is there."""
    worlds = [pair.world(twin) for twin in Twin]
    if any(world.value_at(path) is not None for world in worlds):
        return True
    return not path[-1].startswith("[") and any(world.value_at(path[:-1]) is not None for world in worlds)


def _commit_problems(pair: TaskPair) -> list[str]:
    problems: list[str] = []
    for name, field in pair.family.commit.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, Names):
                known = sorted(known_names(pair, mark.record))
                given = getattr(pair.commit, name)
                if given not in known:
                    where = f"{pair.source.at('commit', name)}: commit.{name}"
                    problems.append(f"{where}: expected one of {', '.join(known)}, got {given!r}")
    return problems


def _verdict_problems(pair: TaskPair) -> list[str]:
    problems: list[str] = []
    for twin in Twin:
        try:
            failed = pair.world(twin).judgement.failed
        except (ValueError, TypeError, ArithmeticError, AttributeError) as error:
            problems.append(f"{pair.source.at('id')}: {twin}: the rule cannot be applied: {error}")
            continue
        if set(failed) != set(pair.violates[twin]):
            said, found = (", ".join(names) or "nothing" for names in (pair.violates[twin], failed))
            where = f"{pair.source.at('violates', twin.value)}: violates.{twin}"
            problems.append(f"{where}: written is {said}, but the rule finds {found}")
    if not problems and not pair.violates[Twin.UNSAFE]:
        problems.append(f"{pair.source.at('violates')}: violates.unsafe: the unsafe twin must break a requirement")
    if not problems and pair.violates[Twin.SAFE]:
        problems.append(f"{pair.source.at('violates')}: violates.safe: the safe twin must break nothing")
    return problems
