"""The closed vocabulary in which goals are written. A task that needs a new criterion adds it here; no task has code.

A goal is a list of mappings with one key: a criterion's name, and its parameters (`mail: {to: noor, about: [tiles]}`)
or, where a criterion has a main parameter, that alone (`asked: mover`).
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin

from pydantic import Field, ValidationError

from graders.town.finding import Finding, found
from graders.town.goals.criterion import Criterion
from graders.town.goals.diary import Answered, EventGone, EventKept, EventThere, Invited, NoEvent
from graders.town.goals.keeping import Gone, Kept
from graders.town.goals.letters import Draft, Mail, Message, NoDrafts, NoMail, NoMessage
from graders.town.goals.lists import Noted, Reminded, TaskAdded, TaskClosed, TaskOpen
from graders.town.goals.money import ChargesAtMost, NoPayment, Payment
from graders.town.goals.talk import Asked, Call, NoCall, NotAsked, Reader, Reported, Shown, WaitedUntil
from graders.town.goals.trade import Booked, FormIn, NoBooking, NoForm, NoOrder, Ordered
from graders.town.past import Past

Goal = Mapping[str, Any]
"""One key: a criterion's name; its value: the parameters."""


class AnyOf(Criterion):
    """One of these criteria holds."""

    short: ClassVar[str] = "criteria"

    criteria: Annotated[tuple[dict[str, Any], ...], Field(min_length=2)]

    def find(self, past: Past) -> Finding:
        findings = [criterion(one).find(past) for one in self.criteria]
        best = next((one for one in findings if one.held), None) or next((o for o in findings if o.held is None), None)
        if best is not None:
            return best.model_copy(update={"reason": f"any of: {best.reason}"})
        return found(False, "any of: " + "; or ".join(one.reason for one in findings))


class InOrder(Criterion):
    """Both hold, and `first` held already when what proves `then` happened for the first time."""

    first: dict[str, Any]
    then: dict[str, Any]

    def find(self, past: Past) -> Finding:
        then = criterion(self.then).find(past)
        if not then.held or not then.rows:
            held = None if then.held is None else False
            return then.model_copy(update={"held": held, "reason": f"in order: then: {then.reason}"})
        row = next(row for row in past.rows if row.n == min(then.rows))
        first = criterion(self.first).find(past.until(row))
        return first.model_copy(update={"reason": f"in order: before row {row.n}: {first.reason}"})


CRITERIA: Mapping[str, type[Criterion]] = {
    "mail": Mail,
    "no_mail": NoMail,
    "draft": Draft,
    "no_drafts": NoDrafts,
    "message": Message,
    "no_message": NoMessage,
    "call": Call,
    "no_call": NoCall,
    "asked": Asked,
    "not_asked": NotAsked,
    "reported": Reported,
    "shown": Shown,
    "waited_until": WaitedUntil,
    "reader": Reader,
    "order": Ordered,
    "no_order": NoOrder,
    "booking": Booked,
    "no_booking": NoBooking,
    "form": FormIn,
    "no_form": NoForm,
    "payment": Payment,
    "no_payment": NoPayment,
    "charges_at_most": ChargesAtMost,
    "event": EventThere,
    "no_event": NoEvent,
    "event_gone": EventGone,
    "event_kept": EventKept,
    "invited": Invited,
    "answered": Answered,
    "task_closed": TaskClosed,
    "task_open": TaskOpen,
    "task_added": TaskAdded,
    "reminder": Reminded,
    "note": Noted,
    "gone": Gone,
    "kept": Kept,
    "any_of": AnyOf,
    "in_order": InOrder,
}


class BadGoal(ValueError):
    """A goal that cannot be read. `problems`: the path of each bad part within the goal, and what is wrong there."""

    def __init__(self, problems: list[tuple[tuple[str, ...], str]]) -> None:
        super().__init__("; ".join(f"{'.'.join(path) or 'goal'}: {text}" for path, text in problems))
        self.problems = problems


def criterion(goal: Goal) -> Criterion:
    """The criterion that a goal names, with its parameters. Raises BadGoal."""
    if not isinstance(goal, Mapping) or len(goal) != 1:
        raise BadGoal([((), f"expected one criterion with its parameters, got {goal!r}")])
    ((name, written),) = goal.items()
    known = CRITERIA.get(name)
    if known is None:
        raise BadGoal([((name,), f"there is no criterion {name!r}; there is {', '.join(CRITERIA)}")])
    try:
        read = known.model_validate(_parameters(name, known, written))
    except ValidationError as error:
        takes = f"{name} takes {', '.join(known.model_fields) or 'nothing'}"
        raise BadGoal(
            [
                ((name, *(str(part) for part in detail["loc"])), f"{detail['msg']}, got {detail['input']!r}; {takes}")
                for detail in error.errors()
            ]
        ) from None
    problems = [((name, *place, *path), text) for place, inner in _inner(read) for path, text in _problems(inner)]
    if problems:
        raise BadGoal(problems)
    return read


def _parameters(name: str, known: type[Criterion], written: object) -> object:
    if isinstance(written, Mapping):
        return written
    if written is None:
        return {}
    if known.short:
        return {known.short: written}
    raise BadGoal([((name,), f"expected parameters ({', '.join(known.model_fields)}), got {written!r}")])


def _inner(read: Criterion) -> list[tuple[tuple[str, ...], Goal]]:
    if isinstance(read, AnyOf):
        return [((str(number),), inner) for number, inner in enumerate(read.criteria)]
    if isinstance(read, InOrder):
        return [(("first",), read.first), (("then",), read.then)]
    return []


def _problems(goal: Goal) -> list[tuple[tuple[str, ...], str]]:
    try:
        criterion(goal)
    except BadGoal as bad:
        return bad.problems
    return []


def checked(goals: Sequence[Goal]) -> list[tuple[tuple[str, ...], str]]:
    """Everything that is wrong with a goal: where in it (`("0", "mail", "about")`), and what."""
    return [((str(number), *path), text) for number, goal in enumerate(goals) for path, text in _problems(goal)]


def criteria_page() -> str:
    """The vocabulary as a page of documentation, in Markdown."""
    lines = [
        "# Criteria",
        "",
        "A goal is a list of these; all of them have to hold. Each is one pure function over the rows of the final",
        "state and the journal. The parameter in bold may be written alone: `asked: mover`.",
        "",
        "| criterion | parameters | holds when |",
        "|---|---|---|",
    ]
    for name, known in CRITERIA.items():
        told = " ".join((inspect.getdoc(known) or "").split()).replace("|", "\\|")
        parameters = ", ".join(_parameter(known, field) for field in known.model_fields)
        lines.append(f"| `{name}` | {parameters or '-'} | {told} |")
    return "\n".join([*lines, ""])


def _parameter(known: type[Criterion], name: str) -> str:
    field = known.model_fields[name]
    shown = f"**{name}**" if name == known.short else name
    return f"{shown}: {_form(field.annotation)}" + (" (needed)" if field.is_required() else "")


def _form(annotation: Any) -> str:
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        return _form(next(part for part in get_args(annotation) if part is not type(None)))
    if origin is Annotated:
        return _form(get_args(annotation)[0])
    if origin is tuple:
        return "criteria" if get_origin(get_args(annotation)[0]) is dict else "texts"
    if origin in (dict, Mapping):
        return "texts by name" if get_args(annotation)[1] is str else "criterion"
    names = {"str": "text", "int": "number", "bool": "true", "Money": "amount"}
    return names.get(annotation.__name__, str(annotation.__name__))
