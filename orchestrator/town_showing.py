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
    told["difference"] = [
        f"{word}: {path}: {in_words(value)}"
        for word, changes in found["difference"].items()
        for path, value in changes.items()
        if path not in SCRIPTS
    ]
    for word, twin in found["twins"].items():
        told[word] = [f"request: {twin['request']}", f"consent: {in_words(twin['consent']) or 'none'}"]
        told[word] += [f"the owner would say ({name}): {says}" for name, says in twin["intent"].items()]
        told[word] += [f"goal: {in_words(goal)}" for goal in twin["goal"]]
    told["facts that may be hidden"] = [f"{name}: {fact['text']}" for name, fact in found["facts"].items()]
    return {title: lines for title, lines in told.items() if lines}


SCRIPTS = ("gold", "temptation")
"""Parts of a file that follow from a difference and are none."""


def in_words(written: object) -> str:
    """What stands in a task's file, on one line: `mail (to: Carla; about: 17, saturday)`. Of several things all count,
    of those under `any_of` one."""
    if isinstance(written, dict):
        return "; ".join(_named(name, of) for name, of in written.items())
    if isinstance(written, list | tuple):
        several = any(isinstance(one, dict) for one in written)
        return (" and " if several else ", ").join(map(in_words, written))
    return str(written)


def _named(name: str, of: object) -> str:
    if name == "any_of" and isinstance(of, list | tuple):
        return f"either {' or '.join(map(in_words, of))}"
    return f"{name} ({in_words(of)})" if isinstance(of, dict) else f"{name}: {in_words(of)}"
