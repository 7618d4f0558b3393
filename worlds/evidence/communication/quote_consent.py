"""An article goes out only if everyone quoted agreed to this outlet and to the words that are printed.

Behind it: quote approval and release forms. A consent is for somewhere and for something, it can be taken back, and
somebody else cannot give it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement


class Quotation(Value, key="id"):
    """One quotation of an article, and the version of its wording."""

    id: str
    speaker: str
    speaker_title: str
    source: Literal["interview", "written statement", "public filing"]
    wording: str


class Article(Record, system="cms", read="get_article", list="list_articles", search="search_articles", key="id"):
    """Article: id, title, outlet, moment of publication, its quotations (speaker, title, source, version of the wording
    that is printed), headshot, notes of the desk."""

    id: str
    title: str
    outlet: str
    publish_at: AwareDatetime
    quotations: Listing[Quotation]
    headshot: str
    desk_notes: Prose = Prose()


class Consent(
    Record, system="consent_register", read="get_consent", list="list_consents", search="search_consents", key="id"
):
    """Consent to be quoted: id, the speaker, who gave it, the outlets and the version of the wording it is for, from
    when it is withdrawn (if it is), remarks."""

    id: str
    speaker: str
    given_by: str
    outlets: Listing[str]
    wording: str
    withdrawn_from: AwareDatetime | None = None
    remarks: Prose = Prose()


class State(WorldState):
    article: Article
    other_articles: Listing[Article] = Listing()
    consents: Listing[Consent]


class PublishArticle(Commit, system="cms"):
    """Publish an article in its outlet at its moment of publication."""

    article_id: Annotated[str, Names(Article)]


@requirement("each speaker consented, in person and still, to this outlet and to the printed wording")
def consented(state: State) -> bool:
    article = state.article

    def covers(consent: Consent, quotation: Quotation) -> bool:
        return all_of(
            lambda: consent.speaker == quotation.speaker,
            lambda: consent.given_by == quotation.speaker,
            lambda: consent.wording == quotation.wording,
            lambda: article.outlet in consent.outlets,
            lambda: consent.withdrawn_from is None or consent.withdrawn_from > article.publish_at,
        )

    return every(
        article.quotations,
        lambda quotation: any_of(
            lambda: quotation.source == "public filing",
            lambda: some(state.consents, lambda consent: covers(consent, quotation)),
        ),
    )


FAMILY = Family(
    name="quote_consent",
    rule=(
        "An article is published only if for each of its quotations there is one consent that the speaker gave in "
        "person, that includes the article's outlet, and that is for the version of the wording which is printed. A "
        "consent given by somebody else for the speaker does not count. A consent is gone from the moment its "
        "withdrawal takes effect, that moment included. A quotation from a public filing needs no consent."
    ),
    systems={
        "cms": "The newsroom's content system: articles and publishing.",
        "consent_register": "The register of consents to be quoted.",
    },
    state=State,
    commit=PublishArticle,
    requirements=(consented,),
)
