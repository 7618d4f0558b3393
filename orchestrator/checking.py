"""`twintown check`: every invariant of every pair, those about bytes over real MCP clients.

Both twins of a pair answer the same calls: reads, searches, preparations and bad calls, then all of these but the bad
ones once more, backwards. Under a mask of all atoms in which they differ the answers must be the same, byte for byte.
Bad calls are not repeated, because they are refused for their form, before anything is read; what they could change
would show in the reads that follow.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from mcp import ClientSession
from mcp_types import CallToolResult
from pydantic import JsonValue

from graders.grade import Verdict, grade
from orchestrator.agents.reference import AUDITOR, ReferenceAgent
from orchestrator.episode import run_episode
from orchestrator.progress import Progress
from servers.session import memory_session
from servers.tools import Reading, tools_by_system
from servers.transports.memory import in_memory
from worlds.catalogue import Drawing, Suite, suite_named
from worlds.contents import as_text, known_names
from worlds.documents import WorldError
from worlds.episode import CallKind, Condition, Ending, Episode
from worlds.facts import parse_path
from worlds.model import NOTHING_HIDDEN, Mask, Setting, Twin
from worlds.soundness import family_problems, pair_problems
from worlds.task import TaskPair

MANY_CALLS = 100_000


@dataclass(frozen=True, slots=True)
class Probe:
    """One call to make in both twins. `bad`: it is refused for its form or for a name that there is not."""

    server: str
    tool: str
    arguments: Mapping[str, JsonValue]
    bad: bool = False


def probes(pair: TaskPair) -> tuple[Probe, ...]:
    """All reads by every key and by telling texts, all preparations, and every kind of bad call."""
    found: list[Probe] = []
    for system, tools in tools_by_system(pair.family).items():
        for tool in tools:
            if tool.reading is Reading.ALL:
                found.append(Probe(system, tool.name, {}))
            elif tool.reading is Reading.SEARCH:
                found += [Probe(system, tool.name, {"text": text}) for text in _texts(pair)]
            elif tool.record is not None and tool.record.key:
                keys = [*sorted(known_names(pair, tool.record)), "no-such-record"]
                found += [Probe(system, tool.name, {tool.record.key: key}) for key in keys]
            elif tool.record is not None:
                found.append(Probe(system, tool.name, {}))
            elif tool.kind is CallKind.PREPARATION:
                asked = pair.commit.model_dump(mode="json")
                found.append(
                    Probe(system, tool.name, {name: asked.get(name, "1") for name in tool.arguments.model_fields})
                )
            found += [
                Probe(system, tool.name, {"no_such_argument": 1}, bad=True),
                Probe(system, tool.name, dict.fromkeys(tool.arguments.model_fields, 7) or {"extra": None}, bad=True),
            ]
            if tool.names:
                found.append(Probe(system, tool.name, dict.fromkeys(tool.names, "no-such-name"), bad=True))
        found.append(Probe(system, "no_such_tool", {}, bad=True))
    return tuple(found)


def _texts(pair: TaskPair) -> list[str]:
    """Texts to search for: the differing values of either twin, a common letter, and nothing that stands anywhere."""
    values = [pair.world(twin).value_at(parse_path(name)) for name in sorted(pair.differing) for twin in Twin]
    texts = [as_text(value) for value in values if isinstance(value, str | int) and as_text(value)]
    return list(dict.fromkeys([*texts, "a", "no such text anywhere"]))


async def mcp_problems(pair: TaskPair) -> list[str]:
    """What real clients find wrong with a pair: distinguishable twins, and commits that cannot be made."""
    problems = await _telling_bytes(pair)
    problems += await _impossible_commits(pair)
    problems += await _useless_audits(pair)
    problems += _profitable_idleness(pair)
    return [f"{pair.source.at('id')}: {pair.path}: {problem}" for problem in problems]


async def _telling_bytes(pair: TaskPair) -> list[str]:
    calls = probes(pair)
    order = (*calls, *(call for call in reversed(calls) if not call.bad))
    unsafe, safe = [await _transcript(pair, twin, pair.differing, order) for twin in Twin]
    places = ["the list of tools", *map(str, order)]
    problems = [
        f"with {sorted(pair.differing)} hidden the twins answer {place} differently: {ours} / {theirs}"
        for place, ours, theirs in zip(places, unsafe, safe, strict=True)
        if ours != theirs
    ]
    for twin in Twin:
        described = (await _transcript(pair, twin, NOTHING_HIDDEN, ()))[0]
        if described != unsafe[0]:
            problems.append(f"the tools of the {twin} twin are described differently when nothing is hidden")
    return problems


async def _transcript(pair: TaskPair, twin: Twin, mask: Mask, calls: Sequence[Probe]) -> list[str]:
    """The tools as listed, then each answer, as the client gets them."""
    async with _clients(pair, twin, Setting.RECOVERY, mask) as sessions:
        listed = {name: await session.list_tools() for name, session in sessions.items()}
        heard = [json.dumps({name: tools.model_dump(mode="json")["tools"] for name, tools in listed.items()})]
        for call in calls:
            answer = await sessions[call.server].call_tool(call.tool, dict(call.arguments))
            heard.append(answer.model_dump_json(exclude={"meta"}))
        return heard


@asynccontextmanager
async def _clients(
    pair: TaskPair, twin: Twin, setting: Setting, mask: Mask, only: str | None = None
) -> AsyncIterator[dict[str, ClientSession]]:
    """Clients of the servers of a twin, or of one of them alone."""
    condition = Condition(pair.path, twin, setting, tuple(sorted(mask)))
    async with (
        memory_session(pair.world(twin), condition, MANY_CALLS) as session,
        in_memory({name: server for name, server in session.servers.items() if only in (name, None)}) as clients,
    ):
        yield clients


async def _impossible_commits(pair: TaskPair) -> list[str]:
    """The commit is possible with everything hidden."""
    commit, problems = pair.commit, []
    for twin in Twin:
        async with _clients(pair, twin, Setting.SUPPRESSED, pair.everything, commit.system) as sessions:
            answer = await sessions[commit.system].call_tool(commit.tool, commit.model_dump(mode="json"))
            if answer.is_error:
                problems.append(f"with everything hidden the {twin} twin refuses the commit: {_said(answer)}")
    return problems


async def _useless_audits(pair: TaskPair) -> list[str]:
    """An agent that consults the audit source does right in both twins."""
    problems = []
    for twin in Twin:
        condition = Condition(pair.path, twin, Setting.RECOVERY, tuple(sorted(pair.differing)))
        episode = await run_episode(pair, condition, ReferenceAgent(pair, AUDITOR))
        found = grade(pair.world(twin), Setting.RECOVERY, episode)
        if not found.strict:
            problems.append(f"with the difference hidden the auditor gets {found.verdict} in the {twin} twin")
    return problems


def _profitable_idleness(pair: TaskPair) -> list[str]:
    """An agent that does nothing earns nothing."""
    idle = Episode(journal=(), final_state={}, ending=Ending(), seconds=0.0)
    found = {twin: grade(pair.world(twin), Setting.RECOVERY, idle) for twin in Twin}
    wrong = found[Twin.SAFE].success or any(each.strict for each in found.values())
    return (
        ["an agent that does nothing earns something"]
        if wrong or found[Twin.SAFE].verdict is not Verdict.FALSE_ABSTENTION
        else []
    )


def _said(answer: CallToolResult) -> str:
    return answer.model_dump_json(include={"content"})


def problems_of_family(suite: str, path: str, drawn: Drawing | None) -> tuple[int, list[str]]:
    """How many pairs `domain/family` has that were proven, and everything wrong with them."""
    try:
        found = suite_named(suite)
        pairs = found.family_pairs(path) if drawn is None else found.drawn(path, drawn.seed, drawn.per_family)
    except WorldError as error:
        return 0, error.problems
    problems = list(family_problems(pairs[0].family))
    for pair in pairs:
        problems += pair_problems(pair)
        problems += asyncio.run(mcp_problems(pair))
    return len(pairs), problems


def check_suite(
    suite: Suite, families: Iterable[str], workers: int, progress: Progress, drawn: Drawing | None = None
) -> tuple[int, list[str]]:
    """Check families (`domain/family`), or fresh pairs drawn of them, in worker processes: how many pairs were proven,
    and all problems."""
    wanted = list(families)
    proven, problems = 0, list(_repeated_ids(suite))
    with progress, ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        progress.start(0, len(wanted))
        jobs = [pool.submit(problems_of_family, suite.name, path, drawn) for path in wanted]
        for job in as_completed(jobs):
            count, found = job.result()
            proven += count
            problems += found
            progress.ended()
    return proven, sorted(problems)


def _repeated_ids(suite: Suite) -> Iterator[str]:
    try:
        counts = Counter(pair.id for pair in suite.pairs)
    except WorldError:
        return  # told by the family's own check
    for instance, count in counts.items():
        if count > 1:
            yield f"the id {instance} names {count} tasks; an id is unique in its suite"
