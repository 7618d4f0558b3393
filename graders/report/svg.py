"""A matplotlib figure as SVG that belongs into a page: it takes the page's colours and type, and says what it shows.

matplotlib draws with stand-in colours (`Ink`); here each becomes a CSS variable of the page, so that one file serves
light and dark. Text stays text. The same figure gives the same bytes.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_STAND_IN = re.compile(r"#ab00([0-9a-f]{2})")
_LONG = re.compile(r"-?\d+\.\d{3,}")
_FAMILY = re.compile(r"font-family:[^;\"]*;?\s*|font: (?P<size>[\d.]+px) [^;\"]*")
_NO_TURN = re.compile(r"\s*rotate\(-?0 [^)]*\)")
_REFERENCE = re.compile(r"#(\w+)\)?")
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))

SERIES = 8
"""Colours for series, after which they come again."""
STEPS = 5
"""Shades of a heat map, from good to bad."""
_NAMES = ("ink", "soft", "edge", "paper", "box")
_VARIABLES = (
    *_NAMES,
    *(f"c{number}" for number in range(SERIES)),
    *(f"h{number}" for number in range(STEPS)),
    *(f"t{number}" for number in range(STEPS)),
)
RC = {
    "svg.fonttype": "none",
    "svg.hashsalt": "twintown",
    "font.size": 12.0,
    "hatch.linewidth": 1.2,
    "text.parse_math": False,
    "axes.unicode_minus": True,
}
"""How matplotlib has to be set for figures that are turned into SVG here."""


def ink(variable: str) -> str:
    """The stand-in for a colour of the page. Raises ValueError for a variable that pages do not have."""
    return f"#ab00{_VARIABLES.index(variable):02x}"


def fragment(figure: Figure, name: str, title: str, description: str) -> str:
    """The figure as an `svg` element to put into a page. `name`: unique in the page, a word."""
    root = _cleaned(figure, name)
    root.attrib |= {"role": "img", "aria-labelledby": f"{name}-title {name}-desc"}
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        said = ET.Element(tag, {"id": f"{name}-{tag}"})
        said.text = text
        root.insert(place, said)
    return ET.tostring(root, encoding="unicode")


def decoration(figure: Figure) -> str:
    """The figure as an `svg` element that says nothing which does not stand beside it. It must refer to nothing."""
    root = _cleaned(figure, "")
    root.set("aria-hidden", "true")
    return ET.tostring(root, encoding="unicode")


def _cleaned(figure: Figure, name: str) -> ET.Element:
    drawn = io.StringIO()
    with matplotlib.rc_context(RC):  # type: ignore[arg-type]  # the stubs list every key as a literal
        FigureCanvasSVG(figure).print_svg(drawn, metadata=_NO_METADATA)  # type: ignore[no-untyped-call]  # it has no annotations
    root = ET.fromstring(drawn.getvalue())
    _only_what_is_used(root, name)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
        if element.tag != "text":
            element.text = None
        element.tail = None
        for key, value in element.attrib.items():
            element.set(key, _shortened(value))
    root.attrib = {"viewBox": root.attrib["viewBox"]}
    return root


def _only_what_is_used(root: ET.Element, name: str) -> None:
    """Drop styles and ids that nothing refers to; make the others unique in the page."""
    used = {found for element in root.iter() for found in _references(element)}
    for element in root.iter():
        for child in [child for child in element if child.tag == f"{{{_SVG}}}style"]:
            element.remove(child)
        old = element.attrib.pop("id", None)
        if old in used:
            element.set("id", f"{name}-{old}")
        link = element.attrib.pop(_LINK, None)
        if link is not None:
            element.set("href", f"#{name}-{link[1:]}")
        for key, value in element.attrib.items():
            element.set(key, value.replace("url(#", f"url(#{name}-"))


def _references(element: ET.Element) -> list[str]:
    linked = [value for key, value in element.attrib.items() if key == _LINK or "url(#" in value]
    return [found for value in linked for found in _REFERENCE.findall(value)]


def _shortened(value: str) -> str:
    value = _LONG.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), value)
    value = _FAMILY.sub(lambda found: f"font-size: {found['size']}" if found["size"] else "", value)
    value = _STAND_IN.sub(lambda found: f"var(--{_VARIABLES[int(found[1], 16)]})", value)
    return " ".join(_NO_TURN.sub("", value).split())
