"""Tables in the terminal."""

from __future__ import annotations

import io
from itertools import groupby, pairwise

import pytest
from rich.console import Console, RenderableType

from graders.measures import MEASURES
from graders.results import Results
from graders.tables import by_group, coverage, headline, supplement
from tests.graders.made import CRITICAL, FULL, RE, SE, UNSAFE, everywhere, nearly_unchanged, row
from worlds.episode import Usage
from worlds.model import Twin

PATHS = ("finance/payment_authority/T-1", "finance/duplicate_payment/T-2", "travel/total_mandatory_cost/T-3")
TASKS = dict.fromkeys(PATHS, CRITICAL)
AGENTS = ("reckless", "auditor", "[bold]acme/model-4.1-flash-latest[/bold]")


SECTIONS = [
    [measure.title for measure in group]
    for _, group in groupby((measure for measure in MEASURES if measure.group != "core"), lambda each: each.group)
]


def shown(table: RenderableType) -> str:
    console = Console(width=100, file=io.StringIO(), color_system=None)
    console.print(table)
    text = console.file.getvalue() if isinstance(console.file, io.StringIO) else ""
    assert max(len(line) for line in text.splitlines()) <= 100
    assert "…" not in text
    return text


@pytest.fixture(scope="module")
def results() -> Results:
    rows = [each for path in PATHS for each in everywhere("commit", "commit", agent=AGENTS[0], task=path)]
    rows += [each for path in PATHS for each in everywhere("audit stop", "audit commit", agent=AGENTS[1], task=path)]
    rows += everywhere("commit", "commit", agent=AGENTS[2], task=PATHS[0])
    rows += everywhere("stop", "commit", agent=AGENTS[2], task=PATHS[1])
    rows += [row(UNSAFE, FULL, "stop", agent=AGENTS[2], task=PATHS[2])]
    return Results("evidence", TASKS, rows)


def test_the_headline_shows_agents_by_core_measures_with_intervals_and_tasks(results: Results) -> None:
    text = shown(headline(results))
    assert text.split("agent")[0].split()[3:] == ["Full", "Full", "Critical", "Recovery"]
    assert text.split("agent")[1].split()[:6] == ["SWS", "UCR", "UCR", "SBM", "UCR", "PUR"]
    (auditor,) = [line for line in text.splitlines() if "auditor" in line]
    assert auditor.split()[1::2] == ["100.0", "0.0", "0.0", "100.0", "0.0", "100.0"]
    assert auditor.split()[2::2] == ["(3)"] * 6
    assert "33.3 (3)" in text
    assert " 0.0-100.0" in text
    assert "100.0 (2)" in text
    assert " -0.0" not in text


def test_names_of_agents_are_shown_as_they_are(results: Results) -> None:
    for table in (headline(results), supplement(results), coverage(results)):
        assert "[bold]acme" in shown(table)


def test_the_supplement_shows_every_other_measure_for_every_agent(results: Results) -> None:
    text = shown(supplement(results))
    assert text.count("supplementary measures") == 2
    for measure in MEASURES:
        if measure.group != "core":
            assert text.count(f" {measure.title} ") == 2, measure.title
    assert "100.0 [100.0, 100.0] 3" in text


def test_a_measure_without_data_is_a_dash(results: Results) -> None:
    (line, *_) = [line for line in shown(supplement(results)).splitlines() if "Tokens, SE" in line]
    assert line.split()[-2:] == ["-", "-"]


def test_costs_and_changes_are_shown_with_their_intervals() -> None:
    rows = []
    for path, tokens in zip(PATHS[:2], (1499, 2500), strict=True):
        usage = Usage(requests=3, input_tokens=tokens, output_tokens=1)
        rows += [row(twin, setting, "stop", "a", task=path, usage=usage) for twin in Twin for setting in (SE, RE)]
    rows += [row(UNSAFE, SE, "commit", "b", task=PATHS[0]), row(UNSAFE, RE, "audit stop", "b", task=PATHS[0])]
    text = shown(supplement(Results("evidence", TASKS, rows)))
    lines = {line.strip() for line in ("  ".join(line.split()) for line in text.splitlines())}
    assert "Tokens,  SE  2,000  [1,500,  2,501]  2" in lines
    assert "Requests,  RE  3.0  [3.0,  3.0]  2" in lines
    assert "UCR  change,  RE  -  SE  (points)  -50.0  [-100.0,  0.0]  2" in lines
    assert "Attempt  25.0  [0.0,  50.0]  2" in lines
    alone = shown(supplement(Results("evidence", TASKS, rows[:4])))
    assert "Tokens, SE 1,500 1" in " ".join(alone.split())


def test_a_thousand_is_written_without_decimals_and_less_with_one() -> None:
    for tokens, written in ((998, "999.0"), (999, "1,000"), (1500, "1,501")):
        usage = Usage(input_tokens=tokens, output_tokens=1)
        rows = [row(twin, setting, "stop", "a", usage=usage, task=PATHS[0]) for twin in Twin for setting in (SE, RE)]
        text = shown(supplement(Results("evidence", TASKS, rows)))
        (line,) = [line.split() for line in text.splitlines() if "Tokens, SE" in line]
        assert line == ["Tokens,", "SE", written, "1"]


def test_a_change_that_is_zero_but_for_rounding_is_shown_as_zero() -> None:
    paths = (*PATHS, "travel/total_mandatory_cost/T-4")
    results = Results("evidence", dict.fromkeys(paths, CRITICAL), nearly_unchanged(paths))
    (line,) = [line.split() for line in shown(supplement(results)).splitlines() if "SWS change" in line]
    assert line[6] == "0.0"


def test_one_task_has_a_value_and_no_interval() -> None:
    rows = everywhere("audit stop", "audit commit", task=PATHS[0])
    text = shown(headline(Results("evidence", TASKS, rows)))
    assert "100.0 (1)" in text
    assert "100.0-100.0" not in text


def test_groups_of_measures_are_set_apart(results: Results) -> None:
    lines = [line.strip() for line in shown(supplement(results)).splitlines()]
    starts = [line for before, line in pairwise(lines) if not before and line]
    names = [measure.title for measure in MEASURES if measure.group != "core"]
    first = [group[0] for group in SECTIONS]
    assert set(first) <= set(names)
    for title in names:
        begins = any(line.startswith(f"{title} ") for line in starts)
        assert begins == (title in first and title != first[0]), title


def test_groups_are_shown_by_domain_and_by_family(results: Results) -> None:
    assert "travel" in shown(by_group(results, "reckless"))
    text = shown(by_group(results, "auditor", "family"))
    assert "finance/" in text
    assert "100.0 (1)" in text


def test_coverage_shows_every_count(results: Results) -> None:
    text = shown(coverage(results))
    assert "tasks with an undecided boundary" in text
    (episodes,) = [line for line in text.splitlines() if "graded episodes" in line]
    assert episodes.split()[-3:] == ["37", "54", "54"]


def test_a_run_without_agents_has_empty_tables() -> None:
    empty = Results("evidence", TASKS)
    assert "core measures" in shown(headline(empty))
    assert "coverage" in shown(coverage(empty))
