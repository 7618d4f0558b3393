"""Thousands of servers, started and stopped in one process, leave no task, thread or descriptor, and little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

SESSIONS = 540
HTTP_SESSIONS = 54
WARM_UP = 40
MOST_GROWTH = 16 * 1024 * 1024

WAYS = ("in memory", "over http", "all in all")

MEASURE = """
import asyncio
import gc
import json
import os
import sys
import threading

import httpx2
import psutil

from servers.session import memory_session
from servers.transports.era import Era
from servers.transports.http import gateway, over_http
from servers.transports.memory import in_memory
from worlds.catalogue import task_named
from worlds.episode import Condition
from worlds.model import Setting, Twin

PAIR = task_named("finance/payment_authority/PR-58217")
COMMIT = PAIR.commit
process = psutil.Process()


def condition(number):
    twin = list(Twin)[number % 2]
    setting = Setting.RECOVERY if number % 4 else Setting.SUPPRESSED
    return Condition(PAIR.path, twin, setting, tuple(sorted(PAIR.differing)))


def measured():
    gc.collect()
    return {
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
        "system threads": process.num_threads(),
        "descriptors": process.num_fds(),
        "bytes": process.memory_info().rss,
    }


async def use(clients, number):
    if number % 16 == 0:
        for client in clients.values():
            await client.list_tools()
    if number % 2 == 0:
        await clients["erp"].call_tool("get_payment_request", {"id": "PR-58217"})
    if number % 4 == 1:
        await clients["bank"].call_tool("no_such_tool", {})
        await clients["audit"].call_tool("query_audit", {"subject": "PR-58217"})
    if number % 3 == 0:
        await clients["bank"].call_tool(COMMIT.tool, COMMIT.model_dump(mode="json"))


async def in_memory_sessions(count):
    servers = 0
    for number in range(count):
        now = condition(number)
        async with memory_session(PAIR.world(now.twin), now) as session:
            async with in_memory(session.servers, list(Era)[number // 2 % 2]) as clients:
                servers += len(clients)
                await use(clients, number)
            assert not session.faults
    return servers


async def http_sessions(at, http, count):
    servers = 0
    for number in range(count):
        now = condition(number)
        async with memory_session(PAIR.world(now.twin), now) as session, at.mounted(session.servers) as addresses:
            servers += len(addresses)
            reached = {name: address for name, address in addresses.items() if name != "audit" or number % 4 == 1}
            async with over_http(reached, list(Era)[number // 2 % 2], http) as clients:
                await use(clients, number)
            assert not session.faults
    return servers


async def until_quiet():
    # connections that the other side has closed are noticed at the loop's next turns
    for _ in range(200):
        await asyncio.sleep(0)


async def by_http(count):
    async with gateway() as at, httpx2.AsyncClient(timeout=60) as http:
        await http_sessions(at, http, 6)
        await until_quiet()
        before = measured()
        servers = await http_sessions(at, http, count)
        await until_quiet()
        return {"servers": servers, "before": before, "after": measured()}


async def main(sessions, over_http_sessions, warm_up):
    await in_memory_sessions(warm_up)
    await by_http(1)
    await until_quiet()
    start = measured()
    servers = await in_memory_sessions(sessions)
    await until_quiet()
    told = {"in memory": {"servers": servers, "before": start, "after": measured()}}
    told["over http"] = await by_http(over_http_sessions)
    await until_quiet()
    told["all in all"] = {"servers": servers + told["over http"]["servers"], "before": start, "after": measured()}
    print(json.dumps(told))


asyncio.run(main(*map(int, sys.argv[1:])))
"""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What a fresh interpreter measured before and after."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", MEASURE, str(SESSIONS), str(HTTP_SESSIONS), str(WARM_UP)],
        capture_output=True,
        text=True,
        timeout=900,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    for way in WAYS:
        before, after = found[way]["before"], found[way]["after"]
        print(f"\n{found[way]['servers']} servers {way}:")
        for what in before:
            print(f"  {what}: {before[what]} before, {after[what]} after ({after[what] - before[what]:+})")
    return found


@pytest.mark.parametrize(("way", "servers"), [("in memory", 2000), ("over http", 200)])
def test_so_many_servers_were_started(way: str, servers: int, told: dict[str, Any]) -> None:
    assert told[way]["servers"] >= servers


@pytest.mark.parametrize("what", ["tasks", "threads", "system threads", "descriptors"])
@pytest.mark.parametrize("way", WAYS)
def test_no_task_thread_or_descriptor_is_left(way: str, what: str, told: dict[str, Any]) -> None:
    assert told[way]["after"][what] == told[way]["before"][what]


@pytest.mark.parametrize("way", WAYS)
def test_memory_hardly_grows(way: str, told: dict[str, Any]) -> None:
    assert told[way]["after"]["bytes"] - told[way]["before"]["bytes"] < MOST_GROWTH


def test_a_check_that_is_killed_takes_its_workers_with_it() -> None:
    line = [sys.executable, "-m", "orchestrator.cli", "check", "--only", "finance/*", "--workers", "2"]
    started = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert started.stderr is not None
    with started:
        started.stderr.readline()  # a family is done, so its workers are at work
        workers = psutil.Process(started.pid).children(recursive=True)
        started.kill()
    assert len(workers) >= 2
    _, left = psutil.wait_procs(workers, timeout=60)
    assert left == []
