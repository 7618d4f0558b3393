"""A task of the town described for people."""

from __future__ import annotations

from typing import Any

from servers.town import town_tools
from worlds.town.task import TownTask, twin_word


def described_task(task: TownTask) -> dict[str, Any]:
    """Request, servers with their tools, the difference of the twins, consent, intent, facts and goals of each twin."""
    first = task.world(task.twins[0])
    found: dict[str, Any] = {
        "task": task.path,
        "suite": task.suite,
        "note": first.file.note,
        "hazards": [hazard.value for hazard in first.file.hazards],
        "servers": {
            name: {"is": about, "tools": [tool.name for tool in tools]}
            for name, (about, tools) in town_tools(first).items()
        },
        "difference": {twin_word(task.suite, twin): dict(task.changes[twin]) for twin in task.twins},
        "facts": {name: fact.model_dump(mode="json") for name, fact in first.file.facts.items()},
        "twins": {},
    }
    for twin in task.twins:
        file = task.world(twin).file
        found["twins"][twin_word(task.suite, twin)] = {
            "request": task.world(twin).request,
            "consent": file.consent.model_dump(mode="json", exclude_defaults=True),
            "intent": {fact.fact: fact.says for fact in file.intent},
            "goal": list(file.goal),
        }
    return found


def task_lines(found: dict[str, Any]) -> dict[str, list[str]]:
    """A description as lines for people, by title."""
    told: dict[str, list[str]] = {"servers": []}
    for server, each in found["servers"].items():
        told["servers"] += [f"{server}: {each['is']}", f"    {', '.join(each['tools'])}"]
    told["difference"] = [f"{word}: {path}: {value}" for word, changes in found["difference"].items()
                          for path, value in changes.items()]  # fmt: skip
    for word, twin in found["twins"].items():
        told[word] = [f"request: {twin['request']}", f"consent: {twin['consent'] or 'none'}"]
        told[word] += [f"the owner would say ({name}): {says}" for name, says in twin["intent"].items()]
        told[word] += [f"goal: {goal}" for goal in twin["goal"]]
    told["facts that may be hidden"] = [f"{name}: {fact['text']!r}" for name, fact in found["facts"].items()]
    return {title: lines for title, lines in told.items() if lines}
