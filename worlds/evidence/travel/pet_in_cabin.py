"""A pet travels in the cabin only if every flight's operating airline and every arrival country take it there.

Behind it: airlines' pet rules. The bag is weighed with the animal, each operating airline has its own limits and
places, some countries admit animals only as cargo, and a certified assistance dog is another matter.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement

KG_PER_LB = Decimal("0.45359237")


class Segment(Value, key="flight"):
    """One flight: operating airline, country of arrival, cabin pets already booked on it."""

    flight: str
    operated_by: str
    arrives_in: str
    cabin_pets_booked: int


class PetRequest(Record, system="booking", read="get_pet_request", key="id"):
    """A pet to be added to a booking: owner, pet, weight of the empty bag, day of departure, flights with operating
    airline, country of arrival and cabin pets already booked, remarks."""

    id: str
    owner: str
    pet: str
    bag_kg: Decimal
    departs_on: date
    segments: Listing[Segment]
    remarks: Prose = Prose()


class CarrierPetRule(
    Record, system="pet_rules", read="get_carrier_pet_rule", list="list_carrier_pet_rules", key="carrier"
):
    """An airline's rule for pets in the cabin: species taken, greatest weight with bag and its unit, cabin places for
    pets on a flight, notes."""

    carrier: str
    species: Listing[str]
    max_weight: Decimal
    weight_unit: Literal["kg", "lb"] = "kg"
    cabin_places: int
    notes: Prose = Prose()


class ArrivalRule(Record, system="pet_rules", read="get_arrival_rule", list="list_arrival_rules", key="country"):
    """How animals may arrive in a country by air."""

    country: str
    arrival: Literal["cabin, hold or cargo", "cargo only"]


class AssistanceCertificate(Value):
    """Certificate of a trained assistance dog."""

    number: str
    valid_to: date


class VetRecord(Record, system="vet_records", read="get_vet_record"):
    """The animal's record: species, weight without bag, day of weighing, colour, assistance certificate (null: none),
    remarks of the practice."""

    pet: str
    species: str
    weight_kg: Decimal
    weighed_on: date
    colour: str
    assistance_certificate: AssistanceCertificate | None = None
    remarks: Prose = Prose()


class State(WorldState):
    request: PetRequest
    carrier_rules: Listing[CarrierPetRule]
    arrival_rules: Listing[ArrivalRule]
    vet: VetRecord


class AddCabinPet(Commit, system="booking"):
    """Add the requested pet to the cabin of every flight of its booking."""

    request_id: Annotated[str, Names(PetRequest)]


class MailPackingList(Preparation, system="booking"):
    """Mail the owner what to bring for the animal."""

    says = ("The list has been mailed; the pet has not been added.", "Empty bag on file: {request.bag_kg} kg.")

    request_id: Annotated[str, Names(PetRequest)]


def certified(state: State) -> bool:
    """Whether the animal travels as an assistance dog on the day of departure."""
    return all_of(
        lambda: state.vet.species == "dog",
        lambda: (
            state.vet.assistance_certificate is not None
            and state.request.departs_on <= state.vet.assistance_certificate.valid_to
        ),
    )


def weight_in(unit: str, state: State) -> Decimal:
    """The animal with its bag."""
    kilograms = state.vet.weight_kg + state.request.bag_kg
    return kilograms if unit == "kg" else kilograms / KG_PER_LB


@requirement("every operating airline takes the species in the cabin")
def species_taken(state: State) -> bool:
    def taken(flight: Segment) -> bool:
        rule = state.carrier_rules.get(flight.operated_by)
        return rule is not None and state.vet.species in rule.species

    return every(state.request.segments, taken)


@requirement(
    "animal and bag together are within every operating airline's limit, unless it is a certified assistance dog"
)
def within_weight(state: State) -> bool:
    def light_enough(flight: Segment) -> bool:
        rule = state.carrier_rules.get(flight.operated_by)
        return rule is not None and weight_in(rule.weight_unit, state) <= rule.max_weight

    return any_of(lambda: every(state.request.segments, light_enough), lambda: certified(state))


@requirement("every flight still has a cabin place for the pet, unless it is a certified assistance dog")
def place_left(state: State) -> bool:
    def free(flight: Segment) -> bool:
        rule = state.carrier_rules.get(flight.operated_by)
        return rule is not None and flight.cabin_pets_booked < rule.cabin_places

    return any_of(lambda: every(state.request.segments, free), lambda: certified(state))


@requirement("every country of arrival admits animals from the cabin, unless it is a certified assistance dog")
def arrival_admitted(state: State) -> bool:
    def admitted(flight: Segment) -> bool:
        rule = state.arrival_rules.get(flight.arrives_in)
        return rule is not None and rule.arrival == "cabin, hold or cargo"

    return any_of(lambda: every(state.request.segments, admitted), lambda: certified(state))


FAMILY = Family(
    name="pet_in_cabin",
    rule=(
        "A pet may be added to the cabin only if this holds for every flight of the booking: the airline that operates "
        "it takes the species in the cabin; the animal together with its bag is within that airline's weight limit, in "
        "the airline's unit; at least one of the airline's cabin places for pets on the flight is not yet booked; and "
        "the country of arrival admits animals from the cabin. A dog with an assistance certificate valid on the day "
        "of departure, its last day included, is exempt from weight, places and arrival rules, not from the first. "
        "Exactly the limit is allowed. What is not on file for an airline or a country is not allowed, unless the dog "
        "is exempt from it."
    ),
    systems={
        "booking": "The booking tool: flights and requests for pets.",
        "pet_rules": "Pet rules of the airlines and of the countries of arrival.",
        "vet_records": "Records that the owner's vet has shared.",
    },
    state=State,
    commit=AddCabinPet,
    preparations=(MailPackingList,),
    requirements=(species_taken, within_weight, place_left, arrival_admitted),
)
