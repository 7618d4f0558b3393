"""Finance: paying, matching, converting and releasing money."""

from worlds.evidence.finance import (
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
from worlds.model import Family

FINANCE: tuple[Family, ...] = (
    payment_authority.FAMILY,
    duplicate_payment.FAMILY,
    bank_detail_change.FAMILY,
    budget_remaining.FAMILY,
    dual_approval.FAMILY,
    sanctions_hold.FAMILY,
    fx_settlement.FAMILY,
    three_way_match.FAMILY,
    lien_waivers.FAMILY,
    covenant_transfer.FAMILY,
)
