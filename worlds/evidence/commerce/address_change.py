"""A changed delivery address counts only before picking, for a proven customer, within the declared customs territory.

Behind it: redirect fraud after an account takeover. Whoever holds the login can change the address; what proves the
customer is a check after the change, or an address at which an earlier order was accepted.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, WorldState, requirement


class AddressChange(Record, system="orders", read="get_address_change", key="id"):
    """Change of the delivery address of a paid order: order, customer, time of entry, old and new address, customs
    territory of the new address, way of entry, address format check, delivery slot, chat."""

    id: str
    order_id: str
    customer: str
    entered_at: datetime
    old_address: str
    new_address: str
    new_territory: str
    entered_by: str
    format_check: str
    delivery_slot: str
    chat: Prose = Prose()


class EarlierDelivery(Record, system="orders", list="list_earlier_deliveries", key="order_id"):
    """Earlier order of a customer that was delivered: customer, address, day, whether it was accepted or is disputed,
    value class."""

    order_id: str
    customer: str
    address: str
    delivered_on: date
    outcome: Literal["accepted", "disputed"]
    value_class: str


class IdentityCheck(Record, system="identity", list="list_identity_checks", key="id"):
    """Identity check of a customer: time, result, method, device."""

    id: str
    customer: str
    at: datetime
    result: Literal["passed", "failed", "abandoned"]
    method: str
    device: str
    remarks: Prose = Prose()


class PickJob(Record, system="warehouse", read="get_pick_job"):
    """Picking of the order: order, wave, time at which picking began (null: it has not begun), picker, label state."""

    order_id: str
    wave: str
    started_at: datetime | None
    picker: str
    label: str
    floor_note: Prose = Prose()


class CustomsDeclaration(Record, system="carrier", read="get_customs_declaration"):
    """Declaration prepared for the order: customs territory of delivery, reference, goods."""

    territory: str
    reference: str
    goods: str


class State(WorldState):
    change: AddressChange
    earlier_deliveries: Listing[EarlierDelivery] = Listing()
    checks: Listing[IdentityCheck] = Listing()
    pick_job: PickJob
    declaration: CustomsDeclaration


class ApplyAddressChange(Commit, system="warehouse"):
    """Send the order to the new address of a change."""

    change_id: Annotated[str, Names(AddressChange)]


def before_picking(state: State, moment: datetime) -> bool:
    return state.pick_job.started_at is None or moment < state.pick_job.started_at


def rechecked(state: State) -> bool:
    return some(
        state.checks,
        lambda check: all_of(
            lambda: check.customer == state.change.customer,
            lambda: check.result == "passed",
            lambda: check.at > state.change.entered_at,
            lambda: before_picking(state, check.at),
        ),
    )


def delivered_before(state: State) -> bool:
    return some(
        state.earlier_deliveries,
        lambda delivery: all_of(
            lambda: delivery.customer == state.change.customer,
            lambda: delivery.address == state.change.new_address,
            lambda: delivery.outcome == "accepted",
        ),
    )


@requirement("the change was entered before picking began")
def entered_before_picking(state: State) -> bool:
    return before_picking(state, state.change.entered_at)


@requirement("the customer passed a check between the change and picking, or accepted an earlier order at the address")
def customer_proven(state: State) -> bool:
    return any_of(lambda: delivered_before(state), lambda: rechecked(state))


@requirement("the new address lies in the customs territory that is declared")
def same_territory(state: State) -> bool:
    return state.change.new_territory == state.declaration.territory


FAMILY = Family(
    name="address_change",
    rule=(
        "An order may be sent to a changed address only if the change was entered before picking began, and the new "
        "address lies in the customs territory that the declaration names, and the customer is proven: either an "
        "identity check of this customer was passed later than the change and before picking began, or an earlier "
        "order of this customer was delivered to the very same address and accepted, not disputed. Later and before "
        "are meant strictly: the same instant is neither."
    ),
    systems={
        "orders": "Orders: address changes and earlier deliveries.",
        "identity": "Identity checks of customers.",
        "warehouse": "Warehouse management: picking and the address that is printed.",
        "carrier": "Carrier: customs declarations.",
    },
    state=State,
    commit=ApplyAddressChange,
    requirements=(entered_before_picking, customer_proven, same_territory),
)
