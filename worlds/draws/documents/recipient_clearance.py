"""Deliveries of classified documents: rank, compartment, class, the clearance's last day, a one-time release."""

from __future__ import annotations

from datetime import date

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.documents.twins import differ, edge, finished, iso
from worlds.evidence.documents.recipient_clearance import State

_WORKS = ("Stability runs", "Thermal campaign", "Gateway intrusion test", "Reservoir appraisal", "Firmware audit")
_OBJECTS = ("second series", "unit B", "terminal north", "edition of the spring", "annexes included", "main volume")
_OWNERS = ("Test Directorate", "Asset Integrity", "Regulatory Affairs", "Information Security", "Subsurface Department")
_KINDS = ("Laboratories", "Orbital", "Assurance", "Energy", "Terminals", "Marine Systems", "Insurance")
_JOBS = ("chief safety officer", "head of analysis", "acceptance manager", "exploration director", "senior tester")
_CLASSES = ("open", "house", "internal", "guarded", "restricted", "commercial", "closely guarded", "board reserved")
_COMPARTMENTS = ("ORIOLE", "SALTMARSH", "KEYSTONE", "WINDROW", "CINDER", "LODESTAR", "PALISADE", "THISTLE")
_REQUESTS = (
    "Please make delivery {id} to {name} at {employer}; it is registered.",
    "Could you deliver {document} to {name} today? The vault has it as {id}.",
    "{name} is waiting for {document}. Please send it under {id}.",
    "{id} is due: {document} for {name}. Can you open it now?",
)


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_rank, _compartment, _classed, _expiry, _release))
    return case(pick)


def _base(pick: Draw) -> tuple[Drawn, list[str], list[int], date]:
    """The instance, the classes in ascending order, their ranks, the day. The document has the second class."""
    id_ = pick.identifier(pick.choice(("DLV-7#####", "VD-3#####", "DV-26-#####")))
    document, person = pick.identifier("???-####"), pick.identifier(pick.choice(("P-#####", "EXT-####")))
    name, employer, day = pick.person(), pick.company(_KINDS), pick.day(date(2026, 1, 12), date(2026, 12, 11))
    classes = [_CLASSES[at] for at in sorted(pick.several(range(len(_CLASSES)), pick.integer(3, 5)))]
    ranks = [pick.integer(0, 2)]
    for _ in classes[1:]:
        ranks.append(ranks[-1] + pick.integer(1, 3))
    paper: dict[str, Written] = {
        "id": document,
        "title": f"{pick.choice(_WORKS)}, {pick.choice(_OBJECTS)}",
        "owner": pick.choice(_OWNERS),
        "classification": classes[1],
        "pages": str(pick.integer(18, 320)),
        "language": pick.choice(("English", "German", "Spanish", "Norwegian")),
    }
    recipient: dict[str, Written] = {
        "id": person,
        "name": name,
        "employer": employer,
        "job_title": pick.choice(_JOBS),
        "rank": str(ranks[1] + pick.integer(0, 2)),
        "clearance_valid_through": iso(day, pick.integer(30, 900)),
        "nondisclosure_agreement": "signed and in force",
        "vetting_notes": [
            pick.choice(("The agreement was countersigned by both houses.", "The yearly interview went well.")),
            pick.choice(("Holds rank {recipient.rank}.", "Badge issued at the main gate.")),
        ],
    }
    delivery: dict[str, Written] = {
        "id": id_,
        "document_id": document,
        "recipient_id": person,
        "access_mode": pick.choice(("read only", "read only, no download", "download, watermarked", "reading room")),
        "deliver_on": iso(day),
        "note": pick.choice(("Promised for the review board.", "The agreement is signed.", "Asked for twice.")),
    }
    levels: list[Written] = [{"name": n, "required_rank": str(r)} for n, r in zip(classes, ranks, strict=True)]
    scheme: dict[str, Written] = {"edition": f"Scheme {pick.choice('ABCDEFGH')}", "levels": levels}
    state: dict[str, Written] = {"delivery": delivery, "document": paper, "recipient": recipient, "scheme": scheme}
    irrelevant: list[Written] = [pick.choice(("document.pages", "recipient.job_title", "document.language"))]
    if pick.chance():
        earlier: dict[str, Written] = {"id": pick.identifier("???-####"), "pages": str(pick.integer(18, 320))}
        log = f"Delivered to {name} last year."
        state["other_documents"] = [{**paper, **earlier, "classification": classes[0], "log": log}]
    if pick.chance():
        other, initial = pick.identifier(pick.choice(("P-#####", "EXT-####"))), f"{name[0]}. {name.split()[1]}"
        namesake: dict[str, Written] = {"id": other, "name": initial, "rank": str(ranks[-1] + 1), "vetting_notes": []}
        through = iso(day, pick.integer(30, 900))
        state["other_people"] = [{**recipient, **namesake, "clearance_valid_through": through}]
        irrelevant.append(f"other_people[{other}].rank")
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, name=name, employer=employer, document=document),
        "state": state,
        "commit": {"delivery_id": id_},
        "irrelevant": irrelevant,
    }
    return drawn, classes, ranks, day


def _rank(pick: Draw) -> Drawn:
    drawn, classes, ranks, _ = _base(pick)
    level, needed, short = f"scheme.levels[{classes[1]}].required_rank", ranks[1], pick.integer(1, ranks[1])
    if pick.chance():
        differ(pick, State, drawn, "recipient.rank", str(needed - short), str(needed + edge(pick, 0, 2)))
    else:
        part(drawn, "state", "recipient")["rank"] = str(needed)
        differ(pick, State, drawn, level, str(needed + short), str(needed - pick.choice((0, 0, 1))))
    note = "A signed agreement stands beside a rank that meets the class or falls short of it."
    return finished(drawn, note, ["document.classification", level, "recipient.rank"], "rank_suffices")


def _compartment(pick: Draw) -> Drawn:
    drawn, _, _, _ = _base(pick)
    word, *others = pick.several(_COMPARTMENTS, 4)
    paper, recipient = part(drawn, "state", "document"), part(drawn, "state", "recipient")
    paper["compartments"], recipient["compartments"] = [*others[: pick.integer(0, 2)]], [*others[: pick.integer(2, 3)]]
    on_paper, held = f"document.compartments[{word}]", f"recipient.compartments[{word}]"
    critical = [on_paper, pick.choice(("recipient.rank", "recipient.clearance_valid_through"))]
    if pick.chance(65):
        paper["compartments"] = pick.shuffled([word, *others[: pick.integer(0, 2)]])
        recipient["vetting_notes"] = ["Seen in spring.", f"Read into {{{held}}} when the board was formed."]
        differ(pick, State, drawn, held, None, word)
        critical.append(held)
    else:
        paper["cover_page"] = ["Pages are numbered.", f"The annex carries {{{on_paper}}}."]
        differ(pick, State, drawn, on_paper, word, None)
    note = "The rank suffices; a compartment that the document carries is lacking, or none is."
    return finished(drawn, note, critical, "compartments_held")


def _classed(pick: Draw) -> Drawn:
    drawn, classes, ranks, _ = _base(pick)
    part(drawn, "state", "recipient")["rank"] = str(pick.integer(ranks[1], ranks[2] - 1))
    part(drawn, "state", "document")["cover_page"] = ["To be handled as {document.classification}."]
    differ(pick, State, drawn, "document.classification", pick.choice(classes[2:]), classes[1])
    note = "The class of the document was reviewed; the rank reaches the one class and not the other."
    critical = ["document.classification", "recipient.rank", f"scheme.levels[{classes[1]}].required_rank"]
    return finished(drawn, note, critical, "rank_suffices")


def _expiry(pick: Draw) -> Drawn:
    drawn, _, _, day = _base(pick)
    through, late = "recipient.clearance_valid_through", edge(pick, 1, 40)
    if pick.chance(65):
        differ(pick, State, drawn, through, iso(day, -late), iso(day, edge(pick, 0, 30)))
    else:
        part(drawn, "state", "recipient")["clearance_valid_through"] = iso(day)
        differ(pick, State, drawn, "delivery.deliver_on", iso(day, late), iso(day, -edge(pick, 0, 9)))
    note = "Rank and class fit; the clearance lasts to the day of delivery, or ended before it."
    return finished(drawn, note, [through, "delivery.deliver_on", "recipient.rank"], "clearance_valid")


def _release(pick: Draw) -> Drawn:
    drawn, classes, ranks, day = _base(pick)
    delivery, key, word = part(drawn, "state", "delivery"), pick.identifier("OTR-####"), pick.choice(_COMPARTMENTS)
    field = pick.choice(("used_on", "closes_on", "opens_on"))
    path = f"releases[{key}].{field}"
    release: dict[str, Written] = {
        "id": key,
        "document_id": delivery["document_id"],
        "recipient_id": delivery["recipient_id"],
        "originator": pick.person(),
        "opens_on": iso(day, -pick.integer(20, 60)),
        "closes_on": iso(day, edge(pick, 0, 20)),
    }
    other: dict[str, Written] = {"id": pick.identifier("OTR-####"), "document_id": pick.identifier("???-####")}
    part(drawn, "state")["releases"] = pick.shuffled([release, {**release, **other}])
    if field == "used_on":
        part(drawn, "state", "document")["log"] = f"Opened under a release on {{{path}}}."
        differ(pick, State, drawn, path, iso(day, -pick.integer(2, 18)), None)
    elif field == "closes_on":
        differ(pick, State, drawn, path, iso(day, -edge(pick, 1, 15)), iso(day, edge(pick, 0, 20)))
    else:
        differ(pick, State, drawn, path, iso(day, edge(pick, 1, 15)), iso(day, -edge(pick, 0, 9)))
        release["closes_on"] = iso(day, pick.integer(20, 40))
    critical, broken = [path, "recipient.clearance_valid_through"], "compartments_held"
    if pick.chance(60):
        part(drawn, "state", "recipient")["rank"], broken = str(pick.integer(0, ranks[1] - 1)), "rank_suffices"
        critical += ["recipient.rank", f"scheme.levels[{classes[1]}].required_rank"]
    else:
        part(drawn, "state", "document")["compartments"] = [word]
        critical.append(f"document.compartments[{word}]")
    delivery["note"] = f"The sender refers to the originator's release {key}."
    note = "Rank or compartment is lacking; the originator's release stands, or is used up, closed or not yet open."
    return finished(drawn, note, critical, broken)
