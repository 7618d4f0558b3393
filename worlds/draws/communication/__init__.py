"""How to draw fresh instances of the communication families."""

from worlds.drawing import Recipe
from worlds.draws.communication import (
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

RECIPES: dict[str, Recipe] = {
    "group_audience": group_audience.draw,
    "embargo_release": embargo_release.draw,
    "revision_signoff": revision_signoff.draw,
    "quote_consent": quote_consent.draw,
    "image_rights": image_rights.draw,
    "suppression_list": suppression_list.draw,
    "incident_statement": incident_statement.draw,
    "external_forward": external_forward.draw,
    "minor_segment": minor_segment.draw,
    "sponsor_disclosure": sponsor_disclosure.draw,
}
