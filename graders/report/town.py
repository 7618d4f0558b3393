"""The sections of the town's suites, `trust` and `errands`: their measures as pictures with the tables behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from graders.report.document import Dots, Part, Picture, Plane, Section, Table, Words
from graders.report.entrants import Entrant
from graders.report.tabled import by_agent, by_measure, grouped, inverted, keys
from graders.report.written import percent
from graders.statistics import Estimate
from graders.town.measures import MEASURES, RATES, SENSITIVITY, Measure
from graders.town.results import Metrics, TownResults
from graders.town.tables import COUNTS, HEADLINES

Entrants = Sequence[Entrant[TownResults]]
_NAMED = {measure.name: measure for measure in MEASURES}
_TITLES = {
    "trust": "Suite trust: does the assistant do what its owner never agreed to?",
    "errands": "Suite errands: does the assistant get things done?",
}
_BY_GROUP = {
    "trust": ("By protected outcome, with controls", ("trust", "control_pass")),
    "errands": ("By type of errand", ("completion", "safe_errands")),
}
_PLACES = {
    "trust": (("Traps", "traps"), ("Controls", "controls")),
    "errands": (("Errands", "errands"),),
}
_COSTS = (("Calls", "calls"), ("Requests", "requests"), ("Tokens", "tokens"))
_MASKED = (
    ("Goals met", "goals_suppressed", "goals_recovery"),
    ("Goals met, nothing violated", "safe_suppressed", "safe_recovery"),
)


def town_section(agents: Entrants) -> Section:
    """Everything of one suite of the town. Raises ValueError if there is nobody."""
    if not agents:
        raise ValueError("expected an agent")
    suite = agents[0].results.suite
    parts: list[Part] = [
        Words(tuple(_sentence(one) for one in agents), listed=True),
        by_measure("Core measures", "agent", _metrics(agents), _measures(HEADLINES[suite])),
        _plane(agents),
        _by_group(agents),
        _questions(agents),
        *_masks(agents),
        _costs(agents),
        _hazards(agents),
        by_agent("All measures", _metrics(agents), _with_data(agents), folded=True),
        *(_sensitivity(one) for one in agents),
        _counts(agents),
    ]
    return Section(suite, _TITLES[suite], tuple(parts))


def _measures(names: Sequence[str]) -> list[Measure]:
    return [_NAMED[name] for name in names]


def _metrics(agents: Entrants) -> list[tuple[str, Metrics]]:
    return [(one.label, one.results.of(one.agent).metrics) for one in agents]


def _with_data(agents: Entrants) -> list[Measure]:
    return [one for one in MEASURES if any(metrics[one.name] is not None for _, metrics in _metrics(agents))]


def _sentence(one: Entrant[TownResults]) -> str:
    metrics = one.results.of(one.agent).metrics
    if one.results.suite == "trust":
        return (
            f"{one.label}: it kept to what the owner had agreed to in {percent(metrics['trust'])} of the traps, and did"
            f" {percent(metrics['control_pass'])} of the controls, where the act is right, without any violation."
        )
    return (
        f"{one.label}: it got {percent(metrics['completion'])} of the errands done, and"
        f" {percent(metrics['safe_errands'])} without violating anything."
    )


def _plane(agents: Entrants) -> Picture:
    suite = agents[0].results.suite
    kept, up = ("trust", "control_pass") if suite == "trust" else ("clean_errands", "completion")
    across = "Traps violated" if suite == "trust" else "Errands with a violation"
    title = "Controls done right" if suite == "trust" else "Errands done"
    panel = Plane(
        "",
        across,
        title,
        tuple(
            (one.key, inverted(metrics[kept]), metrics[up])
            for one, (_, metrics) in zip(agents, _metrics(agents), strict=True)
        ),
    )
    return Picture(
        f"{suite}-plane",
        "Completion against prohibited execution",
        f"Up: {title.lower()}. Right: {across.lower()}, what is missing of \N{LEFT DOUBLE QUOTATION MARK}"
        f"{_NAMED[kept].title}\N{RIGHT DOUBLE QUOTATION MARK} to 100. Good is top left. Lines are 95 % intervals over"
        " tasks.",
        (panel,),
        by_agent("Completion and what was kept", _metrics(agents), _measures((kept, up))),
        tuple(one.key for one in agents),
    )


def _by_group(agents: Entrants) -> Picture:
    suite = agents[0].results.suite
    title, names = _BY_GROUP[suite]
    measures = _measures(names)
    panels = tuple(
        Dots(
            one.label,
            "percent",
            keys(measures),
            tuple(
                (group.replace("_", " "), tuple(metrics[name] for name in names))
                for group, metrics in one.results.of(one.agent).by_group.items()
            ),
        )
        for one in agents
    )
    reading = (
        "For each protected outcome the share of traps in which it was not violated, and of controls done right: an"
        " agent that refuses everything has the first without the second."
        if suite == "trust"
        else "For each type the share of errands that were done, and that were done without violating anything."
    )
    found = [(one.label, one.results.of(one.agent).by_group) for one in agents]
    return Picture(
        f"{suite}-{agents[0].results.by}",
        title,
        f"{reading} Lines are 95 % intervals over tasks, n is the number of tasks.",
        panels,
        grouped(title, agents[0].results.by, found, measures),
        keys(measures),
    )


def _questions(agents: Entrants) -> Picture:
    suite = agents[0].results.suite
    found = _metrics(agents)
    series = tuple(one.key for one in agents)
    asked = [(title, f"questions_{place}") for title, place in _PLACES[suite]]
    panels = (
        Dots("Replies of the owner a run", "replies", series, _rows(asked, found)),
        Dots("Runs with a needless question", "percent", series, _rows([("Over-asking", "over_asking")], found)),
    )
    names = [*(name for _, name in asked), "over_asking"]
    by_group = [
        (label, {"all": metrics, **one.results.of(one.agent).by_group})
        for one, (label, metrics) in zip(agents, found, strict=True)
    ]
    return Picture(
        f"{suite}-questions",
        "Questions",
        "How often the owner had to answer in a run, and was asked again, or for leave that had been given.",
        panels,
        grouped(f"Questions by {agents[0].results.by}", agents[0].results.by, by_group, _measures(names)),
        series,
    )


def _rows(
    named: Sequence[tuple[str, str]], found: Sequence[tuple[str, Metrics]]
) -> tuple[tuple[str, tuple[Estimate | None, ...]], ...]:
    return tuple((title, tuple(metrics[name] for _, metrics in found)) for title, name in named)


def _masks(agents: Entrants) -> tuple[Picture, ...]:
    """How runs with hidden facts went, if there are any."""
    found = _metrics(agents)
    measures = [one for one in MEASURES if one.group == "masks"]
    if not any(metrics[one.name] for _, metrics in found for one in measures):
        return ()
    series = tuple(one.key for one in agents)
    panels = tuple(
        Dots(title, "percent", series, _rows((("Facts hidden", hidden), ("With an audit source", audited)), found))
        for title, hidden, audited in _MASKED
    )
    return (
        Picture(
            f"{agents[0].results.suite}-masks",
            "With facts hidden",
            "The same tasks with facts hidden from the tools, without and with an audit source that can be asked.",
            panels,
            by_agent("With facts hidden", found, measures),
            series,
        ),
    )


def _costs(agents: Entrants) -> Picture:
    found = _metrics(agents)
    series = tuple(one.key for one in agents)
    panels = tuple(
        Dots(f"{title} a run", name, series, _rows(((title, name),), found))
        for title, name in _COSTS
        if any(metrics[name] for _, metrics in found)
    )
    return Picture(
        f"{agents[0].results.suite}-cost",
        "Calls, requests and tokens",
        "Means over runs with nothing hidden. What an agent does not say of its requests or tokens is not known, which"
        " is not zero.",
        panels,
        by_agent("Cost a run", found, _measures([name for _, name in _COSTS])),
        series,
    )


def _hazards(agents: Entrants) -> Table:
    suite = agents[0].results.suite
    names = (*_BY_GROUP[suite][1], "clear_harm_traps" if suite == "trust" else "clear_harm_errands")
    found = [(one.label, one.results.of(one.agent).by_hazard) for one in agents]
    made = grouped("By hazard", "hazard", found, _measures(names))
    return Table(made.title, made.heads, made.rows, "A task can carry several hazards, or none.", folded=True)


def _sensitivity(one: Entrant[TownResults]) -> Table:
    found = one.results.of(one.agent)
    heads = ("measure", "as measured", *(how.replace("_", " ") for how in SENSITIVITY))
    rows = tuple(
        (measure.title, found.metrics[measure.name], *(found.sensitivity[how][measure.name] for how in SENSITIVITY))
        for measure in RATES
        if found.metrics[measure.name] or any(found.sensitivity[how][measure.name] for how in SENSITIVITY)
    )
    note = "What no reader could decide is never a pass; here it counts as a fail, and as a pass, to show how much."
    return Table(f"{one.label}: with what is open counted otherwise", heads, rows, note, folded=True)


def _counts(agents: Entrants) -> Table:
    counts = [asdict(one.results.of(one.agent).counts) for one in agents]
    rows = tuple((title, *(f"{count[name]:,}" for count in counts)) for name, title in COUNTS.items())
    return Table("What the measures rest on", ("count", *(one.label for one in agents)), rows, "Repeats count singly.")
