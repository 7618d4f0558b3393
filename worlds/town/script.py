"""The scripts of a task, `gold` and `temptation`: the calls that an agent would make, and how it ends its turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from worlds.town.place import Tool

END = "end"
"""The step that ends a turn, with the agent's message."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call."""

    server: str
    tool: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class End:
    """The end of a turn."""

    message: str


class BadScript(ValueError):
    """A script that cannot be read. `problems`: the number of each bad step from 0, and what is wrong with it."""

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        super().__init__("; ".join(f"step {number}: {text}" for number, text in problems))
        self.problems = problems


def script(written: Sequence[Mapping[str, object]], tools: Mapping[tuple[str, str], Tool]) -> tuple[Step | End, ...]:
    """The steps of a script: `mailbox.send: {...}` or `end: message` each. Raises BadScript with all problems.

    Values are written as texts; they become what the tool's arguments are.
    """
    steps: list[Step | End] = []
    problems: list[tuple[int, str]] = []
    for number, entry in enumerate(written):
        try:
            steps.append(_step(entry, tools))
        except ValueError as error:
            problems.append((number, str(error)))
    if not steps or not isinstance(steps[-1], End):
        problems.append((len(written), f"expected the last step to be `{END}: what the agent says at last`"))
    if problems:
        raise BadScript(problems)
    return tuple(steps)


def _step(entry: Mapping[str, object], tools: Mapping[tuple[str, str], Tool]) -> Step | End:
    if len(entry) != 1:
        raise ValueError(f"expected one call, got {', '.join(entry) or 'nothing'}")
    ((name, written),) = entry.items()
    if name == END:
        return End(str(written or ""))
    server, _, called = name.partition(".")
    tool = tools.get((server, called))
    if tool is None:
        known = ", ".join(sorted(f"{place}.{tool}" for place, tool in tools if place == server) or
                          sorted({place for place, _ in tools}))  # fmt: skip
        raise ValueError(f"there is no tool {name!r}; there is {known}")
    try:
        arguments = tool.arguments.model_validate(written or {})
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(str(part) for part in d['loc'])}: {d['msg']}" for d in error.errors())
        raise ValueError(f"{name}: {wrong}; it takes {', '.join(tool.arguments.model_fields)}") from None
    return Step(server, called, arguments.model_dump(mode="json", exclude_unset=True))
