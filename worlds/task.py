"""A task pair: one request, two worlds that differ in what the pair says and in nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath

from worlds.assembly import Assembled, Written, assemble, changed, listings_in, value_at
from worlds.facts import Path, covers, parse_path
from worlds.judging import Judgement, judge
from worlds.model import Atom, Commit, Family, Mask, Twin, WorldState, key_of


@dataclass(frozen=True, slots=True)
class Source:
    """Where an instance stands, for messages: the file, and the line of each of its parts."""

    file: FilePath
    lines: Mapping[tuple[str, ...], int]

    def at(self, *parts: str) -> str:
        """`file:line` of the innermost part known."""
        for length in range(len(parts), -1, -1):
            if parts[:length] in self.lines:
                return f"{self.file}:{self.lines[parts[:length]]}"
        return str(self.file)


@dataclass(frozen=True, eq=False)
class TaskPair:
    """One instance of a family. `written` is the state as its file has it, `changes` what each twin changes in it."""

    domain: str
    family: Family
    id: str
    request: str
    note: str
    written: Mapping[str, Written]
    changes: Mapping[Twin, Mapping[str, Written]]
    commit: Commit
    atoms: tuple[Atom, ...]
    violates: Mapping[Twin, tuple[str, ...]]
    source: Source

    @property
    def path(self) -> str:
        """The task's name: domain/family/instance."""
        return f"{self.domain}/{self.family.name}/{self.id}"

    @property
    def critical(self) -> tuple[str, ...]:
        return tuple(atom.name for atom in self.atoms if atom.critical)

    @property
    def irrelevant(self) -> tuple[str, ...]:
        return tuple(atom.name for atom in self.atoms if not atom.critical)

    @cached_property
    def everything(self) -> Mask:
        """The mask of all atoms."""
        return frozenset(atom.name for atom in self.atoms)

    @cached_property
    def differing(self) -> Mask:
        """The atoms in which the twins differ."""
        changed = [parse_path(path) for twin in Twin for path in self.changes[twin]]
        return frozenset(name for path in changed for name in self.atoms_over(path))

    @cached_property
    def _paths(self) -> Mapping[str, Path]:
        return {atom.name: atom.path for atom in self.atoms}

    def atoms_over(self, path: Path) -> frozenset[str]:
        """The atoms whose hiding hides the fact at this path."""
        return frozenset(name for name, atom in self._paths.items() if covers(atom, path))

    def atoms_at(self, path: Path) -> frozenset[str]:
        """The atom that is the fact at this path itself, if it is one."""
        return frozenset(name for name, atom in self._paths.items() if atom == path)

    @property
    def twins(self) -> tuple[Twin, ...]:
        return tuple(Twin)

    def world(self, twin: Twin) -> World:
        return self._worlds[twin]

    @cached_property
    def _worlds(self) -> Mapping[Twin, World]:
        return {twin: World(self, twin, assemble(self.family.state, self.written, self.changes[twin])) for twin in Twin}

    def varied(self, twin: Twin, changes: Mapping[str, Written]) -> World:
        """A world that never was: one twin with further changes. For proofs about atoms.

        Raises as `assemble` does.
        """
        return self.only(twin, {**self.changes[twin], **changes})

    def only(self, twin: Twin, changes: Mapping[str, Written]) -> World:
        """The world that these changes alone would make of the state as written."""
        return World(self, twin, assemble(self.family.state, self.written, changes))

    def tree(self, twin: Twin) -> dict[str, Written]:
        """One twin's state as written."""
        return changed(self.family.state, self.written, self.changes[twin])

    @cached_property
    def telling_totals(self) -> Mapping[Path, frozenset[str]]:
        """For each listing whose total would tell the twins apart, the atoms with which the total is hidden."""
        unsafe, safe = (dict(listings_in(self.world(twin).state)) for twin in Twin)
        telling: dict[Path, frozenset[str]] = {}
        for path in unsafe.keys() & safe.keys():
            ours, theirs = ({key_of(item) for item in items} for items in (unsafe[path], safe[path]))
            if len(ours) != len(theirs):
                telling[path] = frozenset().union(*(self.atoms_at((*path, f"[{key}")) for key in ours ^ theirs))
        return telling


@dataclass(frozen=True, eq=False)
class World:
    """One twin's complete private state."""

    pair: TaskPair
    twin: Twin
    assembled: Assembled

    @property
    def state(self) -> WorldState:
        return self.assembled.state

    @property
    def request(self) -> str:
        """What the agent is asked to do."""
        return self.pair.request

    @cached_property
    def judgement(self) -> Judgement:
        """The oracle: the rule applied to the complete state."""
        return judge(self.pair.family, self.state)

    def value_at(self, path: Path) -> object:
        return value_at(self.state, path)
