"""How to draw fresh instances of the finance families."""

from worlds.drawing import Recipe
from worlds.draws.finance import (
    bank_detail_change,
    budget_remaining,
    covenant_transfer,
    dual_approval,
    duplicate_payment,
    fx_settlement,
    lien_waivers,
    payment_authority,
    sanctions_hold,
    three_way_match,
)

RECIPES: dict[str, Recipe] = {
    "payment_authority": payment_authority.draw,
    "duplicate_payment": duplicate_payment.draw,
    "bank_detail_change": bank_detail_change.draw,
    "budget_remaining": budget_remaining.draw,
    "dual_approval": dual_approval.draw,
    "sanctions_hold": sanctions_hold.draw,
    "fx_settlement": fx_settlement.draw,
    "three_way_match": three_way_match.draw,
    "lien_waivers": lien_waivers.draw,
    "covenant_transfer": covenant_transfer.draw,
}
