"""Rules decide situations on their boundaries as their texts say."""

from __future__ import annotations

import pytest

from tests.worlds.situations import Situation, situations
from worlds.catalogue import pair_named


@pytest.mark.parametrize("situation", situations(), ids=lambda situation: situation.case)
def test_a_rule_decides_as_its_text_says(situation: Situation) -> None:
    assert situation.judged(pair_named(situation.task)) == situation.fails
