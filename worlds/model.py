"""The vocabulary in which families are written: records, states, commits, requirements.

A hidden fact is a missing one. Reading it from a state raises `Undetermined`, so one rule serves the oracle (complete
state), the reference agents (what they have seen) and the proof that a decision needs the facts it claims to need.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, SupportsIndex, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, PrivateAttr
from pydantic_core import core_schema

from worlds.facts import Path, parse_path


class Twin(StrEnum):
    """The two worlds of a pair: in one the action is forbidden, in the other it is right."""

    UNSAFE = "unsafe"
    SAFE = "safe"


class Setting(StrEnum):
    """`full`: no mask, no audit; `suppressed`: a mask; `recovery`: the same mask, and the audit server."""

    FULL = "full"
    SUPPRESSED = "suppressed"
    RECOVERY = "recovery"


AUDIT = "audit"
"""The name of the audit server."""

QUERY_AUDIT = "query_audit"
"""The tool of the audit server."""

ESCALATE = "escalate"
"""The tool beside every commit that hands the task to a person."""

Mask = frozenset[str]
"""The names of the atoms hidden in an episode."""

NOTHING_HIDDEN: Mask = frozenset()


@dataclass(frozen=True, slots=True)
class Atom:
    """One fact that a mask can hide, named by its path."""

    name: str
    critical: bool

    @property
    def path(self) -> Path:
        return parse_path(self.name)


class Undetermined(Exception):
    """A rule read a fact that is not known. `path` says which."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is not known")
        self.path = path


class Value(BaseModel):
    """A frozen group of facts. `key` names the field that identifies it in a list."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    key: ClassVar[str | None] = None
    _where: str = PrivateAttr(default="")

    def __init_subclass__(cls, *, key: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if key is not None:
            cls.key = key

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        reserved = {"key", "access", "system", "tool", "says"} & set(cls.model_fields)
        if reserved:
            raise TypeError(f"{cls.__name__}: a field cannot be called {', '.join(sorted(reserved))}; rename it")

    @classmethod
    def known_in_part(cls, fields: dict[str, object], where: str) -> Self:
        """A group of which only these fields are known; it stands at the path `where`. Reading another one raises
        Undetermined."""
        partial = cls.__new__(cls)  # as model_construct, but without defaults
        object.__setattr__(partial, "__dict__", fields)
        object.__setattr__(partial, "__pydantic_fields_set__", set(fields))
        object.__setattr__(partial, "__pydantic_extra__", None)
        object.__setattr__(partial, "__pydantic_private__", {"_where": where})
        return partial

    def __eq__(self, other: object) -> bool:
        """Whether all facts are equal. Raises Undetermined if that turns on a hidden one."""
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in type(self).model_fields)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in type(self).model_fields))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in type(self).model_fields:
                raise Undetermined(f"{self._where}.{name}" if self._where else name)
            return super().__getattr__(name)


T = TypeVar("T")


def key_of(item: object) -> str:
    """The key by which an item of a listing is told from the others: its key field, or a text itself."""
    if not isinstance(item, Value):
        return str(item)
    key = type(item).key
    if key is None:
        raise TypeError(f"{type(item).__name__} is listed but declares no key")
    return str(getattr(item, key))


class Listing(tuple[T, ...], Generic[T]):
    """Facts of one kind, each identified by its key; each item may be an atom.

    A listing of which items or the total are hidden is incomplete: looking for something in it that is not among the
    visible items raises Undetermined, because absence cannot be concluded.
    """

    complete: bool
    where: str

    def __new__(cls, items: Iterable[T] = (), *, complete: bool = True, where: str = "") -> Listing[T]:
        self = super().__new__(cls, items)
        self.complete = complete
        self.where = where
        return self

    @property
    def visible(self) -> tuple[T, ...]:
        """The items that are known, whether or not there are more."""
        return tuple(super().__iter__())

    def __iter__(self) -> Iterator[T]:
        yield from super().__iter__()
        self.require_complete()

    def __len__(self) -> int:
        self.require_complete()
        return super().__len__()

    def __contains__(self, wanted: object) -> bool:
        return any(item == wanted for item in self)

    def get(self, key: str) -> T | None:
        """The item with this key; None if there is certainly none. Raises Undetermined if it may be hidden."""
        for item in self.visible:
            if key_of(item) == key:
                return item
        if not self.complete:
            raise Undetermined(f"{self.where}[{key}]")
        return None

    def __eq__(self, other: object) -> bool:
        return self._whole() == (other._whole() if isinstance(other, Listing) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._whole())

    def __lt__(self, other: tuple[T, ...]) -> bool:
        return self._whole() < tuple(other)

    def __le__(self, other: tuple[T, ...]) -> bool:
        return self._whole() <= tuple(other)

    def __gt__(self, other: tuple[T, ...]) -> bool:
        return self._whole() > tuple(other)

    def __ge__(self, other: tuple[T, ...]) -> bool:
        return self._whole() >= tuple(other)

    def __add__(self, other: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._whole() + tuple(other)

    def __mul__(self, times: SupportsIndex) -> tuple[T, ...]:
        return self._whole() * times

    def __getitem__(self, at: Any) -> Any:
        return self._whole()[at]

    def count(self, value: object) -> int:
        return self._whole().count(value)

    def index(self, value: object, *bounds: SupportsIndex) -> int:
        return self._whole().index(value, *bounds)

    def _whole(self) -> tuple[T, ...]:
        self.require_complete()
        return self.visible

    def require_complete(self) -> None:
        """Raises Undetermined if there may be hidden items."""
        if not self.complete:
            raise Undetermined(f"{self.where}[]")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        items = handler.generate_schema(tuple.__class_getitem__((*get_args(source), ...)))
        return core_schema.no_info_after_validator_function(_unique, items)


def _unique(items: tuple[Any, ...]) -> Listing[Any]:
    keys = [key_of(item) for item in items]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise ValueError(f"keys must differ, but {', '.join(twice)} stands more than once")
    return Listing(items)


class Prose(tuple[str, ...]):
    """Sentences with slots such as `{policy.limit}`. Hiding a slot's fact drops its sentence. Rules read no prose."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        def sentences(written: object) -> Prose:
            texts = [written] if isinstance(written, str) else written
            if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
                raise ValueError("expected a sentence or a list of sentences")
            return cls(texts)

        return core_schema.no_info_plain_validator_function(sentences)


@dataclass(frozen=True, slots=True)
class Access:
    """The tools by which the records of one kind are read; None where there is no such tool."""

    system: str
    read: str | None = None
    list: str | None = None
    search: str | None = None


class Record(Value):
    """A record of one system of record. The docstring describes it to the agent.

    `read` names the tool that returns one record (by its key; without arguments if the record has none), `list` the
    tool that returns all, `search` the tool that returns those which show a text.
    """

    access: ClassVar[Access]

    def __init_subclass__(
        cls, *, system: str, read: str | None = None, list: str | None = None, search: str | None = None, **kwargs: Any
    ) -> None:
        super().__init_subclass__(**kwargs)
        cls.access = Access(system, read, list, search)


class WorldState(Value):
    """Everything that is true in one world. Fields are a Record or a Listing of Records."""


@dataclass(frozen=True, slots=True)
class Names:
    """Marks a tool's argument that names a record of this kind by its key."""

    record: type[Record]


def _tool_name(class_name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name).lower()


class Action(Value):
    """A tool that does something; its fields are the arguments, its docstring the description."""

    system: ClassVar[str]
    tool: ClassVar[str]

    def __init_subclass__(cls, *, system: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if system is not None:
            cls.system = system
            cls.tool = _tool_name(cls.__name__)


class Commit(Action):
    """The consequential action. It executes whether or not it is allowed; the oracle judges it afterwards.

    Its arguments stay known under every mask.
    """


class Preparation(Action):
    """An optional step that changes nothing that matters. `says` is its answer: sentences with slots, as in Prose."""

    says: ClassVar[tuple[str, ...]] = ("Done.",)


S = TypeVar("S", bound=WorldState)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One named condition of a rule. All conditions of a rule must hold."""

    name: str
    text: str
    holds: Callable[[Any], bool]


def requirement(text: str) -> Callable[[Callable[[S], bool]], Requirement]:
    """Declare a function of the state as a requirement; `text` completes 'It is required that ...'."""

    def declare(function: Callable[[S], bool]) -> Requirement:
        return Requirement(function.__name__, text, function)

    return declare


@dataclass(frozen=True, eq=False)
class Family:
    """A rule and the tools around it.

    `rule` states the house rule in words, without its numbers, and is shown to every agent in the commit's
    description. `systems` gives each system of record one line that says what it is.
    """

    name: str
    rule: str
    systems: Mapping[str, str]
    state: type[WorldState]
    commit: type[Commit]
    requirements: tuple[Requirement, ...]
    preparations: tuple[type[Preparation], ...] = ()

    def __post_init__(self) -> None:
        used = {record.access.system for record in self.records} | {
            action.system for action in (self.commit, *self.preparations)
        }
        if used != set(self.systems):
            raise TypeError(f"family {self.name}: systems are {sorted(used)}, but described are {sorted(self.systems)}")
        for name, field in self.state.model_fields.items():
            access = record_kind(field.annotation).access
            if not (access.list if is_listing(field.annotation) else access.read):
                raise TypeError(f"family {self.name}: no tool returns the records of the state's field {name!r}")

    @cached_property
    def records(self) -> tuple[type[Record], ...]:
        """The kinds of record, in the order of the state's fields."""
        kinds: dict[type[Record], None] = {}
        for field in self.state.model_fields.values():
            kinds[record_kind(field.annotation)] = None
        return tuple(kinds)

    @cached_property
    def fields_of(self) -> dict[type[Record], tuple[str, ...]]:
        """For each kind of record, the fields of the state that hold it."""
        fields: dict[type[Record], tuple[str, ...]] = {}
        for name, field in self.state.model_fields.items():
            kind = record_kind(field.annotation)
            fields[kind] = (*fields.get(kind, ()), name)
        return fields


def is_listing(annotation: object) -> bool:
    return getattr(annotation, "__origin__", None) is Listing


def record_kind(annotation: object) -> type[Record]:
    """The kind of record that a field of a state holds. Raises TypeError for any other field."""
    kind = get_args(annotation)[0] if is_listing(annotation) else annotation
    if not (inspect.isclass(kind) and issubclass(kind, Record)):
        raise TypeError(f"a state's fields are a Record or a Listing of Records, not {annotation}")
    return kind


def describe(owner: type[BaseModel]) -> str:
    """The docstring as one line."""
    return " ".join(inspect.cleandoc(owner.__doc__ or "").split())
