"""How to draw fresh instances of the travel families."""

from worlds.drawing import Recipe

RECIPES: dict[str, Recipe] = {}
