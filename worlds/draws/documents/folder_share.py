"""Shares of a folder: what lies deep, what was moved, a linked folder, the scope, an agreement, an inherited label."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn, part
from worlds.draws.documents.twins import differ, edge, finished, iso
from worlds.evidence.documents.folder_share import WIDTH, State

_TOPICS = ("Weir tender", "Pump trials", "Move to the quay", "Turbine audit", "Festival plans", "Soil survey")
_FOLDERS = ("Drawings", "Method statements", "Floor plans", "Minutes", "Photographs", "Working drafts", "Handover")
_FILES = ("General arrangement.dwg", "Read me.txt", "Schedule.pdf", "Index.pdf", "Wiring.pdf", "Overview.pptx")
_CLOSED_FILES = ("Day rates.xlsx", "Extract.csv", "Names and desks.xlsx", "Offers.pdf", "Cost sheet.xlsx")
_OPEN_LABELS = ("Project", "Working papers", "Engineering", "Study papers", "Site record")
_CLOSED_LABELS = ("Commercial", "Personnel", "Board papers", "Trial data", "Staff record")
_KINDS = ("Engineers", "Metrology", "Interiors", "Cells", "Biometrics", "Pay", "Surveys")
_SCOPES = tuple(WIDTH)
_RULE = "all_opened_is_shareable"
_REQUESTS = (
    "Please share the folder as prepared in {id}, {partner} starts this week.",
    "Could you set up {id} for {partner}?",
    "{partner} waits for the link. It is prepared as {id}, please create it.",
    "Can you open the workspace for {partner}? Share request {id} has the details.",
)


class _Base(NamedTuple):
    drawn: Drawn
    root: str
    deep: dict[str, Written]
    file: dict[str, Written]
    items: list[Written]
    labels: tuple[str, str]
    partner: str
    until: date
    scope: int
    limit: int


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_deep, _moved, _linked, _scope, _agreement, _label))
    return case(pick)


def _item(pick: Draw, name: str, parent: str | None, **more: Written) -> dict[str, Written]:
    file = "." in name
    fields: dict[str, Written] = {"id": pick.identifier("fil-#####" if file else "fld-#####"), "name": name}
    fields |= {"kind": "file" if file else "folder", "parent": parent, "size_mb": str(pick.integer(1, 300) * file)}
    return fields | more


def _base(pick: Draw, narrow: int = 0, highest: int = 3) -> _Base:
    """A shareable tree of three levels. The second label allows nothing as wide as the share."""
    id_, partner = pick.identifier(pick.choice(("SHR-8#####", "SH-3#####"))), pick.company(_KINDS)
    labels = pick.choice(_OPEN_LABELS), pick.choice(_CLOSED_LABELS)
    scope, until = pick.integer(1 + narrow, highest), pick.day(date(2026, 2, 2), date(2026, 12, 18))
    limit = pick.integer(narrow, scope - 1)
    root = _item(pick, pick.choice(_TOPICS), None, label=labels[0])
    names = pick.several(_FOLDERS, 3)
    above, beside = (_item(pick, name, str(root["id"])) for name in names[:2])
    deep = _item(pick, names[2], str(above["id"]))
    first, second = pick.several(_FILES, 2)
    file = _item(pick, first, str(deep["id"]))
    items: list[Written] = [root, above, deep, file, beside, _item(pick, second, str(beside["id"]))]
    agreement: dict[str, Written] = {
        "id": pick.identifier("DSA-####"),
        "partner": partner,
        "labels": [labels[0]],
        "valid_through": iso(until, pick.integer(100, 900)),
        "contact": pick.person(),
        "notes": "Nondisclosure agreement, signed by both sides.",
    }
    share: dict[str, Written] = {
        "id": id_,
        "folder_id": root["id"],
        "partner": partner,
        "scope": _SCOPES[scope],
        "mode": pick.choice(("view only", "may comment", "may edit")),
        "until": iso(until),
        "message": [pick.choice(("For the joint bid.", "As agreed by telephone.", "Start with the index."))],
    }
    rules: list[Written] = [
        {"name": labels[0], "widest": _SCOPES[pick.integer(scope, 3)]},
        {"name": labels[1], "widest": _SCOPES[limit]},
    ]
    policy: dict[str, Written] = {"issue": f"House labels {pick.choice('ABCDE')}", "labels": pick.shuffled(rules)}
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_, partner=partner),
        "state": {"share": share, "items": items, "policy": policy, "agreements": [agreement]},
        "commit": {"share_id": id_},
        "irrelevant": [
            "share.mode",
            pick.choice((f"items[{file['id']}].size_mb", f"agreements[{agreement['id']}].contact")),
        ],
    }
    return _Base(drawn, str(root["id"]), deep, file, items, labels, partner, until, scope, limit)


def _deep(pick: Draw) -> Drawn:
    base = _base(pick)
    base.file["name"], base.file["label"] = pick.choice(_CLOSED_FILES), base.labels[1]
    path, file = f"items[{pick.choice((base.deep, base.file))['id']}].inherits", f"items[{base.file['id']}]"
    base.file["description"] = ["One line for each.", f"Inherits from above: {{{path}}}."]
    differ(pick, State, base.drawn, path, "true", "false")
    note = "A restricted file lies deep in the shared folder; on the way down inheritance holds, or is broken."
    critical = [path, f"{file}.label", f"policy.labels[{base.labels[1]}].widest"]
    return finished(base.drawn, note, critical, _RULE)


def _moved(pick: Draw) -> Drawn:
    base = _base(pick)
    base.file["name"], base.file["label"] = pick.choice(_CLOSED_FILES), base.labels[1]
    closed = _item(pick, "Closed store", base.root, inherits="false", label=base.labels[1])
    base.items.insert(pick.integer(1, 4), closed)
    path = f"items[{base.file['id']}].parent"
    base.file["description"] = f"Lies in {{{path}}} since the clean-up."
    differ(pick, State, base.drawn, path, str(base.deep["id"]), str(closed["id"]))
    note = "A restricted file lies in the closed folder of the tree, or was moved to an open one."
    critical = [path, f"items[{closed['id']}].inherits", f"items[{base.file['id']}].label"]
    return finished(base.drawn, note, critical, _RULE)


def _linked(pick: Draw) -> Drawn:
    base = _base(pick)
    harmless, shut = (
        _item(pick, name, None, label=label) for name, label in zip(("Set A", "Set B"), base.labels, strict=True)
    )
    link = _item(
        pick, pick.choice(("Reference", "More", "See also")), base.root, kind="linked folder", links_to=harmless["id"]
    )
    base.items.extend(pick.shuffled([harmless, shut, _item(pick, pick.choice(_CLOSED_FILES), str(shut["id"])), link]))
    path, label = f"items[{link['id']}].links_to", f"items[{shut['id']}].label"
    link["description"] = f"Points to {{{path}}}."
    if pick.chance(65):
        differ(pick, State, base.drawn, path, str(shut["id"]), str(harmless["id"]))
    else:
        link["links_to"] = shut["id"]
        differ(pick, State, base.drawn, label, base.labels[1], base.labels[0])
    note = "A linked folder brings in what lies outside the shared tree; that may be shared, or not."
    return finished(base.drawn, note, [path, label, f"items[{link['id']}].inherits"], _RULE)


def _scope(pick: Draw) -> Drawn:
    base = _base(pick, narrow=1)
    base.deep["label"] = base.labels[1]
    widest = f"policy.labels[{base.labels[1]}].widest"
    part(base.drawn, "state", "share")["message"] = ["As agreed.", "Who can open it: {share.scope}."]
    if pick.chance():
        differ(pick, State, base.drawn, widest, _SCOPES[base.limit], _SCOPES[base.scope])
    else:
        differ(pick, State, base.drawn, "share.scope", _SCOPES[base.scope], _SCOPES[base.limit])
    note = "One folder's label is narrower than the others; the share's scope is as narrow, or wider."
    return finished(base.drawn, note, ["share.scope", widest, f"items[{base.deep['id']}].label"], _RULE)


def _agreement(pick: Draw) -> Drawn:
    base, key, other = _base(pick, highest=2), pick.identifier("DSA-####"), pick.identifier("DSA-####")
    base.deep["label"] = base.labels[1]
    row = f"agreements[{key}]"
    fact = pick.choice((f"{row}.valid_through", f"{row}.labels[{base.labels[1]}]", f"{row}.partner"))
    agreement: dict[str, Written] = {
        "id": key,
        "partner": base.partner,
        "labels": [base.labels[1]] if "[" not in fact.removeprefix(row) else [],
        "valid_through": iso(base.until, edge(pick, 0, 200)),
        "contact": pick.person(),
        "notes": ["Signed in winter.", f"For the record: {{{fact}}}."],
    }
    sister = f"{base.partner} {pick.choice(('Recycling', 'Holding', 'Services'))}"
    decoy: dict[str, Written] = {
        "id": other,
        "partner": sister,
        "labels": [*base.labels],
        "notes": "Of the sister firm.",
    }
    listed = part(base.drawn, "state")["agreements"]
    if isinstance(listed, list):
        listed.extend(pick.shuffled([agreement, {**agreement, **decoy}]))
    if fact.endswith("valid_through"):
        differ(pick, State, base.drawn, fact, iso(base.until, -edge(pick, 1, 60)), agreement["valid_through"])
    elif fact.endswith("partner"):
        differ(pick, State, base.drawn, fact, sister, base.partner)
    else:
        differ(pick, State, base.drawn, fact, None, base.labels[1])
    note = "The label alone forbids the share; an agreement lifts it, or has another partner, label or last day."
    critical = dict.fromkeys([fact, f"{row}.valid_through", f"items[{base.deep['id']}].label", "share.until"])
    return finished(base.drawn, note, [*critical], _RULE)


def _label(pick: Draw) -> Drawn:
    base = _base(pick)
    path, widest = f"items[{base.deep['id']}].label", f"policy.labels[{base.labels[1]}].widest"
    base.file["description"] = ["One page for each.", f"Filed under the label {{{path}}}."]
    differ(pick, State, base.drawn, path, base.labels[1], pick.choice((None, base.labels[0])))
    note = "A file has no label of its own; a folder above it carries a narrow one, or does not."
    return finished(base.drawn, note, [path, f"items[{base.deep['id']}].inherits", widest], _RULE)
