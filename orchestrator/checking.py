"""`twintown check`: every invariant of every pair, those about bytes over real MCP clients.

Both twins of a pair answer the same calls, forwards and then backwards, so that each is repeated: reads, searches,
preparations and bad calls. Under a mask of all atoms in which they differ the answers must be the same, byte for byte,
and the same again when repeated. Clients make the calls, at ten times their cost; where they would show nothing new,
the calls are put straight to the servers: when repeated, and malformed calls of all pairs of a family but the first.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from mcp.server import Server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, RequestParams
from pydantic import JsonValue

from graders.grade import Verdict, grade
from orchestrator.agents.reference import AUDITOR, ReferenceAgent
from orchestrator.episode import run_episode
from orchestrator.parent import die_with_parent
from orchestrator.progress import Progress
from servers.session import MemorySession, memory_session
from servers.tools import Reading, tools_by_system
from servers.transports.memory import in_memory
from worlds.catalogue import Drawing, Suite, evidence_named
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
    """One call to make in both twins. `malformed`: there is no such tool, or it takes other arguments."""

    server: str
    tool: str
    arguments: Mapping[str, JsonValue]
    malformed: bool = False


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
                Probe(system, tool.name, {"no_such_argument": 1}, True),
                Probe(system, tool.name, dict.fromkeys(tool.arguments.model_fields, 7) or {"extra": None}, True),
            ]
            found += [Probe(system, tool.name, dict.fromkeys(tool.names, "no-such-name"))] if tool.names else []
        found.append(Probe(system, "no_such_tool", {}, True))
    return tuple(found)


def _texts(pair: TaskPair) -> list[str]:
    """Texts to search for: the differing values of either twin, a common letter, and nothing that stands anywhere."""
    values = [pair.world(twin).value_at(parse_path(name)) for name in sorted(pair.differing) for twin in Twin]
    texts = [as_text(value) for value in values if isinstance(value, str | int) and as_text(value)]
    return list(dict.fromkeys([*texts, "a", "no such text anywhere"]))


async def mcp_problems(pair: TaskPair, all_through_clients: bool = True) -> list[str]:
    """What real clients find wrong with a pair: distinguishable twins, and commits that cannot be made."""
    problems = await _telling_bytes(pair, all_through_clients)
    problems += await _impossible_commits(pair)
    problems += await _useless_audits(pair)
    problems += _profitable_idleness(pair)
    return [f"{pair.source.at('id')}: {pair.path}: {problem}" for problem in problems]


async def _telling_bytes(pair: TaskPair, all_through_clients: bool) -> list[str]:
    calls = probes(pair)
    straight = () if all_through_clients else tuple(call for call in calls if call.malformed)
    unsafe, safe = [await _transcript(pair, twin, calls, straight) for twin in Twin]
    places = ["the list of tools", *map(str, (*calls, *reversed(calls)))]
    problems = [
        f"with {sorted(pair.differing)} hidden the twins answer {place} differently: {ours} / {theirs}"
        for place, ours, theirs in zip(places, unsafe, safe, strict=True)
        if ours != theirs
    ]
    for twin, (_, *heard) in zip(Twin, (unsafe, safe), strict=True):
        pairs = zip(calls, heard, reversed(heard), strict=False)
        changed = [f"{call}: {first} / {again}" for call, first, again in pairs if first != again]
        problems += [f"repeated, the {twin} twin answers otherwise: {each}" for each in changed]
    for twin in Twin:
        async with _opened(pair, twin, Setting.RECOVERY, NOTHING_HIDDEN) as session:
            described = _as_text({name: await _listed(server) for name, server in session.servers.items()})
        if described != unsafe[0]:
            problems.append(f"the tools of the {twin} twin are described differently when nothing is hidden")
    return problems


async def _transcript(pair: TaskPair, twin: Twin, calls: Sequence[Probe], straight: Container[Probe]) -> list[str]:
    """With the difference hidden: the tools as clients list them, each answer, and each once more, backwards."""
    async with (
        _opened(pair, twin, Setting.RECOVERY, pair.differing) as session,
        in_memory(session.servers) as clients,
    ):
        heard = [_as_text({name: await client.list_tools() for name, client in clients.items()})]
        for call in calls:
            if call in straight:
                answer = await _answered(session.servers[call.server], call)
            else:
                answer = await clients[call.server].call_tool(call.tool, dict(call.arguments))
            heard.append(answer.model_dump_json(exclude={"meta"}))
        for call in reversed(calls):
            answer = await _answered(session.servers[call.server], call)
            heard.append(answer.model_dump_json(exclude={"meta"}))
        return heard


def _as_text(listed: Mapping[str, ListToolsResult]) -> str:
    return json.dumps({name: tools.model_dump(mode="json")["tools"] for name, tools in listed.items()})


@asynccontextmanager
async def _opened(pair: TaskPair, twin: Twin, setting: Setting, mask: Mask) -> AsyncIterator[MemorySession]:
    condition = Condition(pair.path, twin, setting, tuple(sorted(mask)))
    async with memory_session(pair.world(twin), condition, MANY_CALLS) as session:
        yield session


async def _answered(server: Server[object], call: Probe) -> CallToolResult:
    """What a server itself says to a call, without a client between."""
    asked = CallToolRequestParams(name=call.tool, arguments=dict(call.arguments))
    answer: CallToolResult = await _straight(server, "tools/call", asked)
    return answer


async def _listed(server: Server[object]) -> ListToolsResult:
    tools: ListToolsResult = await _straight(server, "tools/list", None)
    return tools


async def _straight(server: Server[object], method: str, params: RequestParams | None) -> Any:
    entry = server.get_request_handler(method)
    if entry is None:
        raise LookupError(f"server {server.name} does not answer {method}")
    nobody: Any = None  # our handlers ask nothing of who asks
    return await entry.handler(nobody, params)


async def _impossible_commits(pair: TaskPair) -> list[str]:
    """The commit is possible with everything hidden."""
    commit, problems = pair.commit, []
    for twin in Twin:
        async with (
            _opened(pair, twin, Setting.SUPPRESSED, pair.everything) as session,
            in_memory({commit.system: session.servers[commit.system]}) as clients,
        ):
            answer = await clients[commit.system].call_tool(commit.tool, commit.model_dump(mode="json"))
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
        found = evidence_named(suite)
        pairs = found.family_pairs(path) if drawn is None else found.drawn(path, drawn.seed, drawn.per_family)
    except WorldError as error:
        return 0, error.problems
    problems = list(family_problems(pairs[0].family))
    for pair in pairs:
        problems += pair_problems(pair)
        problems += asyncio.run(mcp_problems(pair, all_through_clients=pair is pairs[0]))
    return len(pairs), problems


def check_suite(
    suite: Suite, families: Iterable[str], workers: int, progress: Progress, drawn: Drawing | None = None
) -> tuple[int, list[str]]:
    """Check families (`domain/family`), or fresh pairs drawn of them, in worker processes: how many pairs were proven,
    and all problems."""
    wanted = list(families)
    proven = 0
    with progress, ProcessPoolExecutor(workers, get_context("spawn"), die_with_parent) as pool:
        progress.start(0, len(wanted))
        jobs = [pool.submit(problems_of_family, suite.name, path, drawn) for path in wanted]
        problems = list(_repeated_ids(suite))  # while the workers start
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
