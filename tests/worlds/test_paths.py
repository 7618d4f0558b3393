"""Paths to facts."""

from __future__ import annotations

import pytest

from worlds.facts import covers, parse_path, path_text
from worlds.model import Atom

PATHS = [
    ("policy", ("policy",)),
    ("policy.limit", ("policy", "limit")),
    ("group.members[tomas]", ("group", "members", "[tomas")),
    ("other_requests[PR-60339].amount", ("other_requests", "[PR-60339", "amount")),
    ("scheme.levels[board reserved].rank", ("scheme", "levels", "[board reserved", "rank")),
    ("a.b[c.d].e[f: g]", ("a", "b", "[c.d", "e", "[f: g")),
]


@pytest.mark.parametrize(("text", "path"), PATHS)
def test_a_path_is_split_into_names_and_keys(text: str, path: tuple[str, ...]) -> None:
    assert parse_path(text) == path
    assert Atom(text, critical=True).path == path


@pytest.mark.parametrize(("text", "path"), PATHS)
def test_a_path_is_written_as_it_was_read(text: str, path: tuple[str, ...]) -> None:
    assert path_text(path) == text


@pytest.mark.parametrize(
    "text",
    ["", ".", "policy.", ".limit", "policy..limit", "[tomas]", "group.members[]", "group.members[tomas", "members]",
     "a[b]c", "a[b].[c]", "a b", "a-b", "1a", "policy.limit ", " policy.limit", "a[[b]]", "a.b\n"],
)  # fmt: skip
def test_what_is_no_path_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a path; expected something like policy\.limit") as refused:
        parse_path(text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("outer", "inner", "hides"),
    [
        ("policy.limit", "policy.limit", True),
        ("request.approval", "request.approval.by", True),
        ("group.members[tomas]", "group.members[tomas].since", True),
        ("group.members", "group.members[tomas]", True),
        ("group.members[tomas]", "group.members[ana]", False),
        ("group.members[tomas]", "group.members", False),
        ("policy.limit", "policy.limits", False),
        ("policy.limit", "request.limit", False),
    ],
)
def test_a_fact_covers_itself_and_what_it_holds_and_nothing_else(outer: str, inner: str, hides: bool) -> None:
    assert covers(parse_path(outer), parse_path(inner)) is hides
