"""Arguments are checked here, because MCP's low-level server does not: names, types, and the records they name."""

from __future__ import annotations

import json
from dataclasses import replace

from pydantic import BaseModel, ValidationError

from servers.middleware.call import Answer, Call, Layer, Refused
from servers.tools import ToolSpec
from worlds.contents import known_names
from worlds.task import TaskPair


def checking_arguments(pair: TaskPair, tools: tuple[ToolSpec, ...], following: Layer) -> Layer:
    """Refuse unknown tools, wrong arguments, and names of records that are in neither twin."""
    listed = ", ".join(tool.name for tool in tools)

    async def layer(call: Call) -> Answer:
        if call.tool is None:
            return Refused(f"there is no tool {call.name!r} here; there is {listed}")
        parsed = _parsed(call, call.tool)
        if isinstance(parsed, Refused):
            return parsed
        for argument, kind in call.tool.names.items():
            given = getattr(parsed, argument)
            if given not in known_names(pair, kind):
                return Refused(f"{call.name}: argument {argument!r}: there is nothing with the identifier {given!r}")
        return await following(replace(call, parsed=parsed))

    return layer


def _parsed(call: Call, tool: ToolSpec) -> BaseModel | Refused:
    try:
        written = json.dumps(call.arguments, allow_nan=False)
        return tool.arguments.model_validate_json(written, strict=True)
    except ValidationError as error:
        wrong = "; ".join(
            f"argument {'.'.join(str(part) for part in detail['loc'])!r}: {detail['msg']}" for detail in error.errors()
        )
    except (ValueError, TypeError):
        wrong = "the arguments are not JSON"
    takes = ", ".join(tool.arguments.model_fields) or "no arguments"
    return Refused(f"{call.name}: {wrong}; it takes {takes}")
