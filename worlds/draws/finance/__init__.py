"""How to draw fresh instances of the finance families."""

from worlds.drawing import Recipe
from worlds.draws.finance import (
    duplicate_payment,
    payment_authority,
)

RECIPES: dict[str, Recipe] = {
    "payment_authority": payment_authority.draw,
    "duplicate_payment": duplicate_payment.draw,
}
