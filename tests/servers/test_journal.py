"""The journal: every call numbered once, one end, everything kept; in memory and in a file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from servers.journal import MOST_REFUSED, FileJournal, Journal, MemoryJournal, create_journal_file, file_journal
from worlds.episode import CallKind, CallOutcome, JournalLine


class Clock:
    """Time that passes when it is told to."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def line(seq: int, outcome: CallOutcome = CallOutcome.ANSWERED) -> JournalLine:
    return JournalLine(
        seq=seq,
        server="harbour",
        tool="get_boat",
        arguments={"id": "B-1 ünï \u2028", "n": [1, None, {"a": True}]},
        kind=CallKind.READ,
        outcome=outcome,
        shown={"dues": "70.00 EUR", "crew": ["ana"]},
        exposed=("boat.dues",),
        seconds=0.25,
    )


@pytest.fixture(params=["memory", "file"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    if request.param == "memory":
        yield MemoryJournal()
        return
    file = tmp_path / "journal.sqlite"
    create_journal_file(file, 1000.0)
    async with file_journal(file) as opened:
        yield opened


async def test_calls_are_numbered_from_one(journal: Journal) -> None:
    assert [await journal.begin() for _ in range(3)] == [1, 2, 3]


async def test_calls_that_begin_at_once_get_different_numbers(journal: Journal) -> None:
    numbers = await asyncio.gather(*(journal.begin() for _ in range(30)))
    assert sorted(numbers) == list(range(1, 31))


async def test_lines_are_kept_as_they_are_and_told_in_the_order_of_their_numbers(journal: Journal) -> None:
    numbers = [await journal.begin() for _ in range(3)]
    for number in (3, 1, 2):
        await journal.append(line(number))
    assert await journal.lines() == tuple(line(number) for number in numbers)


async def test_a_call_that_is_not_answered_yet_is_not_told(journal: Journal) -> None:
    await journal.begin()
    await journal.begin()
    await journal.append(line(2))
    assert [kept.seq for kept in await journal.lines()] == [2]


async def test_one_call_ends_the_episode_and_no_other(journal: Journal) -> None:
    assert not await journal.ended()
    first, second = await journal.begin(), await journal.begin()
    assert await journal.end(second)
    assert await journal.ended()
    assert not await journal.end(first)
    assert await journal.end(second)


async def test_of_many_calls_that_would_end_it_at_once_one_does(journal: Journal) -> None:
    numbers = [await journal.begin() for _ in range(20)]
    assert sum(await asyncio.gather(*(journal.end(number) for number in numbers))) == 1


async def refuse(journal: Journal, times: int, outcome: CallOutcome = CallOutcome.OVER) -> None:
    for _ in range(times):
        await journal.append(line(await journal.begin(), outcome))


async def test_refusals_beyond_a_bound_are_not_kept_and_set_off_an_alarm(journal: Journal) -> None:
    await refuse(journal, MOST_REFUSED)
    assert not journal.pestered.is_set()
    await refuse(journal, 3)
    assert journal.pestered.is_set()
    assert [kept.seq for kept in await journal.lines()] == list(range(1, MOST_REFUSED + 1))


async def test_other_calls_are_kept_however_many_there_are_and_beside_refusals_that_are_not(journal: Journal) -> None:
    await refuse(journal, 2 * MOST_REFUSED, CallOutcome.INVALID)
    assert not journal.pestered.is_set()
    await refuse(journal, MOST_REFUSED + 9)
    await refuse(journal, 1, CallOutcome.ANSWERED)
    kept = await journal.lines()
    assert len(kept) == 3 * MOST_REFUSED + 1
    assert kept[-1].seq == 3 * MOST_REFUSED + 10


async def test_a_file_does_not_grow_with_refusals_that_are_not_kept_whoever_made_them(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    create_journal_file(file, 1000.0)
    async with file_journal(file) as ours, file_journal(file) as theirs:
        await refuse(ours, MOST_REFUSED)
        await refuse(theirs, 50)
        assert theirs.pestered.is_set()
        assert not ours.pestered.is_set()
        assert await theirs.begin() == MOST_REFUSED + 51
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM calls").fetchone() == (MOST_REFUSED + 1,)
    database.close()


def test_in_memory_seconds_count_from_the_making_of_the_journal() -> None:
    clock = Clock(50.0)
    journal = MemoryJournal(clock)
    clock.now = 51.5
    assert journal.seconds() == 1.5


async def test_in_a_file_seconds_count_from_its_making_whoever_opens_it(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    create_journal_file(file, 1000.0)
    clock = Clock(1007.5)
    async with file_journal(file, clock) as opened:
        assert opened.seconds() == 7.5


async def test_two_who_open_one_file_share_its_numbers_its_lines_and_its_end(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    create_journal_file(file, 1000.0)
    async with file_journal(file) as ours, file_journal(file) as theirs:
        numbers = await asyncio.gather(*(journal.begin() for journal in (ours, theirs) * 10))
        assert sorted(numbers) == list(range(1, 21))
        await asyncio.gather(
            *(journal.append(line(number)) for journal, number in zip((ours, theirs) * 10, numbers, strict=True))
        )
        assert await ours.lines() == await theirs.lines() == tuple(line(number) for number in range(1, 21))
        assert sum(await asyncio.gather(ours.end(1), theirs.end(2))) == 1
        assert await ours.ended()
        assert await theirs.ended()


async def test_what_a_file_holds_survives_those_who_opened_it(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    create_journal_file(file, 1000.0)
    async with file_journal(file) as first:
        await first.append(line(await first.begin()))
        await first.end(1)
    async with file_journal(file) as second:
        assert await second.lines() == (line(1),)
        assert await second.ended()
        assert await second.begin() == 2


async def cut_short(journal: FileJournal, steps: int) -> None:
    """Begin a call, and give it up after so many steps of the event loop."""
    beginning = asyncio.create_task(journal.begin())
    for _ in range(steps):
        await asyncio.sleep(0)
    beginning.cancel()
    await asyncio.gather(beginning, return_exceptions=True)


@pytest.mark.parametrize("steps", range(6))
async def test_a_call_cancelled_while_it_is_numbered_locks_nobody_out(steps: int, tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    create_journal_file(file, 1000.0)
    async with file_journal(file) as journal:
        await cut_short(journal, steps)
        await journal.ended()  # what was cut short has run its course in the database's thread
        other = sqlite3.connect(file, timeout=0.5, isolation_level=None)
        other.execute("INSERT INTO calls (line) VALUES (NULL)")
        other.close()
        following = await journal.begin()
    assert following in (2, 3)
