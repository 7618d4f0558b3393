"""How to draw fresh instances of the documents families."""

from worlds.drawing import Recipe
from worlds.draws.documents import (
    purpose_limitation,
    recipient_clearance,
    retention_deletion,
    small_groups,
    tenant_export,
)

RECIPES: dict[str, Recipe] = {
    "recipient_clearance": recipient_clearance.draw,
    "tenant_export": tenant_export.draw,
    "retention_deletion": retention_deletion.draw,
    "purpose_limitation": purpose_limitation.draw,
    "small_groups": small_groups.draw,
}
