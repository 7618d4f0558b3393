"""A small answer that fits a JSON schema, for requests on the side that demand one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

DEEPEST = 16
"""A schema that asks for more is given nothing there: it may refer to itself."""

_PLAIN: dict[str, JsonValue] = {"string": "", "integer": 0, "number": 0, "boolean": False, "null": None}


def fitting(schema: Mapping[str, Any]) -> JsonValue:
    """The least that fits: required properties only, the first of several choices, empty texts, lists as
    short as may be (one item at most)."""
    return _least(schema, schema, 0)


def _least(schema: Any, root: Mapping[str, Any], depth: int) -> JsonValue:
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return None
    if "const" in schema:
        return _json(schema["const"])
    for choices in ("enum", "anyOf", "oneOf"):
        if isinstance(schema.get(choices), list) and schema[choices]:
            first = schema[choices][0]
            return _json(first) if choices == "enum" else _least(first, root, depth + 1)
    if isinstance(schema.get("$ref"), str):
        return _least(_at(schema["$ref"], root), root, depth + 1)
    kinds = schema.get("type", "object")
    kind = str(kinds[0] if isinstance(kinds, list) and kinds else kinds).casefold()
    if kind == "array":
        return [_least(schema.get("items"), root, depth + 1)] if schema.get("minItems") else []
    if kind != "object":
        return _PLAIN.get(kind)
    properties = schema.get("properties") or {}
    return {str(name): _least(properties.get(name), root, depth + 1) for name in schema.get("required") or ()}


def _at(reference: str, root: Mapping[str, Any]) -> Any:
    """What `#/$defs/Name` refers to; None if nothing is there."""
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _json(value: Any) -> JsonValue:
    given: JsonValue = value
    return given
