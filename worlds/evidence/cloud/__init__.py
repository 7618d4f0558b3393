"""Cloud operations: retiring, deploying, deleting, rotating, migrating, scaling, moving and switching."""

from worlds.evidence.cloud import (
    backup_before_retire,
    canary_promotion,
    data_residency,
    deploy_freeze,
    dns_cutover,
    key_revocation,
    live_dependents,
    migration_snapshot,
    role_boundary,
    scale_down,
)
from worlds.model import Family

CLOUD: tuple[Family, ...] = (
    backup_before_retire.FAMILY,
    deploy_freeze.FAMILY,
    live_dependents.FAMILY,
    key_revocation.FAMILY,
    role_boundary.FAMILY,
    migration_snapshot.FAMILY,
    canary_promotion.FAMILY,
    scale_down.FAMILY,
    data_residency.FAMILY,
    dns_cutover.FAMILY,
)
