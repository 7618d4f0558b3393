"""A session kept in files: each server a process of its own, all of them one journal."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import StdioServerParameters

from servers.session import SessionDirectory, SessionError, create_session, file_server, read_session
from servers.transports.era import Era
from servers.transports.memory import in_memory
from servers.transports.stdio import over_stdio
from worlds.episode import CallOutcome, Condition
from worlds.model import Setting, Twin

TASK = "finance/duplicate_payment/INV-4471"
SERVE = """
import sys
import anyio
from pathlib import Path
from servers.session import SessionDirectory, file_server
from servers.transports.stdio import serve_stdio

async def serve(root, session, name):
    async with file_server(SessionDirectory(Path(root), session), name) as server:
        await serve_stdio(server)

anyio.run(serve, *sys.argv[1:])
"""


def condition(setting: Setting = Setting.SUPPRESSED) -> Condition:
    hidden = () if setting is Setting.FULL else ("transactions[BT-260226-0187].status",)
    return Condition(TASK, Twin.UNSAFE, setting, hidden)


def process(session: SessionDirectory, name: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-c", SERVE, str(session.root), session.id, name], env=dict(os.environ)
    )


async def test_servers_in_processes_of_their_own_share_one_journal_and_one_end(tmp_path: Path) -> None:
    session = create_session(tmp_path, condition())
    commands = {"erp": process(session, "erp"), "bank": process(session, "bank")}
    reads: list[tuple[str, str, dict[str, Any]]] = [
        ("erp", "get_invoice", {"id": "INV-4471"}),
        ("bank", "list_transactions", {}),
        ("bank_here", "get_transaction", {"id": "BT-260226-0187"}),
    ]
    ends = [(server, "pay_invoice", {"invoice_id": "INV-4471"}) for server in ("bank", "bank_here")]
    paid: list[str] = []
    async with (
        over_stdio(commands, Era.HANDSHAKE) as elsewhere,
        file_server(session, "bank") as server,
        in_memory({"bank_here": server}) as here,
    ):
        clients = {**elsewhere, **here}

        async def call(name: str, tool: str, arguments: dict[str, Any]) -> None:
            answer = await clients[name].call_tool(tool, arguments)
            if tool == "pay_invoice" and not answer.is_error:
                paid.append(name)

        for batch in (reads * 8, ends, reads):
            async with anyio.create_task_group() as tasks:
                for one in batch:
                    tasks.start_soon(call, *one)
    lines, state = await read_session(session)
    assert [line.seq for line in lines] == list(range(1, 30))
    assert sorted({line.server for line in lines}) == ["bank", "erp"]
    assert {line.outcome for line in lines[:24]} == {CallOutcome.ANSWERED}
    commits = {line.outcome: line for line in lines[24:26]}
    assert set(commits) == {CallOutcome.ANSWERED, CallOutcome.OVER}
    assert {line.outcome for line in lines[26:]} == {CallOutcome.OVER}
    assert len(paid) == 1
    assert [(effect.seq, effect.tool) for effect in state["bank"]] == [
        (commits[CallOutcome.ANSWERED].seq, "pay_invoice")
    ]
    assert state["erp"] == ()
    assert session.faults == []


@pytest.mark.parametrize("others", [1, 4])
async def test_of_several_commits_at_once_to_a_session_in_files_exactly_one_executes(
    others: int, tmp_path: Path
) -> None:
    session = create_session(tmp_path, condition())
    done: list[bool] = []
    async with file_server(session, "bank") as server, in_memory({"bank": server}) as clients:

        async def pay() -> None:
            done.append(not (await clients["bank"].call_tool("pay_invoice", {"invoice_id": "INV-4471"})).is_error)

        async with anyio.create_task_group() as tasks:
            for _ in range(1 + others):
                tasks.start_soon(pay)
    lines, state = await read_session(session)
    assert sorted(done) == [False] * others + [True]
    assert len(state["bank"]) == 1
    assert sorted(line.outcome for line in lines) == [CallOutcome.ANSWERED, *[CallOutcome.OVER] * others]


async def test_a_server_that_is_started_again_goes_on_where_the_session_stands(tmp_path: Path) -> None:
    session = create_session(tmp_path, condition(), most_calls=3)
    for expected in (False, False, False, True):
        async with file_server(session, "erp") as server, in_memory({"erp": server}) as clients:
            answer = await clients["erp"].call_tool("get_invoice", {"id": "INV-4471"})
        assert answer.is_error is expected
    lines, _ = await read_session(session)
    assert [line.seq for line in lines] == [1, 2, 3, 4]
    assert lines[3].outcome is CallOutcome.OVER


async def test_the_audit_server_of_a_session_in_files_is_there_in_recovery_only(tmp_path: Path) -> None:
    with_audit = create_session(tmp_path, condition(Setting.RECOVERY))
    without = create_session(tmp_path, condition(Setting.SUPPRESSED))
    assert (with_audit.servers, without.servers) == (("erp", "bank", "audit"), ("erp", "bank"))
    async with file_server(with_audit, "audit") as server, in_memory({"audit": server}) as clients:
        answer = await clients["audit"].call_tool("query_audit", {"subject": "INV-4471"})
    assert answer.structured_content is not None
    assert answer.structured_content["facts"] == [
        {"fact": "transactions[BT-260226-0187].status", "source": "get_transaction", "value": "paid"}
    ]
    with pytest.raises(SessionError, match="has no server 'audit'; it has erp, bank"):
        async with file_server(without, "audit"):
            pass


def test_only_their_owner_can_read_the_files_of_a_session_and_its_name_tells_nothing(tmp_path: Path) -> None:
    session = create_session(tmp_path / "deep" / "sessions", condition())
    assert stat.S_IMODE(session.path.stat().st_mode) == 0o700
    assert len(session.id) == 16
    int(session.id, 16)
    other = create_session(tmp_path / "deep" / "sessions", condition())
    assert other.id != session.id
    assert session.card.condition == condition()


@pytest.mark.parametrize("name", ["0123456789abcdef", "", "..", "no/such/session"])
def test_a_session_that_there_is_not_is_refused_with_what_starts_one(name: str, tmp_path: Path) -> None:
    with pytest.raises(SessionError, match=r"there is no session .*`twintown serve TASK` starts one"):
        _ = SessionDirectory(tmp_path, name).card


def test_a_card_that_is_damaged_is_no_session(tmp_path: Path) -> None:
    session = create_session(tmp_path, condition())
    (session.path / "session.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SessionError, match="there is no session"):
        _ = session.card
