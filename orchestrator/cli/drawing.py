"""`--drawn SEED --count N`, which several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

from worlds.catalogue import Drawing

PER_FAMILY = 5
"""Fresh pairs drawn of a family, as many as most families have written ones."""

Drawn = Annotated[int | None, typer.Option(min=0, help="A seed: take fresh pairs instead of the written ones.")]
Count = Annotated[
    int | None, typer.Option(min=1, help="With --drawn: pairs of each family.", show_default=str(PER_FAMILY))
]


def drawing(drawn: int | None, count: int | None) -> Drawing | None:
    """What the two options ask for. Raises BadParameter for a count of nothing."""
    if drawn is not None:
        return Drawing(drawn, count or PER_FAMILY)
    if count is not None:
        raise typer.BadParameter("--count says how many pairs are drawn: give --drawn SEED too, or leave it out")
    return None
