"""Finance: paying, matching, converting and releasing money. Systems: ERP, treasury policy, bank."""

from worlds.evidence.finance import payment_authority
from worlds.model import Family

FINANCE: tuple[Family, ...] = (payment_authority.FAMILY,)
