"""Expressions in rules: Jinja's, in its sandbox, over what is known of a call.

What an expression cannot tell is unknown, and never taken to be fine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, Undefined
from jinja2.environment import TemplateExpression
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import AfterValidator

from worlds.town.people import digits
from worlds.values import Money, money_sum

Names = Mapping[str, Any]
"""What an expression can name: arguments, what was read, what was kept."""


class Unknown(Exception):
    """An expression that does not come out; the message says why."""


def _money(written: Any) -> Money:
    return Money.parse(written)


def _total(amounts: Iterable[Any]) -> Money:
    parsed = [Money.parse(amount) for amount in amounts]
    return money_sum(parsed, parsed[0].currency if parsed else "USD")


def _flat(items: Iterable[Mapping[str, Any]], name: str) -> list[dict[str, Any]]:
    """The items of the lists `name` within mappings, each with the other fields of the mapping it stood in."""
    return [{**{k: v for k, v in item.items() if k != name}, **each} for item in items for each in item.get(name, ())]


def _dialled(number: str, country: str) -> str:
    """A number with its country code, where it was dialled without: seven digits or more and no plus sign."""
    dialled = digits(number)
    whole = number.strip().startswith("+") or dialled.startswith(country) or len(dialled) < 7
    return number if whole else f"+{country}{dialled}"


def _same(value: Any, other: Any) -> bool:
    """Whether two texts are the same in whatever letters; a missing one is none."""
    return isinstance(value, str) and isinstance(other, str) and value.strip().casefold() == other.strip().casefold()


class _Expressions(ImmutableSandboxedEnvironment):
    """`x.items` is the field `items` of a mapping, not a method of it."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


_JINJA = _Expressions(undefined=StrictUndefined)
_JINJA.filters |= {"money": _money, "total": _total, "flat": _flat, "dialled": _dialled}
_JINJA.tests["same"] = _same


def _compiles(written: str) -> str:
    try:
        _JINJA.compile_expression(written)
    except TemplateSyntaxError as error:
        raise ValueError(f"no expression: {error.message}") from None
    return written


def _renders(written: str) -> str:
    try:
        _JINJA.from_string(written)
    except TemplateSyntaxError as error:
        raise ValueError(f"no text with {{{{ expressions }}}}: {error.message}") from None
    return written


def _searches(written: str) -> str:
    try:
        re.compile(written)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from None
    return written


Pattern = Annotated[str, AfterValidator(_searches)]
"""A regular expression, in whatever letters."""
Expression = Annotated[str, AfterValidator(_compiles)]
"""Such as `to + cc` or `mail.from`."""
Wording = Annotated[str, AfterValidator(_renders)]
"""A text with expressions in it: `send a mail to {{ to | join(', ') }}`."""


@cache
def _compiled(expression: str) -> TemplateExpression:
    return _JINJA.compile_expression(expression, undefined_to_none=False)


@cache
def _template(wording: str) -> Template:
    return _JINJA.from_string(wording)


def worth(expression: str, names: Names) -> Any:
    """What an expression comes to. Raises Unknown."""
    try:
        value = _compiled(expression)(names)
        if isinstance(value, Undefined):
            value._fail_with_undefined_error()
        return list(value) if isinstance(value, Iterator) else value
    except Exception as error:
        raise Unknown(f"{expression}: {error}") from None


def worded(wording: str, names: Names) -> str:
    """A wording, filled in; an empty text where it cannot be."""
    try:
        return " ".join(_template(wording).render(names).split())
    except Exception:
        return ""


def missing(name: str, why: str) -> Undefined:
    """Stands for a name that has no worth; whatever names it is unknown for this reason."""
    return _JINJA.undefined(name=f"{name} ({why})")
