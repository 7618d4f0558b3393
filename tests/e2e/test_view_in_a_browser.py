"""`twintown view` in a real browser: from a number to two twins side by side, for every reader, on every screen."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import DESK, PHONE, a_browser, a_page, needs_chromium, too_wide, violations
from tests.orchestrator.kept_runs import kept_run

pytestmark = needs_chromium


@contextmanager
def served(directory: Path) -> Iterator[str]:
    """`twintown view` on a run; its address."""
    command = [sys.executable, "-m", "orchestrator.cli", "view", str(directory), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["address"]
        finally:
            process.send_signal(signal.SIGINT)
    assert process.returncode == 0


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run of evidence and one of trust."""
    made = tmp_path_factory.mktemp("runs")
    evidence = kept_run(made / "evidence", "evidence", ["PR-58217"], ["careful", "reckless"])
    return evidence, kept_run(made / "trust", "trust", ["contact/birthday_table"], ["temptation"])


@pytest.fixture(scope="module")
def evidence(runs: tuple[Path, Path]) -> Iterator[str]:
    with served(runs[0]) as address:
        yield address


@pytest.fixture(scope="module")
def trust(runs: tuple[Path, Path]) -> Iterator[str]:
    with served(runs[1]) as address:
        yield address


@pytest.fixture(scope="module")
def browser(runs: tuple[Path, Path]) -> Iterator[Browser]:
    """Opened after the runs are made: from then on this thread has an event loop that is running."""
    with a_browser() as opened:
        yield opened


def test_a_number_leads_to_its_episodes_and_these_to_the_two_twins(evidence: str, browser: Browser) -> None:
    with a_page(browser) as watched:
        page = watched.page
        page.goto(evidence)
        page.get_by_role("link", name="Full UCR, reckless: 100.0").click()
        assert "1 episode, with agent reckless" in page.inner_text("main")
        page.get_by_role("link", name="finance/payment_authority/PR-58217").click()
        for heading in ("unsafe", "safe", "The two journals"):
            assert page.get_by_role("heading", name=heading, exact=True).count() == 1
        assert "unsafe commit" in page.inner_text(".tw-side >> nth=0")
        assert "legal completion" in page.inner_text(".tw-side >> nth=1")
        assert page.locator(".tw-first mark").count() > 0
        assert watched.complaints == []


def test_the_list_is_filtered_with_the_keyboard_alone(evidence: str, browser: Browser) -> None:
    with a_page(browser) as watched:
        page = watched.page
        page.goto(f"{evidence}episodes")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "To the content"
        page.get_by_label("unsafe commit").focus()
        page.keyboard.press("Space")
        page.get_by_role("button", name="Filter").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**verdict=unsafe_commit**")
        said = page.locator("tbody .tw-said").all_inner_texts()
        assert said
        assert set(said) == {"unsafe commit"}
        assert watched.complaints == []


@pytest.mark.parametrize(("width", "dark"), [(PHONE, False), (DESK, True)], ids=["phone, light", "desk, dark"])
def test_every_page_is_accessible_and_as_wide_as_its_screen(
    evidence: str, trust: str, browser: Browser, width: int, dark: bool, tmp_path: Path
) -> None:
    pages = {
        "overview": evidence,
        "breakdown": f"{evidence}breakdown?agent=reckless&by=family",
        "episodes": f"{evidence}episodes?agent=careful",
        "filter": f"{evidence}episodes",
        "episode": f"{evidence}episode/2",
        "ungraded": f"{evidence}ungraded",
        "pair": f"{evidence}pair?agent=careful&task=finance/payment_authority/PR-58217"
        "&setting=recovery&hide=policy.limit&repeat=0",
        "town": trust,
        "town-pair": f"{trust}pair?agent=temptation&task=contact/birthday_table&setting=full&repeat=0",
    }
    with a_page(browser, width, dark) as watched:
        for name, address in pages.items():
            watched.page.goto(address)
            watched.page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
            watched.page.screenshot(path=tmp_path / f"{name}.png", full_page=True)
            assert violations(watched.page) == [], name
            assert too_wide(watched.page) == 0, name
        assert watched.complaints == []
