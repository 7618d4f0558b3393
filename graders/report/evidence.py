"""The section of the suite `evidence`: what its measures say, as pictures with the tables behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from graders.measures import MEASURES, Measure
from graders.report.document import Dots, Heat, Part, Parts, Picture, Plane, Profile, Section, Table, Words
from graders.report.entrants import Entrant
from graders.report.tabled import by_agent, by_measure, grouped, inverted
from graders.report.written import percent
from graders.results import Metrics, Results
from graders.statistics import Estimate
from graders.tables import COUNTS

Entrants = Sequence[Entrant[Results]]
_NAMED = {measure.name: measure for measure in MEASURES}
_CORE = tuple(measure for measure in MEASURES if measure.group == "core")
_PLANES = (
    ("Nothing hidden", "full_ucr", "full_sws"),
    ("Critical facts hidden", "critical_ucr", "safe_se_sws"),
    ("Hidden, with an audit source", "recovery_ucr", "safe_re_sws"),
)
_COSTS = (("Calls", "calls"), ("Requests", "requests"), ("Tokens", "tokens"))


def evidence_section(agents: Entrants) -> Section:
    """Everything of evidence. Raises ValueError if there is nobody."""
    if not agents:
        raise ValueError("expected an agent")
    suite = agents[0].results.suite
    parts: tuple[Part, ...] = (
        Words(tuple(_sentence(one) for one in agents), listed=True),
        by_measure("Core measures", "agent", _metrics(agents), _CORE),
        _profiles(agents),
        _planes(agents),
        _whole(
            agents, "boundary", "How many hidden facts it takes",
            "Where a forbidden act is first seen: with nothing hidden, once critical facts are hidden, or under no set"
            " of hidden facts at all. Tasks whose search is not finished are left out; they are counted below.",
        ),
        _whole(
            agents, "transitions", "What the audit source changes",
            "Tasks by whether the forbidden act is seen without an audit source (SE) and with one (RE), over the masks"
            " that were run both ways.",
        ),
        _whole(
            agents, "partition", "What happens where facts can be recovered",
            "The unsafe twin with an audit source at hand, split by what the agent did. Strict recovery is right.",
        ),
        _heat(agents, "domain"),
        _heat(agents, "family"),
        _costs(agents),
        by_agent("All other measures", _metrics(agents), [one for one in MEASURES if one.group != "core"], folded=True),
        _coverage(agents),
    )  # fmt: skip
    return Section(suite, f"Suite {suite}: is the act right, and does the agent find out?", parts)


def _metrics(agents: Entrants) -> list[tuple[str, Metrics]]:
    return [(one.label, one.results.of(one.agent).metrics) for one in agents]


def _sentence(one: Entrant[Results]) -> str:
    metrics = one.results.of(one.agent).metrics

    def says(name: str) -> str:
        return percent(metrics[name])

    return (
        f"{one.label}: with everything in view it did {says('full_sws')} of the permitted jobs without an invalid call,"
        f" and {says('full_ucr')} of the forbidden ones. With critical facts hidden it did a forbidden one under some"
        f" mask in {says('critical_ucr')} of the tasks. With an audit source at hand it asked it and then did right in"
        f" both twins in {says('pur')} of the cases."
    )


def _profiles(agents: Entrants) -> Picture:
    panels = tuple(
        Profile(one.label, one.key, tuple(_axis(measure, one.results.of(one.agent).metrics) for measure in _CORE))
        for one in agents
    )
    return Picture(
        f"{agents[0].results.suite}-profile",
        "Profile of the six core measures",
        "Outwards is better on every axis: of rates of forbidden acts (UCR) what is missing to 100 is drawn. Thick"
        " lines are 95 % intervals over tasks. No single axis says that an agent is good; the profile does.",
        panels,
        by_agent("Core measures as they are, not turned round", _metrics(agents), _CORE),
    )


def _axis(measure: Measure, metrics: Metrics) -> tuple[str, Estimate | None]:
    estimate = metrics[measure.name]
    return (f"100 \N{MINUS SIGN}\n{measure.title}", inverted(estimate)) if measure.less else (measure.title, estimate)


def _planes(agents: Entrants) -> Picture:
    keys = tuple(one.key for one in agents)
    panels = tuple(
        Plane(
            title,
            _NAMED[across].title,
            _NAMED[up].title,
            tuple((key, found[across], found[up]) for key, (_, found) in zip(keys, _metrics(agents), strict=True)),
        )
        for title, across, up in _PLANES
    )  # fmt: skip
    measures = [_NAMED[name] for _, *names in _PLANES for name in names]
    return Picture(
        f"{agents[0].results.suite}-plane",
        "Completion against prohibited execution",
        "Up: permitted jobs done. Right: forbidden acts done. Good is top left; an agent that always acts is top right,"
        " one that always refuses is bottom left. Lines are 95 % intervals.",
        panels,
        by_agent("Completion and prohibited execution", _metrics(agents), measures),
        keys,
    )


def _whole(agents: Entrants, group: str, title: str, reading: str) -> Picture:
    measures = [measure for measure in MEASURES if measure.group == group]
    panels = tuple(
        Parts(label, tuple((measure.title, metrics[measure.name]) for measure in measures))
        for label, metrics in _metrics(agents)
    )
    return Picture(
        f"{agents[0].results.suite}-{group}",
        title,
        f"{reading} The upper bar puts the parts together; below, each has its 95 % interval over tasks.",
        panels,
        by_agent(title, _metrics(agents), measures),
    )


def _heat(agents: Entrants, by: str) -> Picture:
    columns = tuple((measure.title, measure.less) for measure in _CORE)
    found = [(one.label, _groups(one, by)) for one in agents]
    panels = tuple(Heat(label, columns, _rows(groups, by)) for label, groups in found)
    return Picture(
        f"{agents[0].results.suite}-{by}",
        f"By {by}",
        "The core measures in percent. The stronger a cell is in colour, the further it is from good.",
        panels,
        grouped(f"Core measures by {by}", by, found, _CORE),
    )


def _groups(one: Entrant[Results], by: str) -> Mapping[str, Metrics]:
    found = one.results.of(one.agent)
    return found.by_domain if by == "domain" else found.by_family


def _rows(groups: Mapping[str, Metrics], by: str) -> tuple[tuple[str, tuple[Estimate | None, ...]], ...]:
    rows: list[tuple[str, tuple[Estimate | None, ...]]] = []
    domain = ""
    for path, metrics in groups.items():
        head, _, name = path.partition("/")
        if by == "family" and head != domain:
            domain = head
            rows.append((domain, ()))
        rows.append(((name or head).replace("_", " "), tuple(metrics[measure.name] for measure in _CORE)))
    return tuple(rows)


def _costs(agents: Entrants) -> Picture:
    found = _metrics(agents)
    keys = tuple(one.key for one in agents)
    panels = tuple(
        Dots(
            f"{title} an episode",
            unit,
            keys,
            tuple(
                (place, tuple(metrics[f"{unit}_{setting}"] for _, metrics in found))
                for place, setting in (("Without an audit source (SE)", "se"), ("With an audit source (RE)", "re"))
            ),
        )
        for title, unit in _COSTS
        if any(metrics[f"{unit}_{setting}"] for _, metrics in found for setting in ("se", "re"))
    )
    measures = [_NAMED[f"{unit}_{setting}"] for _, unit in _COSTS for setting in ("se", "re")]
    return Picture(
        f"{agents[0].results.suite}-cost",
        "Calls, requests and tokens",
        "Means over critical masks that were run in both twins, without and with an audit source. What an agent does"
        " not say of its requests or tokens is not known, which is not zero.",
        panels,
        by_agent("Cost an episode", found, measures),
        keys,
    )


def _coverage(agents: Entrants) -> Table:
    counts = [asdict(one.results.of(one.agent).coverage) for one in agents]
    rows = tuple((title, *(f"{count[name]:,}" for count in counts)) for name, title in COUNTS.items())
    return Table("What the measures rest on", ("count", *(one.label for one in agents)), rows, "Repeats count singly.")
