"""A run as rows of the exported tables. Pure but for the run store that it reads, an episode at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from graders.grade import Grade
from graders.parity import parity_of
from graders.town.grade import TownGrade
from orchestrator.exporting.schema import SCHEMA_VERSION
from orchestrator.exporting.verdicts import verdict_word
from orchestrator.grading import AnyGrade
from orchestrator.runs import RunStore
from worlds.catalogue import Task
from worlds.episode import Condition, Episode, JournalLine
from worlds.town.task import TownTask
from worlds.town.written import Outcome

Row = Mapping[str, object]
"""The values of one row by column; what is left out is null."""


def run_row(run: str, store: RunStore) -> Row:
    """What a run is of."""
    card = store.card
    return {
        "schema_version": SCHEMA_VERSION,
        "run": run,
        "suite": card.suite,
        "version": store.version,
        "begun": store.begun,
        "agents": list(card.agents),
        "only": list(card.only),
        "drawn": None if card.drawn is None else as_json(asdict(card.drawn)),
        "repeats": card.repeats,
        "calls": card.calls,
        "seconds": card.seconds,
        "hiding": card.hiding,
        "owner": card.owner or None,
        "hashes": as_json(store.hashes()),
        "episodes": store.count(),
        "ungraded": sum(1 for _ in store.ungraded()),
    }


def task_row(run: str, suite: str, task: Task) -> Row:
    """What a task is."""
    requests = {twin.value: task.world(twin).request for twin in task.twins}
    row = {"run": run, "suite": suite, "task": task.path, "requests": as_json(requests)}
    if isinstance(task, TownTask):
        hazards = dict.fromkeys(hazard for world in task.worlds.values() for hazard in world.file.hazards)
        return row | {
            "group": task.group,
            "critical": [],
            "irrelevant": [],
            "facts": sorted(task.everything),
            "hazards": list(hazards),
            "servers": list(task.servers),
        }
    return row | {
        "group": task.domain,
        "family": f"{task.domain}/{task.family.name}",
        "critical": list(task.critical),
        "irrelevant": list(task.irrelevant),
        "facts": [],
        "hazards": [],
        "servers": list(task.family.systems),
    }


def episode_row(run: str, suite: str, number: int, agent: str, of: Condition, episode: Episode, grade: AnyGrade) -> Row:
    """What came of an episode."""
    ending, reached = episode.ending, parity_of(episode)
    common = {
        "run": run,
        "suite": suite,
        "agent": agent,
        **_condition(of),
        "episode": number,
        "verdict": verdict_word(grade),
        "disposition": grade.disposition.value,
        "reasons": list(grade.reasons),
        "calls": grade.calls,
        "invalid_calls": grade.invalid_calls,
        "requests": ending.usage.requests,
        "input_tokens": ending.usage.input_tokens,
        "output_tokens": ending.usage.output_tokens,
        "seconds": episode.seconds,
        "host_seconds": episode.host_seconds,
        "servers_offered": reached.servers,
        "tools_offered": reached.tools,
        "servers_listed": reached.listed,
        "tools_seen": reached.seen,
        "tools_called": reached.called,
        "access": None if episode.access is None else as_json(episode.access.model_dump(mode="json")),
        "message": ending.message,
        "unfinished_reason": ending.reason,
    }
    judged = _evidence(grade) if isinstance(grade, Grade) else _town(of.task.partition("/")[0], grade)
    return {**common, **judged}


def _evidence(grade: Grade) -> Row:
    return {
        "unsafe_commit": grade.unsafe_commit,
        "legal_completion": grade.legal_completion,
        "success": grade.success,
        "attempt": grade.attempt,
        "premature": grade.premature,
        "strict": grade.strict,
        "violated_requirements": list(grade.violated),
        "proof_lines": list(grade.lines),
        "proof_rows": [f"{server}:{seq}" for server, seq in grade.rows],
    }


def _town(group: str, grade: TownGrade) -> Row:
    return {
        "group": group,
        "hazards": list(grade.hazards),
        "goals_met": grade.goals_met,
        "safe_outcome": grade.safe_outcome,
        "eligible_outcome": None if grade.outcome is None else grade.outcome.value,
        "violated": grade.violated,
        "any_violation": grade.any_violation,
        **{f"violated_{outcome}": grade.outcomes[outcome] for outcome in Outcome},
        "clear_harms": list(grade.clear_harms),
        "replies": grade.questions.replies,
        "questions_asked": grade.questions.asked,
        "questions_again": grade.questions.again,
        "questions_granted": grade.questions.granted,
        "excluded": list(grade.excluded),
        "findings": as_json([finding.model_dump(mode="json") for finding in grade.findings]),
        "violations": as_json([violation.model_dump(mode="json") for violation in grade.violations]),
    }


def call_row(run: str, number: int, agent: str, of: Condition, line: JournalLine) -> Row:
    """One line of an episode's journal."""
    return {
        "run": run,
        "agent": agent,
        **_condition(of),
        "episode": number,
        "seq": line.seq,
        "server": line.server,
        "tool": line.tool,
        "kind": line.kind.value,
        "outcome": line.outcome.value,
        "arguments": as_json(line.arguments),
        "shown": as_json(line.shown),
        "exposed": list(line.exposed),
        "seconds": line.seconds,
    }


def ungraded_rows(run: str, store: RunStore) -> Iterator[Row]:
    """The conditions that have no grade."""
    for failure in store.ungraded():
        yield {"run": run, "agent": failure.agent, **_condition(failure.condition), "reason": failure.reason}


def _condition(condition: Condition) -> dict[str, object]:
    return {
        "task": condition.task,
        "twin": condition.twin.value,
        "setting": condition.setting.value,
        "hidden": list(condition.hidden),
        "repeat": condition.repeat,
    }


def as_json(value: object) -> str:
    """JSON in one line; letters of every script stand as they are."""
    return json.dumps(value, ensure_ascii=False)
