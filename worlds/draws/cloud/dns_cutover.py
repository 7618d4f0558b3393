"""Cutovers that turn on a lifetime not yet over, a second record set, the first publication, or the certificate."""

from __future__ import annotations

from datetime import date, timedelta

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn
from worlds.draws.cloud.common import AREAS, case, differ, differ_in_item, elsewhere, listing, moment

_HOSTS = ("booking", "portal", "relay", "shop", "status", "account", "files", "members")
_TARGETS = ("edge", "gateway", "balancer", "site", "proxy")
_ISSUERS = ("Harbour Trust CA", "Clearmark CA", "Northlight CA")
_COMMENTS = ("The old target stays up for a week.", "Posters go up on the day.", "Prepared with the network team.")
_HOURS = (3, 4, 6, 8, 9, 12, 18, 30, 36)
_REQUESTS = (
    "Please do the cutover {id} for the {area} site as planned. The provider already shows the short lifetime.",
    "Could you make the switch {id}? The certificate for the new target came through last night.",
    "Please switch the name in {id} at the time of the change.",
    "{id} is up next, please carry it out. {person} has prepared everything.",
)
_SWITCH = "cutover.switch_at"


def draw(pick: Draw) -> Drawn:
    return pick.choice((_lifetime, _lifetime, _second, _unpublished, _named, _valid))(pick)


class _Base:
    """A cutover whose old answers are gone by the time and whose certificate covers the name."""

    def __init__(self, pick: Draw, deep: bool | None = None) -> None:
        self.at, area, host = moment(pick), pick.choice(AREAS), pick.choice(_HOSTS)
        self.zone = f"{area}{pick.choice(('line', 'works', 'house', 'point'))}.example"
        deep = pick.chance() if deep is None else deep
        self.parent = f"{pick.choice(('eu', 'north', 'app'))}.{self.zone}" if deep else self.zone
        self.name = f"{host}.{self.parent}"
        self.hours = pick.choice(_HOURS)
        self.id = pick.identifier(pick.choice(("CUT-?####", "sw-?####", "DNSC-?###?")))
        self.target, self.old = (f"{kind}-{pick.choice('abcdef')}" for kind in pick.several(_TARGETS, 2))
        self.cutover: dict[str, Written] = {
            "id": self.id,
            "name": self.name,
            "new_target": self.target,
            "switch_at": self.at.isoformat(),
            "requested_by": pick.person(),
            "comments": pick.choice(_COMMENTS),
        }
        self.record = self.record_set(pick, self.name, "A", self.hours)
        aside: dict[str, Written] = {
            **self.record,
            "id": pick.identifier("rs-?####"),
            "name": pick.choice((self.zone, f"www.{self.zone}", f"mail.{self.zone}")),
            "ttl_seconds": self.record["previous_ttl_seconds"],
            "shortened_at": None,
        }
        self.certificate: dict[str, Written] = {
            "id": pick.identifier(pick.choice(("crt-5####", "c-?###?"))),
            "served_by": self.target,
            "names": [*pick.choice(((self.name,), (f"*.{self.parent}", self.parent)))],
            "not_before": elsewhere(pick, self.at - timedelta(days=pick.integer(2, 60))).isoformat(),
            "not_after": elsewhere(pick, self.at + timedelta(days=pick.integer(60, 180))).isoformat(),
            "issuer": pick.choice(_ISSUERS),
        }
        former: dict[str, Written] = {
            **self.certificate,
            "id": pick.identifier("crt-6####"),
            "served_by": self.old,
            "names": [f"*.{self.parent}", self.parent],
            "not_before": (self.at - timedelta(days=pick.integer(100, 150))).isoformat(),
            "not_after": (self.at + timedelta(days=pick.integer(3, 40))).isoformat(),
            "notes": "Stays with the old target.",
        }
        self.state: dict[str, Written] = {
            "cutover": self.cutover,
            "record_sets": [*pick.shuffled((self.record, aside))],
            "certificates": [*pick.shuffled((self.certificate, former))],
        }
        if pick.chance(40):
            again: dict[str, Written] = {"id": pick.identifier("CUT-?####"), "name": f"intranet.{self.zone}"}
            self.state["other_cutovers"] = [{**self.cutover, **again, "comments": []}]
        irrelevant = (
            "cutover.requested_by",
            f"certificates[{self.certificate['id']}].issuer",
            f"record_sets[{aside['id']}].ttl_seconds",
        )
        self.drawn: Drawn = {
            "id": self.id,
            "request": pick.choice(_REQUESTS).format(id=self.id, area=area, person=pick.person()),
            "state": self.state,
            "commit": {"cutover_id": self.id},
            "irrelevant": [*pick.several(irrelevant, 2)],
        }

    def record_set(self, pick: Draw, name: str, kind: str, hours: int) -> dict[str, Written]:
        """One that was shortened at least so many hours before the switch, the lifetime that it had had."""
        shortened = self.at - timedelta(hours=hours, minutes=pick.choice((0, 0, pick.integer(1, 600))))
        return {
            "id": pick.identifier("rs-?####"),
            "name": name,
            "type": kind,
            "ttl_seconds": str(pick.choice((60, 90))),
            "previous_ttl_seconds": str(hours * 3600),
            "shortened_at": elsewhere(pick, shortened).isoformat(),
            "published_since": pick.day(date(2017, 1, 9), date(2025, 10, 20)).isoformat(),
        }

    def of_record(self, field: str) -> str:
        return f"record_sets[{self.record['id']}].{field}"

    def of_certificate(self, field: str) -> str:
        return f"certificates[{self.certificate['id']}].{field}"


def _lifetime(pick: Draw) -> Drawn:
    base = _Base(pick)
    shortened, previous = base.of_record("shortened_at"), base.of_record("previous_ttl_seconds")
    base.record["comment"] = ["Answers live for a short time now.", f"Shortened at {{{shortened}}}."]
    if pick.chance(70):
        late = base.at - timedelta(hours=base.hours) + timedelta(minutes=pick.choice((1, 60, pick.integer(5, 150, 5))))
        sides = differ(pick, base.record, shortened, elsewhere(pick, late).isoformat(), base.record["shortened_at"])
    else:
        sides = differ(
            pick, base.record, previous, str((base.hours + pick.choice((24, 48))) * 3600), str(base.hours * 3600)
        )
    note = "The lifetime shown now is short; the one that it had is over by the switch, or not."
    return case(base.drawn, sides, note, [previous, shortened, _SWITCH], "old_answers_gone")


def _second(pick: Draw) -> Drawn:
    base = _Base(pick)
    hours = base.hours + pick.choice((0, 2, 5))
    second = base.record_set(pick, base.name, "AAAA", hours)
    prepared = base.at - timedelta(hours=hours, minutes=pick.choice((0, 0, pick.integer(5, 50))))
    second["shortened_at"] = base.record["shortened_at"] = elsewhere(pick, prepared).isoformat()
    listing(base.state, "record_sets").insert(pick.integer(0, 2), second)
    previous, shortened = (f"record_sets[{second['id']}].{name}" for name in ("previous_ttl_seconds", "shortened_at"))
    base.cutover["comments"] = f"The second address had {{{previous}}} seconds."
    sides = differ(pick, second, previous, str((hours + pick.choice((1, 12, 24))) * 3600), str(hours * 3600))
    note = "Two record sets of one name were shortened together; the second had lived longer, in one twin too long."
    critical = [previous, shortened, base.of_record("previous_ttl_seconds")]
    return case(base.drawn, sides, note, critical, "old_answers_gone")


def _unpublished(pick: Draw) -> Drawn:
    base = _Base(pick)
    path = base.of_record("published_since")
    short = timedelta(minutes=pick.integer(10, 150, 5))
    base.record["shortened_at"] = elsewhere(pick, base.at - short).isoformat()
    base.record["comment"] = ["Prepared for the launch.", f"Published since {{{path}}}."]
    published = (base.at.date() - timedelta(days=pick.integer(20, 400))).isoformat()
    sides = differ(pick, base.record, path, published, None)
    critical = [path, base.of_record("previous_ttl_seconds"), base.of_record("shortened_at")]
    note = "Shortened a little before the switch: enough for a name that was never published, and for no other."
    return case(base.drawn, sides, note, critical, "old_answers_gone")


def _named(pick: Draw) -> Drawn:
    """The certificate's other names come close: a wildcard one label off, or the name's parent."""
    base = _Base(pick, deep=True)
    served = base.of_certificate("served_by")
    name = pick.choice((base.name, f"*.{base.parent}"))
    path = base.of_certificate(f"names[{name}]")
    base.certificate["names"] = [f"*.{base.zone}", pick.choice((base.zone, base.parent))]
    base.certificate["notes"] = pick.choice(("Ordered for the new target.", f"Also names {{{path}}}."))
    if pick.chance(70):
        sides = differ_in_item(pick, base.certificate, path, name, False)
    else:
        base.certificate["names"] = [f"*.{base.zone}", name]
        sides = differ(pick, base.certificate, served, base.old, base.target)
    note = (
        "A certificate of which a wildcard is one label off; the new target serves one with a fitting name in one twin."
    )
    return case(base.drawn, sides, note, [path, served, base.of_certificate("not_after")], "certificate_covers")


def _valid(pick: Draw) -> Drawn:
    base = _Base(pick)
    edge = timedelta(minutes=pick.choice((0, 0, pick.integer(5, 600, 5))))
    off = timedelta(minutes=pick.choice((1, 30, pick.integer(5, 600, 5))))
    if pick.chance():
        path = base.of_certificate("not_before")
        good, bad = base.at - edge, base.at + off
    else:
        path = base.of_certificate("not_after")
        good, bad = base.at + edge, base.at - off
    base.certificate["notes"] = "Order complete, installed on the new target."
    sides = differ(pick, base.certificate, path, elsewhere(pick, bad).isoformat(), elsewhere(pick, good).isoformat())
    note = "The certificate covers the name; its validity begins or ends with the switch, or misses it."
    return case(base.drawn, sides, note, [path, _SWITCH, base.of_certificate("served_by")], "certificate_covers")
