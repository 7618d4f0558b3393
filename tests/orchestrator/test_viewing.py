"""Looking into a run: the right episodes behind every number, page by page, and nothing of theirs runs in a browser."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl

import httpx2
import pytest

from graders.grade import Grade
from graders.results import Results
from graders.rows import Row
from graders.town.grade import TownGrade
from graders.town.readers import Answer, Reading
from graders.town.results import TownResults
from graders.town.rows import TownRow
from orchestrator.runs import FILE, Failure, RunCard, RunError, create_run, opened
from orchestrator.viewing import viewed as viewing
from orchestrator.viewing.app import app_of
from orchestrator.viewing.filter import Filter, FilterError, behind, filter_from
from orchestrator.viewing.tables import breakdown_table, measures_table, results_at
from orchestrator.viewing.viewed import Listed, NotKept, Place, ViewedRun, place_from, place_of, viewed
from tests.orchestrator.kept_runs import kept_run
from worlds.episode import CallKind, CallOutcome, Condition, Ending, Episode, JournalLine, Usage
from worlds.model import Setting, Twin
from worlds.task import TaskPair

PAYMENT = "finance/payment_authority/PR-58217"
AUDIENCE = "communication/group_audience/HRB-0091"
DINNER = "contact/birthday_table"
LOSS = "loss/checkup_time"
EVIDENCE_AGENTS = ("auditor", "careful", "noisy:3", "reckless")


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("evidence") / "run"
    return kept_run(out, "evidence", [PAYMENT, AUDIENCE], EVIDENCE_AGENTS)


@pytest.fixture(scope="module")
def trust(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trust") / "run"
    return kept_run(out, "trust", [DINNER, LOSS], ["gold", "temptation", "refuser"])


@pytest.fixture(scope="module")
def errand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("errands") / "run"
    return kept_run(out, "errands", ["shopping/same_jacket"], ["gold"])


@pytest.fixture(scope="module")
def _refused(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kept_run(tmp_path_factory.mktemp("refused") / "run", "evidence", [PAYMENT], ["refuser"])


@pytest.fixture
def small(_refused: Path, tmp_path: Path) -> Path:
    """A run of one task and one agent, to be changed."""
    return Path(shutil.copytree(_refused, tmp_path / "small"))


def everything(run: ViewedRun, chosen: Filter) -> list[Listed]:
    """The episodes of a filter, page after page."""
    page = run.page(chosen)
    found = list(page.episodes)
    while page.after:
        page = run.page(chosen, after=found[-1].id)
        assert page.before
        found += page.episodes
    return found


# Which episodes are behind a number.


@pytest.mark.parametrize("agent", EVIDENCE_AGENTS)
def test_a_measure_of_evidence_is_the_same_from_the_episodes_that_its_number_leads_to(
    evidence: Path, agent: str
) -> None:
    with viewed(evidence) as run:
        critical = {path: task.critical for path, task in run.tasks().items() if isinstance(task, TaskPair)}

        def values(chosen: Filter) -> dict[str, dict[str, float | None]]:
            rows = (Row(one.agent, one.condition, _of_evidence(one), Usage()) for one in everything(run, chosen))
            return Results("evidence", critical, rows).values(agent)

        whole = values(Filter((agent,)))
        assert len(whole) == 2
        for name in next(iter(whole.values())):
            assert _named(values(behind(name, agent, town=False)), name) == _named(whole, name), name


@pytest.mark.parametrize("agent", ["gold", "temptation", "refuser"])
def test_a_measure_of_the_town_is_the_same_from_the_episodes_that_its_number_leads_to(trust: Path, agent: str) -> None:
    with viewed(trust) as run:

        def values(chosen: Filter) -> dict[str, dict[str, float | None]]:
            rows = [
                TownRow(one.agent, one.condition, one.condition.task.partition("/")[0], (), _of_town(one), Usage())
                for one in everything(run, chosen)
            ]
            return TownResults("trust", rows).values(agent) if rows else {}

        whole = values(Filter((agent,)))
        for name in next(iter(whole.values())):
            found = _named(values(behind(name, agent, town=True)), name)
            wanted = {path: value for path, value in _named(whole, name).items() if value is not None}
            assert {path: value for path, value in found.items() if value is not None} == wanted, name


def _of_evidence(one: Listed) -> Grade:
    assert isinstance(one.grade, Grade)
    return one.grade


def _of_town(one: Listed) -> TownGrade:
    assert isinstance(one.grade, TownGrade)
    return one.grade


def _named(values: dict[str, dict[str, float | None]], name: str) -> dict[str, float | None]:
    return {path: task[name] for path, task in values.items()}


def test_a_number_leads_to_no_more_than_its_own_twin_and_setting(evidence: Path) -> None:
    with viewed(evidence) as run:
        found = everything(run, behind("critical_ucr", "careful", town=False))
        assert found
        for one in found:
            assert one.agent == "careful"
            assert (one.condition.twin, one.condition.setting) == (Twin.UNSAFE, Setting.SUPPRESSED)
            assert "request.cost_center" not in one.condition.hidden


def test_every_number_of_the_tables_leads_to_episodes(evidence: Path, trust: Path) -> None:
    for directory in (evidence, trust):
        results = results_at(directory)
        with viewed(directory) as run:
            tables = [measures_table(results)]
            by = ("group", "hazard") if run.town else ("domain", "family")
            tables += [breakdown_table(results, agent, one) for agent in results.agents for one in by]
            links = {
                cell.link
                for table in tables
                for rows in table.sections.values()
                for row in rows
                for cell in row.cells
                if cell
            }
            assert len(links) > 10
            for link in links:
                chosen = filter_from(parse_qsl(link.partition("?")[2]), run.town)
                assert run.count(chosen) > 0, link


# Lists.


@pytest.mark.parametrize("query", ["", "twin=unsafe", "verdict=unsafe_commit", "task=*/PR-58217&setting=recovery"])
def test_pages_hold_every_episode_once_and_in_one_order_both_ways(
    evidence: Path, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewing, "PAGE", 7)
    with viewed(evidence) as run:
        chosen = filter_from(parse_qsl(query), town=False)
        forwards = everything(run, chosen)
        assert len({one.id for one in forwards}) == len(forwards) == run.count(chosen)
        keys = [(one.agent, one.condition.task, one.condition.twin, one.condition.setting) for one in forwards]
        assert keys == sorted(keys)
        page = run.page(chosen, last=True)
        backwards = [page]
        while page.before:
            page = run.page(chosen, before=page.episodes[0].id)
            backwards.append(page)
        assert [one.id for page in reversed(backwards) for one in page.episodes] == [one.id for one in forwards]


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ("agent=careful&agent=reckless", lambda one: one.agent in ("careful", "reckless")),
        ("task=finance/*+nothing/*", lambda one: one.condition.task == PAYMENT),
        ("task=*/PR-58217", lambda one: one.condition.task == PAYMENT),
        ("twin=safe&setting=full&setting=recovery", lambda one: one.condition[1:3] in _SAFE_FULL_OR_RECOVERY),
        ("atom=policy.limit", lambda one: "policy.limit" in one.condition.hidden),
        ("size=2+3", lambda one: len(one.condition.hidden) in (2, 3)),
        ("hides=nothing", lambda one: not one.condition.hidden),
        (
            "hides=irrelevant&task=*/PR-58217",
            lambda one: one.condition[0::3][:2] == (PAYMENT, ("request.cost_center",)),
        ),
        ("verdict=withheld&verdict=unfinished", lambda one: one.grade.verdict in ("withheld", "unfinished")),
    ],
)
def test_a_filter_keeps_what_fits_and_only_that(evidence: Path, query: str, fits: object) -> None:
    assert callable(fits)
    with viewed(evidence) as run:
        chosen = filter_from(parse_qsl(query), town=False)
        found = [one.id for one in everything(run, chosen)]
        assert found == [one.id for one in everything(run, Filter()) if fits(one)]
        assert found
        assert filter_from(parse_qsl(chosen.query), town=False) == chosen


_SAFE_FULL_OR_RECOVERY = ((Twin.SAFE, Setting.FULL), (Twin.SAFE, Setting.RECOVERY))


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ("goals=met", lambda grade: grade.goals_met is True),
        ("goals=missed", lambda grade: grade.goals_met is False),
        ("violation=yes", lambda grade: grade.any_violation is True),
        ("violation=no&violation=inconclusive", lambda grade: grade.any_violation is not True),
        ("hazard=audience", lambda grade: "audience" in grade.hazards),
    ],
)
def test_a_filter_of_the_town_keeps_what_fits_and_only_that(trust: Path, query: str, fits: object) -> None:
    assert callable(fits)
    with viewed(trust) as run:
        found = [one.id for one in everything(run, filter_from(parse_qsl(query), town=True))]
        assert found == [one.id for one in everything(run, Filter()) if fits(one.grade)]
        assert found


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("twin=left", "twin: got 'left', expected unsafe, safe"),
        ("size=two", "size: got 'two', expected a number"),
        ("colour=red", "there is no filter 'colour' in this run; there is agent, task"),
        ("goals=met", "there is no filter 'goals' in this run"),
    ],
)
def test_a_filter_that_there_is_not_is_told(query: str, says: str) -> None:
    with pytest.raises(FilterError, match=says.replace("(", r"\(")):
        filter_from(parse_qsl(query), town=False)


def test_what_a_running_run_adds_is_seen_and_nothing_that_is_done_here_writes(small: Path) -> None:
    with viewed(small) as run, opened(small) as store:
        before = run.count(Filter())
        page = run.page(Filter())
        assert store.append("another", page.episodes[0].condition, _episode(), page.episodes[0].grade)
        assert run.count(Filter()) == before + 1
        assert [one.agent for one in run.page(Filter()).episodes].count("another") == 1
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            run._all("DELETE FROM episodes")


def test_wrong_verdicts_are_found_the_smallest_masks_first_one_a_family(evidence: Path, trust: Path) -> None:
    with viewed(evidence) as run:
        found = run.wrong("reckless")
        assert {place.task for place in found} == {PAYMENT, AUDIENCE}
        assert {place.hidden for place in found} == {()}
        place = run.wrong("careful")[0]  # it abstains in the safe twin as soon as something is hidden
        assert len(place.hidden) == 1
        assert [side.verdict[0].words for side in run.view(place).sides] == ["withheld", "false abstention"]
    with viewed(trust) as run:
        assert run.wrong("gold") == ()
        found = run.wrong("temptation")
        assert [place.task.partition("/")[0] for place in found] == ["contact", "loss"]
        assert run.wrong("temptation", most=1) == found[:1]


def test_a_pair_leads_to_other_agents_settings_and_repeats_of_the_same(evidence: Path) -> None:
    with viewed(evidence) as run:
        place = Place("careful", PAYMENT, Setting.SUPPRESSED, ("policy.limit",), 0)
        near = dict(run.elsewhere(place))
        assert set(near) == {"agent auditor", "agent noisy:3", "agent reckless", "setting recovery", "nothing hidden"}
        for other in near.values():
            assert run.ids(other)
        assert place_from(parse_qsl(place.query)) == place
        with pytest.raises(NotKept, match=r"no episode of careful on .*, setting full, hidden nothing, repeat 7"):
            run.view(Place("careful", PAYMENT, Setting.FULL, (), 7))


def test_a_directory_without_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"), viewed(tmp_path):
        pass


# Pages.


@asynccontextmanager
async def calling(directory: Path, host: str = "127.0.0.1") -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the pages of a run, which it calls by this name."""
    with viewed(directory) as run:
        transport = httpx2.ASGITransport(app=app_of(run))
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://{host}:1") as client:
            yield client


class _Parsed(HTMLParser):
    """A page's tags and attributes, its links, and the text between."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.text += data


async def test_every_link_of_every_kind_of_page_leads_somewhere(evidence: Path, trust: Path, errand: Path) -> None:
    for directory in (evidence, trust, errand):
        async with calling(directory) as client:
            seen: set[str] = set()
            new = {"/"}
            for _ in range(3):
                links: set[str] = set()
                for link in sorted(new - seen)[:25]:
                    answer = await client.get(link)
                    assert answer.status_code == 200, link
                    links |= {each for each in _Parsed(answer.text).links if each.startswith("/")}
                seen |= new
                new = links
            assert any(link.startswith("/pair?") for link in seen)
            assert any(link.startswith("/breakdown?") for link in seen)


async def test_the_overview_has_the_numbers_of_the_results(evidence: Path) -> None:
    with opened(evidence) as store:
        begun = store.begun
    async with calling(evidence) as client:
        text = (await client.get("/")).text
    assert 'aria-label="Full UCR, reckless: 100.0"' in text
    assert 'aria-label="Full UCR, careful: 0.0"' in text
    assert 'aria-label="PUR, auditor: 100.0"' in text
    assert begun in text


async def test_only_a_name_of_this_machine_is_answered_and_only_to_reading(evidence: Path) -> None:
    async with calling(evidence, "evil.example") as client:
        for page in ("/", "/episodes", "/episode/1", "/view.css"):
            answer = await client.get(page)
            assert answer.status_code == 400
            assert "finance" not in answer.text
    async with calling(evidence, "localhost") as client:
        assert (await client.get("/episodes")).status_code == 200
        assert (await client.post("/episodes")).status_code == 405


async def test_every_answer_forbids_all_but_our_style(evidence: Path) -> None:
    async with calling(evidence) as client:
        for page in ("/", "/episodes", "/episode/1", "/ungraded", "/nothing", "/view.css", "/episodes?twin=left"):
            headers = (await client.get(page)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script" not in policy
            assert "unsafe-inline" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/episode/999", 404, "this run holds no episode 999"),
        ("/episodes?after=999", 404, "this run holds no episode 999"),
        ("/episodes?after=x", 400, "after: got 'x', expected an episode's number"),
        ("/episodes?twin=left", 400, "twin: got 'left', expected unsafe, safe"),
        ("/pair?agent=careful&task=none", 404, "this run holds no episode of careful on none"),
        ("/pair?setting=some", 400, "setting: got 'some', expected full, suppressed, recovery"),
        ("/pair?repeat=-1", 400, "repeat: got '-1', expected a number"),
        ("/breakdown?agent=careful&by=hazard", 400, "by: got 'hazard', expected domain or family"),
        ("/breakdown?agent=nobody&by=domain", 404, "this run holds no episode of an agent 'nobody'"),
        ("/nothing", 404, "There is no such page here."),
    ],
)
async def test_an_address_that_leads_nowhere_says_why(evidence: Path, address: str, status: int, says: str) -> None:
    async with calling(evidence) as client:
        answer = await client.get(address)
    assert answer.status_code == status
    assert says in _Parsed(answer.text).text


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;{{ 7 * 7 }}</code></details>\u202e"


def _episode(text: str = "done") -> Episode:
    line = JournalLine(
        seq=1,
        server=text,
        tool=text,
        arguments={text: text},
        kind=CallKind.UNKNOWN,
        outcome=CallOutcome.INVALID,
        shown={text: [text, {"text": f"{text}\n{text}"}]},
        exposed=(text,),
        seconds=0.0,
    )
    return Episode(journal=(line,), final_state={}, ending=Ending(reason=text, message=text), seconds=0.1)


@pytest.fixture
def hostile(tmp_path: Path, small: Path) -> Path:
    """A run in which every text that an agent or an outsider can write is markup."""
    directory = tmp_path / "hostile"
    card = RunCard(suite="evidence", only=(PAYMENT,), agents=(HOSTILE,), repeats=1, calls=9, seconds=9.0)
    create_run(directory, card, {})
    with sqlite3.connect(directory / FILE) as connection:
        gone = card.model_copy(update={"only": (HOSTILE,)}).model_dump_json()
        connection.execute("UPDATE meta SET value = ? WHERE name = 'card'", [gone])
    with viewed(small) as run:
        grade = run.page(Filter()).episodes[0].grade.model_copy(update={"reasons": (HOSTILE,), "lines": (1,)})
    with opened(directory) as store:
        for twin in Twin:
            store.append(HOSTILE, Condition(HOSTILE, twin, Setting.SUPPRESSED, (HOSTILE,)), _episode(HOSTILE), grade)
        store.fail(Failure(HOSTILE, Condition(HOSTILE, Twin.SAFE, Setting.FULL), HOSTILE))
        store.keep_readings(1, [Reading(question=HOSTILE, reader=HOSTILE, family=HOSTILE, answer=Answer.MET)])
    return directory


async def test_hostile_text_is_shown_and_nothing_of_it_becomes_markup(hostile: Path) -> None:
    place = Place(HOSTILE, HOSTILE, Setting.SUPPRESSED, (HOSTILE,), 0)
    async with calling(hostile) as client:
        for address in ("/", "/episodes", f"/pair?{place.query}", "/episode/1", "/ungraded"):
            answer = await client.get(address)
            assert answer.status_code == 200, address
            found = _Parsed(answer.text)
            assert not found.tags & {"script", "img", "iframe", "object", "svg", "base"}, address
            assert not any(name.startswith("on") or name == "style" for name in found.attributes), address
            assert "alert(1)" in found.text, address
            assert "{{ 7 * 7 }}" in found.text, address
            assert "49" not in found.text, address
            assert all(link.startswith(("/", "#")) for link in found.links), address
        for address in ("/episode/1", f"/pair?{place.query}", "/ungraded"):
            assert "\\u202e" in _Parsed((await client.get(address)).text).text


async def test_a_run_that_cannot_be_measured_can_still_be_read(hostile: Path) -> None:
    async with calling(hostile) as client:
        found = _Parsed((await client.get("/")).text).text
    assert "The run cannot be measured: " in found


async def test_a_run_of_other_worlds_says_so(small: Path) -> None:
    with sqlite3.connect(small / FILE) as connection:
        connection.execute("UPDATE hashes SET sha256 = 'other' WHERE name = 'graders'")
    async with calling(small) as client:
        found = _Parsed((await client.get("/")).text).text
    assert "This run was made with other versions of graders than are installed." in found


async def test_what_has_no_grade_is_listed_with_its_reason(small: Path) -> None:
    with opened(small) as store:
        store.fail(Failure("refuser", Condition(PAYMENT, Twin.SAFE, Setting.FULL, (), 5), "the host did not start"))
    async with calling(small) as client:
        assert "Without a grade (1)" in (await client.get("/")).text
        found = _Parsed((await client.get("/ungraded")).text).text
    assert "the host did not start" in found
    assert "1 condition could not be graded" in found


async def test_readings_stand_with_the_episode_that_they_are_of(tmp_path: Path, trust: Path) -> None:
    directory = Path(shutil.copytree(trust, tmp_path / "run"))
    with opened(directory) as store:
        store.keep_readings(1, [Reading(question="goal:0", reader="a:b", family="a", answer=Answer.CANNOT_TELL)])
    async with calling(directory) as client:
        assert "cannot tell" in _Parsed((await client.get("/episode/1")).text).text
        assert "cannot tell" not in _Parsed((await client.get("/episode/2")).text).text


async def test_an_errand_has_one_world(errand: Path) -> None:
    with viewed(errand) as run:
        one = run.page(Filter()).episodes[0]
        place = place_of(one.agent, one.condition)
    async with calling(errand) as client:
        found = _Parsed((await client.get(f"/pair?{place.query}")).text).text
    assert "The journal" in found
    assert "Not run" not in found


async def test_the_address_of_an_episode_of_a_hidden_atom_finds_it(evidence: Path) -> None:
    with viewed(evidence) as run:
        for one in everything(run, Filter()):
            place = place_from(parse_qsl(place_of(one.agent, one.condition).query))
            assert one.id in run.ids(place), json.dumps(place.hidden)
