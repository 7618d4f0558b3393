"""`twintown report`: runs read row by row into what a report is made of, and the page written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from graders.report.access import Reach
from graders.report.differences import Pairing
from graders.report.entrants import Entrant, entrants
from graders.report.report import ReportedRun, numbers, report
from graders.results import Results
from graders.town.results import TownResults
from orchestrator.comparing import Side, compared_sides, incomplete
from orchestrator.extras import module_of
from orchestrator.progress import Progress
from orchestrator.results import results_of
from orchestrator.runs import RunStore, opened
from worlds.catalogue import TOWN_NAMES
from worlds.version import VERSION

FILE = "report.html"
MOST_PAIRED = 4
"""Agents of one suite of whom every two are compared; of more, each is compared with the first."""


class ReportError(ValueError):
    """A report that cannot be made; the message says where, what was found and what to do."""


@dataclass(frozen=True, slots=True)
class Made:
    """A report that is written: where, and the numbers in it."""

    file: Path
    numbers: dict[str, object]


@dataclass(frozen=True, slots=True)
class Read:
    """A run that has been read: what is reported, and by agent what is compared."""

    reported: ReportedRun
    sides: Mapping[str, Side]


def write_report(directories: Sequence[Path], out: Path | None, reading: Progress, drawing: Progress) -> Made:
    """Read the runs, draw the report and write it. `reading` counts runs, `drawing` panels.

    Raises ReportError for a place that cannot be used, RunError for a run that cannot be read, ValueError if nothing is
    graded, and MissingExtra without the extra `report`.
    """
    file = place_of(directories, out)
    pages = module_of("graders.report.page", "report")
    with reading:
        reading.start(0, len(directories))
        runs = [
            _counted(reading, directory, name) for directory, name in zip(directories, _names(directories), strict=True)
        ]
    reported = [run.reported for run in runs]
    paired = pairings(runs)
    made, told = report(reported, paired, VERSION), numbers(reported, paired)
    with drawing:
        drawing.start(0, pages.panels(made))
        _write(file, pages.page(made, told, drawing.ended))
    return Made(file, told)


def place_of(directories: Sequence[Path], out: Path | None) -> Path:
    """Where the report goes: into the run's directory unless it is told. Raises ReportError for several runs without a
    place, and for a file there that is no report of ours."""
    if out is None and len(directories) > 1:
        raise ReportError(
            f"a report of {len(directories)} runs belongs to none of them; say where with --out FILE.html"
        )
    file = out or directories[0] / FILE
    if file.is_dir():
        raise ReportError(f"{file} is a directory; give --out the name of a file")
    if file.exists() and b'<meta name="generator" content="twintown ' not in file.read_bytes()[:1000]:
        raise ReportError(f"{file} is there and is no report of twintown; it is not replaced: give another --out")
    return file


def _names(directories: Sequence[Path]) -> list[str]:
    """What the runs are called in the report: the directory's name, numbered where several have the same."""
    names = [directory.resolve().name for directory in directories]
    times, seen = Counter(names), Counter[str]()
    told = []
    for name in names:
        seen[name] += 1
        told.append(name if times[name] == 1 else f"{name} ({seen[name]})")
    return told


def _counted(reading: Progress, directory: Path, name: str) -> Read:
    with opened(directory) as store:
        run = _read(store, name)
    reading.ended()
    return run


def _read(store: RunStore, name: str) -> Read:
    results = results_of(store)
    reach: dict[str, Reach] = {}
    for agent, condition, parity in store.parities():
        reach.setdefault(agent, Reach()).add(condition, parity)
    missing = {agent: incomplete(store, agent) for agent in store.card.agents}
    card, hashes = store.card, store.hashes()
    sides = {
        agent: Side(store.directory, card, hashes, results, agent, missing.get(agent, frozenset()))
        for agent in results.agents
    }
    ungraded = Counter((failure.agent, failure.reason) for failure in store.ungraded())
    counts = {agent: len(tasks) for agent, tasks in missing.items()}
    reported = ReportedRun(name, results, _terms(store), hashes, reach, counts, dict(ungraded.most_common()))
    return Read(reported, sides)


def _terms(store: RunStore) -> dict[str, str]:
    """What the run was made with, for people."""
    card = store.card
    terms = {
        "suite": card.suite,
        "tasks": f"{len(card.pairs):,}",
        "only": ", ".join(card.only) or "the whole suite",
        "agents": ", ".join(card.agents),
        "graded episodes": f"{store.count():,}",
        "repeats": str(card.repeats),
        "most calls of an episode": str(card.calls),
        "most seconds of an episode": f"{card.seconds:g}",
        "begun": f"{store.begun.replace('T', ' ').removesuffix('+00:00')} UTC",
        "made by": f"twintown {store.version}",
    }
    if card.drawn is not None:
        terms["drawn"] = f"seed {card.drawn.seed}, {card.drawn.per_family} of each family"
    if card.suite in TOWN_NAMES:
        terms["facts hidden"] = "yes" if card.hiding else "no"
        terms["the owner listens by"] = card.owner or "the words that the task declares"
    return terms


def pairings(runs: Sequence[Read]) -> list[Pairing]:
    """Every two agents of one suite, or of many, each with the first."""
    sides = {run.reported.name: run.sides for run in runs}
    everyone = entrants([(run.reported.name, run.reported.results) for run in runs])
    found = []
    for suite in dict.fromkeys(one.results.suite for one in everyone):
        among = [one for one in everyone if one.results.suite == suite]
        every = list(combinations(among, 2))
        for first, second in every if len(among) <= MOST_PAIRED else every[: len(among) - 1]:
            found.append(_pairing(first, second, sides))
    return found


AnyEntrant = Entrant[Results] | Entrant[TownResults]


def _pairing(first: AnyEntrant, second: AnyEntrant, sides: Mapping[str, Mapping[str, Side]]) -> Pairing:
    ours, theirs = sides[first.run][first.agent], sides[second.run][second.agent]
    try:
        return Pairing(first.label, second.label, compared_sides(ours, theirs))
    except ValueError as error:
        return Pairing(first.label, second.label, None, _without_places(str(error), (ours, first), (theirs, second)))


def _without_places(text: str, *of: tuple[Side, AnyEntrant]) -> str:
    """A message without this machine's paths."""
    for side, entrant in of:
        text = text.replace(str(side.directory), entrant.run)
    return text


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with open(handle, "w", encoding="utf-8") as written:
            written.write(text)
        os.chmod(unfinished, 0o644)
        os.replace(unfinished, file)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise
