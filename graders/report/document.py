"""What a report is made of, as values: sections of tables and pictures. Nothing is drawn or written here.

A picture has panels side by side, and behind it a table that holds every number it shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.statistics import Estimate

Cell = str | Estimate | None
"""A cell of a table: words or a number that is no estimate, an estimate, or nothing known."""


@dataclass(frozen=True, slots=True)
class Key:
    """What stands for one series in a picture: its label and the number of its colour, marker and hatch."""

    label: str
    style: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A radar. `axes`: titles with estimates in percent, drawn so that outwards is better."""

    title: str
    key: Key
    axes: tuple[tuple[str, Estimate | None], ...]
    kind: ClassVar[str] = "profile"


@dataclass(frozen=True, slots=True)
class Plane:
    """Completion against prohibited execution, both in percent. `points`: across and up."""

    title: str
    across: str
    up: str
    points: tuple[tuple[Key, Estimate | None, Estimate | None], ...]
    kind: ClassVar[str] = "plane"


@dataclass(frozen=True, slots=True)
class Dots:
    """Rows of estimates with their intervals, one mark a series. `unit`: of the axis, `percent` if it ends at 100.
    `signed`: whether values may be below zero."""

    title: str
    unit: str
    series: tuple[Key, ...]
    rows: tuple[tuple[str, tuple[Estimate | None, ...]], ...]
    signed: bool = False
    kind: ClassVar[str] = "dots"


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a whole of 100 percent, each with its interval. A part's place gives its style."""

    title: str
    parts: tuple[tuple[str, Estimate | None], ...]
    kind: ClassVar[str] = "parts"


@dataclass(frozen=True, slots=True)
class Heat:
    """A heat map in percent. `columns`: titles, and whether less is better. `rows`: label and one estimate a column;
    a row without estimates is a heading."""

    title: str
    columns: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[str, tuple[Estimate | None, ...]], ...]
    kind: ClassVar[str] = "heat"


Panel = Profile | Plane | Dots | Parts | Heat


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of a row is its heading. `folded`: shown only when asked for. `words`: its cells are no
    numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    folded: bool = False
    words: bool = False
    kind: ClassVar[str] = "table"


@dataclass(frozen=True, slots=True)
class Picture:
    """Panels with a title and how to read them, and the table behind them. `legend`: the series of all panels."""

    name: str
    title: str
    reading: str
    panels: tuple[Panel, ...]
    table: Table
    legend: tuple[Key, ...] = ()
    kind: ClassVar[str] = "picture"


@dataclass(frozen=True, slots=True)
class Words:
    """Paragraphs, or the items of a list."""

    sentences: tuple[str, ...]
    listed: bool = False
    kind: ClassVar[str] = "words"


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what they are, as a list of definitions."""

    title: str
    facts: tuple[tuple[str, str], ...]
    folded: bool = False
    kind: ClassVar[str] = "facts"


Part = Table | Picture | Words | Facts


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with its own heading. `name`: its anchor."""

    name: str
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole: `lede` says in a sentence or two what it is of, `version` of the package that made it."""

    title: str
    lede: tuple[str, ...]
    sections: tuple[Section, ...]
    version: str
