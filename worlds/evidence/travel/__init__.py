"""Travel: booking journeys, rooms and fares for people and pets. Systems: booking, fares and rules, travel policy."""

from worlds.evidence.travel import (
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
from worlds.model import Family

TRAVEL: tuple[Family, ...] = (
    mandatory_cost.FAMILY,
    passport_validity.FAMILY,
    transit_visa.FAMILY,
    connection_time.FAMILY,
    key_people_flight.FAMILY,
    refundable_rate.FAMILY,
    unaccompanied_minor.FAMILY,
    stay_days.FAMILY,
    arrival_buffer.FAMILY,
    pet_in_cabin.FAMILY,
)
