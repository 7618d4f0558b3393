"""A real browser for tests: Debian's Chromium without a window, what it complains of, and what axe finds in a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

CHROMIUM = shutil.which("chromium")
PHONE, DESK = 390, 1280
"""Widths of a screen."""
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: apt-get install chromium")


@dataclass
class Watched:
    """An open page, and what the browser complained of: errors of the page, its console and its requests."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"{request.url}: {request.failure}"))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


@contextmanager
def a_browser() -> Iterator[Browser]:
    """Chromium with an empty profile."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def a_page(browser: Browser, width: int = DESK, dark: bool = False) -> Iterator[Watched]:
    """An empty page on a screen of this width, for someone who prefers light or dark."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
    try:
        watched = Watched(context.new_page())
        watched.listen()
        yield watched
    finally:
        context.close()


def violations(page: Page) -> list[str]:
    """What axe finds against accessibility: the rule, and the first places."""
    found = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {rule['help']}: {[node['html'][:120] for node in rule['nodes'][:3]]}" for rule in found]


def too_wide(page: Page) -> int:
    """By how many pixels the page is wider than its screen; its boxes may scroll by themselves."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width
