"""Source is published when every licence fits, no secret is in it and nothing kept inside is packed (FAMILY_NOTES 47).

Behind it: licence compatibility, secret scanning and the list of files in a package. A fit depends on how a component
is linked; of several licences offered at choice, one that fits is enough.
"""

from __future__ import annotations

from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Prose, Record, Value, WorldState, requirement

Linkage = Literal["linked in", "separate process", "build tool"]


class Package(Record, system="release_pipeline", read="get_package", key="id"):
    """Package prepared for publication: name, version, licence it is published under, files, channel, changelog."""

    id: str
    name: str
    version: str
    target_licence: str
    files: Listing[str]
    channel: str
    changelog: Prose = Prose()


class Component(
    Record, system="scanner", read="get_component", list="list_components", search="search_components", key="name"
):
    """Component of other authors in the package: version, licences offered at choice, how it is linked, header."""

    name: str
    version: str
    licences: Listing[str]
    linkage: Linkage
    header: Prose = Prose()


class SecretFinding(Record, system="scanner", read="get_secret_finding", list="list_secret_findings", key="id"):
    """Finding of the secret scan: file, kind, status, remark of the person who looked at it."""

    id: str
    file: str
    kind: str
    status: Literal["open", "secret revoked", "false alarm"]
    remark: Prose = Prose()


class LicenceFit(Value, key="id"):
    """A licence, a way of linking, and the licences under which a package that contains it so may be published."""

    id: str
    licence: str
    linkage: Linkage
    targets: Listing[str]


class ReleasePolicy(Record, system="source_office", read="get_release_policy"):
    """Which licences fit which, by linkage, and the endings of file names that are kept inside the house."""

    edition: str
    fits: Listing[LicenceFit]
    kept_inside: Listing[str]


class State(WorldState):
    package: Package
    components: Listing[Component]
    findings: Listing[SecretFinding] = Listing()
    policy: ReleasePolicy


class PublishPackage(Commit, system="release_pipeline"):
    """Publish a prepared package on its public channel; copies cannot be called back."""

    package_id: Annotated[str, Names(Package)]


@requirement("for every component that goes out, a licence offered fits the package's licence")
def licences_fit(state: State) -> bool:
    target = state.package.target_licence

    def fits(component: Component, licence: str) -> bool:
        def listed() -> bool:
            return some(
                state.policy.fits,
                lambda fit: all_of(
                    lambda: fit.licence == licence,
                    lambda: fit.linkage == component.linkage,
                    lambda: target in fit.targets,
                ),
            )

        return any_of(lambda: licence == target, listed)

    return every(
        state.components,
        lambda component: any_of(
            lambda: component.linkage == "build tool",
            lambda: some(component.licences, lambda licence: fits(component, licence)),
        ),
    )


@requirement("no finding of the secret scan on a packed file is open")
def no_open_secret(state: State) -> bool:
    return every(
        state.findings,
        lambda finding: any_of(lambda: finding.status != "open", lambda: finding.file not in state.package.files),
    )


@requirement("no packed file has an ending that is kept inside")
def nothing_kept_inside(state: State) -> bool:
    return every(
        state.package.files,
        lambda file: every(state.policy.kept_inside, lambda ending: not file.endswith(ending)),
    )


FAMILY = Family(
    name="source_release",
    rule=(
        "A package may be published only if, for every component in it except build tools, at least one of the "
        "licences offered is the package's own licence or is listed in the release policy, for the way the component "
        "is linked, as fitting the package's licence. No finding of the secret scan on a file in the package may be "
        "open; a revoked secret, a false alarm and findings on files that are not packed do no harm. No packed file "
        "may have an ending that the policy keeps inside. Approval of an earlier version does not count."
    ),
    systems={
        "release_pipeline": "Packages prepared for publication.",
        "scanner": "Licence and secret scan of the packages.",
        "source_office": "The release policy of the open source office.",
    },
    state=State,
    commit=PublishPackage,
    requirements=(licences_fit, no_open_secret, nothing_kept_inside),
)
