"""Panels drawn with matplotlib, one function a kind. Everything is laid out in points, 72 to the inch, for a panel that
is as wide as a phone; where there is room, the page puts several side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.transforms import Affine2D

from graders.report.document import Dots, Heat, Key, Panel, Parts, Plane, Profile
from graders.report.svg import RC, SERIES, STEPS, decoration, fragment, ink
from graders.report.written import described, short
from graders.statistics import Estimate

WIDTH = 360
MARKERS = "os^DvPXd"
"""By style, as are the colours: no series is told by its colour alone."""
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "----", "||||", "++++")
_INK, _SOFT, _EDGE, _PAPER, _BOX = map(ink, ("ink", "soft", "edge", "paper", "box"))
_SMALL = 11.0
_LINE = 17.0
"""Points from one line of text to the next."""


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


def _sheet(figure: Figure, height: float, left: float = 0, right: float = WIDTH) -> Axes:
    """Axes over the width from `left` to `right` whose vertical unit is a point, counted from the top."""
    width = figure.get_figwidth() * 72
    axes = figure.add_axes((left / width, 0, (right - left) / width, 1))
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    return axes


def _profile(panel: Profile) -> Figure:
    height = 300.0
    figure = _blank(height)
    side = 168.0
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
    for angle, (title, estimate) in zip(angles, panel.axes, strict=True):
        _around(axes, angle, title, estimate)
    return figure


def _around(axes: Axes, angle: float, title: str, estimate: Estimate | None) -> None:
    """An axis' title and value, outside of the circle."""
    across = math.sin(angle)
    side = "center" if abs(across) < 0.1 else "left" if across > 0 else "right"
    values = {"ha": side, "fontsize": _SMALL, "clip_on": False}
    upright = math.cos(angle)
    lift = 13 if upright > 0.9 else -13 if upright < -0.9 else 0
    for text, shift, weight, colour in ((title, 7, "normal", _SOFT), (short(estimate), -7, "bold", _INK)):
        axes.annotate(
            text, (angle, 100), (across * 9, upright * 6 + shift + lift * 0.9), textcoords="offset points", va="center",
            weight=weight, color=colour, annotation_clip=False, **values,
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
    axes.set_xlabel(f"\N{LEFTWARDS ARROW} better   {panel.across}", color=_INK, fontsize=_SMALL + 0.5, labelpad=6)
    axes.set_ylabel(f"{panel.up}   better \N{RIGHTWARDS ARROW}", color=_INK, fontsize=_SMALL + 0.5, labelpad=5)
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


_BESIDE = 84.0
"""Points at the right of a lane for its value and count."""


def _dots(panel: Dots) -> Figure:
    lane, gap, head = 17.0, 8.0, _LINE
    lanes = len(panel.series)
    block = head + lane * lanes + gap
    foot = 24.0
    height = block * len(panel.rows) + foot
    figure = _blank(height)
    left, right = 10.0, WIDTH - _BESIDE
    axes = _sheet(figure, height, left, right)
    low, high = _limits(panel)
    axes.set_xlim(low, high)
    bottom = height - foot + 2
    for tick in _ticks(low, high):
        axes.plot([tick, tick], [head - 3, bottom], color=_EDGE, linewidth=0.8, zorder=0)
        axes.text(tick, bottom + 4, f"{tick:g}", ha="center", va="top", fontsize=_SMALL - 1, color=_SOFT)
    if panel.signed:
        axes.plot([0, 0], [head - 3, bottom], color=_SOFT, linewidth=1.4, zorder=0)
    words = _sheet(figure, height)
    words.set_xlim(0, WIDTH)
    for number, (label, row) in enumerate(panel.rows):
        top = number * block
        words.text(0, top + head / 2, label, va="center", fontsize=12, color=_INK, weight="bold")
        for place, (key, estimate) in enumerate(zip(panel.series, row, strict=True)):
            _lane(axes, words, top + head + lane * (place + 0.5), key.style, estimate)
    return figure


def _lane(axes: Axes, words: Axes, y: float, style: int, estimate: Estimate | None) -> None:
    if estimate is None:
        words.text(10, y, "no data", va="center", fontsize=_SMALL, color=_SOFT)
        return
    colour = _colour(style)
    if estimate.low is not None and estimate.high is not None:
        axes.plot([estimate.low, estimate.high], [y, y], color=colour, linewidth=3.2, alpha=0.6, clip_on=False)
    axes.plot([estimate.value], [y], _marker(style), color=colour, markersize=8, clip_on=False, zorder=3)
    _value(words, y, estimate)


def _value(words: Axes, y: float, estimate: Estimate) -> None:
    words.text(WIDTH - 40, y, short(estimate), va="center", ha="right", fontsize=12, color=_INK)
    words.text(WIDTH, y, f"n {estimate.n}", va="center", ha="right", fontsize=_SMALL - 0.5, color=_SOFT)


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


def _ticks(low: float, high: float) -> Sequence[float]:
    return [low + (high - low) * part / 4 for part in range(5)]


def _parts(panel: Parts) -> Figure:
    block, head, bar = 34.0, 34.0, 11.0
    height = head + block * len(panel.parts)
    figure = _blank(height)
    axes = _sheet(figure, height)
    axes.set_xlim(0, WIDTH)
    begin = 0.0
    for place, (_, estimate) in enumerate(panel.parts):
        width = 0.0 if estimate is None else estimate.value / 100 * WIDTH
        if width:
            axes.add_patch(_bar(begin, 2, width, 22, place))
        begin += width
    axes.add_patch(Rectangle((0.5, 2), WIDTH - 1, 22, facecolor="none", edgecolor=_SOFT, linewidth=1))
    for place, (label, estimate) in enumerate(panel.parts):
        top = head + place * block
        axes.text(0, top + 7, label, va="center", fontsize=12, color=_INK)
        if estimate is None:
            axes.text(WIDTH, top + 7, "no data", va="center", ha="right", fontsize=_SMALL, color=_SOFT)
            continue
        _value(axes, top + 7, estimate)
        middle = top + 17 + bar / 2
        axes.plot([0, WIDTH], [middle, middle], color=_EDGE, linewidth=0.8, zorder=0)
        if estimate.value:
            axes.add_patch(_bar(0, top + 17, estimate.value / 100 * WIDTH, bar, place))
        if estimate.low is not None and estimate.high is not None:
            ends = [estimate.low / 100 * WIDTH, estimate.high / 100 * WIDTH]
            axes.plot(ends, [middle, middle], color=_PAPER, linewidth=4.5, clip_on=False)
            axes.plot(ends, [middle, middle], color=_INK, linewidth=1.6, clip_on=False)
            axes.plot(ends, [middle, middle], "|", color=_INK, markersize=8, markeredgewidth=1.6, clip_on=False)
    return figure


def _bar(x: float, y: float, width: float, height: float, style: int) -> Rectangle:
    hatch = HATCHES[style % len(HATCHES)]
    return Rectangle(
        (x, y), width, height, facecolor=_colour(style), edgecolor=_PAPER, hatch=hatch or None, linewidth=0.8
    )


def _heat(panel: Heat) -> Figure:
    label, cell, head = 138.0, 25.0, 40.0
    width = label + 46.0 * len(panel.columns)
    height = head + cell * len(panel.rows) + 2
    figure = _blank(height, width)
    axes = _sheet(figure, height, 0, width)
    axes.set_xlim(0, width)
    for column, (title, _) in enumerate(panel.columns):
        words = title.replace(", ", ",\n").replace(" ", "\n", 1)
        axes.text(
            label + 46 * (column + 0.5), head / 2, words, ha="center", va="center", fontsize=_SMALL - 1, color=_SOFT
        )
    for number, (name, estimates) in enumerate(panel.rows):
        top = head + cell * number
        heading = not estimates
        axes.text(
            0 if heading else 6, top + cell / 2 + (2 if heading else 0), name, va="center", fontsize=_SMALL + 0.5,
            color=_INK, weight="bold" if heading else "normal",
        )  # fmt: skip
        for column, ((_, less), estimate) in enumerate(zip(panel.columns, estimates, strict=False)):
            _square(axes, label + 46 * column, top, cell, estimate, less)
    return figure


def _square(axes: Axes, x: float, y: float, cell: float, estimate: Estimate | None, less: bool) -> None:
    step = None if estimate is None else shade(estimate.value, less)
    face = "none" if step is None else ink(f"h{step}")
    axes.add_patch(Rectangle((x + 0.75, y + 0.75), 44.5, cell - 1.5, facecolor=face, edgecolor=_EDGE, linewidth=0.8))
    text = _SOFT if step is None else ink(f"t{step}")
    axes.text(x + 23, y + cell / 2, short(estimate), ha="center", va="center", fontsize=_SMALL, color=text)


def sample(key: Key) -> str:
    """A series' mark for a legend, as SVG that only decorates."""
    figure = _blank(16, 16)
    axes = _sheet(figure, 16, 0, 16)
    axes.set_xlim(0, 16)
    mark = MarkerStyle(_marker(key.style))
    path = mark.get_path().transformed(mark.get_transform() + Affine2D().scale(11, -11).translate(8, 8))
    axes.add_patch(PathPatch(path, facecolor=_colour(key.style), linewidth=0))
    return decoration(figure)
