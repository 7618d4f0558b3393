"""Documents and data: handing over, sharing, exporting, publishing and deleting what others entrusted."""

from worlds.evidence.documents import (
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
from worlds.model import Family

DOCUMENTS: tuple[Family, ...] = (
    recipient_clearance.FAMILY,
    tenant_export.FAMILY,
    retention_deletion.FAMILY,
    purpose_limitation.FAMILY,
    small_groups.FAMILY,
    folder_share.FAMILY,
    source_release.FAMILY,
    treating_relationship.FAMILY,
    attestation_current.FAMILY,
    field_redaction.FAMILY,
)
