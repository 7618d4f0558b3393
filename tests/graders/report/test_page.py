"""The page: one file that needs nothing else, for every reader."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise

import pytest

from graders.report.page import page, panels
from graders.report.report import numbers, report
from tests.graders.report.reported import errands, evidence, run, trust

HOSTILE = '</script><img src=x onerror="alert(1)">'


def made(agent: str = "auditor") -> str:
    runs = [run("one", evidence(agent, "mixed")), run("two", trust(agent)), run("three", errands(agent))]
    return page(report(runs, [], "1.2.3"), numbers(runs, []))


@pytest.fixture(scope="module")
def whole() -> str:
    return made()


class Elements(HTMLParser):
    """Every element that opens, with its attributes; and the headings' levels."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_page_asks_for_nothing_from_elsewhere(whole: str) -> None:
    elements = Elements(whole).found
    links = [attributes.get(name) or "" for _, attributes in elements for name in ("src", "href", "action", "srcset")]
    assert [link for link in links if link and not link.startswith(("#", "data:"))] == []
    assert re.findall(r"url\((?!#)", whole) == []
    assert "@import" not in whole
    assert "default-src 'none'" in whole


def test_the_only_script_is_the_numbers_as_json(whole: str) -> None:
    scripts = [attributes for tag, attributes in Elements(whole).found if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "numbers"}]
    embedded = re.search(r'id="numbers">(.*?)</script>', whole, re.DOTALL)
    assert embedded
    runs = [run("one", evidence("auditor", "mixed")), run("two", trust("auditor")), run("three", errands("auditor"))]
    assert json.loads(embedded[1]) == json.loads(json.dumps(numbers(runs, [])))


def test_a_name_never_becomes_markup() -> None:
    text = made(HOSTILE)
    tags = [tag for tag, _ in Elements(text).found]
    assert "img" not in tags
    assert tags.count("script") == 1
    embedded = re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL)
    assert embedded
    assert HOSTILE in json.loads(embedded[1])["runs"][0]["results"]["agents"]


def test_headings_come_in_order(whole: str) -> None:
    levels = [int(tag[1]) for tag, _ in Elements(whole).found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_ids_are_unique_and_every_link_leads_somewhere(whole: str) -> None:
    ids = [attributes["id"] for _, attributes in Elements(whole).found if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [attributes["href"] or "" for tag, attributes in Elements(whole).found if tag == "a"]
    assert targets
    assert {target.removeprefix("#") for target in targets} <= set(ids)


def test_every_panel_is_drawn_and_counted(whole: str) -> None:
    runs = [run("one", evidence("auditor", "mixed"))]
    drew: list[None] = []
    values = report(runs, [], "1")
    page(values, {}, lambda: drew.append(None))
    assert len(drew) == panels(values) > 10


def test_the_same_report_is_the_same_file(whole: str) -> None:
    assert made() == whole


SCHEMES = ("light", "dark")


def colours() -> dict[str, tuple[str, str]]:
    """The page's colours in light and dark, by name."""
    style = files("graders.report").joinpath("report.css").read_text(encoding="utf-8")
    found = re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", style)
    return {name: (light, dark) for name, light, dark in found}


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_and_marks_can_be_told_from_what_they_stand_on(scheme: str) -> None:
    found = {name: pair[SCHEMES.index(scheme)] for name, pair in colours().items()}
    for text in ("ink", "soft", "link"):
        assert contrast(found[text], found["paper"]) >= 4.5, text
    for number in range(8):
        assert contrast(found[f"c{number}"], found["paper"]) >= 3, number
    for step in range(5):
        assert contrast(found[f"t{step}"], found[f"h{step}"]) >= 4.5, step
