"""Panels drawn with matplotlib, one function a kind. Everything is laid out in points, 72 to the inch, for a panel that
is as wide as a phone; where there is room, the page puts several side by side.
"""

from __future__ import annotations

import math

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.transforms import Affine2D

from graders.report.document import Dots, Heat, Key, Panel, Parts, Plane, Profile
from graders.report.svg import RC, SERIES, STEPS, decoration, fragment, ink
from graders.report.written import NO_DATA, described, short
from graders.statistics import Estimate

WIDTH = 360
MARKERS = "os^DvPXd"
"""By style, as are the colours: no series is told by its colour alone."""
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "----", "||||", "++++")
_INK, _SOFT, _EDGE, _PAPER = map(ink, ("ink", "soft", "edge", "paper"))
_SMALL = 11.0


def drawn(panel: Panel, name: str, title: str) -> str:
    """The panel as SVG. `title`: of the picture it belongs to; `name`: unique in the page."""
    with matplotlib.rc_context(RC):  # type: ignore[arg-type]  # the stubs list every key as a literal
        figure = _figure(panel)
    whole = f"{title}: {panel.title}" if panel.title else title
    return fragment(figure, name, whole, described(panel))


def shade(value: float, less: bool) -> int:
    """The step of a heat map: 0 is as good as can be, the last is bad. `value` in percent; `less` is better."""
    away = value if less else 100.0 - value
    return min(STEPS - 1, math.ceil(away / (100.0 / (STEPS - 1)) - 1e-9)) if away > 0 else 0


def _figure(panel: Panel) -> Figure:
    match panel:
        case Profile():
            return _profile(panel)
        case Plane():
            return _plane(panel)
        case Dots():
            return _dots(panel)
        case Parts():
            return _parts(panel)
        case Heat():
            return _heat(panel)


def _colour(style: int) -> str:
    return ink(f"c{style % SERIES}")


def _marker(style: int) -> str:
    # After a round of colours and markers the pairs are shifted, so that they still differ.
    return MARKERS[(style + style // SERIES) % len(MARKERS)]


def _blank(height: float, width: float = WIDTH) -> Figure:
    return Figure(figsize=(width / 72, height / 72), facecolor="none", edgecolor="none")


class _Sheet:
    """A figure without axes, drawn on in points from its upper left corner."""

    def __init__(self, height: float, width: float = WIDTH) -> None:
        self.figure = _blank(height, width)
        self._points = Affine2D().scale(1 / 72, -1 / 72).translate(0, height / 72) + self.figure.dpi_scale_trans

    def text(
        self, x: float, y: float, text: str, size: float = 12, colour: str = _INK, ha: str = "left", bold: bool = False
    ) -> None:
        self.figure.text(
            x, y, text, fontsize=size, color=colour, transform=self._points, va="center", ha=ha,
            weight="bold" if bold else "normal",
        )  # fmt: skip

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str, width: float, alpha: float = 1) -> None:
        ends = Line2D(
            [x, to_x], [y, to_y], color=colour, linewidth=width, alpha=alpha, zorder=1, transform=self._points
        )
        self.figure.add_artist(ends)

    def mark(self, x: float, y: float, style: int, size: float = 8) -> None:
        shape = MarkerStyle(_marker(style))
        path = shape.get_path().transformed(shape.get_transform() + Affine2D().scale(size, -size).translate(x, y))
        self.figure.add_artist(PathPatch(path, facecolor=_colour(style), linewidth=0, zorder=1, transform=self._points))

    def box(
        self, x: float, y: float, width: float, height: float, face: str, edge: str, line: float, hatch: str = ""
    ) -> None:
        made = Rectangle(
            (x, y), width, height, facecolor=face, edgecolor=edge, linewidth=line, hatch=hatch or None,
            zorder=1, transform=self._points,
        )  # fmt: skip
        self.figure.add_artist(made)

    def bar(self, x: float, y: float, width: float, height: float, style: int) -> None:
        self.box(x, y, width, height, _colour(style), _PAPER, 0.8, HATCHES[style % len(HATCHES)])

    def value(self, y: float, estimate: Estimate) -> None:
        """The value and its count, at the right edge."""
        self.text(WIDTH - 40, y, short(estimate), ha="right")
        self.text(WIDTH, y, f"n {estimate.n}", _SMALL - 0.5, _SOFT, ha="right")


def _profile(panel: Profile) -> Figure:
    height = 262.0
    figure = _blank(height)
    side = 172.0
    box = ((WIDTH - side) / 2 / WIDTH, (height - side) / 2 / height, side / WIDTH, side / height)
    axes = figure.add_axes(box, projection="polar", facecolor="none")
    axes.set_theta_offset(math.pi / 2)  # type: ignore[attr-defined]  # polar axes
    axes.set_theta_direction(-1)  # type: ignore[attr-defined]
    axes.set_ylim(0, 100)
    angles = [2 * math.pi * place / len(panel.axes) for place in range(len(panel.axes))]
    axes.set_xticks(angles, labels=[])
    axes.set_yticks([25, 50, 75, 100], labels=["", "50", "", "100"], fontsize=_SMALL - 1.5, color=_SOFT)
    axes.set_rlabel_position(30)  # type: ignore[attr-defined]
    axes.grid(color=_EDGE, linewidth=0.8)
    axes.spines["polar"].set_color(_EDGE)
    colour = _colour(panel.key.style)
    known = [(angle, estimate) for angle, (_, estimate) in zip(angles, panel.axes, strict=True) if estimate]
    if len(known) == len(angles):
        around = [*known, known[0]]
        values = [estimate.value for _, estimate in around]
        axes.plot([angle for angle, _ in around], values, color=colour, linewidth=1.6)
        axes.fill([angle for angle, _ in around], values, color=colour, alpha=0.15, linewidth=0)
    for angle, estimate in known:
        if estimate.low is not None and estimate.high is not None:
            axes.plot([angle, angle], [estimate.low, estimate.high], color=colour, linewidth=3.5, alpha=0.55)
        axes.plot([angle], [estimate.value], _marker(panel.key.style), color=colour, markersize=6, clip_on=False)
    for angle, (title, found) in zip(angles, panel.axes, strict=True):
        _around(axes, angle, title, found)
    return figure


def _around(axes: Axes, angle: float, title: str, estimate: Estimate | None) -> None:
    """An axis' title and value, outside of the circle."""
    across, upright = math.sin(angle), math.cos(angle)
    side = "center" if abs(across) < 0.1 else "left" if across > 0 else "right"
    lines = [*((line, _SOFT, "normal") for line in title.split("\n")), (short(estimate), _INK, "bold")]
    middle = (len(lines) - 1) / 2
    lift = upright * (10 + 7 * len(lines)) if abs(across) < 0.1 else upright * 6
    for number, (text, colour, weight) in enumerate(lines):
        axes.annotate(
            text, (angle, 100), (across * 9, lift + 13.5 * (middle - number)), textcoords="offset points", ha=side,
            va="center", fontsize=_SMALL, weight=weight, color=colour, annotation_clip=False,
        )  # fmt: skip


def _plane(panel: Plane) -> Figure:
    height = 330.0
    figure = _blank(height)
    axes = figure.add_axes((56 / WIDTH, 54 / height, (WIDTH - 74) / WIDTH, (height - 68) / height), facecolor="none")
    axes.set_xlim(-6, 106)
    axes.set_ylim(-6, 106)
    ticks = [0, 25, 50, 75, 100]
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)
    axes.tick_params(colors=_SOFT, labelsize=_SMALL, length=3)
    axes.grid(color=_EDGE, linewidth=0.7)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_color(_EDGE)
    axes.set_xlabel(f"{panel.across}, less is better", color=_INK, fontsize=_SMALL + 0.5, labelpad=6)
    axes.set_ylabel(f"{panel.up}, more is better", color=_INK, fontsize=_SMALL + 0.5, labelpad=5)
    known = [(key, across, up) for key, across, up in panel.points if across and up]
    for place, (key, across, up) in enumerate(known):
        colour = _colour(key.style)
        for horizontal, (one, other) in ((True, (across, up)), (False, (up, across))):
            if one.low is not None and one.high is not None:
                ends, still = [one.low, one.high], [other.value] * 2
                axes.plot(*((ends, still) if horizontal else (still, ends)), color=colour, linewidth=2, alpha=0.6)
        # Hollow and ever smaller, so that agents in the same place are all seen.
        size = 6.0 + 4.5 * (len(known) - 1 - place) if len(known) < 5 else 8.0
        axes.plot(
            [across.value], [up.value], _marker(key.style), color=colour, markersize=size, fillstyle="none",
            markeredgewidth=2.2, clip_on=False, zorder=3,
        )  # fmt: skip
    if not known:
        axes.text(50, 50, "no data", ha="center", color=_SOFT)
    return figure


_BESIDE = 96.0
"""Points at the right of a lane for its value and count."""


def _dots(panel: Dots) -> Figure:
    lane, gap, head, foot = 17.0, 8.0, 17.0, 24.0
    block = head + lane * len(panel.series) + gap
    height = block * len(panel.rows) + foot
    sheet = _Sheet(height)
    low, high = _limits(panel)
    left, right = 10.0, WIDTH - _BESIDE

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    bottom = height - foot + 2
    for part in range(5):
        tick = low + (high - low) * part / 4
        axis = panel.signed and tick == 0
        sheet.line(x(tick), head - 3, x(tick), bottom, _SOFT if axis else _EDGE, 1.4 if axis else 0.8)
        sheet.text(x(tick), bottom + 10, f"{tick:g}".replace("-", "\N{MINUS SIGN}"), _SMALL - 1, _SOFT, ha="center")
    for number, (label, row) in enumerate(panel.rows):
        top = number * block
        sheet.text(0, top + head / 2, label, bold=True)
        for place, (key, estimate) in enumerate(zip(panel.series, row, strict=True)):
            y = top + head + lane * (place + 0.5)
            if estimate is None:
                sheet.text(left, y, NO_DATA, _SMALL, _SOFT)
                continue
            if estimate.low is not None and estimate.high is not None:
                sheet.line(x(estimate.low), y, x(estimate.high), y, _colour(key.style), 3.2, 0.6)
            sheet.mark(x(estimate.value), y, key.style)
            sheet.value(y, estimate)
    return sheet.figure


def _limits(panel: Dots) -> tuple[float, float]:
    if panel.unit == "percent" and not panel.signed:
        return 0.0, 100.0
    found = [one for _, row in panel.rows for one in row if one]
    most = max((abs(end) for one in found for end in (one.value, one.low, one.high) if end is not None), default=0.0)
    if panel.unit == "percent":
        return -100.0, 100.0
    whole = _rounded_up(most)
    return (-whole if panel.signed else 0.0), whole


def _rounded_up(most: float) -> float:
    """The next of 1, 2 and 5 times a power of ten; 1 for nothing."""
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= most - 1e-9)


def _parts(panel: Parts) -> Figure:
    block, head, bar = 34.0, 34.0, 11.0
    sheet = _Sheet(head + block * len(panel.parts))
    begin = 0.0
    for place, (_, estimate) in enumerate(panel.parts):
        width = 0.0 if estimate is None else estimate.value / 100 * WIDTH
        if width:
            sheet.bar(begin, 2, width, 22, place)
        begin += width
    sheet.box(0.5, 2, WIDTH - 1, 22, "none", _SOFT, 1)
    for place, (label, estimate) in enumerate(panel.parts):
        top = head + place * block
        sheet.text(0, top + 7, label)
        if estimate is None:
            sheet.text(WIDTH, top + 7, NO_DATA, _SMALL, _SOFT, ha="right")
            continue
        sheet.value(top + 7, estimate)
        middle = top + 17 + bar / 2
        sheet.line(0, middle, WIDTH, middle, _EDGE, 0.8)
        if estimate.value:
            sheet.bar(0, top + 17, estimate.value / 100 * WIDTH, bar, place)
        if estimate.low is not None and estimate.high is not None:
            _whisker(sheet, estimate.low / 100 * WIDTH, estimate.high / 100 * WIDTH, middle)
    return sheet.figure


def _whisker(sheet: _Sheet, low: float, high: float, y: float) -> None:
    sheet.line(low, y, high, y, _PAPER, 4.5)
    sheet.line(low, y, high, y, _INK, 1.6)
    for end in (low, high):
        sheet.line(end, y - 4, end, y + 4, _INK, 1.6)


def _heat(panel: Heat) -> Figure:
    label, side, high, head = 120.0, 40.0, 25.0, 36.0
    sheet = _Sheet(head + high * len(panel.rows) + 2, label + side * len(panel.columns))
    for column, (title, _) in enumerate(panel.columns):
        for line, words in enumerate(title.split(" ", 1)):
            y = head / 2 + (13 * line - 6 if " " in title else 0)
            sheet.text(label + side * (column + 0.5), y, words, _SMALL - 1.5, _SOFT, ha="center")
    for number, (name, estimates) in enumerate(panel.rows):
        y = head + high * number
        if not estimates:
            sheet.text(0, y + high / 2 + 2, name, _SMALL, bold=True)
            continue
        sheet.text(4, y + high / 2, name, _SMALL)
        for column, ((_, less), estimate) in enumerate(zip(panel.columns, estimates, strict=True)):
            x, step = label + side * column, None if estimate is None else shade(estimate.value, less)
            face, text = ("none", _SOFT) if step is None else (ink(f"h{step}"), ink(f"t{step}"))
            sheet.box(x + 0.75, y + 0.75, side - 1.5, high - 1.5, face, _EDGE, 0.8)
            sheet.text(x + side / 2, y + high / 2, short(estimate), _SMALL, text, ha="center")
    return sheet.figure


def sample(key: Key) -> str:
    """A series' mark for a legend, as SVG that only decorates."""
    sheet = _Sheet(16, 16)
    sheet.mark(8, 8, key.style, 11)
    return decoration(sheet.figure)
