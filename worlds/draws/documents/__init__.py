"""How to draw fresh instances of the documents families."""

from worlds.drawing import Recipe
from worlds.draws.documents import (
    attestation_current,
    field_redaction,
    folder_share,
    purpose_limitation,
    recipient_clearance,
    retention_deletion,
    small_groups,
    source_release,
    tenant_export,
    treating_relationship,
)

RECIPES: dict[str, Recipe] = {
    "recipient_clearance": recipient_clearance.draw,
    "tenant_export": tenant_export.draw,
    "retention_deletion": retention_deletion.draw,
    "purpose_limitation": purpose_limitation.draw,
    "small_groups": small_groups.draw,
    "folder_share": folder_share.draw,
    "source_release": source_release.draw,
    "treating_relationship": treating_relationship.draw,
    "attestation_current": attestation_current.draw,
    "field_redaction": field_redaction.draw,
}
