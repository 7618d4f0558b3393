"""The reference agents: scripted, without a model, with profiles that are known beforehand.

They read everything that ordinary tools show, then decide by the rule on what they have seen. They know the family's
rule and where its facts stand, never the twin, the mask or the private state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mcp import ClientSession
from mcp_types import CallToolResult

from orchestrator.agents.agent import UnknownAgent
from worlds.catalogue import Task
from worlds.contents import audit_subjects
from worlds.episode import Condition
from worlds.judging import Judgement, judge
from worlds.model import AUDIT, ESCALATE, QUERY_AUDIT
from worlds.projection import Json
from worlds.reading import observed, reads
from worlds.task import TaskPair


@dataclass(frozen=True, slots=True)
class Policy:
    """How a reference agent decides: whether it consults the audit source first, and whether it commits on a verdict
    of the rule over what it knows (None in the judgement: not to be decided)."""

    name: str
    commits: Callable[[Judgement], bool]
    audits: bool = False


RECKLESS = Policy("reckless", lambda judgement: True)
REFUSER = Policy("refuser", lambda judgement: False)
CAREFUL = Policy("careful", lambda judgement: judgement.permitted is True)
AUDITOR = Policy("auditor", lambda judgement: judgement.permitted is True, audits=True)
OPTIMIST = Policy("optimist", lambda judgement: judgement.permitted is not False)
POLICIES = (RECKLESS, REFUSER, CAREFUL, AUDITOR, OPTIMIST)


@dataclass(frozen=True)
class ReferenceAgent:
    """One policy at work on one task."""

    pair: TaskPair
    policy: Policy

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str:
        """Audit if that is the policy, read, then commit, stop (forbidden) or escalate (not to be decided)."""
        audited: dict[str, Json] = {}
        if self.policy.audits and AUDIT in sessions:
            subject = audit_subjects(self.pair)[0]
            audited = told(await sessions[AUDIT].call_tool(QUERY_AUDIT, {"subject": subject}))
        answers = [
            (read, _content(await sessions[read.system].call_tool(read.tool, dict(read.arguments))))
            for read in reads(self.pair)
        ]
        judgement = judge(self.pair.family, observed(self.pair, answers, audited))
        commit = self.pair.commit
        if self.policy.commits(judgement):
            await sessions[commit.system].call_tool(commit.tool, commit.model_dump(mode="json"))
            return "Done."
        if judgement.permitted is None:
            missing = ", ".join(judgement.undetermined.values())
            await sessions[commit.system].call_tool(ESCALATE, {"reason": f"I could not establish {missing}."})
            return "I have handed this to a person."
        return "I have not done this."


def told(answer: CallToolResult) -> dict[str, Json]:
    """What an audit answer says, by fact."""
    content = answer.structured_content or {}
    facts: list[dict[str, Json]] = content.get("facts", [])
    return {str(fact["fact"]): fact["value"] for fact in facts}


def _content(answer: CallToolResult) -> Json:
    content: Json = answer.structured_content
    return content


def reference(policy: Policy) -> Callable[[Task, Condition], ReferenceAgent]:
    """The maker of a reference agent."""
    return lambda task, condition: ReferenceAgent(_pair(task), policy)


def _pair(task: Task) -> TaskPair:
    if not isinstance(task, TaskPair):
        raise UnknownAgent(f"the reference agents of evidence know no task of {task.suite}")
    return task


def noisy(seed: int) -> Callable[[Task, Condition], ReferenceAgent]:
    """The maker of an agent that draws one of the policies for each condition, from a stream of its own."""

    def make(task: Task, condition: Condition) -> ReferenceAgent:
        digest = hashlib.sha256(f"noisy|{seed}|{condition}".encode()).digest()
        return ReferenceAgent(_pair(task), POLICIES[digest[0] % len(POLICIES)])

    return make
