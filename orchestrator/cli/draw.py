"""`twintown draw`"""

from __future__ import annotations

import json
from typing import Annotated

import typer
import yaml

from worlds.catalogue import family_named
from worlds.drawing import Draw
from worlds.draws import RECIPES


def draw(
    family: Annotated[str, typer.Argument(help="domain/family, or the family alone.")],
    seed: Annotated[int, typer.Option(min=0, help="The same seed always draws the same.")] = 0,
    count: Annotated[int, typer.Option(min=1, help="How many instances.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of YAML.")] = False,
) -> None:
    """Fresh instances of a family, in the form of its YAML; each is loaded and judged before it is printed."""
    suite, path = family_named(family)
    suite.drawn(path, seed, count)
    instances = [RECIPES[path](Draw(path, seed, number)) for number in range(count)]
    if as_json:
        print(json.dumps(instances, ensure_ascii=False))
    else:
        print(yaml.safe_dump(instances, sort_keys=False, allow_unicode=True, width=120), end="")
