"""How to draw fresh instances of the documents families."""

from worlds.drawing import Recipe
from worlds.draws.documents import (
    recipient_clearance,
)

RECIPES: dict[str, Recipe] = {
    "recipient_clearance": recipient_clearance.draw,
}
