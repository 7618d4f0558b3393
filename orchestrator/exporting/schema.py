"""The tables of an export: which columns each has, of which type, and what they mean.

The schema has a version. A column is never renamed or given another meaning under the same version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from worlds.episode import CallKind, CallOutcome
from worlds.town.written import Outcome

SCHEMA_VERSION = 1


class Kind(StrEnum):
    """What a column holds. `json`: a text that is JSON."""

    TEXT = "text"
    WHOLE = "integer"
    NUMBER = "number"
    TRUTH = "boolean"
    TEXTS = "list of text"
    WHOLES = "list of integer"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. Any may be null but those of `always`: null is unknown, or that the column is not of this suite."""

    name: str
    kind: Kind
    about: str
    always: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table, a file in an export."""

    name: str
    about: str
    columns: tuple[Column, ...]


def _always(name: str, kind: Kind, about: str) -> Column:
    return Column(name, kind, about, always=True)


def _one_of(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


_RUN = _always("run", Kind.TEXT, "The run: the name of its directory.")
_SUITE = _always("suite", Kind.TEXT, "`evidence`, `trust` or `errands`.")
_AGENT = _always("agent", Kind.TEXT, "The agent, as `--agent` named it.")
_CONDITION = (
    _always("task", Kind.TEXT, "The task's path."),
    _always("twin", Kind.TEXT, "`unsafe` or `safe`; in `trust` the trap and the control; an errand is `safe`."),
    _always("setting", Kind.TEXT, "`full`, `suppressed` or `recovery`."),
    _always("hidden", Kind.TEXTS, "The hidden facts, in order of name."),
    _always("repeat", Kind.WHOLE, "The repeat, from 0."),
)

RUNS = Table(
    "runs",
    "One row a run.",
    (
        _always("schema_version", Kind.WHOLE, "The version of this schema."),
        _RUN,
        _SUITE,
        _always("version", Kind.TEXT, "The version of twintown that made the run."),
        _always("begun", Kind.TEXT, "When the run was begun: UTC, ISO 8601."),
        _always("agents", Kind.TEXTS, "The agents that it is of."),
        _always("only", Kind.TEXTS, "The globs that picked its tasks; none: all."),
        Column("drawn", Kind.JSON, "Seed and count, if fresh pairs were drawn."),
        _always("repeats", Kind.WHOLE, "Times that each condition is run."),
        _always("calls", Kind.WHOLE, "Most calls of an episode."),
        _always("seconds", Kind.NUMBER, "Most wall time of an episode, in seconds."),
        _always("hiding", Kind.TRUTH, "Town: whether facts were also hidden."),
        Column("owner", Kind.TEXT, "Town: the model that listened for the owner."),
        _always("hashes", Kind.JSON, "SHA-256 of worlds and graders, by name."),
        _always("episodes", Kind.WHOLE, "Graded episodes, all in `episodes`."),
        _always("ungraded", Kind.WHOLE, "Conditions without a grade, all in `ungraded`."),
    ),
)

TASKS = Table(
    "tasks",
    "One row a task that a run is over.",
    (
        _RUN,
        _SUITE,
        _always("task", Kind.TEXT, "The task's path."),
        _always("group", Kind.TEXT, "Domain (evidence), protected outcome (trust) or kind of errand."),
        Column("family", Kind.TEXT, "Evidence: the family, as `domain/family`."),
        _always("critical", Kind.TEXTS, "Evidence: the critical atoms; none elsewhere."),
        _always("irrelevant", Kind.TEXTS, "Evidence: the irrelevant atoms; none elsewhere."),
        _always("facts", Kind.TEXTS, "Town: the facts that a mask may hide; none elsewhere."),
        _always("hazards", Kind.TEXTS, "Town: what else people are hurt by; none elsewhere."),
        _always("servers", Kind.TEXTS, "The servers, without the audit server."),
        _always("requests", Kind.JSON, "What the agent is asked to do, by twin."),
    ),
)

EPISODES = Table(
    "episodes",
    "One row a graded episode.",
    (
        _RUN,
        _SUITE,
        _AGENT,
        *_CONDITION,
        _always("episode", Kind.WHOLE, "The episode's number in its run; joins it to its `calls`."),
        _always(
            "verdict",
            Kind.TEXT,
            "Evidence: `unsafe_commit`, `withheld`, `unfinished`, `legal_completion`, `false_abstention` or "
            "`other_noncompletion`. Town: `safe_outcome`, `violation`, `goals_not_met` or `inconclusive`.",
        ),
        _always("disposition", Kind.TEXT, "`completed`, `stopped`, `escalated` or `unfinished`."),
        _always("reasons", Kind.TEXTS, "What the grade rests on, in words."),
        _always("calls", Kind.WHOLE, "Calls made before the end."),
        _always("invalid_calls", Kind.WHOLE, "Calls refused for their tool, arguments or identifiers."),
        Column("requests", Kind.WHOLE, "Requests to the model; null if the agent did not say."),
        Column("input_tokens", Kind.WHOLE, "Tokens read; null if the agent did not say."),
        Column("output_tokens", Kind.WHOLE, "Tokens written; null if the agent did not say."),
        _always("seconds", Kind.NUMBER, "Wall time, in seconds."),
        Column("host_seconds", Kind.NUMBER, "Of it, the time in which an external host's process ran."),
        Column("servers_offered", Kind.WHOLE, "Servers at hand."),
        Column("tools_offered", Kind.WHOLE, "Tools that they offered."),
        Column("servers_listed", Kind.WHOLE, "Servers whose tools were listed."),
        Column("tools_seen", Kind.WHOLE, "Tools that the model was offered."),
        _always("tools_called", Kind.WHOLE, "Different tools that were called."),
        Column("access", Kind.JSON, "What was offered, listed and seen, by name."),
        _always("message", Kind.TEXT, "The agent's last message."),
        _always("unfinished_reason", Kind.TEXT, "Why the agent did not end by itself; empty if it did."),
        Column("unsafe_commit", Kind.TRUTH, "Evidence: a forbidden commit was made."),
        Column("legal_completion", Kind.TRUTH, "Evidence: the permitted commit was made."),
        Column("success", Kind.TRUTH, "Evidence: legal completion without an invalid call."),
        Column("attempt", Kind.TRUTH, "Evidence: a valid audit query came before the end."),
        Column("premature", Kind.TRUTH, "Evidence: in recovery, a commit came before any valid audit query."),
        Column("strict", Kind.TRUTH, "Evidence: strict recovery in this twin."),
        Column("violated_requirements", Kind.TEXTS, "Evidence: what forbidden commits broke."),
        Column("proof_lines", Kind.WHOLES, "Evidence: the lines of `calls` that prove the grade, by `seq`."),
        Column("proof_rows", Kind.TEXTS, "Evidence: the rows of the final state that prove it, as `server:seq`."),
        Column("group", Kind.TEXT, "Town: the protected outcome, or the kind of errand."),
        Column("hazards", Kind.TEXTS, "Town: the task's hazards."),
        Column("goals_met", Kind.TRUTH, "Town: all goals are met; null is inconclusive, as in the next columns."),
        Column("safe_outcome", Kind.TRUTH, "Town: goals met and nothing violated."),
        Column("eligible_outcome", Kind.TEXT, "Town: the outcome that the trap can violate; null in errands."),
        Column("violated", Kind.TRUTH, "Town: whether that was violated; in errands, whether any was."),
        Column("any_violation", Kind.TRUTH, "Town: any protected outcome was violated."),
        *(Column(f"violated_{name}", Kind.TRUTH, f"Town: `{name}` was violated.") for name in Outcome),
        Column("clear_harms", Kind.TEXTS, "Town: each clear harm, in words."),
        Column("replies", Kind.WHOLE, "Town: how often the owner had to answer."),
        Column("questions_asked", Kind.WHOLE, "Town: single questions to the owner."),
        Column("questions_again", Kind.WHOLE, "Town: of these, what the owner had said already."),
        Column("questions_granted", Kind.WHOLE, "Town: of these, leave that the agent had already."),
        Column("excluded", Kind.TEXTS, "Town: the axes, `goals` and `trust`, that a wrong answer excludes it from."),
        Column("findings", Kind.JSON, "Town: every criterion of the goal, with its proof."),
        Column("violations", Kind.JSON, "Town: every violation, with its proof."),
    ),
)

CALLS = Table(
    "calls",
    "One row a line of an episode's journal.",
    (
        _RUN,
        _AGENT,
        *_CONDITION,
        _always("episode", Kind.WHOLE, "The episode's number in its run."),
        _always("seq", Kind.WHOLE, "The line, from 1."),
        _always("server", Kind.TEXT, "The server that was called."),
        _always("tool", Kind.TEXT, "The tool; `turn` where the agent ended its turn."),
        _always("kind", Kind.TEXT, f"What kind of tool that is: {_one_of(CallKind)}."),
        _always("outcome", Kind.TEXT, f"{_one_of(CallOutcome)}; `over`: the session had ended."),
        _always("arguments", Kind.JSON, "The arguments."),
        _always("shown", Kind.JSON, "The answer, as the agent saw it."),
        _always("exposed", Kind.TEXTS, "The facts that it showed."),
        _always("seconds", Kind.NUMBER, "When it was answered, in seconds since the episode began."),
    ),
)

UNGRADED = Table(
    "ungraded",
    "One row a condition that was tried and has no grade.",
    (_RUN, _AGENT, *_CONDITION, _always("reason", Kind.TEXT, "Why, of the last attempt.")),
)

TABLES = (RUNS, TASKS, EPISODES, CALLS, UNGRADED)


def schema_json() -> dict[str, object]:
    """The schema for programs, as it stands in the file `export.json` of exported tables."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tables": {
            table.name: [
                {"name": column.name, "type": column.kind.value, "nullable": not column.always, "about": column.about}
                for column in table.columns
            ]
            for table in TABLES
        },
    }


def schema_page() -> str:
    """The schema for people, as Markdown."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield f"# The schema of exported tables, version {SCHEMA_VERSION}"
    yield ""
    yield "Generated from the code by `make docs`. How to export: [export.md](export.md). In Parquet, `text` and `json`"
    yield "are strings, `integer` is int64, `number` is float64; in JSON lines every column stands in every row."
    for table in TABLES:
        yield from (
            "",
            f"## {table.name}",
            "",
            table.about,
            "",
            "| column | type | null | meaning |",
            "|---|---|---|---|",
        )
        for column in table.columns:
            yield f"| `{column.name}` | {column.kind} | {'never' if column.always else 'may be'} | {column.about} |"
