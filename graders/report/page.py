"""The report as one HTML file that needs nothing else: no network, no script, light and dark, for every reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from graders.cells import number
from graders.report.document import Key, Panel, Picture, Report, Section
from graders.report.drawing import drawn, sample
from graders.report.written import interval, tasks
from graders.statistics import Estimate

GENERATOR = "twintown"
"""What the page says it was made by; only such a file is replaced."""


def page(report: Report, numbers: dict[str, object], drew: Callable[[], None] = lambda: None) -> str:
    """The file. `numbers`: what is kept in it as JSON; `drew`: called after every panel."""
    environment = Environment(
        loader=PackageLoader("graders.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(interval=interval, tasks=tasks, number=number, sample=_sample)
    environment.tests["estimate"] = lambda cell: isinstance(cell, Estimate)

    def draw(panel: Panel, name: str, title: str) -> Markup:
        svg = Markup(drawn(panel, name, title))
        drew()
        return svg

    style = files("graders.report").joinpath("report.css").read_text(encoding="utf-8")
    return environment.get_template("report.html.j2").render(
        report=report, style=Markup(style), numbers=Markup(_embedded(numbers)), draw=draw, generator=GENERATOR
    )


def panels(report: Report) -> int:
    """How many panels a page of this report has."""
    return sum(_panels(section) for section in report.sections)


def _panels(section: Section) -> int:
    return sum(len(part.panels) for part in section.parts if isinstance(part, Picture))


def _embedded(numbers: dict[str, object]) -> str:
    # Nothing in it can end the element that holds it.
    return json.dumps(numbers, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def _sample(key: Key) -> Markup:
    return Markup(sample(key))
