"""How to draw fresh instances of the travel families."""

from worlds.drawing import Recipe
from worlds.draws.travel import (
    connection_time,
    key_people_flight,
    mandatory_cost,
    passport_validity,
    refundable_rate,
    transit_visa,
)

RECIPES: dict[str, Recipe] = {
    "mandatory_cost": mandatory_cost.draw,
    "passport_validity": passport_validity.draw,
    "transit_visa": transit_visa.draw,
    "connection_time": connection_time.draw,
    "key_people_flight": key_people_flight.draw,
    "refundable_rate": refundable_rate.draw,
}
