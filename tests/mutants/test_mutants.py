"""The instrument notices when it is corrupted. All mutants are run by `make mutants`; here a sample of each kind."""

from __future__ import annotations

import pytest

from tests.mutants.instrument import MUTANTS, ROOT, catcher
from tests.mutants.mutant import Mutant
from tests.mutants.rules import EXPLAINED, caught, families, mutants_of

SAMPLE = MUTANTS[::12]
FAMILIES = families()[::12]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.wrong)
def test_every_mutant_changes_a_line_that_is_there(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert mutant.old in text
    assert mutant.new not in (mutant.old, "")


@pytest.mark.parametrize("mutant", SAMPLE, ids=lambda mutant: mutant.wrong)
def test_a_corrupted_instrument_is_noticed(mutant: Mutant) -> None:
    assert catcher(mutant) is not None


@pytest.mark.parametrize("family", FAMILIES)
def test_a_corrupted_rule_is_noticed_by_the_instances_of_its_family(family: str) -> None:
    survivors = [f"line {mutant.line}: {mutant.change}" for mutant in mutants_of(family) if not caught(mutant)]
    assert [survivor for survivor in survivors if survivor not in EXPLAINED.get(family, {})] == []
