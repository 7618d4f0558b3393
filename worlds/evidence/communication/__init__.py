"""Communication and publication: who may read, hear or see what. Systems: directory, review board, publishing."""

from worlds.evidence.communication import (
    embargo_release,
    external_forward,
    group_audience,
    image_rights,
    incident_statement,
    minor_segment,
    quote_consent,
    revision_signoff,
    sponsor_disclosure,
    suppression_list,
)
from worlds.model import Family

COMMUNICATION: tuple[Family, ...] = (
    group_audience.FAMILY,
    embargo_release.FAMILY,
    revision_signoff.FAMILY,
    quote_consent.FAMILY,
    image_rights.FAMILY,
    suppression_list.FAMILY,
    incident_statement.FAMILY,
    external_forward.FAMILY,
    minor_segment.FAMILY,
    sponsor_disclosure.FAMILY,
)
