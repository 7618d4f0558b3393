"""Pictures: SVG in the page's colours, that says what it shows."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from graders.report.document import Dots, Heat, Key, Panel, Parts, Plane, Profile
from graders.report.drawing import HATCHES, MARKERS, drawn, sample, shade
from graders.report.svg import SERIES, STEPS
from graders.statistics import Estimate

ONE, SURE, ALONE = Estimate(40.0, 20.0, 60.0, 5), Estimate(100.0, 100.0, 100.0, 5), Estimate(0.0, None, None, 1)
LEAST = "\N{MINUS SIGN}100"
FIRST, SECOND = Key("<first> & $x$", 0), Key("second", 1)
PANELS: dict[str, Panel] = {
    "profile": Profile("a", FIRST, (*((name, ONE) for name in "abcde"), ("f", None))),
    "plane": Plane("a", "Forbidden", "Done", ((FIRST, ONE, SURE), (SECOND, None, ONE))),
    "dots": Dots("a", "percent", (FIRST, SECOND), (("x", (ONE, None)), ("y", (SURE, ALONE)))),
    "signed": Dots("a", "percent", (FIRST,), (("x", (Estimate(-40.0, -60.0, 10.0, 5),)),), signed=True),
    "tokens": Dots("a", "tokens", (FIRST,), (("x", (Estimate(12_345.0, 9_000.0, 15_000.0, 5),)),)),
    "parts": Parts("a", (("x", ONE), ("y", Estimate(60.0, 40.0, 80.0, 5)), ("z", None))),
    "heat": Heat("a", (("Full SWS", False), ("PUR", False)), (("finance", ()), ("x", (ONE, None)))),
}


def picture(name: str) -> ET.Element:
    return ET.fromstring(drawn(PANELS[name], "some-name", "Title"))


def texts(svg: ET.Element) -> list[str]:
    return [element.text or "" for element in svg.iter("text")]


@pytest.mark.parametrize("name", PANELS)
def test_a_picture_takes_all_its_colours_from_the_page(name: str) -> None:
    svg = drawn(PANELS[name], "some-name", "Title")
    assert re.findall(r"#[0-9a-f]{6}\b", svg) == []
    assert "var(--" in svg


@pytest.mark.parametrize("name", PANELS)
def test_a_picture_says_what_it_shows(name: str) -> None:
    svg = picture(name)
    assert svg.attrib["role"] == "img"
    named = {element.attrib["id"]: element.text for element in svg if element.tag in ("title", "desc")}
    assert svg.attrib["aria-labelledby"].split() == list(named)
    assert named["some-name-title"] == "Title: a"
    assert named["some-name-desc"]


@pytest.mark.parametrize("name", PANELS)
def test_ids_are_unique_in_the_page_and_every_reference_leads_somewhere(name: str) -> None:
    svg = picture(name)
    ids = [element.attrib["id"] for element in svg.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    assert all(found.startswith("some-name-") for found in ids)
    values = [value for element in svg.iter() for value in element.attrib.values()]
    wanted = {found for value in values for found in re.findall(r"url\(#([^)]+)\)", value)}
    wanted |= {element.attrib["href"].removeprefix("#") for element in svg.iter() if "href" in element.attrib}
    assert wanted <= set(ids)


@pytest.mark.parametrize("name", PANELS)
def test_the_same_picture_gives_the_same_bytes(name: str) -> None:
    assert drawn(PANELS[name], "n", "t") == drawn(PANELS[name], "n", "t")


@pytest.mark.parametrize("name", ["dots", "parts"])
def test_values_and_counts_stand_in_the_picture_as_text(name: str) -> None:
    assert {"40.0", "n 5", "no data"} <= set(texts(picture(name)))


def test_the_profile_stands_in_the_picture_as_text() -> None:
    assert texts(picture("profile")).count("40.0") == 5
    assert "-" in texts(picture("profile"))


def test_an_axis_of_differences_has_zero_in_the_middle() -> None:
    assert [text for text in texts(picture("signed")) if text in (LEAST, "0", "100")] == [LEAST, "0", "100"]


def test_an_axis_of_amounts_ends_above_the_largest_end_of_an_interval() -> None:
    assert "20000" in texts(picture("tokens"))
    assert "12,345" in texts(picture("tokens"))


def test_an_interval_is_as_long_as_it_is_wide() -> None:
    (line,) = [
        element for element in picture("tokens").iter("path") if "stroke-width: 3.2" in element.attrib.get("style", "")
    ]
    start, end = (float(found) for found in re.findall(r"[ML] ([\d.]+)", line.attrib["d"]))
    axis = 360 - 96 - 10
    assert (start - 10) / axis == pytest.approx(9_000 / 20_000, abs=1e-3)
    assert (end - 10) / axis == pytest.approx(15_000 / 20_000, abs=1e-3)


def test_a_shade_tells_how_far_from_good_a_cell_is() -> None:
    assert [shade(value, less=False) for value in (100, 99.9, 75, 74.9, 50, 25, 24.9, 0)] == [0, 1, 1, 2, 2, 3, 4, 4]
    assert [shade(value, less=True) for value in (0, 0.1, 25, 25.1, 100)] == [0, 1, 1, 2, 4]
    assert shade(0, less=False) == STEPS - 1


def test_series_differ_in_more_than_colour() -> None:
    assert len(set(MARKERS)) >= SERIES
    assert len(set(HATCHES)) == len(HATCHES) >= 5
    assert len({sample(Key("", style)) for style in range(3 * SERIES)}) == 3 * SERIES


def test_a_name_is_text_whatever_is_in_it() -> None:
    svg = picture("plane")
    described = next(element.text or "" for element in svg if element.tag == "desc")
    assert "<first> & $x$" in described
