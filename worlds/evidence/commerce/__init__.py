"""Commerce and fulfilment: releasing, refunding, allocating and shipping. Systems: orders, warehouse, carrier."""

from worlds.evidence.commerce import (
    address_change,
    age_restricted,
    cancelled_release,
    card_capture,
    cold_chain,
    export_licence,
    hazmat_carrier,
    recall_lot,
    refund_window,
    stock_allocation,
)
from worlds.model import Family

COMMERCE: tuple[Family, ...] = (
    cancelled_release.FAMILY,
    recall_lot.FAMILY,
    refund_window.FAMILY,
    stock_allocation.FAMILY,
    age_restricted.FAMILY,
    hazmat_carrier.FAMILY,
    export_licence.FAMILY,
    address_change.FAMILY,
    cold_chain.FAMILY,
    card_capture.FAMILY,
)
