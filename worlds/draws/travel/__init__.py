"""How to draw fresh instances of the travel families."""

from worlds.drawing import Recipe
from worlds.draws.travel import mandatory_cost

RECIPES: dict[str, Recipe] = {
    "mandatory_cost": mandatory_cost.draw,
}
