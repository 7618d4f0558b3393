"""How to draw fresh instances of the cloud families."""

from worlds.drawing import Recipe
from worlds.draws.cloud import backup_before_retire

RECIPES: dict[str, Recipe] = {
    "backup_before_retire": backup_before_retire.draw,
}
