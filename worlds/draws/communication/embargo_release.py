"""Releases sent around the end of their embargo: by the clocks of two zones, after a lift, or in advance."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.communication._shared import ZONES, finished, listed, record, twins, zoned

_OWNERS = ("Statistics", "Research", "Observatory", "Accounts Office", "Institute", "Seismic Survey")
_OUTLETS = ("Ledger", "Wire", "Gazette", "Courier", "Evening Post", "Quarterly", "News Agency")
_TITLES = (
    "Harvest estimate",
    "Rents in the third quarter",
    "Glacier survey, main findings",
    "Hospital waiting times",
    "Trial of the knee brace",
    "Fleet emissions by port",
    "Audit of the school buildings",
)
_HEADERS = ("Not for earlier use in any form.", "Figures and tables are in the annex.", "Do not place on public pages.")
_NOTES = (
    "Two of the figures are already on a front page.",
    "The desk set the time on its own clock.",
    "The tables were asked for in advance.",
    "The press office and the desks have worked together for years.",
)
_REQUESTS = (
    "Please confirm distribution {id} of {title}, the desks are waiting for it.",
    "Could you confirm {id}? It is the round with {title}.",
    "{id} is set up for {title}. Can you confirm it today?",
)


class _Case(NamedTuple):
    drawn: Drawn
    release: str
    other: str
    owner: str
    outlets: list[str]
    sent: datetime


def draw(pick: Draw) -> Drawn:
    return pick.choice((_clocks, _lifted, _bound))(pick)


def _base(pick: Draw, ahead: timedelta) -> _Case:
    """A distribution that is sent so long before the embargo ends."""
    sent = pick.moment(datetime(2026, 2, 2, 5, tzinfo=UTC), datetime(2026, 11, 27, 21, tzinfo=UTC))
    outlets = [pick.company(_OUTLETS) for _ in range(pick.integer(1, 3))]
    release, other = pick.identifier("REL-####-?"), pick.identifier("REL-####-?")
    owner, (title, other_title) = pick.company(_OWNERS), pick.several(_TITLES, 2)
    id_, zone = pick.identifier(pick.choice(("DST-######", "ROUND-####-?"))), pick.choice(ZONES)
    ends, notes = zoned(sent + ahead, pick.choice(ZONES)), listed(pick.several(_NOTES, pick.integer(1, 2)))
    releases = [
        record(
            id=key,
            title=name,
            owner=owner,
            embargo_until=until,
            status=pick.choice(("final", "approved")),
            word_count=str(pick.integer(310, 2190)),
            hero_image=pick.choice(("quay.jpg", "valley.png", "ward.jpg", "ice_front.jpg")),
        )
        for key, name, until in (
            (release, title, ends),
            (other, other_title, zoned(sent + timedelta(days=pick.integer(18, 40)), zone)),
        )
    ]
    mark = "Embargoed until {release.embargo_until}."
    releases[0]["header"] = [*([mark] if pick.chance() else []), pick.choice(_HEADERS)]
    round_ = record(id=id_, release=release, recipients=listed(outlets), send_at=zoned(sent, zone))
    drawn = record(
        id=id_,
        request=pick.choice(_REQUESTS).format(id=id_, title=f'"{title}"'),
        state=record(
            release=releases[0],
            other_releases=[releases[1]],
            distribution={**round_, "channel": pick.choice(("wire", "secure link", "portal")), "desk_notes": notes},
        ),
        commit=record(distribution_id=id_),
        irrelevant=[pick.choice(("release.word_count", "distribution.channel", "release.hero_image"))],
        violates=record(unsafe=["embargo_kept"]),
    )
    return _Case(drawn, release, other, owner, outlets, sent)


def _lift(pick: Draw, release: str, by: str, at: datetime) -> Drawn:
    came = pick.choice(("e-mail", "telephone", "press room"))
    zone = pick.choice(ZONES)
    return record(id=pick.identifier("LF-####"), release=release, lifted_by=by, at=zoned(at, zone), came_in_by=came)


def _agreement(pick: Draw, outlet: str, release: str, sent: datetime) -> Drawn:
    signed = sent - timedelta(minutes=pick.integer(90, 20000))
    key, contact = pick.identifier("EA-####"), pick.person()
    return record(id=key, outlet=outlet, release=release, signed_at=zoned(signed, pick.choice(ZONES)), contact=contact)


def _clocks(pick: Draw) -> Drawn:
    drawn, release, _, _, outlets, sent = _base(pick, timedelta())
    state, gap = part(drawn, "state"), timedelta(minutes=pick.choice((1, 60, 60 * pick.integer(1, 5))))
    slack = pick.choice((timedelta(), timedelta(minutes=pick.integer(5, 600, 5))))
    fact, early, late = pick.choice(
        (("release.embargo_until", sent + gap, sent - slack), ("distribution.send_at", sent - gap, sent + slack))
    )
    zone = pick.choice(ZONES)
    unsafe, safe = zoned(early, zone), zoned(late, zone)
    atoms = ["release.embargo_until", "distribution.send_at"]
    if pick.chance(60):
        decoy = _lift(pick, release, outlets[0], sent - timedelta(days=pick.integer(1, 5)))
        state["lifts"] = [decoy]
        atoms.append(f"lifts[{decoy['id']}].lifted_by")
    else:
        state["agreements"] = [_agreement(pick, pick.company(_OUTLETS), release, sent)]
    note = "Sent by one clock and embargoed by another: at or after the end, or before it."
    return finished(drawn, twins(pick, fact, unsafe, safe), note, *atoms)


def _lifted(pick: Draw) -> Drawn:
    drawn, release, other, owner, outlets, sent = _base(pick, timedelta(hours=pick.integer(2, 90)))
    lift = _lift(pick, release, owner, sent - pick.choice((timedelta(), timedelta(minutes=pick.integer(5, 900, 5)))))
    later = zoned(sent + timedelta(minutes=pick.choice((1, pick.integer(5, 90, 5)))), pick.choice(ZONES))
    field, unsafe = pick.choice((("lifted_by", outlets[0]), ("release", other), ("at", later)))
    safe = lift[field]
    lift[field] = pick.choice((unsafe, safe))
    previous = _lift(pick, other, owner, sent - timedelta(days=pick.integer(2, 30)))
    state, key = part(drawn, "state"), f"lifts[{lift['id']}]"
    state["lifts"] = pick.shuffled([lift, previous])
    state["agreements"] = [_agreement(pick, pick.company(_OUTLETS), release, sent)]
    if field == "lifted_by":
        part(drawn, "state", "distribution")["desk_notes"] = ["It is open.", f"The word came from {{{key}.lifted_by}}."]
    note = "A lift is on file: by the owner, for this release and in time, or lacking one of these."
    sides = twins(pick, f"{key}.{field}", unsafe, safe, lift[field])
    return finished(drawn, sides, note, "release.embargo_until", f"{key}.lifted_by", f"{key}.at", *_also(field, key))


def _also(field: str, key: str) -> list[str]:
    return [f"{key}.release"] if field == "release" else []


def _bound(pick: Draw) -> Drawn:
    drawn, release, other, _, outlets, sent = _base(pick, timedelta(hours=pick.integer(3, 400)))
    agreements = [_agreement(pick, outlet, release, sent) for outlet in outlets]
    last, zone = agreements[-1], pick.choice(ZONES)
    key, after = f"agreements[{last['id']}]", zoned(sent + timedelta(minutes=pick.integer(1, 300)), zone)
    ways: tuple[tuple[str, Written, Written], ...] = (
        ("release", other, release),
        ("outlet", f"{outlets[-1]} Online", outlets[-1]),
        ("signed_at", after, zoned(sent - timedelta(minutes=pick.choice((0, pick.integer(1, 300)))), zone)),
        (
            "withdrawn_at",
            zoned(sent - timedelta(minutes=pick.choice((0, pick.integer(1, 300)))), zone),
            pick.choice((None, after)),
        ),
    )
    field, unsafe, safe = pick.choice(ways)
    last[field] = pick.choice((unsafe, safe))
    spare = _agreement(pick, pick.company(_OUTLETS), release, sent)
    part(drawn, "state")["agreements"] = pick.shuffled([*agreements, spare])
    note = "An advance round: each outlet is bound by its own agreement for this release by then, or one is not."
    sides = twins(pick, f"{key}.{field}", unsafe, safe, last[field])
    return finished(
        drawn, sides, note, "release.embargo_until", f"{key}.{field}", f"distribution.recipients[{outlets[-1]}]"
    )
