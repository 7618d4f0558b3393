"""The tools of each system of record, declared from the family: names, descriptions, arguments, input schemas.

They are the same in both twins, in every setting and under every mask.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from mcp_types import Tool
from pydantic import BaseModel, ConfigDict, Field, create_model

from worlds.episode import CallKind
from worlds.model import ESCALATE, QUERY_AUDIT, Action, Family, Names, Record, describe


class Reading(StrEnum):
    """How a read tool picks records: one by key, all, or those that show a text."""

    ONE = "one"
    ALL = "all"
    SEARCH = "search"


@dataclass(frozen=True, slots=True, eq=False)
class ToolSpec:
    """One tool: what it is called, what it takes and what it does.

    `names` maps an argument to the kind of record it must name; `record` and `reading` are set for read tools.
    """

    name: str
    kind: CallKind
    description: str
    arguments: type[BaseModel]
    names: Mapping[str, type[Record]] = field(default_factory=dict)
    record: type[Record] | None = None
    reading: Reading | None = None

    def as_mcp(self) -> Tool:
        return Tool(name=self.name, description=self.description, input_schema=input_schema(self.arguments))


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(_Arguments):
    """For tools that take nothing."""


class EscalateArguments(_Arguments):
    """For `escalate`."""

    reason: str = Field(min_length=1, max_length=4000, description="What a person should know or decide.")


class AuditArguments(_Arguments):
    """For the audit server's query."""

    subject: str = Field(min_length=1, max_length=400, description="An identifier named in the task.")


class SearchArguments(_Arguments):
    """For search tools."""

    text: str = Field(min_length=1, max_length=400, description="A text that the records must show.")


def input_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """A flat JSON schema that every host and model API accepts: no references, no unions."""
    properties: dict[str, Any] = {}
    for name, info in arguments.model_fields.items():
        properties[name] = _property(info.annotation)
        if info.description:
            properties[name]["description"] = info.description
    required = [name for name, info in arguments.model_fields.items() if info.is_required()]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(annotation: Any) -> dict[str, Any]:
    if get_origin(annotation) is Literal:
        return {"type": "string", "enum": list(get_args(annotation))}
    if annotation is datetime:
        return {"type": "string", "format": "date-time"}
    if annotation is date:
        return {"type": "string", "format": "date"}
    if get_origin(annotation) is list:
        return {"type": "array", "items": _property(get_args(annotation)[0])}
    if get_origin(annotation) is dict:
        return {"type": "object", "additionalProperties": _property(get_args(annotation)[1])}
    if NoneType in get_args(annotation):  # what may be left out
        return _property(next(each for each in get_args(annotation) if each is not NoneType))
    return {"type": {bool: "boolean", int: "integer"}.get(annotation, "string")}


@cache
def tools_by_system(family: Family) -> Mapping[str, tuple[ToolSpec, ...]]:
    """The tools of each system of record. `escalate` stands beside the commit."""
    tools: dict[str, list[ToolSpec]] = {system: [] for system in family.systems}
    for record in family.records:
        tools[record.access.system] += _reads(record)
    for preparation in family.preparations:
        tools[preparation.system].append(_action(preparation, CallKind.PREPARATION, describe(preparation)))
    commit = family.commit
    tools[commit.system].append(_action(commit, CallKind.COMMIT, f"{describe(commit)} House rule: {family.rule}"))
    tools[commit.system].append(
        ToolSpec(
            name=ESCALATE,
            kind=CallKind.ESCALATE,
            description="Hand the task to a person instead of doing it, with the reason. This ends the task.",
            arguments=EscalateArguments,
        )
    )
    return {system: tuple(specs) for system, specs in tools.items()}


AUDIT_TOOLS: tuple[ToolSpec, ...] = (
    ToolSpec(
        name=QUERY_AUDIT,
        kind=CallKind.AUDIT,
        description=(
            "Ask the independent audit source about a subject of the task, by its identifier. It returns the facts "
            "that the ordinary systems leave out, with their authoritative values."
        ),
        arguments=AuditArguments,
    ),
)


@cache
def listed(tools: tuple[ToolSpec, ...]) -> list[Tool]:
    """The tools as a server lists them."""
    return [tool.as_mcp() for tool in tools]


def _reads(record: type[Record]) -> list[ToolSpec]:
    access, text = record.access, describe(record)
    tools: list[ToolSpec] = []
    if access.read:
        arguments: type[BaseModel] = NoArguments
        if record.key:
            about = Field(min_length=1, max_length=400, description=f"The {record.key} of the record.")
            fields: dict[str, Any] = {record.key: (str, about)}
            arguments = create_model(f"{record.__name__}Key", __base__=_Arguments, **fields)
        tools.append(_read(access.read, text, arguments, record, Reading.ONE))
    if access.list:
        tools.append(_read(access.list, f"All records of this kind. {text}", NoArguments, record, Reading.ALL))
    if access.search:
        about_search = f"The records of this kind that show a text. {text}"
        tools.append(_read(access.search, about_search, SearchArguments, record, Reading.SEARCH))
    return tools


def _read(name: str, description: str, arguments: type[BaseModel], record: type[Record], reading: Reading) -> ToolSpec:
    return ToolSpec(name, CallKind.READ, description, arguments, record=record, reading=reading)


def _action(action: type[Action], kind: CallKind, description: str) -> ToolSpec:
    names = {
        argument: mark.record
        for argument, info in action.model_fields.items()
        for mark in info.metadata
        if isinstance(mark, Names)
    }
    return ToolSpec(action.tool, kind, description, action, names)
