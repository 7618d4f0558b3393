"""How to draw fresh instances of the cloud families."""

from worlds.drawing import Recipe

RECIPES: dict[str, Recipe] = {}
