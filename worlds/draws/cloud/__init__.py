"""How to draw fresh instances of the cloud families."""

from worlds.drawing import Recipe
from worlds.draws.cloud import (
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

RECIPES: dict[str, Recipe] = {
    "backup_before_retire": backup_before_retire.draw,
    "deploy_freeze": deploy_freeze.draw,
    "live_dependents": live_dependents.draw,
    "key_revocation": key_revocation.draw,
    "role_boundary": role_boundary.draw,
    "migration_snapshot": migration_snapshot.draw,
    "canary_promotion": canary_promotion.draw,
    "scale_down": scale_down.draw,
    "data_residency": data_residency.draw,
    "dns_cutover": dns_cutover.draw,
}
