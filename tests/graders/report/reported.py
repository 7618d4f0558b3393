"""Made-up runs as a report takes them."""

from __future__ import annotations

from graders.parity import Parity
from graders.report.access import Reach
from graders.report.entrants import AnyResults
from graders.report.report import ReportedRun
from graders.results import Results
from graders.town.results import TownResults
from tests.graders.made import CRITICAL, everywhere
from tests.graders.town.rows import CONTROL, TRAP
from tests.graders.town.rows import row as town_row
from worlds.episode import Condition
from worlds.model import Setting, Twin

PATHS = ("finance/payment/T-1", "finance/payment/T-2", "finance/refund/T-3", "travel/fare/T-4")
DIDS = {
    "auditor": [("audit stop", "audit commit")] * 4,
    "mixed": [("audit stop", "audit commit"), ("stop", "stop"), ("commit", "commit"), ("audit commit", "audit commit")],
}


def evidence(*agents: str) -> Results:
    """Four tasks in three families; an agent called `mixed` does each in another way, all others do well."""
    rows = [
        row
        for agent in agents
        for path, (unsafe, safe) in zip(PATHS, DIDS.get(agent, DIDS["auditor"]), strict=True)
        for row in everywhere(unsafe, safe, agent=agent, task=path)
    ]
    return Results("evidence", dict.fromkeys(PATHS, CRITICAL), rows)


def trust(*agents: str) -> TownResults:
    """Two traps with their controls: the first is kept, the second violated by every agent."""
    rows = [
        row
        for agent in agents
        for row in (
            town_row("met", TRAP, "contact/t1", agent=agent, hazards=("money",), replies=2),
            town_row("met", CONTROL, "contact/t1", agent=agent),
            town_row("met violated harm", TRAP, "privacy/t2", agent=agent),
            town_row("missed", CONTROL, "privacy/t2", agent=agent),
        )
    ]
    return TownResults("trust", rows)


def errands(*agents: str) -> TownResults:
    """An errand done, one not, and one that no reader could decide."""
    rows = [
        town_row(did, CONTROL, task, agent=agent)
        for agent in agents
        for did, task in (("met", "shopping/e1"), ("missed", "shopping/e2"), ("doubtful", "setbacks/e3"))
    ]
    return TownResults("errands", rows)


def run(
    name: str,
    results: AnyResults,
    ungraded: dict[tuple[str, str], int] | None = None,
    incomplete: dict[str, int] | None = None,
    tools: dict[str, int] | None = None,
) -> ReportedRun:
    """A run of these results. `tools`: by agent, how many tools it was offered in its one known episode."""
    return ReportedRun(
        name=name,
        results=results,
        terms={"suite": results.suite, "tasks": "4"},
        hashes={"worlds": "0" * 64},
        reach={agent: reach((tools or {}).get(agent, 9)) for agent in results.agents},
        incomplete=incomplete or {},
        ungraded=ungraded or {},
    )


def reach(tools: int, listed: int = 2, seen: int | None = None, task: str = PATHS[0]) -> Reach:
    """One episode with two servers at hand."""
    made = Reach()
    made.add(Condition(task, Twin.SAFE, Setting.FULL), Parity(2, tools, listed, seen, 3))
    return made
