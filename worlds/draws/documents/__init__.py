"""How to draw fresh instances of the documents families."""

from worlds.drawing import Recipe

RECIPES: dict[str, Recipe] = {}
