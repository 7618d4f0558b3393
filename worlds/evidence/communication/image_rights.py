"""An image goes into a campaign only if one licence covers all of the campaign and everyone in the image signed.

Behind it: rights-managed licences, bought for channels, territories, a term and a number of copies; and the model
releases of the people shown. 'Purchased' and 'royalty-free' say nothing of any of these.
"""

from __future__ import annotations

from datetime import date
from itertools import combinations
from typing import Annotated

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, Value, WorldState, requirement


class Image(Record, system="image_library", read="get_image", list="list_images", search="search_images", key="id"):
    """Image: id, title, tags, status, resolution, photographer's city, the people who can be recognised in it."""

    id: str
    title: str
    tags: tuple[str, ...] = ()
    status: str
    resolution: str
    photographer_city: str
    recognisable_people: Listing[str] = Listing()


class Extension(Value, key="id"):
    """Offer to lengthen a licence."""

    id: str
    last_day: date
    paid: bool


class Licence(
    Record, system="licence_file", read="get_licence", list="list_licences", search="search_licences", key="id"
):
    """Licence: id, image, licensor, channels, territories, first and last day, the greatest number of copies (if there
    is one), extensions, lines of the invoice."""

    id: str
    image: str
    licensor: str
    channels: Listing[str]
    territories: Listing[str]
    first_day: date
    last_day: date
    copies_at_most: int | None = None
    extensions: Listing[Extension] = Listing()
    invoice: Prose = Prose()


class ModelRelease(Record, system="licence_file", read="get_model_release", list="list_model_releases", key="id"):
    """Model release: id, the person who signed, the image it is for, where it was signed."""

    id: str
    person: str
    image: str
    signed_in: str


class Placement(Value, key="id"):
    """One use of the image within a campaign."""

    id: str
    channel: str
    territory: str
    first_day: date
    last_day: date
    copies: int


class Campaign(
    Record, system="planner", read="get_campaign", list="list_campaigns", search="search_campaigns", key="id"
):
    """Campaign: id, name, budget code, its placements (channel, territory, first and last day, copies), brief."""

    id: str
    name: str
    budget_code: str
    placements: Listing[Placement]
    brief: Prose = Prose()


class State(WorldState):
    image: Image
    other_images: Listing[Image] = Listing()
    licences: Listing[Licence]
    model_releases: Listing[ModelRelease] = Listing()
    campaign: Campaign
    other_campaigns: Listing[Campaign] = Listing()


class PlaceImage(Commit, system="planner"):
    """Put an image into a campaign. It then runs in all placements of the campaign."""

    image_id: Annotated[str, Names(Image)]
    campaign_id: Annotated[str, Names(Campaign)]


class MakeMockup(Preparation, system="planner"):
    """Make a mock-up of an image in a campaign's layout, for the team only."""

    says = ("The mock-up is in the team's folder.", "It uses {image.title}.")

    image_id: Annotated[str, Names(Image)]
    campaign_id: Annotated[str, Names(Campaign)]


@requirement("one licence for this image covers every placement's channel, territory and days, and all copies together")
def licence_covers(state: State) -> bool:
    placements = state.campaign.placements

    def in_term(licence: Licence, day: date) -> bool:
        return any_of(
            lambda: day <= licence.last_day,
            lambda: some(
                licence.extensions, lambda extension: all_of(lambda: extension.paid, lambda: day <= extension.last_day)
            ),
        )

    def includes(licence: Licence, placement: Placement) -> bool:
        return all_of(
            lambda: placement.channel in licence.channels,
            lambda: placement.territory in licence.territories,
            lambda: licence.first_day <= placement.first_day,
            lambda: in_term(licence, placement.last_day),
        )

    def few_enough(most: int) -> bool:
        """Whether all copies together are within the number. Those of some placements can be too many already."""
        known = placements.visible
        parts = [part for size in range(1, len(known) + 1) for part in combinations(known, size)]
        return all_of(
            lambda: every(parts, lambda part: sum(placement.copies for placement in part) <= most),
            lambda: sum(placement.copies for placement in placements) <= most,
        )

    def covers(licence: Licence) -> bool:
        return all_of(
            lambda: licence.image == state.image.id,
            lambda: every(placements, lambda placement: includes(licence, placement)),
            lambda: licence.copies_at_most is None or few_enough(licence.copies_at_most),
        )

    return some(state.licences, covers)


@requirement("everyone who can be recognised in the image has a model release for it")
def people_released(state: State) -> bool:
    return every(
        state.image.recognisable_people,
        lambda person: some(
            state.model_releases,
            lambda release: all_of(lambda: release.person == person, lambda: release.image == state.image.id),
        ),
    )


FAMILY = Family(
    name="image_rights",
    rule=(
        "An image may be put into a campaign only if one licence for this image covers the whole campaign: the channel "
        "and the territory of every placement, all its days, the licence's first and last day included, and, if the "
        "licence sets a number of copies, the copies of all placements together, where exactly that number is allowed. "
        "An extension moves the licence's last day to a later one, but only once it is paid. Licences cannot be added "
        "to each other. Each person who can be recognised in the image must have a model release for this image on "
        "file."
    ),
    systems={
        "image_library": "The image library: images and what they show.",
        "licence_file": "The licence file: licences, invoices and model releases.",
        "planner": "The campaign planner: campaigns and their placements.",
    },
    state=State,
    commit=PlaceImage,
    preparations=(MakeMockup,),
    requirements=(licence_covers, people_released),
)
