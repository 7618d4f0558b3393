"""Model graders for what only a reader can tell: every open criterion alone, asked of models of different families.

Through pydantic-ai, an extra (`pip install 'twintown[models]'`); any provider that it knows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import anyio
import structlog
from pydantic_ai import Agent as ModelAgent
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model

from graders.town.grade import reader_questions
from graders.town.readers import NEEDED, Question, Reading, answer_in
from orchestrator.progress import Progress
from orchestrator.runs import RunError, opened
from worlds.catalogue import TOWN_NAMES, task_named
from worlds.town.task import TownWorld

SECONDS = 120.0

_log = structlog.get_logger()


class Reader:
    """One model that answers questions. `family`: who made it; two readers of one family do not count twice."""

    def __init__(self, name: str, model: Model | None = None) -> None:
        self.name = name
        self.family = name.partition(":")[0]
        self._agent: ModelAgent[object, str] = ModelAgent(model or infer_model(name))

    async def read(self, question: Question) -> Reading:
        """Its answer; a model that fails or answers nothing clear has none."""
        try:
            with anyio.fail_after(SECONDS):
                said = (await self._agent.run(question.prompt)).output
        except Exception as error:  # a provider's failure is one reading less, and never a pass
            _log.warning("a reader failed", reader=self.name, error=repr(error))
            said = ""
        return Reading(question=question.id, reader=self.name, family=self.family, answer=answer_in(said))


def readers_named(names: Sequence[str], make: Callable[[str], Reader] = Reader) -> tuple[Reader, ...]:
    """Readers by `provider:model`. Raises ValueError if one cannot be made, or there are not two families or more."""
    readers = tuple(_made(name, make) for name in names)
    if len({reader.family for reader in readers}) < NEEDED:
        raise ValueError(
            f"readers {', '.join(names)}: two families are needed, because a grader alone may share its agent's blind "
            "spots; give --reader twice, such as anthropic:MODEL and openai:MODEL"
        )
    return readers


def _made(name: str, make: Callable[[str], Reader]) -> Reader:
    try:
        return make(name)
    except (UserError, ImportError) as error:  # no key, or no client of this provider
        raise ValueError(f"reader {name}: {' '.join(str(error).split())}") from None


def read_run(directory: Path, readers: Sequence[Reader], progress: Progress) -> int:
    """Ask readers what is open in a run of the town; what they said already is not asked again. Each episode's readings
    are kept as they come, so that an interrupted reading goes on where it stopped. Returns how many were given.

    Raises RunError if the run is not there, or is one of evidence, where nothing needs a reader.
    """
    given = 0
    with opened(directory) as store, store.alone(), progress:
        if store.card.suite not in TOWN_NAMES:
            raise RunError(f"{directory} is a run of {store.card.suite}, where nothing needs a reader")
        progress.start(0, store.count())
        for episode_id, _, condition, episode, _ in store.episodes():
            world = task_named(condition.task).world(condition.twin)
            if isinstance(world, TownWorld):
                known = {(reading.question, reading.reader) for reading in store.readings(episode_id) if reading.answer}
                readings = anyio.run(_readings, reader_questions(world, episode), readers, known)
                with store.at_once():
                    store.keep_readings(episode_id, readings)
                given += len(readings)
            progress.ended()
    return given


async def _readings(
    questions: Sequence[Question], readers: Sequence[Reader], known: Collection[tuple[str, str]]
) -> list[Reading]:
    return [
        await reader.read(question)
        for question in questions
        for reader in readers
        if (question.id, reader.name) not in known
    ]
