"""How to draw fresh instances of the commerce families."""

from worlds.drawing import Recipe
from worlds.draws.commerce import (
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

RECIPES: dict[str, Recipe] = {
    "cancelled_release": cancelled_release.draw,
    "recall_lot": recall_lot.draw,
    "refund_window": refund_window.draw,
    "stock_allocation": stock_allocation.draw,
    "age_restricted": age_restricted.draw,
    "hazmat_carrier": hazmat_carrier.draw,
    "export_licence": export_licence.draw,
    "address_change": address_change.draw,
    "cold_chain": cold_chain.draw,
    "card_capture": card_capture.draw,
}
