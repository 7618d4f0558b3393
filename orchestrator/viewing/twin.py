"""The twin view as plain values: one condition's two episodes side by side, or one episode alone.

`templates/twin.html.j2` draws it, in `twintown view` and in the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.alignment import Alignment, Step, aligned
from graders.grade import Grade, Verdict
from graders.town.grade import TownGrade
from graders.town.readers import Reading
from orchestrator.grading import AnyGrade
from orchestrator.showing import described
from orchestrator.town_showing import SCRIPTS, described_task, in_words
from orchestrator.viewing.written import Line, Passage, compared, in_one_line, lines_of, passages, visible
from worlds.catalogue import TOWN_NAMES, Task
from worlds.episode import CallKind, CallOutcome, Condition, Episode, JournalLine
from worlds.model import Twin
from worlds.task import TaskPair
from worlds.town.task import twin_word


class Tone(StrEnum):
    """Whether something is as it should be; `open` where that is not settled."""

    GOOD = "good"
    BAD = "bad"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict or a part of one, in words, and its tone."""

    words: str
    tone: Tone


@dataclass(frozen=True)
class Kept:
    """An episode as the run keeps it, with its grade and what readers said of it."""

    id: int
    agent: str
    condition: Condition
    episode: Episode
    grade: AnyGrade
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """What can be hidden: its name, what kind it is, what it is in each twin, by the twin's word, and whether the twins
    differ in it. `shown`: by twin, the lines of the journal that exposed it."""

    name: str
    kind: str
    hidden: bool
    differs: bool
    values: Mapping[str, str]
    shown: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one journal. `rows`: what it left in a database. `proves`: whether the grade rests on it."""

    seq: int
    name: str
    arguments: str
    kind: str
    outcome: str
    answer: tuple[Passage, ...]
    exposed: tuple[str, ...]
    seconds: float
    proves: bool
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of the alignment, from 1. `parts`: the two differ here; `first`: and did not before."""

    number: int
    says: str
    parts: bool
    first: bool
    calls: Mapping[str, Call | None]


@dataclass(frozen=True, slots=True)
class Side:
    """One twin: what the agent was asked, how it ended, and the verdict with its reasons. `word`: the twin's name in
    its suite. Without an episode, `id` is None and nothing else is told."""

    word: str
    request: str = ""
    id: int | None = None
    verdict: tuple[Said, ...] = ()
    disposition: str = ""
    reasons: tuple[str, ...] = ()
    ending: str = ""
    message: tuple[str, ...] = ()
    calls: int = 0
    seconds: float = 0.0
    usage: str = ""
    readings: tuple[str, ...] = ()


@dataclass(frozen=True)
class TwinView:
    """All that the template needs. `parting`: where the two part, in a sentence; empty for one episode alone.
    `told`: what is known of the task, by title."""

    agent: str
    task: str
    setting: str
    repeat: int
    hidden: tuple[str, ...]
    sides: tuple[Side, ...]
    parting: str
    facts: tuple[Fact, ...]
    told: Mapping[str, tuple[str, ...]]
    steps: tuple[StepView, ...]

    @property
    def title(self) -> str:
        return f"{self.agent} on {self.task}"


def twin_view(suite: str, task: Task | None, kept: Sequence[Kept], whole: bool = True) -> TwinView:
    """The view of one or two episodes of the same agent, task, setting, mask and repeat, the unsafe twin first.

    `task`: None if the installed worlds do not have it. `whole`: also show a twin that was not run. Raises ValueError
    for no episode, or for episodes that do not belong together.
    """
    if not kept or len({_place(one) for one in kept}) > 1:
        raise ValueError("a twin view needs one or two episodes of the same agent, task, setting, mask and repeat")
    by_twin = {one.condition.twin: one for one in kept}
    twins = [twin for twin in (task.twins if task else Twin) if twin in by_twin or whole]
    twins = [twin for twin in (Twin.UNSAFE, Twin.SAFE) if twin in twins]
    words = {twin: word_of(suite, twin) for twin in twins}
    alignment = _alignment([by_twin[twin].episode.journal if twin in by_twin else () for twin in twins])
    condition = kept[0].condition
    journals = {words[twin]: one.episode.journal for twin, one in by_twin.items()}
    return TwinView(
        agent=kept[0].agent,
        task=condition.task,
        setting=condition.setting.value,
        repeat=condition.repeat,
        hidden=condition.hidden,
        sides=tuple(_side(words[twin], twin, task, by_twin.get(twin)) for twin in twins),
        parting=_parting(alignment) if len(kept) == 2 else "",
        facts=tuple(_facts(suite, task, condition, journals)) if task else (),
        told=_told(task) if task else {},
        steps=tuple(_steps(alignment, [(words[twin], by_twin.get(twin)) for twin in twins], len(kept) == 2)),
    )


def word_of(suite: str, twin: Twin) -> str:
    """What a twin is called in a suite."""
    return twin_word(suite, twin) if suite in TOWN_NAMES else twin.value


def verdict_of(grade: AnyGrade) -> tuple[Said, ...]:
    """A verdict in words."""
    if isinstance(grade, Grade):
        return (Said(grade.verdict.replace("_", " "), _TONES[grade.verdict]),)
    excluded = tuple(Said(f"excluded on {axis}", Tone.OPEN) for axis in grade.excluded)
    goals = {True: "goals met", False: "goals missed", None: "goals inconclusive"}
    return (
        Said(goals[grade.goals_met], _tone(grade.goals_met)),
        *_violation(grade),
        *excluded,
    )


def proof_of(grade: AnyGrade) -> frozenset[int]:
    """The lines of the journal that a grade rests on."""
    if isinstance(grade, Grade):
        return frozenset(grade.lines)
    found = (line for each in grade.findings for line in each.lines)
    return frozenset((*found, *(each.line for each in grade.violations)))


_TONES: Mapping[Verdict, Tone] = {
    Verdict.UNSAFE_COMMIT: Tone.BAD,
    Verdict.WITHHELD: Tone.GOOD,
    Verdict.UNFINISHED: Tone.OPEN,
    Verdict.LEGAL_COMPLETION: Tone.GOOD,
    Verdict.FALSE_ABSTENTION: Tone.BAD,
    Verdict.OTHER_NONCOMPLETION: Tone.BAD,
}


def _tone(good: bool | None) -> Tone:
    return Tone.OPEN if good is None else Tone.GOOD if good else Tone.BAD


def _violation(grade: TownGrade) -> tuple[Said, ...]:
    if grade.any_violation is False:
        return (Said("nothing violated", Tone.GOOD),)
    sure = tuple(Said(f"violated: {outcome}", Tone.BAD) for outcome, held in grade.outcomes.items() if held)
    unsure = tuple(
        Said(f"violation inconclusive: {outcome}", Tone.OPEN)
        for outcome, held in grade.outcomes.items()
        if held is None
    )
    return sure + unsure


def _place(one: Kept) -> tuple[object, ...]:
    return one.agent, one.condition._replace(twin=Twin.SAFE)


def _alignment(journals: Sequence[Sequence[JournalLine]]) -> Alignment:
    if len(journals) == 2:
        return aligned(*journals)
    return Alignment(tuple(Step(line, None) for line in journals[0]))


def _parting(alignment: Alignment) -> str:
    if alignment.part is None:
        return "The two journals do not part: the same calls, and the same answers to them."
    answers, calls = alignment.answers_part, alignment.calls_part
    parts = []
    if answers is not None:
        parts.append(f"the world first answers differently at step {answers + 1}")
    else:
        parts.append("the same calls got the same answers throughout")
    if calls is not None:
        parts.append(f"the agent first acts differently at step {calls + 1}")
    else:
        parts.append("the agent makes the same calls throughout")
    first, second = parts if calls is None or (answers is not None and answers < calls) else reversed(parts)
    return f"{first[0].upper()}{first[1:]}; {second}."


def _side(word: str, twin: Twin, task: Task | None, kept: Kept | None) -> Side:
    request = _request(task, twin) if task else ""
    if kept is None:
        return Side(word, request)
    episode, grade = kept.episode, kept.grade
    return Side(
        word=word,
        request=request,
        id=kept.id,
        verdict=verdict_of(grade),
        disposition=grade.disposition.value,
        reasons=tuple(map(visible, grade.reasons)),
        ending=visible(episode.ending.reason),
        message=lines_of(episode.ending.message),
        calls=grade.calls,
        seconds=episode.seconds,
        usage=_usage(kept),
        readings=tuple(_reading(reading) for reading in kept.readings),
    )


def _request(task: Task, twin: Twin) -> str:
    return task.request if isinstance(task, TaskPair) else task.world(twin).request


def _usage(kept: Kept) -> str:
    usage = kept.episode.ending.usage
    amounts = {
        "requests": usage.requests,
        "input tokens": usage.input_tokens,
        "output tokens": usage.output_tokens,
    }
    return ", ".join(f"{amount:,} {what}" for what, amount in amounts.items() if amount is not None)


def _reading(reading: Reading) -> str:
    return visible(in_words(reading.model_dump(mode="json")))


def _told(task: Task) -> dict[str, tuple[str, ...]]:
    """What of the task the agent did not know: the rule with its note, or what the owner agreed to and wants."""
    if isinstance(task, TaskPair):
        return {"Rule": (visible(task.family.rule),), "Note": (visible(task.note),)}
    found = described_task(task)
    told: dict[str, tuple[str, ...]] = {"Note": (visible(found["note"]),)}
    for word, twin in found["twins"].items():
        consent = f"consent: {in_words(twin['consent']) or 'none'}"
        intent = [f"the owner would say ({name}): {says}" for name, says in twin["intent"].items()]
        goals = [f"goal {number}: {in_words(goal)}" for number, goal in enumerate(twin["goal"], start=1)]
        told[word.capitalize()] = tuple(map(visible, (consent, *intent, *goals)))
    return told


def _facts(
    suite: str, task: Task, condition: Condition, journals: Mapping[str, Sequence[JournalLine]]
) -> Iterable[Fact]:
    found = _described_facts(suite, task)
    for name, (kind, differs, values) in found.items():
        shown = {
            word: tuple(line.seq for line in journal if name in line.exposed) for word, journal in journals.items()
        }
        yield Fact(name, kind, name in condition.hidden, differs, values, shown)


def _described_facts(suite: str, task: Task) -> dict[str, tuple[str, bool, dict[str, str]]]:
    """By name: the kind, whether the twins differ in it, and its value in each twin. The differences of the town are
    changes of the task's file, which are no facts of it: they are listed first."""
    if isinstance(task, TaskPair):
        return {
            atom["atom"]: (
                "critical" if atom["critical"] else "irrelevant",
                atom["atom"] in task.differing,
                {twin.value: in_one_line(atom[twin.value]) for twin in Twin},
            )
            for atom in described(task)["atoms"]
        }
    found = described_task(task)
    facts: dict[str, tuple[str, bool, dict[str, str]]] = {}
    for word, changes in found["difference"].items():
        for path, value in changes.items():
            if path not in SCRIPTS:
                as_it_stands = dict.fromkeys(found["twins"], "as the file has it")
                _, _, values = facts.setdefault(path, ("difference", True, as_it_stands))
                values[word] = visible(in_words(value))
    for name, fact in found["facts"].items():
        facts[name] = ("can be hidden", False, dict.fromkeys(found["twins"], visible(fact["text"])))
    return facts


def _steps(alignment: Alignment, sides: Sequence[tuple[str, Kept | None]], both: bool) -> Iterable[StepView]:
    for number, step in enumerate(alignment.steps):
        lines = (step.first, step.second)[: len(sides)]
        yield StepView(
            number=number + 1,
            says=_says(step, [word for word, _ in sides]) if both else "",
            parts=both and step.parts,
            first=both and number == alignment.part,
            calls={
                word: _call(line, kept, answer) if line and kept else None
                for (word, kept), line, answer in zip(sides, lines, _answers(lines), strict=True)
            },
        )


def _answers(lines: Sequence[JournalLine | None]) -> Sequence[Sequence[Line]]:
    """What was shown, marked where it differs if there are two lines."""
    shown = [lines_of(line.shown) if line else () for line in lines]
    if len(lines) == 2 and all(lines):
        return compared(*shown)
    return [[Line(text) for text in one] for one in shown]


def _says(step: Step, words: Sequence[str]) -> str:
    if step.second is None:
        return f"only in {words[0]}"
    if step.first is None:
        return f"only in {words[1]}"
    if not step.same_call:
        return f"other arguments, {'the same' if step.same_answer else 'another'} answer"
    return f"the same call, {'the same' if step.same_answer else 'another'} answer"


def _call(line: JournalLine, kept: Kept, answer: Sequence[Line]) -> Call:
    rows = tuple(
        visible(f"{server}: {effect.tool} {in_one_line(effect.arguments)}")
        for server, effects in kept.episode.final_state.items()
        for effect in effects
        if effect.seq == line.seq
    )
    return Call(
        seq=line.seq,
        name=visible(_name(line)),
        arguments=in_one_line(line.arguments),
        kind=line.kind.value,
        outcome="" if line.outcome is CallOutcome.ANSWERED else line.outcome.value,
        answer=passages(answer),
        exposed=tuple(map(visible, line.exposed)),
        seconds=line.seconds,
        proves=line.seq in proof_of(kept.grade),
        rows=rows,
    )


def _name(line: JournalLine) -> str:
    return "end of turn" if line.kind is CallKind.TURN else f"{line.server}.{line.tool}"
