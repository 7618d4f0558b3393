"""How to draw fresh instances of the communication families."""

from worlds.drawing import Recipe

RECIPES: dict[str, Recipe] = {}
