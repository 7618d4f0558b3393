"""The official inspector lists and calls every server there is: each system of every family, the audit source, each
place of the town. `python -m tests.outside [SHARE]`; with a share, such as 10, only every tenth.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
from mcp.server import Server

from orchestrator.progress import Progress
from servers.session import memory_session, memory_town
from servers.transports.http import gateway
from tests.outside.inspector import inspected
from worlds.catalogue import EVIDENCE, TOWN_SUITES
from worlds.episode import Condition
from worlds.model import Setting
from worlds.task import TaskPair
from worlds.town.task import TownTask

AT_ONCE = 2


def chosen() -> Iterator[tuple[TaskPair | TownTask, frozenset[str]]]:
    """Tasks that have all servers between them, each with those that are inspected in it."""
    for path in EVIDENCE.families:
        pair = EVIDENCE.family_pairs(path)[0]
        yield pair, frozenset({*pair.family.systems, "audit"})
    seen: set[str] = set()
    for suite in TOWN_SUITES:
        for name in suite.files:
            task = suite.task(name)
            if new := set(task.servers) - seen:
                seen |= new
                yield task, frozenset(new)


@asynccontextmanager
async def opened(task: TaskPair | TownTask) -> AsyncIterator[Mapping[str, Server[object]]]:
    world = task.world(task.twins[-1])
    condition = Condition(task.path, task.twins[-1], Setting.RECOVERY)
    if isinstance(task, TownTask):
        yield memory_town(world, condition).servers
    else:
        async with memory_session(world, condition) as session:
            yield session.servers


async def main(share: int) -> None:
    limit, problems = anyio.CapacityLimiter(AT_ONCE), list[str]()
    with tempfile.TemporaryDirectory() as home:
        async with gateway() as at, AsyncExitStack() as stack:
            targets = []
            for task, names in chosen():
                servers = await stack.enter_async_context(opened(task))
                addresses = await stack.enter_async_context(at.mounted(servers))
                targets += [(f"{task.path} {name}", addresses[name]) for name in sorted(names)]
            targets = targets[::share]
            with Progress.on_stderr("servers") as progress:
                progress.start(0, len(targets))

                async def inspect(named: str, address: str) -> None:
                    async with limit:
                        try:
                            await inspected([address, "--transport", "http"], Path(home))
                        except AssertionError as problem:
                            problems.append(f"{named}: {problem}")
                    progress.ended()

                async with anyio.create_task_group() as tasks:
                    for named, address in targets:
                        tasks.start_soon(inspect, named, address)
    for problem in problems:
        print(problem)
    print(f"{len(targets) - len(problems)} passed, {len(problems)} failed")
    sys.exit(bool(problems))


if __name__ == "__main__":
    anyio.run(main, int(sys.argv[1]) if len(sys.argv) > 1 else 1)
