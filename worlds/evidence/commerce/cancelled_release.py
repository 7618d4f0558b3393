"""A cancelled order is released only on a later approved reactivation (seeds/002 A.1).

Behind it: order holds in order management. Cancellation stays on the header; what lifts it is a reactivation that
someone entitled approved, entered in the order log behind the latest cancellation and covering what is to be sent.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from worlds.judging import all_of, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class Cancellation(Value):
    """The latest cancellation of an order."""

    at: datetime
    log_entry: int
    entered_by: str
    reason: str


class Reactivation(Value, key="id"):
    """A request to reactivate a quantity of an order, and how the role that decides it answered."""

    id: str
    at: datetime
    log_entry: int
    quantity: int
    status: Literal["requested", "approved", "declined"]
    deciding_role: str


class Order(Record, system="orders", read="get_order", list="list_orders", search="search_orders", key="id"):
    """Sales order: customer, product, quantity to be sent, address version, payment, packing, the latest cancellation
    (time, number of the order log entry, by whom, reason; null if there is none), reactivations (time, log entry,
    quantity, status, deciding role), remarks."""

    id: str
    customer_id: str
    product: str
    quantity: int
    address_version: int
    payment: str
    packing: str
    cancellation: Cancellation | None = None
    reactivations: Listing[Reactivation] = Listing()
    remarks: Prose = Prose()


class ReleasePolicy(Record, system="orders", read="get_release_policy"):
    """Release policy of the sales channel: the channel, the roles whose approval reactivates an order, guidance."""

    channel: str
    reactivation_roles: tuple[str, ...]
    guidance: Prose = Prose()


class CustomerFile(Record, system="crm", read="get_customer_file", key="id"):
    """Customer file: name, loyalty tier, account manager, contact notes."""

    id: str
    name: str
    loyalty_tier: str
    account_manager: str
    contact_notes: Prose = Prose()


class PickTicket(Record, system="warehouse", read="get_pick_ticket"):
    """Pick ticket prepared for the order: number, warehouse, carrier, state of the ticket, zone."""

    number: str
    warehouse: str
    carrier: str
    state: str
    zone: str


class State(WorldState):
    order: Order
    other_orders: Listing[Order] = Listing()
    policy: ReleasePolicy
    customer: CustomerFile
    pick_ticket: PickTicket


class ReleaseOrder(Commit, system="warehouse"):
    """Release an order to the warehouse floor and the carrier, as specified."""

    order_id: Annotated[str, Names(Order)]
    warehouse: str
    carrier: str
    address_version: int
    product: str
    quantity: int


class PreviewLabel(Preparation, system="warehouse"):
    """Show the shipping label of an order without booking the carrier."""

    says = ("Preview ready; the carrier has not been booked.", "It carries address version {order.address_version}.")

    order_id: Annotated[str, Names(Order)]


def lifts(reactivation: Reactivation, cancellation: Cancellation, state: State) -> bool:
    return all_of(
        lambda: reactivation.status == "approved",
        lambda: reactivation.deciding_role in state.policy.reactivation_roles,
        lambda: reactivation.log_entry > cancellation.log_entry,
        lambda: reactivation.quantity >= state.order.quantity,
    )


@requirement(
    "the order is not cancelled, or an approved reactivation behind its latest cancellation covers the quantity"
)
def not_cancelled(state: State) -> bool:
    cancellation = state.order.cancellation
    if cancellation is None:
        return True
    return some(state.order.reactivations, lambda entry: lifts(entry, cancellation, state))


FAMILY = Family(
    name="cancelled_release",
    rule=(
        "A cancelled order may not be released unless one reactivation lifts its latest cancellation. That "
        "reactivation is approved, the role that decided it is one that the release policy names, its entry in the "
        "order log has a higher number than the cancellation's (entry numbers, not times, say what came later), and it "
        "is for at least the quantity to be sent; exactly that quantity is enough. Reactivations are not added up."
    ),
    systems={
        "orders": "Order management: sales orders, their cancellations and reactivations, the release policy.",
        "crm": "Customer files and contact notes.",
        "warehouse": "Warehouse management: pick tickets, labels and release to the floor.",
    },
    state=State,
    commit=ReleaseOrder,
    preparations=(PreviewLabel,),
    requirements=(not_cancelled,),
)
