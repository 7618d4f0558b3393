"""How to draw fresh instances of the travel families."""

from worlds.drawing import Recipe
from worlds.draws.travel import (
    arrival_buffer,
    connection_time,
    key_people_flight,
    mandatory_cost,
    passport_validity,
    pet_in_cabin,
    refundable_rate,
    stay_days,
    transit_visa,
    unaccompanied_minor,
)

RECIPES: dict[str, Recipe] = {
    "mandatory_cost": mandatory_cost.draw,
    "passport_validity": passport_validity.draw,
    "transit_visa": transit_visa.draw,
    "connection_time": connection_time.draw,
    "key_people_flight": key_people_flight.draw,
    "refundable_rate": refundable_rate.draw,
    "unaccompanied_minor": unaccompanied_minor.draw,
    "stay_days": stay_days.draw,
    "arrival_buffer": arrival_buffer.draw,
    "pet_in_cabin": pet_in_cabin.draw,
}
