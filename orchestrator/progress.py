"""Progress of long work: a bar with rate and time left on a terminal, plain lines elsewhere. On standard error."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

EVERY = 10.0
"""Seconds between plain lines."""


class Progress:
    """Counts finished items of a total that may grow."""

    def __init__(self, what: str, console: Console | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._console = console
        self._clock = clock
        self._bar: Bar | None = None
        self._done = self._before = self._total = 0
        self._began = self._said = clock()

    @classmethod
    def on_stderr(cls, what: str) -> Progress:
        return cls(what, Console(stderr=True))

    @classmethod
    def silent(cls) -> Progress:
        return cls("", None)

    def __enter__(self) -> Progress:
        if self._console is not None and self._console.is_terminal:
            columns = (
                TextColumn(f"{self._what}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
            )
            self._bar = Bar(*columns, console=self._console, transient=True)
            self._bar.start()
            self._bar.add_task(self._what, total=None, rate="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._console is not None and self._total:
            self._say()

    def start(self, done: int, total: int) -> None:
        """So much is done already, of so much."""
        self._done = self._before = done
        self._total = total
        self._began = self._said = self._clock()
        self._show()

    def began(self, added: bool) -> None:
        """An item begins; `added` if it was not in the total."""
        self._total += added

    def ended(self, count: int = 1) -> None:
        """Items are done."""
        self._done += count
        self._total = max(self._total, self._done)
        self._show()

    @property
    def rate(self) -> float:
        """Items a second since the start."""
        return (self._done - self._before) / max(self._clock() - self._began, 1e-9)

    def _show(self) -> None:
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done, total=self._total, rate=f"{self.rate:.0f}/s")
        elif self._console is not None and self._clock() - self._said >= EVERY:
            self._said = self._clock()
            self._say()

    def _say(self) -> None:
        if self._console is not None:
            left = (self._total - self._done) / self.rate if self.rate else 0
            self._console.print(
                f"{self._what}: {self._done} of {self._total}, {self.rate:.0f}/s, {left:.0f} s left", highlight=False
            )
