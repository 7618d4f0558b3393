"""Rules: which call does which act, as data.

A rule names tools by globs and says, in expressions over the call's arguments and over what the guard reads beforehand,
whom the call reaches, what it binds the owner to, what it costs and what is lost by it. Expressions are those of Jinja,
in its sandbox. What an expression cannot tell is unknown, and never taken to be fine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from servers.guard.agreements import binds
from servers.guard.expressions import Expression, Pattern, Unknown, Wording, missing, worded, worth
from servers.guard.policy import Act, Group
from worlds.documents import WorldError, errors_of, read_document
from worlds.task import Source
from worlds.town.consent import plain
from worlds.values import Money

TOWN = Path(__file__).with_name("town.yaml")
"""The rules of the town's servers."""


class RulesError(ValueError):
    """Rules that cannot be used; every problem on a line: where, what it is, what was expected."""


# --- rules


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Read(_Written):
    """A call that the guard makes to learn something before an act. `server`: another than the act's; `each`: the call
    is made for each `item` of this list, and what was read is the list of answers."""

    tool: str
    server: str = ""
    arguments: dict[str, Expression] = Field({})
    each: Expression | None = None


class Kept(_Written):
    """What the guard remembers of a call's answer, by key; `kept[KEY]` names it later, on the same server."""

    key: Expression
    value: Expression


class Thread(_Written):
    """A thread that a message goes to."""

    name: Expression
    members: Expression


class Agreement(_Written):
    """A text that may bind the owner by what it says, to an `agreement with` each one of `parties`: a sentence of it
    has one of the patterns under `agrees`, and it, or the text that it `answers`, is about one of the `terms`
    (servers/guard/agreements.py). `also`: another name of the one party."""

    parties: Expression
    text: Expression
    answers: Expression | None = None
    also: Expression | None = None


class Rule(_Written):
    """What the calls of some tools do.

    `server`, `tool`: globs. `beside`, `without`: only where the server has, or has not, this other tool. `when`: only
    if this holds. `defaults`: arguments that may be left out. `reads`: what the guard reads first; `lets`: names for
    parts of expressions, in order. The acts: `contacts`, `thread`, `commits`, `agreement`, `spends`, `loses` (the names
    of one thing). After the call was answered (unless `fails`): `paid`, what it did cost; `back`, what was given back;
    both for the same `thing`; `keeps`, what to remember. `asks`: the act in words; `unclear`: what is said where it
    cannot be told.
    """

    server: str = "*"
    tool: str
    beside: str = ""
    without: str = ""
    when: Expression | None = None
    defaults: dict[str, Expression] = Field({})
    reads: dict[str, Read] = Field({})
    lets: dict[str, Expression] = Field({})
    contacts: Expression | None = None
    thread: Thread | None = None
    commits: Expression | None = None
    agreement: Agreement | None = None
    spends: Expression | None = None
    loses: Expression | None = None
    fails: Expression | None = None
    paid: Expression | None = None
    back: Expression | None = None
    thing: Expression | None = None
    keeps: Kept | None = None
    asks: Wording = "call {{ server }}.{{ tool }}"
    unclear: str = ""

    @property
    def acts(self) -> bool:
        """Whether these calls do anything that a consent is needed for."""
        parts = (self.contacts, self.thread, self.commits, self.agreement, self.spends, self.loses)
        return any(part is not None for part in parts)


class Coverage(_Written):
    """A line of the table of what the guard covers: an outcome, what is covered of it, and what is not."""

    outcome: str
    covered: str = ""
    not_covered: str = ""


class Rules(_Written):
    """A file of rules. `unknown`: what happens to tools that no rule names and that do not say they only read: `pass`
    or `hold`. `agrees`: patterns, and `terms`: phrases, by which a text is taken for an agreement. `known`: names that
    every expression knows, each for a list of texts. `covers`: the table that people read."""

    unknown: str = Field("pass", pattern="^(pass|hold)$")
    agrees: tuple[Pattern, ...] = ()
    terms: tuple[str, ...] = ()
    known: dict[str, tuple[str, ...]] = Field({})
    covers: tuple[Coverage, ...] = ()
    rules: tuple[Rule, ...]

    def of(self, server: str, tool: str, there: frozenset[str]) -> Rule | None:
        """The first rule for a tool of a server that has these tools."""
        for rule in self.rules:
            if not (fnmatchcase(server, rule.server) and fnmatchcase(tool, rule.tool)):
                continue
            if (not rule.beside or rule.beside in there) and (not rule.without or rule.without not in there):
                return rule
        return None

    def read_from(self, server: str) -> frozenset[str]:
        """The other servers that the guard reads from before acts on this one."""
        rules = [rule for rule in self.rules if fnmatchcase(server, rule.server)]
        return frozenset(read.server for rule in rules for read in rule.reads.values() if read.server) - {server}


NEVER = "none | money"
"""An expression that never comes out, whatever the arguments of a call."""


def unruled(tool: str) -> Rule:
    """For a tool that no rule names, where such are held."""
    return Rule.model_validate({"tool": tool, "spends": NEVER, "unclear": "no rule says what this tool does"})


def load_rules(file: Path) -> Rules:
    """Raises RulesError with every problem of the file."""
    try:
        document = read_document(file)
        return Rules.model_validate(document.content)
    except ValidationError as error:
        source = Source(file, document.lines)
        raise RulesError("\n".join(errors_of(source, error, ()))) from None
    except WorldError as error:
        raise RulesError(str(error)) from None


# --- from a rule to an act


@dataclass
class Told:
    """What there is to know about a call: names for expressions, and why some of them are missing."""

    names: dict[str, Any]
    troubles: list[str] = field(default_factory=list)

    def worth(self, expression: str | None) -> Any:
        """What an expression comes to; None for none, and for one that does not come out, which is a trouble."""
        if expression is None:
            return None
        try:
            return worth(expression, self.names)
        except Unknown as unknown:
            self.troubles.append(str(unknown))
            return None


def with_lets(rule: Rule, told: Told) -> None:
    """Enter what the rule gives names to. One that does not come out is missing for those that name it."""
    for name, expression in rule.lets.items():
        try:
            told.names[name] = worth(expression, told.names)
        except Unknown as unknown:
            told.names[name] = missing(name, str(unknown))


def act_of(rule: Rule, told: Told, rules: Rules, called: Mapping[str, frozenset[str]]) -> Act:
    """The act of a call, as far as it can be told. `called`: what a name stands for, to name those agreed with."""
    thread = rule.thread
    groups: tuple[Group, ...] = ()
    recipients = _texts(told.worth(rule.contacts), told)
    if thread is not None:
        groups = (Group(str(told.worth(thread.name) or ""), _texts(told.worth(thread.members), told)),)
    commitments: list[tuple[str, ...]] = [(one,) for one in _texts(told.worth(rule.commits), told)]
    agreements = _agreements(rule.agreement, told, rules, called)
    lost = _texts(told.worth(rule.loses), told)
    spends = _amount(told.worth(rule.spends), told)
    asks = worded(rule.asks, told.names) or f"call {told.names['server']}.{told.names['tool']}"
    return Act(
        asks=f"{asks}, and agree to something by it" if agreements else asks,
        recipients=recipients,
        groups=groups,
        commitments=(*commitments, *agreements),
        losses=(lost,) if lost else (),
        spends=spends,
        unknown=_unclear(rule, told),
    )


def _unclear(rule: Rule, told: Told) -> tuple[str, ...]:
    if told.troubles and rule.unclear:
        return (rule.unclear,)
    return tuple(f"it cannot be told what this does: {trouble}" for trouble in told.troubles[:1])  # the rest follows


def _agreements(
    agreement: Agreement | None, told: Told, rules: Rules, called: Mapping[str, frozenset[str]]
) -> list[tuple[str, ...]]:
    if agreement is None or not rules.agrees:
        return []
    text, answered = (_text(told.worth(one)) for one in (agreement.text, agreement.answers))
    if not binds(text, answered, rules.agrees, rules.terms):
        return []
    also = _texts(told.worth(agreement.also), told)
    found = []
    for party in _texts(told.worth(agreement.parties), told):
        names = [name for name, reached in called.items() if plain(party) in reached]
        found.append(tuple(f"agreement with {name}" for name in dict.fromkeys((*also, party, *names))))
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any, told: Told) -> tuple[str, ...]:
    if value is None:
        return ()
    listed = [value] if isinstance(value, str) else value
    if isinstance(listed, list | tuple) and all(isinstance(one, str) for one in listed):
        return tuple(one for one in dict.fromkeys(cast(Sequence[str], listed)) if one.strip())
    told.troubles.append(f"{value!r} is no list of texts")
    return ()


def _amount(value: Any, told: Told) -> Money | None:
    if value is None:
        return None
    try:
        return Money.parse(value)
    except ValueError as error:
        told.troubles.append(str(error))
        return None


def amount_or_none(value: JsonValue | Money) -> Money | None:
    """An amount as an answer tells it; None for what is none."""
    try:
        return Money.parse(value)
    except ValueError:
        return None
