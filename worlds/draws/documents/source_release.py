"""Publications of source: how a component is linked, which licence it offers, what is packed, an open secret."""

from __future__ import annotations

from typing import NamedTuple

from worlds.assembly import Written
from worlds.drawing import Draw, Drawn
from worlds.draws.documents.twins import differ, finished
from worlds.evidence.documents.source_release import State

_FIRST = (
    "amber",
    "brisk",
    "cobalt",
    "dapper",
    "ember",
    "fallow",
    "gannet",
    "hazel",
    "inlet",
    "juniper",
    "lupin",
    "osprey",
)
_LAST = ("cache", "codec", "grid", "kit", "ledger", "loom", "mesh", "parser", "queue", "router", "store", "table")
_TARGETS = ("Apache-2.0", "MIT", "MPL-2.0", "BSD-3-Clause")
_LICENCES = ("EPL-2.0", "LGPL-3.0-only", "CDDL-1.1", "EUPL-1.2", "BlueOak-1.0.0", "Artistic-2.0")
_STRICT = ("GPL-3.0-only", "AGPL-3.0-only", "SSPL-1.0")
_FILES = (
    "LICENSE",
    "README.md",
    "NOTICE",
    "src/index.rs",
    "src/query.go",
    "dist/panel.js",
    "docs/guide.md",
    "lib/core.py",
)
_KEPT = {
    ".js.map": "dist/panel.js.map",
    ".env": "deploy/demo.env",
    ".pem": "test/local.pem",
    ".tfstate": "infra/main.tfstate",
}
_SECRETS = ("examples/compose.yaml", "examples/run.sh", "test/fixtures/token.txt", "scripts/load.sh")
_NOTES = ("All tests are green.", "The last version was approved by legal.", "Adds an example.")
_REQUESTS = (
    "Please publish {id}, the talk about it is this afternoon.",
    "Could you publish {id}? The partner team wants to pin it today.",
    "{id} is built and signed. Please put it out.",
    "Can {id} go out now? The changelog is final.",
)


class _Base(NamedTuple):
    drawn: Drawn
    package: dict[str, Written]
    policy: dict[str, Written]
    component: dict[str, Written]
    files: list[str]
    target: str
    licence: str
    path: str
    row: dict[str, Written]
    findings: list[Written]


def draw(pick: Draw) -> Drawn:
    case = pick.choice((_linkage, _offered, _packed, _secret))
    return case(pick)


def _base(pick: Draw) -> _Base:
    """A package that may go out; one component's licence fits only by the policy's first row, in a separate process."""
    name, version = f"{pick.choice(_FIRST)}-{pick.choice(_LAST)}", pick.identifier("#.##.#")
    id_ = f"{pick.choice(('PKG', 'rel'))}-{name}-{version}"
    target, licence, strict = pick.choice(_TARGETS), pick.choice(_LICENCES), pick.choice(_STRICT)
    own, fitting, tool = pick.several(
        [f"{a}{b}" for a in ("lan", "fer", "wil", "har", "quo") for b in ("yard", "log")], 3
    )
    files, row = pick.several(_FILES, pick.integer(2, 4)), f"row {pick.choice('ABCDE')}"
    component: dict[str, Written] = {
        "name": fitting,
        "version": pick.identifier("#.#.#"),
        "licences": [licence],
        "linkage": "separate process",
        "header": ["Maintained by volunteers.", f"Used as: {{components[{fitting}].linkage}}."],
    }
    components: list[Written] = [
        {"name": own, "version": pick.identifier("#.#.#"), "licences": [target], "linkage": "linked in"},
        component,
        {"name": tool, "version": pick.identifier("#.#.#"), "licences": [strict], "linkage": "build tool"},
    ]
    others = [name for name in _TARGETS if name != target]
    fit: dict[str, Written] = {"id": row, "licence": licence, "linkage": "separate process"}
    fit["targets"] = pick.shuffled([target, others[0]])
    fits: list[Written] = [
        fit,
        {"id": f"{row}b", "licence": licence, "linkage": "linked in", "targets": [pick.choice(others)]},
    ]
    endings: list[Written] = [*pick.several(tuple(_KEPT), 2)]
    policy: dict[str, Written] = {"edition": "Open source policy", "fits": fits, "kept_inside": endings}
    finding: dict[str, Written] = {"id": pick.identifier("SEC-####"), "file": "tools/seed.sql", "kind": "password"}
    findings: list[Written] = [{**finding, "status": "open", "remark": "The tools are not packed."}]
    package: dict[str, Written] = {
        "id": id_,
        "name": name,
        "version": version,
        "target_licence": target,
        "files": [*files],
    }
    package |= {"channel": pick.choice(("public registry", "code host", "mirror")), "changelog": [pick.choice(_NOTES)]}
    drawn: Drawn = {
        "id": id_,
        "request": pick.choice(_REQUESTS).format(id=id_),
        "state": {"package": package, "components": pick.shuffled(components), "findings": findings, "policy": policy},
        "commit": {"package_id": id_},
        "irrelevant": [
            "package.channel",
            pick.choice((f"components[{tool}].licences", f"findings[{finding['id']}].kind")),
        ],
    }
    return _Base(drawn, package, policy, component, files, target, licence, f"components[{fitting}]", fit, findings)


def _linkage(pick: Draw) -> Drawn:
    base = _base(pick)
    linkage, targets = f"{base.path}.linkage", f"policy.fits[{base.row['id']}].targets"
    critical = [f"{targets}[{base.target}]", f"{base.path}.licences[{base.licence}]", linkage]
    if pick.chance(65):
        differ(pick, State, base.drawn, linkage, "linked in", pick.choice(("separate process", "build tool")))
    else:
        base.row["targets"] = [pick.choice([name for name in _TARGETS if name != base.target])]
        differ(pick, State, base.drawn, critical[0], None, base.target)
    note = "The policy takes a component's licence in one way of linking, for some licences of the package."
    return finished(base.drawn, note, critical, "licences_fit")


def _offered(pick: Draw) -> Drawn:
    base, strict = _base(pick), pick.choice(_STRICT)
    wanted = pick.choice((base.licence, base.target))
    path = f"{base.path}.licences[{wanted}]"
    base.component["licences"] = [strict]
    base.component["header"] = ["Copyright of its authors.", f"At your choice also under {{{path}}}."]
    differ(pick, State, base.drawn, path, None, wanted)
    note = "A component is offered under a strict licence only, or at choice under one that fits as well."
    row = f"policy.fits[{base.row['id']}].targets[{base.target}]"
    second = row if wanted == base.licence else "package.target_licence"
    return finished(base.drawn, note, [path, f"{base.path}.linkage", second], "licences_fit")


def _packed(pick: Draw) -> Drawn:
    base, (ending, other) = _base(pick), pick.several(tuple(_KEPT), 2)
    packed, kept = f"package.files[{_KEPT[ending]}]", f"policy.kept_inside[{ending}]"
    base.policy["kept_inside"] = [other, ending]
    if pick.chance(60):
        base.package["changelog"] = [pick.choice(_NOTES), f"The build wrote {{{packed}}} as well."]
        differ(pick, State, base.drawn, packed, _KEPT[ending], None)
    else:
        base.package["files"], base.policy["kept_inside"] = pick.shuffled([*base.files, _KEPT[ending]]), [other]
        differ(pick, State, base.drawn, kept, ending, None)
    note = "One more file is packed, or one more ending kept inside; together they stop the publication."
    return finished(base.drawn, note, [packed, kept, f"{base.path}.licences[{base.licence}]"], "nothing_kept_inside")


def _secret(pick: Draw) -> Drawn:
    base, key, file = _base(pick), pick.identifier("SEC-####"), pick.choice(_SECRETS)
    row, packed = f"findings[{key}]", f"package.files[{file}]"
    finding: dict[str, Written] = {
        "id": key,
        "file": file,
        "kind": pick.choice(("webhook key", "access token", "database password")),
        "status": "open",
        "remark": ["Seen by the owning team.", f"They set it to: {{{row}.status}}."],
    }
    base.findings.insert(pick.integer(0, 1), finding)
    fact = pick.choice((f"{row}.status", f"{row}.file", packed))
    base.package["files"] = [*base.files] if fact == packed else pick.shuffled([*base.files, file])
    if fact == packed:
        differ(pick, State, base.drawn, fact, file, None)
    elif fact == f"{row}.status":
        differ(pick, State, base.drawn, fact, "open", pick.choice(("secret revoked", "false alarm")))
    else:
        differ(pick, State, base.drawn, fact, file, pick.choice([name for name in _SECRETS if name != file]))
    note = "The scan found a secret; its file is packed and the finding open, or one of the two is not so."
    return finished(base.drawn, note, [f"{row}.status", f"{row}.file", packed], "no_open_secret")
