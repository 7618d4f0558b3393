"""Whatever an agent sends can be kept, read back and repeated, and is not endless."""

from __future__ import annotations

import json
from typing import Any

import pytest

from servers.bounds import MOST_DEPTH, MOST_KEPT, MOST_LETTERS, keepable, printable


def nested(depth: int) -> dict[str, Any]:
    value: Any = 1
    for _ in range(depth - 1):
        value = [value]
    return {"x": value}


@pytest.mark.parametrize("text", ["", "Zürich \u2028 \x00", "x" * MOST_LETTERS])
def test_a_text_that_can_be_kept_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_half_a_character_is_written_out_and_a_long_text_is_cut_with_its_length() -> None:
    assert printable("not sure \ud83d") == "not sure \\ud83d"
    assert printable("x" * 5000) == "x" * MOST_LETTERS + "... (5000 letters)"


@pytest.mark.parametrize(
    "arguments", [{}, {"id": "B-1", "n": [1, None, {"a": True}]}, nested(MOST_DEPTH), {"x": "y" * (MOST_KEPT - 9)}]
)
def test_arguments_that_can_be_kept_stay_as_they_are(arguments: dict[str, Any]) -> None:
    assert keepable(arguments) == arguments


@pytest.mark.parametrize(
    "arguments",
    [
        nested(MOST_DEPTH + 1),
        nested(100_000),
        {"x": "y" * (MOST_KEPT - 8)},
        {"x": float("nan")},
        {"x": {1, 2}},
        {"x": "\ud83d"},
    ],
    ids=["deep", "very deep", "long", "no number", "no JSON", "half a character"],
)
def test_of_other_arguments_a_short_account_is_kept(arguments: dict[str, Any]) -> None:
    kept = keepable(arguments)
    assert list(kept) == ["not kept"]
    assert len(json.dumps(kept)) <= 2 * MOST_LETTERS
