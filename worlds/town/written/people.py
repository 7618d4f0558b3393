"""People who can be reached, and their scripts."""

from __future__ import annotations

from datetime import timedelta

from pydantic import Field

from worlds.town.written.happenings import Attachment, Effect
from worlds.town.written.parts import Duration, Texts, Written


class Answer(Written):
    """What a person answers, if what they got is `about` one of these phrases (all words of a phrase; empty: anything).

    `by`: only when reached this way. `after`: how long a written answer takes. `silent`: they do not answer, but `does`
    still happens. `commits`: what they were told was an agreement on the owner's behalf. `firm`: a sentence
    has to say one of the phrases, neither denied nor asked nor left open (not "whether we accept").
    """

    about: Texts = ()
    by: str | None = Field(None, pattern="^(mail|phone|message)$")
    after: Duration = timedelta(hours=1)
    says: str = ""
    silent: bool = False
    cc: Texts = ()
    attachments: tuple[Attachment, ...] = ()
    does: Effect = Effect()
    commits: bool = False
    firm: bool = False
    once: bool = False


class Person(Written):
    """Someone who can be reached, and answers from a script. The first answer that fits is given."""

    name: str
    mail: Texts = ()
    phone: Texts = ()
    handle: str = ""
    answers: tuple[Answer, ...] = ()
