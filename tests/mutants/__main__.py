"""`make mutants`: corrupt the instrument in many small ways and print what catches each.

First single lines of the instrument, each on a copy; then every comparison, condition and name in the rules of all
families. Exit status 1 if a mutant of the first kind survives.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from rich.console import Console
from rich.table import Table

from orchestrator.progress import Progress
from tests.mutants.instrument import MUTANTS, catcher, false_alarms
from tests.mutants.rules import RuleMutant, caught, families, mutants_of


def instrument(workers: int) -> list[tuple[str, str | None]]:
    """What catches each mutant of the instrument."""
    found: list[tuple[str, str | None]] = []
    with Progress.on_stderr("mutants") as progress, ThreadPoolExecutor(workers) as pool:
        progress.start(0, len(MUTANTS))
        for mutant, by in zip(MUTANTS, pool.map(catcher, MUTANTS), strict=True):
            found.append((f"{mutant.wrong} ({mutant.file})", by))
            progress.ended()
    return found


def survivors_of(family: str) -> tuple[int, list[tuple[int, str]]]:
    """How many mutants a family's rule has, and those that its instances do not notice: line and change."""
    mutants: list[RuleMutant] = list(mutants_of(family))
    return len(mutants), [(mutant.line, mutant.change) for mutant in mutants if not caught(mutant)]


def main() -> int:
    asked = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    asked.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = asked.parse_args()
    console = Console(width=140)
    if alarms := false_alarms():
        console.print(f"nothing is corrupted yet, but these fail: {', '.join(alarms)}")
        return 1
    table = Table("the instrument, corrupted so that", "is caught by", box=None)
    survived = 0
    for wrong, by in instrument(chosen.workers):
        survived += by is None
        table.add_row(wrong, by or "[bold red]NOTHING[/bold red]")
    console.print(table)
    total = alive = 0
    console.print("\nRules: one comparison, condition or name changed; survivors by family, line and change")
    with ProcessPoolExecutor(chosen.workers) as pool:
        for family, (count, survivors) in zip(families(), pool.map(survivors_of, families()), strict=True):
            total, alive = total + count, alive + len(survivors)
            told = "; ".join(f"line {line}: {change}" for line, change in survivors) or "none"
            console.print(f"  {family}: {count - len(survivors)} of {count} caught; survivors: {told}", highlight=False)
    console.print(
        f"\ninstrument: {len(MUTANTS) - survived} of {len(MUTANTS)} caught; rules: {total - alive} of {total}"
    )
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
