"""How to draw fresh instances of the commerce families."""

from worlds.drawing import Recipe

RECIPES: dict[str, Recipe] = {}
