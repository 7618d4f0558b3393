"""How to draw fresh instances of the communication families."""

from worlds.drawing import Recipe
from worlds.draws.communication import group_audience

RECIPES: dict[str, Recipe] = {
    "group_audience": group_audience.draw,
}
