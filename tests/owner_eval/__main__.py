"""`make owner-eval`: put every question of every task to its owner, and print what was understood.

Exit status 1 if less than nine in ten of a suite's questions were understood, or a question that the intent does not
answer got a fact. With --development: the invented intents on which the matching was tuned.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from tests.owner_eval.asking import ENOUGH, PARTS, Put, development, given_away, put_to_owners, share


def summary(put: Mapping[str, Sequence[Put]]) -> Table:
    """One line for each suite."""
    table = Table("suite", "asked", "understood", "wrong", "missed", "unanswerable", "got a fact")
    for name, ones in put.items():
        answerable = [one for one in ones if one.wanted]
        wrong = sum(bool(one.got) and not one.right for one in answerable)
        missed = sum(not one.got for one in answerable)
        counts = (wrong, missed, len(ones) - len(answerable), len(given_away(ones)))
        table.add_row(name, str(len(answerable)), f"{share(ones):.1%}", *map(str, counts))
    return table


def failing(put: Mapping[str, Sequence[Put]]) -> Table:
    """Every question that was not understood as it should be."""
    table = Table("task", "question", "should get", "got")
    for ones in put.values():
        for one in ones:
            if not one.right:
                table.add_row(one.task, one.question, one.wanted or "nothing", one.got or "nothing")
    return table


def main() -> int:
    asked = argparse.ArgumentParser(prog="make owner-eval", description=__doc__)
    asked.add_argument("--development", action="store_true", help="the invented intents instead of the tasks")
    if asked.parse_args().development:
        put = {part: development(part) for part in PARTS}
    else:
        put = {suite: put_to_owners(suite) for suite in ("trust", "errands")}
    console = Console()
    if any(not one.right for ones in put.values() for one in ones):
        console.print(failing(put))
    console.print(summary(put))
    return int(any(share(ones) < ENOUGH or given_away(ones) for ones in put.values()))


if __name__ == "__main__":
    raise SystemExit(main())
