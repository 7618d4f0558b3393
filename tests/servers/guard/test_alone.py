"""The guard that stands alone: the consent in a file, questions to the client's user, and decisions in a terminal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult

from servers.guard.alone import ConsentError, LoneOwner, load_consent
from servers.guard.gateway import Guard, guarded
from servers.guard.state import State, StateError, Word
from servers.guard.upstream import Connected
from servers.transports.memory import in_memory
from tests.servers.guard.standing_in import Shop, rules, text_of
from worlds.values import Money

MAIL = {"tool": "send", "contacts": "to", "asks": "write to {{ to | join(', ') }}"}
BUY = {"tool": "buy", "spends": "price", "asks": "buy it for {{ price }}"}
STRANGER = {"to": ["who@x.example"]}


class User:
    """Answers what a client asks them, and keeps it."""

    def __init__(self, *answers: ElicitResult) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        return self._answers.pop(0)


YES = ElicitResult(action="accept", content={"approve": True})
UNTICKED = ElicitResult(action="accept", content={"approve": False})
NO = ElicitResult(action="decline")


@pytest.fixture
def state(tmp_path: Path) -> State:
    kept = State(tmp_path / "guard.sqlite")
    kept.create()
    return kept


@pytest.fixture
def consent(tmp_path: Path) -> Path:
    file = tmp_path / "consent.yaml"
    file.write_text("recipients: [carla]\nnames: {carla: [carla@x.example]}\nspend: 50 USD\n")
    return file


@asynccontextmanager
async def client(
    consent: Path, state: State, there: Shop, user: User | None = None, mode: str = "auto", in_terminal: bool = False
) -> AsyncIterator[Client]:
    """A client of a server behind a lone guard, in one era or the other."""
    async with in_memory({"mail": there.server()}) as sessions:
        upstreams = {name: Connected(session) for name, session in sessions.items()}
        guard = Guard(rules(MAIL, BUY), LoneOwner(consent, state, in_terminal), state, upstreams)
        front = guarded(guard, upstreams)["mail"]
        async with Client(front, mode=mode, elicitation_callback=user, cache=None) as connected:
            yield connected


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
@pytest.mark.parametrize(("answer", "sent"), [(YES, 1), (UNTICKED, 0), (NO, 0)])
async def test_a_client_that_can_asks_its_user(
    answer: ElicitResult, sent: int, mode: str, consent: Path, state: State
) -> None:
    there, user = Shop({"send": {"sent": "m1"}}), User(answer)
    async with client(consent, state, there, user, mode) as mail:
        result = await mail.call_tool("send", STRANGER)
    assert user.asked == ["May I write to who@x.example? who@x.example is not among those who may be contacted."]
    assert (there.done("send"), result.is_error is True) == (sent, not sent)


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_leave_is_for_one_call_only(mode: str, consent: Path, state: State) -> None:
    there, user = Shop({"send": {}}), User(YES, NO)
    async with client(consent, state, there, user, mode) as mail:
        assert not (await mail.call_tool("send", STRANGER)).is_error
        assert (await mail.call_tool("send", STRANGER)).is_error
    assert there.done("send") == 1


async def test_what_the_consent_covers_asks_nobody(consent: Path, state: State) -> None:
    there, user = Shop({"send": {}}), User()
    async with client(consent, state, there, user) as mail:
        assert not (await mail.call_tool("send", {"to": ["carla@x.example"]})).is_error
    assert user.asked == []


async def test_without_a_user_at_hand_a_person_decides_in_a_terminal(consent: Path, state: State) -> None:
    there = Shop({"send": {}})
    async with client(consent, state, there) as mail:
        first = await mail.call_tool("send", STRANGER)
        (waiting,) = state.waiting()
        assert f"twintown guard approve {waiting.id}" in text_of(first)
        assert (await mail.call_tool("send", STRANGER)).is_error
        assert len(state.waiting()) == 1
        state.decide(waiting.id, Word.APPROVED)
        assert (await mail.call_tool("send", {"to": ["other@x.example"]})).is_error
        assert not (await mail.call_tool("send", STRANGER)).is_error
        assert (await mail.call_tool("send", STRANGER)).is_error
    assert there.done("send") == 1


async def test_a_call_that_was_denied_is_refused_without_waiting(consent: Path, state: State) -> None:
    there = Shop({"send": {}})
    async with client(consent, state, there) as mail:
        await mail.call_tool("send", STRANGER)
        state.decide(state.waiting()[0].id, Word.DENIED)
        again = await mail.call_tool("send", STRANGER)
    assert text_of(again).endswith("answered: no")
    assert state.waiting() == ()
    assert there.calls == []


async def test_in_terminal_no_client_asks(consent: Path, state: State) -> None:
    there, user = Shop({"send": {}}), User(YES)
    async with client(consent, state, there, user, in_terminal=True) as mail:
        assert (await mail.call_tool("send", STRANGER)).is_error
    assert user.asked == []


async def test_spending_adds_up_over_the_lives_of_guards(consent: Path, state: State) -> None:
    there = Shop({"buy": {}})
    for price, failed in (("30 USD", False), ("30 USD", True), ("20 USD", False)):
        async with client(consent, state, there) as shop:
            assert bool((await shop.call_tool("buy", {"price": price})).is_error) is failed
    assert await State(state.file).total() == Money.parse("50 USD")


async def test_a_consent_that_changes_counts_from_then_on(consent: Path, state: State) -> None:
    there = Shop({"send": {}})
    async with client(consent, state, there) as mail:
        await anyio.Path(consent).write_text("recipients: [who@x.example]")
        assert not (await mail.call_tool("send", STRANGER)).is_error
        await anyio.Path(consent).write_text("recipients: {")
        assert (await mail.call_tool("send", STRANGER)).is_error
    assert there.done("send") == 1


async def test_what_cannot_be_told_is_for_the_person_to_decide(consent: Path, state: State) -> None:
    there, user = Shop({"buy": {}}), User(YES)
    async with client(consent, state, there, user) as shop:
        assert not (await shop.call_tool("buy", {})).is_error
    assert "it cannot be told" in user.asked[0]


def test_a_consent_with_faults_tells_each(tmp_path: Path) -> None:
    file = tmp_path / "consent.yaml"
    file.write_text("spend: a lot\ndetails: [x to y]\n")
    with pytest.raises(ConsentError) as raised:
        load_consent(file)
    assert "consent.yaml:1: spend" in str(raised.value)
    assert "details" in str(raised.value)


def test_a_decision_on_a_call_that_does_not_wait_says_what_does(state: State) -> None:
    waiting = state.hold("k", "write", "why")
    with pytest.raises(StateError, match=f"waiting: {waiting.id}"):
        state.decide("nothing", Word.APPROVED)
    state.decide(waiting.id, Word.APPROVED)
    assert state.take("k") is not None
    with pytest.raises(StateError, match="was let through already"):
        state.decide(waiting.id, Word.DENIED)


def test_a_state_that_cannot_be_kept_says_where(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match="cannot keep the guard's state there"):
        State(tmp_path / "file" / "guard.sqlite").create()


async def test_two_guards_with_one_state_act_one_after_the_other(state: State) -> None:
    order: list[str] = []
    inside = anyio.Event()

    async def first() -> None:
        async with state.alone():
            inside.set()
            await anyio.lowlevel.checkpoint()
            order.append("first")

    async def second() -> None:
        await inside.wait()
        async with State(state.file).alone():
            order.append("second")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(first)
        tasks.start_soon(second)
    assert order == ["first", "second"]


def test_addresses_begin_alike_as_long_as_the_state_is_kept(state: State) -> None:
    assert state.prefix() == State(state.file).prefix()
    assert len(state.prefix()) == 16
