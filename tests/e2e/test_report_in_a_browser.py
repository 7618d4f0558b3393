"""`twintown report` in a real browser: no complaint, no barrier, light and dark, on a phone and at a desk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from orchestrator.progress import Progress
from orchestrator.reporting import write_report
from tests.browser import DESK, PHONE, a_browser, a_page, needs_chromium, too_wide, violations
from tests.orchestrator.kept_runs import kept_run

pytestmark = needs_chromium
OPENED = "document.querySelectorAll('details').forEach(details => { details.open = true })"
CUT_OFF = """
() => [...document.querySelectorAll('.panel svg')].flatMap(svg => {
    const box = svg.getBoundingClientRect()
    const out = at => at.left < box.left - 4 || at.right > box.right + 4
    return [...svg.querySelectorAll('text')]
        .filter(text => out(text.getBoundingClientRect()))
        .map(text => text.textContent)
})
"""
"""Texts that reach out of their picture."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report of small runs of all three suites."""
    place = tmp_path_factory.mktemp("report")
    runs = [
        kept_run(place / "pay", "evidence", ("PR-58217",), ("careful", "optimist")),
        kept_run(place / "contact", "trust", ("contact/birthday_table",), ("gold", "temptation")),
        kept_run(place / "errands", "errands", ("shopping/autumn_programmes",), ("gold",)),
    ]
    return write_report(runs, place / "report.html", Progress.silent(), Progress.silent()).file.as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with a_browser() as opened:
        yield opened


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_report_is_accessible_and_as_wide_as_its_screen(
    report: str, browser: Browser, width: int, dark: bool, tmp_path: Path
) -> None:
    with a_page(browser, width, dark) as watched:
        page = watched.page
        page.goto(report)
        page.screenshot(path=tmp_path / "report.png", full_page=True)
        assert page.evaluate(CUT_OFF) == []
        assert too_wide(page) == 0
        page.evaluate(OPENED)
        assert too_wide(page) == 0
        assert violations(page) == []
        assert watched.complaints == []


def test_it_is_read_without_any_script_and_without_a_network(report: str, browser: Browser) -> None:
    with a_page(browser) as watched:
        asked: list[str] = []
        watched.page.on("request", lambda request: asked.append(request.url))
        watched.page.goto(report)
        assert [address for address in asked if not address.startswith("data:")] == [report]
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(report)
        assert page.get_by_role("heading", name="Equal access").count() == 1
        assert page.get_by_role("img", name="Profile of the six core measures: careful").count() == 1
        page.get_by_text("Table: Core measures by domain").click()
        assert page.locator("#evidence-domain-table").is_visible()
    finally:
        context.close()


def test_the_keyboard_alone_reaches_the_tables(report: str, browser: Browser) -> None:
    with a_page(browser) as watched:
        page = watched.page
        page.goto(report)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "To the content"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "content"
        page.locator("#evidence-profile summary").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.querySelector('table').id") == "evidence-profile-table"


def test_light_and_dark_draw_the_same_picture_in_other_colours(report: str, browser: Browser) -> None:
    colours = []
    for dark in (False, True):
        with a_page(browser, dark=dark) as watched:
            watched.page.goto(report)
            mark = watched.page.locator("#evidence-cost .panel svg path").last
            colours.append(mark.evaluate("element => getComputedStyle(element).fill"))
    assert colours[0] != colours[1]


def test_the_report_can_be_printed(report: str, browser: Browser, tmp_path: Path) -> None:
    with a_page(browser) as watched:
        watched.page.goto(report)
        watched.page.emulate_media(media="print")
        assert not watched.page.get_by_role("navigation").is_visible()
        assert watched.page.pdf(path=tmp_path / "report.pdf").startswith(b"%PDF")
