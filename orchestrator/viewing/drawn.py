"""Templates to HTML."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.environment import TemplateModule
from markupsafe import Markup

from orchestrator.viewing.twin import TwinView
from orchestrator.viewing.written import visible

FOLDER = Path(__file__).parent / "templates"


def environment() -> Environment:
    """The templates of this folder; everything that is filled in is escaped, whatever a file is called."""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["visible"] = visible
    return made


def twin_fragment(view: TwinView, level: int = 2) -> Markup:
    """A twin view as HTML for any page; `level`: of its first heading. It needs the style `twin_css`."""
    return Markup(_twin_module().twin(view, level))  # type: ignore[attr-defined]  # the template's macro


@cache
def _twin_module() -> TemplateModule:
    return environment().get_template("twin.html.j2").make_module()


def twin_css() -> str:
    """The style of twin views; every class in it begins with `tw-`."""
    return (FOLDER / "twin.css").read_text(encoding="utf-8")


def stylesheet() -> str:
    """The style of the viewer's pages, with that of twin views."""
    return (FOLDER / "view.css").read_text(encoding="utf-8") + twin_css()
