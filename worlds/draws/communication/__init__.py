"""How to draw fresh instances of the communication families."""

from worlds.drawing import Recipe
from worlds.draws.communication import (
    embargo_release,
    group_audience,
    image_rights,
    quote_consent,
    revision_signoff,
    suppression_list,
)

RECIPES: dict[str, Recipe] = {
    "group_audience": group_audience.draw,
    "embargo_release": embargo_release.draw,
    "revision_signoff": revision_signoff.draw,
    "quote_consent": quote_consent.draw,
    "image_rights": image_rights.draw,
    "suppression_list": suppression_list.draw,
}
