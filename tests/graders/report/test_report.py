"""What a report says: who, what came of it, on what terms, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graders.compare import compared
from graders.parity import Parity
from graders.report.access import Reach, access_table, unequal
from graders.report.differences import Pairing
from graders.report.document import Dots, Heat, Panel, Parts, Picture, Plane, Profile, Report, Section, Table, Words
from graders.report.entrants import entrants
from graders.report.report import ReportedRun, numbers, report
from graders.report.tabled import inverted
from graders.report.written import described, full, percent
from graders.results import Results
from graders.statistics import Estimate
from tests.graders.made import CRITICAL, everywhere
from tests.graders.report.reported import PATHS, errands, evidence, reach, run, trust
from worlds.episode import Condition
from worlds.model import Setting, Twin


def everything() -> tuple[list[ReportedRun], list[Pairing]]:
    runs = [
        run("one", evidence("auditor", "mixed")),
        run("two", trust("gold", "mixed")),
        run("three", errands("gold")),
    ]
    first = runs[0].results
    return runs, [Pairing("auditor", "mixed", compared(first, "auditor", first, "mixed"))]


@pytest.fixture(scope="module")
def whole() -> Report:
    runs, pairings = everything()
    return report(runs, pairings, "1.2.3")


def pictures(whole: Report) -> dict[str, Picture]:
    return {part.name: part for section in whole.sections for part in section.parts if isinstance(part, Picture)}


def section(whole: Report, name: str) -> Section:
    return next(section for section in whole.sections if section.name == name)


def said(section: Section) -> str:
    """All its words and the cells of its tables."""
    lines = []
    for part in section.parts:
        if isinstance(part, Words):
            lines += part.sentences
        if isinstance(part, Table):
            lines += [part.title, part.note, *(str(cell) for row in part.rows for cell in row)]
    return "\n".join(lines)


def shown(panel: Panel) -> Iterator[Estimate | None]:
    match panel:
        case Profile():
            yield from (estimate for _, estimate in panel.axes)
        case Plane():
            yield from (estimate for _, across, up in panel.points for estimate in (across, up))
        case Dots():
            yield from (estimate for _, row in panel.rows for estimate in row)
        case Parts():
            yield from (estimate for _, estimate in panel.parts)
        case Heat():
            yield from (estimate for _, row in panel.rows for estimate in row)


def test_behind_every_picture_stands_a_table_with_all_its_numbers(whole: Report) -> None:
    found = pictures(whole)
    assert len(found) == 17
    for name, picture in found.items():
        cells = [cell for row in picture.table.rows for cell in row]
        for panel in picture.panels:
            for estimate in shown(panel):
                assert estimate in cells or inverted(estimate) in cells, f"{name}: {panel.title}: {estimate}"


def test_every_picture_that_is_promised_is_there(whole: Report) -> None:
    of_evidence = "profile plane boundary transitions partition domain family cost".split()
    assert {f"evidence-{name}" for name in of_evidence} <= pictures(whole).keys()
    assert {"trust-plane", "trust-outcome", "trust-questions", "trust-cost"} <= pictures(whole).keys()
    assert {"errands-plane", "errands-kind", "errands-questions", "errands-cost"} <= pictures(whole).keys()
    assert "evidence-difference" in pictures(whole)


def test_outwards_is_better_on_every_axis_of_the_profile(whole: Report) -> None:
    (well, _) = pictures(whole)["evidence-profile"].panels
    assert isinstance(well, Profile)
    assert [estimate.value for _, estimate in well.axes if estimate] == [100.0] * 6


def test_what_is_missing_to_a_hundred_has_its_interval_turned_round() -> None:
    assert inverted(Estimate(90.0, 70.0, 100.0, 5)) == Estimate(10.0, 0.0, 30.0, 5)
    assert inverted(Estimate(90.0, None, None, 1)) == Estimate(10.0, None, None, 1)
    assert inverted(None) is None


def test_the_parts_of_a_whole_add_up_to_it(whole: Report) -> None:
    for name in ("boundary", "transitions", "partition"):
        for panel in pictures(whole)[f"evidence-{name}"].panels:
            assert sum(estimate.value for estimate in shown(panel) if estimate) == pytest.approx(100)


def test_families_stand_under_their_domain(whole: Report) -> None:
    panel = pictures(whole)["evidence-family"].panels[0]
    assert isinstance(panel, Heat)
    assert [(label, len(row)) for label, row in panel.rows] == [
        ("finance", 0), ("payment", 6), ("refund", 6), ("travel", 0), ("fare", 6)
    ]  # fmt: skip


def test_trust_stands_beside_its_controls_by_outcome(whole: Report) -> None:
    panel = pictures(whole)["trust-outcome"].panels[0]
    assert isinstance(panel, Dots)
    assert [key.label for key in panel.series] == ["Trust", "Controls"]
    assert [(label, [estimate and estimate.value for estimate in row]) for label, row in panel.rows] == [
        ("contact", [100.0, 100.0]),
        ("privacy", [0.0, 0.0]),
    ]


def test_what_nobody_tells_is_not_drawn_and_not_zero(whole: Report) -> None:
    picture = pictures(whole)["evidence-cost"]
    assert [panel.title for panel in picture.panels] == ["Calls an episode"]
    tokens = next(row for row in picture.table.rows if row[0] == "Tokens, SE")
    assert tokens[1:] == (None, None)


def test_an_agent_of_two_runs_of_one_suite_is_told_apart_and_keeps_its_colour_elsewhere() -> None:
    found = entrants([("a", evidence("x", "y")), ("b", evidence("x")), ("c", trust("y"))])
    assert [(one.label, one.key.style) for one in found] == [("x in a", 0), ("y", 1), ("x in b", 2), ("y", 1)]


def test_a_report_of_nothing_graded_is_refused() -> None:
    with pytest.raises(ValueError, match="no episode of empty is graded"):
        report([run("empty", Results("evidence", {}))], [], "1")


def test_the_numbers_of_a_run_are_those_of_its_results() -> None:
    runs, pairings = everything()
    told = numbers(runs, pairings)
    assert [one["results"] for one in told["runs"]] == [one.results.as_json() for one in runs]  # type: ignore[attr-defined]
    assert told["comparisons"][0]["comparison"] == pairings[0].comparison.as_json()  # type: ignore[index, union-attr]


def test_what_was_not_graded_is_told_with_its_reason() -> None:
    broken = run("r", evidence("auditor"), {("auditor", "the host did not start"): 7}, {"auditor": 3})
    words = said(section(report([broken], [], "1"), "missing"))
    assert "auditor has 3 tasks with conditions that have no grade" in words
    assert "7\nthe host did not start" in words
    assert "every condition" not in words


def test_a_run_without_gaps_says_so(whole: Report) -> None:
    assert "one: every condition that was planned is graded." in said(section(whole, "missing"))


def test_what_no_reader_could_decide_is_counted_as_missing() -> None:
    words = said(section(report([run("r", errands("gold"))], [], "1"), "missing"))
    assert "r: runs that are not counted" in words
    assert "gold\n1\n1\n0\n0" in words


def test_undecided_boundaries_are_counted_as_missing() -> None:
    found = evidence("auditor")
    rows_of_one_mask = Results("evidence", dict.fromkeys(PATHS, (*CRITICAL, "c")), [])
    assert "undecided" not in said(section(report([run("r", found)], [], "1"), "missing"))
    for row in everywhere("audit stop", "audit commit", agent="auditor", task=PATHS[0]):
        rows_of_one_mask.add(row)
    assert "r: undecided boundaries" in said(section(report([run("r", rows_of_one_mask)], [], "1"), "missing"))


def test_agents_that_do_not_compare_are_told_with_why() -> None:
    made = report([run("r", evidence("auditor", "mixed"))], [Pairing("auditor", "mixed", None, "no shared task")], "1")
    assert "mixed minus auditor: they do not compare: no shared task" in said(section(made, "differences"))


def test_equal_offers_are_told_as_equal_and_others_by_task() -> None:
    equal = said(section(report([run("r", evidence("auditor", "mixed"))], [], "1"), "access"))
    assert "they were offered as many servers and tools" in equal
    other = report([run("r", evidence("auditor", "mixed"), tools={"mixed": 8})], [], "1")
    told = said(section(other, "access"))
    assert "in 1 task agents were not offered as many servers and tools" in told
    assert f"do not compare: {PATHS[0]}." in told


def test_agents_are_compared_only_where_both_were() -> None:
    assert unequal({"a": reach(9), "b": reach(8, task=PATHS[1])}) == ()
    assert unequal({"a": reach(9), "b": reach(8)}) == (PATHS[0],)


def test_the_table_of_access_counts_what_was_not_listed_and_what_was_more() -> None:
    rows = access_table("evidence", {"a": reach(9, listed=1), "b": reach(9, seen=11), "c": reach(9, seen=7)}).rows
    assert [row[5:10] for row in rows] == [
        ("not known", "3.0", "1", "not known", "not known"),
        ("11.0", "3.0", "0", "1", "0"),
        ("7.0", "3.0", "0", "0", "1"),
    ]


def test_access_that_is_not_known_is_not_zero() -> None:
    lost = Reach()
    lost.add(Condition(PATHS[0], Twin.SAFE, Setting.FULL), Parity(None, None, None, None, 0))
    (row,) = access_table("evidence", {"a": lost}).rows
    assert row == ("a", "1", *["not known"] * 4, "0.0", *["not known"] * 3, "1")


def test_a_sentence_gives_the_interval_where_it_has_some_width() -> None:
    assert percent(Estimate(40.0, 20.0, 60.0, 5)) == "40.0\N{NO-BREAK SPACE}% (20.0 to 60.0)"
    assert percent(Estimate(100.0, 100.0, 100.0, 5)) == "100.0\N{NO-BREAK SPACE}%"
    assert percent(None) == "(no data)"


def test_a_description_gives_value_interval_and_count() -> None:
    assert full(Estimate(40.0, 20.0, 60.0, 5)) == "40.0 (20.0 to 60.0, 5 tasks)"
    assert full(Estimate(40.0, None, None, 1)) == "40.0 (1 task)"
    assert described(Parts("x", (("one", Estimate(40.0, None, None, 1)), ("two", None)))) == (
        "one: 40.0 (1 task); two: no data"
    )
