"""What a consent allows where names and threads meet."""

from __future__ import annotations

import pytest

from worlds.town.consent import Circle, Standing
from worlds.town.written import Consent

SAM = frozenset({"sam", "sam@x.example"})
CIRCLE = Circle(
    names={"sam": SAM | {"d1"}},
    threads={"d1": frozenset({"sam"}), "sam": frozenset({"sam"}), "leo": frozenset({"ida"}), "ida": frozenset({"leo"})},
)


@pytest.mark.parametrize("to", ["d1", "sam", "Sam", "leo", "ida"])
def test_a_thread_that_is_called_like_its_member_is_allowed_to_nobody_by_itself(to: str) -> None:
    standing = Standing(CIRCLE)
    assert not standing.may_contact(to)
    assert not standing.may_tell("plan", to)


@pytest.mark.parametrize("to", ["d1", "sam", "sam@x.example"])
def test_a_thread_that_is_called_like_its_member_is_allowed_with_them(to: str) -> None:
    standing = Standing(CIRCLE).granted(Consent(recipients=("Sam",), details=("plan to Sam",)))
    assert standing.may_contact(to)
    assert standing.may_tell("plan", to)
