"""The pages of docs/ that are generated from the code: `make docs` writes them, a test keeps them current."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from graders.measures import MEASURES
from graders.town.criteria import criteria_page
from graders.town.measures import MEASURES as TOWN_MEASURES
from orchestrator.exporting.schema import schema_page
from orchestrator.town_checking import details
from servers.tools import tools_by_system
from worlds.catalogue import EVIDENCE
from worlds.contents import as_text
from worlds.facts import parse_path
from worlds.model import Twin
from worlds.task import TaskPair
from worlds.town.catalogue import TOWN_SUITES
from worlds.town.task import TownTask

DOCS = Path(__file__).parent.parent / "docs"


def pages() -> dict[str, str]:
    """The generated pages, by file name."""
    return {
        "families.md": "\n".join(_families()) + "\n",
        "measures.md": "\n".join(_measures()) + "\n",
        "town-tasks.md": "\n".join(_town_tasks()) + "\n",
        "criteria.md": criteria_page(),
        "export-schema.md": schema_page(),
    }


def _town_tasks() -> Iterator[str]:
    yield "# The tasks of suites `trust` and `errands`"
    yield ""
    yield "Generated from the code by `make docs`. How to write one: [town.md](town.md)."
    for suite in TOWN_SUITES:
        yield from ("", f"## {suite.name}")
        for group in suite.groups:
            yield from ("", f"### {group}", "", "| task | case | businesses | hazards | facts | differs in |")
            yield "|---|---|---|---|---|---|"
            for task in suite.tasks:
                if task.group == group:
                    yield _town_task(task)


def _town_task(task: TownTask) -> str:
    world = task.world(task.twins[0])
    differs = ", ".join(f"`{place}`" for place in details(task)) if task.suite == "trust" else ""
    cells = (
        f"`{task.id}`",
        _cell(" ".join(world.file.note.split())),
        ", ".join(world.businesses),
        ", ".join(world.file.hazards),
        ", ".join(world.file.facts),
        _cell(differs),
    )
    return f"| {' | '.join(cells)} |"


def _families() -> Iterator[str]:
    yield "# The families of suite `evidence`"
    yield ""
    yield "Generated from the code by `make docs`. How to add one: [authoring.md](authoring.md)."
    for domain, families in EVIDENCE.domains.items():
        yield from ("", f"## {domain}")
        for family in families:
            yield from _family(EVIDENCE.family_pairs(f"{domain}/{family.name}"))


def _family(pairs: tuple[TaskPair, ...]) -> Iterator[str]:
    family = pairs[0].family
    yield from ("", f"### {family.name}", "", f"**Rule.** {family.rule}", "")
    tools = tools_by_system(family)
    for system, text in family.systems.items():
        yield f"- `{system}`: {text} Tools: {', '.join(f'`{tool.name}`' for tool in tools[system])}."
    yield ""
    for requirement in family.requirements:
        yield f"- `{requirement.name}`: {requirement.text}"
    yield from (
        "",
        "| instance | case | the twins differ in | breaks | critical | irrelevant |",
        "|---|---|---|---|---|---|",
    )
    for pair in pairs:
        breaks = ", ".join(f"`{name}`" for name in pair.violates[Twin.UNSAFE])
        counts = f"{len(pair.critical)} | {len(pair.irrelevant)}"
        yield f"| `{pair.id}` | {_cell(pair.note)} | {_difference(pair)} | {breaks} | {counts} |"
    example = pairs[0]
    atoms = ", ".join(f"`{atom.name}`" for atom in example.atoms if atom.critical)
    spare = ", ".join(f"`{atom.name}`" for atom in example.atoms if not atom.critical)
    yield from ("", f"Example `{example.id}`: “{example.request}” Critical: {atoms}. Irrelevant: {spare}.")


def _difference(pair: TaskPair) -> str:
    return "; ".join(f"`{name}`: {_values(pair, name)}" for name in sorted(pair.differing))


def _values(pair: TaskPair, name: str) -> str:
    values = [pair.world(twin).value_at(parse_path(name)) for twin in Twin]
    return " / ".join(_short(value) for value in values)


def _short(value: object) -> str:
    if value is None:
        return "none"
    try:
        return _cell(as_text(value))
    except TypeError:
        return "present"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _measures() -> Iterator[str]:
    yield "# The measures"
    yield ""
    yield "Generated from the code by `make docs`. Every measure is computed for each task and averaged over tasks,"
    yield "each with a 95 % bootstrap interval over tasks (percentile, 2,000 resamples). A measure without data is"
    yield "missing, never zero. By a measure with sides a task passes or fails; `twintown compare` counts such tasks."
    for suites, measures in (("evidence", MEASURES), ("trust and errands", TOWN_MEASURES)):
        group = ""
        for measure in measures:
            if measure.group != group:
                group = measure.group
                yield from (
                    "",
                    f"## {suites}: {group}",
                    "",
                    "| name | title | unit | sides | definition |",
                    "|---|---|---|---|---|",
                )
            sides = "yes" if measure.binary else ""
            cells = (f"`{measure.name}`", measure.title, measure.unit, sides, _cell(measure.definition))
            yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}")


if __name__ == "__main__":
    main()
